// SPDX-License-Identifier: Apache-2.0
#include "app/cli/driver.h"
#include "model/formats/filebytes.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What the environment says; nothing where it is silent.
std::optional<QString> variable(const char *name)
{
    return qEnvironmentVariableIsEmpty(name) ? std::optional<QString>()
                                             : qEnvironmentVariable(name).trimmed();
}

/// From a file, or where none is named from the environment; nothing: from neither.
std::optional<QString> secretOf(const QString &file, const char *name)
{
    return file.isEmpty() ? variable(name)
                          : QString::fromUtf8(valueOf(fileBytes(file, 64 * 1024))).trimmed();
}

/// Ways to sign in that were asked for, and options that belong to another one.
QString misuse(const Arguments &given)
{
    QStringList ways;
    const auto way = [&](bool isAsked, const QString &option) {
        if (isAsked)
            ways += option;
    };
    way(!given.tokenFile.isEmpty(), u"--token-file"_s);
    way(!given.user.isEmpty(), u"--user"_s);
    way(!given.apiKeyFile.isEmpty(), u"--api-key-file"_s);
    way(!given.tokenCommand.isEmpty(), u"--token-command"_s);
    if (ways.size() > 1)
        return u"expected one of --token-file, --token-command, --user and --api-key-file, found "
               "%1"_s.arg(ways.join(u" and "_s));
    if (given.user.isEmpty() && !given.passwordFile.isEmpty())
        return u"--password-file needs --user, whose password it is"_s;
    if (!given.apiKeyQuery.isEmpty() && ways != QStringList { u"--api-key-file"_s }
        && !ways.isEmpty())
        return u"--api-key-query needs --api-key-file"_s;
    return {};
}

Credential basic(const Arguments &given)
{
    const std::optional<QString> password = secretOf(given.passwordFile, "INSTAR_PASSWORD");
    if (!password)
        throw CommandError {
            u"--user needs --password-file, or INSTAR_PASSWORD in the environment"_s
        };
    return { .kind = Credential::Kind::Basic, .user = given.user, .secret = *password };
}

Credential apiKey(const Arguments &given)
{
    const std::optional<QString> key = secretOf(given.apiKeyFile, "INSTAR_API_KEY");
    const bool isInQuery = !given.apiKeyQuery.isEmpty();
    if (!key && isInQuery)
        throw CommandError {
            u"--api-key-query needs --api-key-file, or INSTAR_API_KEY in the environment"_s
        };
    if (!key)
        return {};
    return { .kind = isInQuery ? Credential::Kind::QueryKey : Credential::Kind::ApiKey,
        .user = isInQuery ? given.apiKeyQuery : given.apiKeyHeader,
        .secret = *key };
}

} // namespace

QList<Option> signInOptions()
{
    return { { "--token-file", &Arguments::tokenFile,
                 "A file with the bearer token that the server wants; else INSTAR_TOKEN in the "
                 "environment",
                 "F" },
        { "--user", &Arguments::user,
            "Who asks, by HTTP Basic; with --password-file, else INSTAR_PASSWORD in the "
            "environment",
            "NAME" },
        { "--password-file", &Arguments::passwordFile, "A file with that user's password", "F" },
        { "--api-key-file", &Arguments::apiKeyFile,
            "A file with the API key that the server wants; else INSTAR_API_KEY in the "
            "environment",
            "F" },
        { "--api-key-header", &Arguments::apiKeyHeader, "The header that it stands in", "NAME" },
        { .name = "--api-key-query",
            .target = &Arguments::apiKeyQuery,
            .help = "The parameter of the query that it stands in, not a header",
            .value = "NAME",
            .instead = "--api-key-header" },
        { "--token-command", &Arguments::tokenCommand,
            "A command for the shell that prints the bearer token; it is run again when the server "
            "does not take that one any more (401)",
            "CMD" },
        { "--ca", &Arguments::authorities, "Certificates (PEM) to trust beside the system's",
            "F" } };
}

Credential credentialOf(const Arguments &arguments)
{
    if (const QString problem = misuse(arguments); !problem.isEmpty())
        throw CommandError { problem };
    if (!arguments.tokenCommand.isEmpty())
        return { .kind = Credential::Kind::Command, .user = arguments.tokenCommand };
    if (!arguments.user.isEmpty())
        return basic(arguments);
    if (!arguments.apiKeyFile.isEmpty() || !arguments.apiKeyQuery.isEmpty())
        return apiKey(arguments);
    if (const std::optional<QString> token = secretOf(arguments.tokenFile, "INSTAR_TOKEN"))
        return { .kind = Credential::Kind::Bearer, .user = {}, .secret = *token };
    return apiKey(arguments);
}

} // namespace instar
