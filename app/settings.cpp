// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include "model/json/library.h"
#include "model/json/saving.h"
#include "views/drawing/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QSettings>

#include <algorithm>
#include <cctype>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int StoredTokenCommand = 8; ///< of CredentialsKind, in the file
constexpr qsizetype RecentAtMost = 8;
constexpr qsizetype SettingsBytes = 256 * 1024 * 1024; ///< a session contains runs

using Values = QVariantMap; ///< by keys such as "window/geometry"

QString settingsFile()
{
    return QSettings().fileName();
}

/// Quotes a text for an INI file as QSettings reads it.
QByteArray iniString(const QString &text)
{
    QByteArray quoted = "\"";
    bool isAfterNumber = false; // QSettings would read a hexadecimal digit as part of it
    for (const QChar c : text) {
        const ushort code = c.unicode();
        const bool isPlain = code >= 0x20 && code < 0x7f && c != u'"' && c != u'\\'
            && !(isAfterNumber && std::isxdigit(code));
        quoted += isPlain ? QByteArray(1, char(code)) : "\\x" + QByteArray::number(code, 16);
        isAfterNumber = !isPlain;
    }
    return quoted + '"';
}

QByteArray iniValue(const QVariant &value)
{
    const auto word = [](const QString &text) {
        return iniString(text.startsWith(u'@') ? u'@' + text : text);
    };
    if (value.typeId() == QMetaType::QByteArray)
        return iniString(u"@ByteArray(%1)"_s.arg(QString::fromLatin1(value.toByteArray())));
    if (value.typeId() != QMetaType::QStringList)
        return word(value.toString());
    QByteArrayList words;
    for (const QString &text : value.toStringList())
        words += word(text);
    return words.isEmpty() ? "@Invalid()" : words.join(", ");
}

QByteArray iniText(const Values &values)
{
    QMap<QByteArray, QByteArray> sections;
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        const qsizetype slash = it.key().indexOf(u'/');
        const QByteArray section = slash < 0 ? "General" : it.key().first(slash).toUtf8();
        const QByteArray key = it.key().sliced(slash + 1).replace(u'/', u'\\').toUtf8();
        sections[section] += key + '=' + iniValue(it.value()) + '\n';
    }
    QByteArray text;
    for (auto it = sections.cbegin(); it != sections.cend(); ++it)
        text += '[' + it.key() + "]\n" + it.value() + '\n';
    return text;
}

/// Settings as written last. QSettings assumes that a file of the same size and time is unchanged,
/// so it may miss the last write.
struct LastWritten
{
    QByteArray text;
    Values values;
};

LastWritten &lastWritten()
{
    static LastWritten last;
    return last;
}

/// Returns an error if the file exists and cannot be read.
Result<Values> readValues()
{
    Values values;
    if (!QFileInfo::exists(settingsFile()))
        return values;
    const Result<QByteArray> text = fileBytes(settingsFile(), SettingsBytes);
    if (!text)
        return Error { text.error() };
    if (!text->isEmpty() && *text == lastWritten().text)
        return lastWritten().values;
    QSettings settings;
    settings.setFallbacksEnabled(false);
    for (const QString &key : settings.allKeys())
        values.insert(key, settings.value(key));
    return values;
}

Result<bool> writeValues(const Values &values)
{
    const QByteArray text = iniText(values);
    const Result<bool> written = writeFile(settingsFile(), text, FileAccess::OwnerOnly);
    if (written)
        lastWritten() = { text, values };
    return written;
}

Values values()
{
    const Result<Values> read = readValues();
    return read ? *read : Values();
}

void removeAll(Values &values, const QString &group)
{
    const QStringList keys = values.keys();
    for (const QString &key : keys) {
        if (key.startsWith(group + u'/'))
            values.remove(key);
    }
}

/// Stores a list in QSettings' format of arrays.
void putList(Values &values, const QString &group, const QList<Values> &list)
{
    removeAll(values, group);
    values.insert(group + u"/size"_s, list.size());
    for (qsizetype i = 0; i < list.size(); ++i) {
        for (auto it = list[i].cbegin(); it != list[i].cend(); ++it)
            values.insert(u"%1/%2/%3"_s.arg(group).arg(i + 1).arg(it.key()), it.value());
    }
}

QList<Values> listOf(const Values &values, const QString &group)
{
    QList<Values> list;
    const int count = values[group + u"/size"_s].toInt();
    for (int i = 1; i <= count; ++i) {
        const QString prefix = u"%1/%2/"_s.arg(group).arg(i);
        Values item;
        for (auto it = values.lowerBound(prefix);
             it != values.cend() && it.key().startsWith(prefix); ++it)
            item.insert(it.key().sliced(prefix.size()), it.value());
        list += item;
    }
    return list;
}

} // namespace

void Settings::change(const std::function<void(QVariantMap &)> &change)
{
    const QString file = settingsFile();
    QDir().mkpath(QFileInfo(file).path());
    QLockFile lock(file + u".lock"_s); // against other instances of the program
    lock.tryLock(2000);
    Result<Values> known = readValues();
    if (!known)
        return report(known.error());
    const Values before = *known;
    change(*known);
    if (*known == before)
        return;
    const Result<bool> written = writeValues(*known);
    report(written ? QString() : written.error());
}

void Settings::report(const QString &problem)
{
    const bool isNew = problem != m_problem;
    m_problem = problem;
    if (isNew && !problem.isEmpty() && m_report)
        m_report(problem);
}

QStringList Settings::recentFiles() const
{
    QStringList files = values()[u"recent"_s].toStringList();
    files.removeIf([](const QString &file) { return !QFileInfo::exists(file); });
    return files;
}

void Settings::addRecentFile(const QString &file)
{
    const QString absolute = QFileInfo(file).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    change([&](Values &all) { all[u"recent"_s] = files.mid(0, RecentAtMost); });
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
    return themeNamed(values()[u"theme"_s].toString()).value_or(ThemeChoice::System);
}

void Settings::setTheme(ThemeChoice choice)
{
    change([&](Values &all) { all[u"theme"_s] = themeName(choice); });
}

MotionChoice Settings::motion() const
{
    const QString name = values()[u"motion"_s].toString();
    return name == u"full"   ? MotionChoice::Full
        : name == u"reduced" ? MotionChoice::Reduced
                             : MotionChoice::System;
}

void Settings::setMotion(MotionChoice choice)
{
    const QString name = choice == MotionChoice::Full ? u"full"_s
        : choice == MotionChoice::Reduced             ? u"reduced"_s
                                                      : u"system"_s;
    change([&](Values &all) { all[u"motion"_s] = name; });
}

QByteArray Settings::geometry() const
{
    return values()[u"window/geometry"_s].toByteArray();
}

QByteArray Settings::rooms() const
{
    return values()[u"window/rooms"_s].toByteArray();
}

void Settings::setWindow(const QByteArray &geometry, const QByteArray &rooms)
{
    change([&](Values &all) {
        all[u"window/geometry"_s] = geometry;
        all[u"window/rooms"_s] = rooms;
    });
}

QList<ConnectChoice> Settings::connections() const
{
    QList<ConnectChoice> connections;
    for (const Values &kept : listOf(values(), u"connections"_s)) {
        ConnectChoice choice;
        choice.url = kept[u"url"_s].toString();
        choice.pack = kept[u"pack"_s].toString();
        // 5, 6 and 7 were removed kinds of credentials.
        const int kind = kept[u"credentials"_s].toInt();
        choice.credentials = kind == StoredTokenCommand             ? CredentialsKind::TokenCommand
            : kind > 0 && kind < int(CredentialsKind::TokenCommand) ? CredentialsKind(kind)
                                                                    : CredentialsKind::None;
        choice.user = kept[u"user"_s].toString();
        choice.certificate = kept[u"certificate"_s].toString();
        choice.key = kept[u"key"_s].toString();
        choice.readOnly = kept.value(u"readOnly"_s, true).toBool();
        connections += choice;
    }
    return connections;
}

void Settings::setConnections(const QList<ConnectChoice> &connections)
{
    QList<Values> list;
    for (const ConnectChoice &connection : connections) {
        const ConnectChoice choice = withoutSecret(connection);
        const int kind = choice.credentials == CredentialsKind::TokenCommand
            ? StoredTokenCommand
            : int(choice.credentials);
        list += Values { { u"url"_s, choice.url }, { u"pack"_s, choice.pack },
            { u"credentials"_s, kind }, { u"user"_s, choice.user },
            { u"certificate"_s, choice.certificate }, { u"key"_s, choice.key },
            { u"readOnly"_s, choice.readOnly } };
    }
    change([&](Values &all) { putList(all, u"connections"_s, list); });
}

QList<Settings::Open> Settings::session() const
{
    QList<Open> session;
    for (const Values &kept : listOf(values(), u"session"_s)) {
        const Open open { kept[u"source"_s].toString(), kept[u"path"_s].toString(),
            kept[u"armed"_s].toByteArray(), kept[u"run"_s].toByteArray(),
            kept[u"time"_s].toLongLong(), kept[u"moment"_s].toLongLong() };
        const bool isFile = QDir::isAbsolutePath(open.source) && QFileInfo::exists(open.source);
        if (isFile || builtInPacks().contains(open.source))
            session += open;
    }
    return session;
}

void Settings::setSession(const QList<Open> &session)
{
    QList<Values> list;
    for (const Open &open : session) {
        Values kept { { u"source"_s, open.source }, { u"path"_s, open.path } };
        if (!open.armed.isEmpty())
            kept[u"armed"_s] = open.armed;
        if (!open.run.isEmpty())
            kept.insert(
                { { u"run"_s, open.run }, { u"time"_s, open.time }, { u"moment"_s, open.moment } });
        list += kept;
    }
    change([&](Values &all) { putList(all, u"session"_s, list); });
}

QStringList Settings::doneLessons() const
{
    return values()[u"lessons"_s].toStringList();
}

void Settings::addDoneLesson(const QString &file)
{
    QStringList files = doneLessons();
    if (!files.contains(file))
        change([&](Values &all) { all[u"lessons"_s] = files << file; });
}

} // namespace instar
