// SPDX-License-Identifier: Apache-2.0
#include "app/cli/signin.h"

#include "model/formats/library.h"

#include <QFile>

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString textOf(const std::string &text)
{
    return QString::fromStdString(text);
}

/// What the environment says; nothing where it is silent.
std::optional<QString> variable(const char *name)
{
    return qEnvironmentVariableIsEmpty(name) ? std::optional<QString>()
                                             : qEnvironmentVariable(name).trimmed();
}

/// From a file, or where none is named from the environment; nothing: from neither.
Result<std::optional<QString>> secretOf(const std::string &file, const char *name)
{
    if (file.empty())
        return variable(name);
    const Result<QByteArray> bytes =
        fileBytes(QFile::decodeName(QByteArray::fromStdString(file)), 64 * 1024);
    if (!bytes)
        return Error { bytes.error() };
    return std::optional(QString::fromUtf8(*bytes).trimmed());
}

/// Ways to sign in that were asked for, and options that belong to another one.
QString misuse(const Arguments &given)
{
    QStringList ways;
    const auto way = [&](bool isAsked, const QString &option) {
        if (isAsked)
            ways += option;
    };
    way(!given.tokenFile.empty(), u"--token-file"_s);
    way(!given.user.empty(), u"--user"_s);
    way(!given.apiKeyFile.empty(), u"--api-key-file"_s);
    way(!given.tokenCommand.empty(), u"--token-command"_s);
    if (ways.size() > 1)
        return u"expected one of --token-file, --token-command, --user and --api-key-file, found "
               "%1"_s.arg(ways.join(u" and "_s));
    if (given.user.empty() && !given.passwordFile.empty())
        return u"--password-file needs --user, whose password it is"_s;
    if (!given.apiKeyQuery.empty() && ways != QStringList { u"--api-key-file"_s }
        && !ways.isEmpty())
        return u"--api-key-query needs --api-key-file"_s;
    return {};
}

Result<Credential> basic(const Arguments &given)
{
    const auto password = secretOf(given.passwordFile, "INSTAR_PASSWORD");
    if (!password)
        return Error { password.error() };
    if (!*password)
        return Error { u"--user needs --password-file, or INSTAR_PASSWORD in the environment"_s };
    return Credential {
        .kind = Credential::Kind::Basic, .user = textOf(given.user), .secret = **password
    };
}

Result<Credential> apiKey(const Arguments &given)
{
    const auto key = secretOf(given.apiKeyFile, "INSTAR_API_KEY");
    if (!key)
        return Error { key.error() };
    if (!*key && !given.apiKeyQuery.empty())
        return Error {
            u"--api-key-query needs --api-key-file, or INSTAR_API_KEY in the environment"_s
        };
    if (!*key)
        return Credential();
    const bool isInQuery = !given.apiKeyQuery.empty();
    return Credential { .kind = isInQuery ? Credential::Kind::QueryKey : Credential::Kind::ApiKey,
        .user = textOf(isInQuery ? given.apiKeyQuery : given.apiKeyHeader),
        .secret = **key };
}

} // namespace

void addSignIn(CLI::App &app, Arguments &arguments)
{
    app.add_option("--token-file", arguments.tokenFile,
           "A file with the bearer token that the server wants; else INSTAR_TOKEN in the "
           "environment")
        ->type_name("F");
    app.add_option("--user", arguments.user,
           "Who asks, by HTTP Basic; with --password-file, else INSTAR_PASSWORD in the environment")
        ->type_name("NAME");
    app.add_option("--password-file", arguments.passwordFile, "A file with that user's password")
        ->type_name("F");
    app.add_option("--api-key-file", arguments.apiKeyFile,
           "A file with the API key that the server wants; else INSTAR_API_KEY in the "
           "environment")
        ->type_name("F");
    CLI::Option *header =
        app.add_option("--api-key-header", arguments.apiKeyHeader, "The header that it stands in")
            ->type_name("NAME")
            ->capture_default_str();
    app.add_option("--api-key-query", arguments.apiKeyQuery,
           "The parameter of the query that it stands in, not a header")
        ->type_name("NAME")
        ->excludes(header);
    app.add_option("--token-command", arguments.tokenCommand,
           "A command for the shell that prints the bearer token; it is run again when the server "
           "does not take that one any more (401)")
        ->type_name("CMD");
    app.add_option("--ca", arguments.authorities, "Certificates (PEM) to trust beside the system's")
        ->type_name("F");
}

Result<Credential> credentialOf(const Arguments &arguments)
{
    if (const QString problem = misuse(arguments); !problem.isEmpty())
        return Error { problem };
    if (!arguments.tokenCommand.empty())
        return Credential { .kind = Credential::Kind::Command,
            .user = textOf(arguments.tokenCommand) };
    if (!arguments.user.empty())
        return basic(arguments);
    if (!arguments.apiKeyFile.empty() || !arguments.apiKeyQuery.empty())
        return apiKey(arguments);
    const auto token = secretOf(arguments.tokenFile, "INSTAR_TOKEN");
    if (!token)
        return Error { token.error() };
    if (*token)
        return Credential { .kind = Credential::Kind::Bearer, .user = {}, .secret = **token };
    return apiKey(arguments);
}

} // namespace instar
