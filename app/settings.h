// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/connectchoice.h"

#include <QByteArray>
#include <QStringList>

namespace instar {

/// Which colours the user wants.
enum class ThemeChoice { System, Light, Dark };

/// What is remembered from one run to the next.
class Settings
{
public:
    QStringList recentFiles() const;
    void addRecentFile(const QString &file);
    void forgetRecentFiles();

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    QByteArray geometry() const;
    /// A window on a server has other bars and docks than one on the local controller.
    enum class Window { Local, Server };
    QByteArray docks(Window window) const;
    void setWindow(Window window, const QByteArray &geometry, const QByteArray &docks);

    /// Servers that were connected to, newest first; never their secrets.
    QList<ConnectChoice> connections() const;
    void setConnections(const QList<ConnectChoice> &connections);

    bool showsStrip() const;
    void setShowsStrip(bool shows);
};

} // namespace instar
