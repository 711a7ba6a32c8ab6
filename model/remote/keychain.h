// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/credential.h"

#include <QHash>
#include <QObject>
#include <QUrl>

#include <functional>
#include <optional>

namespace instar {

/// Whose secret it is. Connections to one server may show who they are in different ways.
struct Account
{
    QUrl server;
    QString system; ///< id of the pack
    Credential::Kind kind = Credential::Kind::None;
    QString user; ///< as in Credential; Certificate: its file; Keystone: with the domain
    QUrl issuer;  ///< as in Credential: nobody else is to be told the secret
    bool operator==(const Account &) const = default;
};

/// Keeps the credentials of servers in the system's keychain; where there is none, in memory for
/// this run. They are never written anywhere else.
class Keychain : public QObject
{
    Q_OBJECT
public:
    struct Found
    {
        std::optional<Credential> credential; ///< nothing: none is kept
        QString problem; ///< why the keychain could not be asked; empty: it could
    };
    using FoundHandler = std::function<void(const Found &)>;
    using DoneHandler = std::function<void(
        const QString &problem)>; ///< empty: it is in the keychain, or gone from it

    explicit Keychain(QObject *parent = nullptr);

    // Handlers are called later, once each; never after the end of the Keychain.
    void read(const Account &account, FoundHandler handler);
    void write(const Account &account, const Credential &credential, DoneHandler handler);
    void forget(const Account &account, DoneHandler handler);

private:
    QHash<QString, Credential> m_run; ///< by key: known in this run
};

} // namespace instar
