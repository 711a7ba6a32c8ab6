// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/credential.h"

#include <QHash>
#include <QObject>
#include <QUrl>

#include <functional>
#include <optional>

namespace instar {

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
    void read(const QUrl &server, FoundHandler handler);
    void write(const QUrl &server, const Credential &credential, DoneHandler handler);
    void forget(const QUrl &server, DoneHandler handler);

private:
    QHash<QString, Credential> m_run; ///< by key: known in this run
};

} // namespace instar
