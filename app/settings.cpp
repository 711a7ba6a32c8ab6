// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype RecentAtMost = 8;

QString docksKey(Settings::Window window)
{
    return window == Settings::Window::Local ? u"window/docks"_s : u"window/serverDocks"_s;
}

} // namespace

QStringList Settings::recentFiles() const
{
    QStringList files = QSettings().value("recent").toStringList();
    files.removeIf([](const QString &file) { return !QFileInfo::exists(file); });
    return files;
}

void Settings::addRecentFile(const QString &file)
{
    const QString absolute = QFileInfo(file).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue("recent", QStringList(files.mid(0, RecentAtMost)));
}

void Settings::forgetRecentFiles()
{
    QSettings().remove("recent");
}

ThemeChoice Settings::theme() const
{
    const QString name = QSettings().value("theme").toString();
    if (name == u"light")
        return ThemeChoice::Light;
    return name == u"dark" ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::setTheme(ThemeChoice choice)
{
    QSettings().setValue("theme",
        choice == ThemeChoice::Light      ? u"light"_s
            : choice == ThemeChoice::Dark ? u"dark"_s
                                          : u"system"_s);
}

QByteArray Settings::geometry() const
{
    return QSettings().value("window/geometry").toByteArray();
}

QByteArray Settings::docks(Window window) const
{
    return QSettings().value(docksKey(window)).toByteArray();
}

void Settings::setWindow(Window window, const QByteArray &geometry, const QByteArray &docks)
{
    QSettings settings;
    settings.setValue("window/geometry", geometry);
    settings.setValue(docksKey(window), docks);
}

QList<ConnectChoice> Settings::connections() const
{
    QSettings settings;
    QList<ConnectChoice> connections;
    const int count = settings.beginReadArray(u"connections"_s);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        ConnectChoice choice;
        choice.url = settings.value("url").toString();
        choice.pack = settings.value("pack").toString();
        choice.credentials = CredentialsKind(std::clamp(
            settings.value("credentials").toInt(), 0, int(CredentialsKind::ClientCertificate)));
        choice.user = settings.value("user").toString();
        choice.certificate = settings.value("certificate").toString();
        choice.key = settings.value("key").toString();
        choice.keepsInKeychain = settings.value("keychain").toBool();
        choice.readOnly = settings.value("readOnly", true).toBool();
        connections += choice;
    }
    settings.endArray();
    return connections;
}

void Settings::setConnections(const QList<ConnectChoice> &connections)
{
    QSettings settings;
    settings.remove(u"connections"_s);
    settings.beginWriteArray(u"connections"_s);
    for (qsizetype i = 0; i < connections.size(); ++i) {
        settings.setArrayIndex(int(i));
        const ConnectChoice choice = withoutSecrets(connections[i]);
        settings.setValue("url", choice.url);
        settings.setValue("pack", choice.pack);
        settings.setValue("credentials", int(choice.credentials));
        settings.setValue("user", choice.user);
        settings.setValue("certificate", choice.certificate);
        settings.setValue("key", choice.key);
        settings.setValue("keychain", choice.keepsInKeychain);
        settings.setValue("readOnly", choice.readOnly);
    }
    settings.endArray();
}

bool Settings::showsStrip() const
{
    return QSettings().value("strip", true).toBool();
}

void Settings::setShowsStrip(bool shows)
{
    QSettings().setValue("strip", shows);
}

} // namespace instar
