// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QProcessEnvironment>
#include <QTest>

namespace instar {

/// The program as it was built.
inline QString builtProgram()
{
    const QString named = qEnvironmentVariable("INSTAR_APP");
    return named.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/instar")
                           : named;
}

/// Its screenshot program, tests/shots, as it was built.
inline QString shotProgram()
{
    const QString named = qEnvironmentVariable("INSTAR_SHOTS");
    return named.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/shots")
                           : named;
}

/// For a program whose files lie in a folder of their own, on a platform of Qt.
inline QProcessEnvironment environmentIn(const QString &home, const QString &platform)
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const char *name : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME" })
        all.insert(QString::fromLatin1(name), home);
    all.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    return all;
}

/// Lets this process keep its files there, too.
inline void moveTo(const QString &home)
{
    for (const char *name : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME" })
        qputenv(name, home.toUtf8());
    QCoreApplication::setOrganizationName(QStringLiteral("instar"));
    QCoreApplication::setApplicationName(QStringLiteral("instar"));
}

} // namespace instar
