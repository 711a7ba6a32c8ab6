// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include "model/formats/library.h"
#include "views/drawing/theme.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int StoredTokenCommand = 8; ///< of CredentialsKind, in the file
constexpr qsizetype RecentAtMost = 8;

QString docksKey(Settings::Window window)
{
    switch (window) {
    case Settings::Window::Local:
        break;
    case Settings::Window::Server:
        return u"window/serverDocks"_s;
    case Settings::Window::Lesson:
        return u"window/lessonDocks"_s;
    }
    return u"window/docks"_s;
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

QString themeName(ThemeChoice choice)
{
    return choice == ThemeChoice::System ? u"system"_s : Theme::names().value(int(choice) - 1);
}

std::optional<ThemeChoice> themeNamed(const QString &name)
{
    if (name == themeName(ThemeChoice::System))
        return ThemeChoice::System;
    const qsizetype index = Theme::names().indexOf(name);
    return index < 0 ? std::nullopt : std::optional(ThemeChoice(index + 1));
}

ThemeChoice Settings::theme() const
{
    return themeNamed(QSettings().value("theme").toString()).value_or(ThemeChoice::System);
}

void Settings::setTheme(ThemeChoice choice)
{
    QSettings().setValue("theme", themeName(choice));
}

MotionChoice Settings::motion() const
{
    const QString name = QSettings().value("motion").toString();
    return name == u"full"   ? MotionChoice::Full
        : name == u"reduced" ? MotionChoice::Reduced
                             : MotionChoice::System;
}

void Settings::setMotion(MotionChoice choice)
{
    QSettings().setValue("motion",
        choice == MotionChoice::Full          ? u"full"_s
            : choice == MotionChoice::Reduced ? u"reduced"_s
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
        // 6 and 7 were ways to sign in that are gone.
        const int kind = settings.value("credentials").toInt();
        choice.credentials = kind == StoredTokenCommand             ? CredentialsKind::TokenCommand
            : kind > 0 && kind < int(CredentialsKind::TokenCommand) ? CredentialsKind(kind)
                                                                    : CredentialsKind::None;
        choice.user = settings.value("user").toString();
        choice.certificate = settings.value("certificate").toString();
        choice.key = settings.value("key").toString();
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
        const ConnectChoice choice = withoutSecret(connections[i]);
        settings.setValue("url", choice.url);
        settings.setValue("pack", choice.pack);
        settings.setValue("credentials",
            choice.credentials == CredentialsKind::TokenCommand ? StoredTokenCommand
                                                                : int(choice.credentials));
        settings.setValue("user", choice.user);
        settings.setValue("certificate", choice.certificate);
        settings.setValue("key", choice.key);
        settings.setValue("readOnly", choice.readOnly);
    }
    settings.endArray();
}

QList<Settings::Open> Settings::session() const
{
    QSettings settings;
    QList<Open> session;
    const int count = settings.beginReadArray(u"session"_s);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const Open open { settings.value("source").toString(), settings.value("path").toString(),
            settings.value("armed").toByteArray(), settings.value("run").toByteArray(),
            settings.value("time").toLongLong(), settings.value("moment").toLongLong() };
        if (builtInPacks().contains(open.source) || QFileInfo::exists(open.source))
            session += open;
    }
    settings.endArray();
    return session;
}

void Settings::setSession(const QList<Open> &open)
{
    QSettings settings;
    settings.remove(u"session"_s);
    settings.beginWriteArray(u"session"_s, int(open.size()));
    for (qsizetype i = 0; i < open.size(); ++i) {
        settings.setArrayIndex(int(i));
        settings.setValue("source", open[i].source);
        settings.setValue("path", open[i].path);
        if (!open[i].armed.isEmpty())
            settings.setValue("armed", open[i].armed);
        if (open[i].run.isEmpty())
            continue;
        settings.setValue("run", open[i].run);
        settings.setValue("time", open[i].time);
        settings.setValue("moment", open[i].moment);
    }
    settings.endArray();
}

QStringList Settings::doneLessons() const
{
    return QSettings().value("lessons").toStringList();
}

void Settings::addDoneLesson(const QString &file)
{
    QStringList files = doneLessons();
    if (!files.contains(file))
        QSettings().setValue("lessons", files << file);
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
