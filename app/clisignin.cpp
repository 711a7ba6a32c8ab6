// SPDX-License-Identifier: Apache-2.0
#include "app/clisignin.h"

#include "model/formats/reading.h"

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

/// An option, else what the environment says, else a usual value.
QString said(const std::string &option, const char *name, const QString &usual = {})
{
    return option.empty() ? variable(name).value_or(usual) : textOf(option);
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
    way(!given.user.empty() && given.keystone.empty(), u"--user"_s);
    way(!given.apiKeyFile.empty(), u"--api-key-file"_s);
    way(!given.tokenUrl.empty(), u"--token-url"_s);
    way(!given.keystone.empty(), u"--keystone"_s);
    if (ways.size() > 1)
        return u"expected one of --token-file, --user, --api-key-file, --token-url and --keystone, "
               "found %1"_s.arg(ways.join(u" and "_s));
    if (given.user.empty() && given.keystone.empty() && !given.passwordFile.empty())
        return u"--password-file needs --user, whose password it is"_s;
    const bool isClient =
        !given.clientId.empty() || !given.clientSecretFile.empty() || !given.scope.empty();
    if (isClient && given.tokenUrl.empty())
        return u"--client-id, --client-secret-file and --scope need --token-url, where the token "
               u"is "
               "asked for"_s;
    const bool isProject =
        !given.userDomain.empty() || !given.project.empty() || !given.projectDomain.empty();
    if (isProject && given.keystone.empty())
        return u"--user-domain, --project and --project-domain need --keystone"_s;
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

Result<Credential> client(const Arguments &given)
{
    const auto secret = secretOf(given.clientSecretFile, "INSTAR_CLIENT_SECRET");
    if (!secret)
        return Error { secret.error() };
    if (given.clientId.empty() || !*secret)
        return Error { u"--token-url needs --client-id, and --client-secret-file or "
                       "INSTAR_CLIENT_SECRET in the environment"_s };
    return Credential { .kind = Credential::Kind::ClientCredentials,
        .user = textOf(given.clientId),
        .secret = **secret,
        .issuer = QUrl(textOf(given.tokenUrl)),
        .scope = textOf(given.scope) };
}

/// What is not said is looked for where OpenStack's own clients have it.
Result<Credential> keystone(const Arguments &given)
{
    auto password = secretOf(given.passwordFile, "INSTAR_PASSWORD");
    if (!password)
        return Error { password.error() };
    if (!*password)
        *password = variable("OS_PASSWORD");
    const QString user = said(given.user, "OS_USERNAME");
    if (user.isEmpty() || !*password)
        return Error { u"--keystone needs --user or OS_USERNAME, and --password-file, "
                       "INSTAR_PASSWORD or OS_PASSWORD in the environment"_s };
    return Credential { .kind = Credential::Kind::Keystone,
        .user = user,
        .secret = **password,
        .issuer = QUrl(textOf(given.keystone)),
        .userDomain = said(given.userDomain, "OS_USER_DOMAIN_NAME", u"Default"_s),
        .project = said(given.project, "OS_PROJECT_NAME"),
        .projectDomain = said(given.projectDomain, "OS_PROJECT_DOMAIN_NAME", u"Default"_s) };
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
           "Who asks, by HTTP Basic or --keystone; with --password-file, else INSTAR_PASSWORD in "
           "the environment")
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
    app.add_option("--token-url", arguments.tokenUrl,
           "Where tokens are had for an OAuth 2.0 client's id and secret; a new one is asked for "
           "before the last one ends")
        ->type_name("URL");
    app.add_option("--client-id", arguments.clientId, "That client")->type_name("ID");
    app.add_option("--client-secret-file", arguments.clientSecretFile,
           "A file with its secret; else INSTAR_CLIENT_SECRET in the environment")
        ->type_name("F");
    app.add_option("--scope", arguments.scope, "What the token is to be good for")
        ->type_name("SCOPE");
    app.add_option("--keystone", arguments.keystone,
           "The Keystone that gives tokens for --user and a password; what is not said here is "
           "taken from OS_USERNAME, OS_PASSWORD, OS_PROJECT_NAME and so on")
        ->type_name("URL");
    app.add_option("--user-domain", arguments.userDomain, "The user's domain; else Default")
        ->type_name("NAME");
    app.add_option("--project", arguments.project, "The project that the token is for")
        ->type_name("NAME");
    app.add_option("--project-domain", arguments.projectDomain, "Its domain; else Default")
        ->type_name("NAME");
    app.add_option("--ca", arguments.authorities, "Certificates (PEM) to trust beside the system's")
        ->type_name("F");
}

Result<Credential> credentialOf(const Arguments &arguments)
{
    if (const QString problem = misuse(arguments); !problem.isEmpty())
        return Error { problem };
    if (!arguments.keystone.empty())
        return keystone(arguments);
    if (!arguments.tokenUrl.empty())
        return client(arguments);
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
