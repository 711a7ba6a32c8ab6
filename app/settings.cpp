// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include "model/json/library.h"
#include "model/json/saving.h"
#include "views/drawing/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSettings>

#include <utility>

namespace instar {

namespace {

constexpr qsizetype RecentAtMost = 8;

/// Reads the settings file. A missing file is an empty object; an unreadable one is an error.
Result<QJsonObject> readValues()
{
    const QString file = Settings::file();
    if (!QFileInfo::exists(file))
        return QJsonObject();
    const Result<QByteArray> text = fileBytes(file);
    if (!text)
        return Error { text.error() };
    const QJsonDocument document = QJsonDocument::fromJson(*text);
    if (!document.isObject())
        return Error { Settings::tr(
            "%1 is not a JSON object; remove the file to start with default settings")
                           .arg(file) };
    return document.object();
}

/// Returns all settings; an empty object if they cannot be read.
QJsonObject values()
{
    const Result<QJsonObject> read = readValues();
    return read ? *read : QJsonObject();
}

} // namespace

QString Settings::file()
{
    const QFileInfo native(QSettings().fileName()); // Qt's own settings file, in its usual folder
    return native.path() + u'/' + native.completeBaseName() + u".json"_s;
}

void Settings::store(const QJsonObject &changed)
{
    const QString file = Settings::file();
    QDir().mkpath(QFileInfo(file).path());
    QLockFile lock(file + u".lock"_s); // against other instances of the program
    lock.tryLock(2000);
    const Result<QJsonObject> stored = readValues();
    if (!stored)
        return report(stored.error());
    QJsonObject all = *stored;
    for (auto it = changed.begin(); it != changed.end(); ++it)
        all[it.key()] = it.value();
    if (all == *stored)
        return;
    const Result<bool> written =
        writeFile(file, QJsonDocument(all).toJson(), FileAccess::OwnerOnly);
    report(written ? QString() : written.error());
}

void Settings::report(const QString &problem)
{
    if (std::exchange(m_problem, problem) != problem && !problem.isEmpty() && m_report)
        m_report(problem);
}

QStringList Settings::recentFiles() const
{
    QStringList files = values()[u"recent"_s].toVariant().toStringList();
    files.removeIf([](const QString &file) { return !QFileInfo::exists(file); });
    return files;
}

void Settings::addRecentFile(const QString &file)
{
    const QString absolute = QFileInfo(file).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    store({ { u"recent"_s, QJsonArray::fromStringList(files.mid(0, RecentAtMost)) } });
}

QString Settings::theme() const
{
    const QString name = values()[u"theme"_s].toString();
    return Theme::names().contains(name) ? name : u"system"_s;
}

void Settings::setTheme(const QString &name)
{
    store({ { u"theme"_s, name } });
}

std::optional<bool> Settings::isStill() const
{
    const QJsonValue still = values()[u"still"_s];
    return still.isBool() ? std::optional(still.toBool()) : std::nullopt;
}

void Settings::setStill(bool still)
{
    store({ { u"still"_s, still } });
}

QByteArray Settings::geometry() const
{
    return QByteArray::fromBase64(values()[u"geometry"_s].toString().toLatin1());
}

QByteArray Settings::rooms() const
{
    return QByteArray::fromBase64(values()[u"rooms"_s].toString().toLatin1());
}

void Settings::setWindow(const QByteArray &geometry, const QByteArray &rooms)
{
    store({ { u"geometry"_s, QString::fromLatin1(geometry.toBase64()) },
        { u"rooms"_s, QString::fromLatin1(rooms.toBase64()) } });
}

QList<ConnectChoice> Settings::connections() const
{
    QList<ConnectChoice> connections;
    const QJsonArray rows = values()[u"connections"_s].toArray();
    for (const QJsonValue row : rows) {
        const int kind = row[u"signIn"_s].toInt();
        const bool isKnown = kind > 0 && kind <= int(CredentialKind::Command);
        connections += ConnectChoice { .url = row[u"url"_s].toString(),
            .pack = row[u"pack"_s].toString(),
            .credentials = isKnown ? CredentialKind(kind) : CredentialKind::None,
            .user = row[u"user"_s].toString(),
            .readOnly = row[u"readOnly"_s].toBool(true) };
    }
    return connections;
}

void Settings::setConnections(const QList<ConnectChoice> &connections)
{
    QJsonArray rows;
    for (const ConnectChoice &choice : connections) // without the secret
        rows += QJsonObject { { u"url"_s, choice.url }, { u"pack"_s, choice.pack },
            { u"signIn"_s, int(choice.credentials) }, { u"user"_s, choice.user },
            { u"readOnly"_s, choice.readOnly } };
    store({ { u"connections"_s, rows } });
}

QList<Settings::Open> Settings::session() const
{
    QList<Open> session;
    const QJsonArray rows = values()[u"session"_s].toArray();
    for (const QJsonValue row : rows) {
        Open open { row[u"source"_s].toString(), row[u"path"_s].toString(),
            row[u"armed"_s].toString().toUtf8(), {}, quint32(row[u"branch"_s].toInt()) };
        const QJsonArray branches = row[u"branches"_s].toArray();
        for (const QJsonValue branch : branches)
            open.branches += Branch { branch[u"run"_s].toString().toUtf8(),
                branch[u"time"_s].toInteger(), branch[u"moment"_s].toInteger(),
                branch[u"name"_s].toString(), quint32(branch[u"id"_s].toInt()),
                quint32(branch[u"trunk"_s].toInt()), branch[u"fork"_s].toInteger() };
        const bool isFile = QDir::isAbsolutePath(open.source) && QFileInfo::exists(open.source);
        if (isFile || builtInPacks().contains(open.source))
            session += open;
    }
    return session;
}

void Settings::setSession(const QList<Open> &session)
{
    QJsonArray rows;
    for (const Open &open : session) {
        QJsonArray branches;
        for (const Branch &branch : open.branches)
            branches += QJsonObject { { u"run"_s, QString::fromUtf8(branch.run) },
                { u"time"_s, branch.time }, { u"moment"_s, branch.moment },
                { u"name"_s, branch.name }, { u"id"_s, int(branch.id) },
                { u"trunk"_s, int(branch.trunk) }, { u"fork"_s, branch.fork } };
        rows += QJsonObject { { u"source"_s, open.source }, { u"path"_s, open.path },
            { u"armed"_s, QString::fromUtf8(open.burst) }, { u"branches"_s, branches },
            { u"branch"_s, int(open.branch) } };
    }
    store({ { u"session"_s, rows } });
}

QStringList Settings::doneLessons() const
{
    return values()[u"lessons"_s].toVariant().toStringList();
}

void Settings::addDoneLesson(const QString &file)
{
    QStringList files = doneLessons();
    if (!files.contains(file))
        store({ { u"lessons"_s, QJsonArray::fromStringList(files << file) } });
}

} // namespace instar
