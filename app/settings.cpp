// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include <QFileInfo>
#include <QSettings>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype RecentAtMost = 8;

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

QByteArray Settings::docks() const
{
    return QSettings().value("window/docks").toByteArray();
}

void Settings::setWindow(const QByteArray &geometry, const QByteArray &docks)
{
    QSettings settings;
    settings.setValue("window/geometry", geometry);
    settings.setValue("window/docks", docks);
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
