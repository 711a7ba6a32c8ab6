// SPDX-License-Identifier: Apache-2.0
#include "app/lessons.h"

#include "model/formats/filebytes.h"
#include "model/formats/library.h"

#include <QDir>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What a lesson's first two lines say, behind their marks.
LessonInfo infoOf(const QString &path, const QString &pack)
{
    LessonInfo info { path, pack, path, {} };
    const Result<QByteArray> bytes = fileBytes(path);
    if (!bytes)
        return info;
    const QString text = QString::fromUtf8(*bytes);
    info.title = text.section(u'\n', 0, 0).mid(2).trimmed();
    const QString second = text.section(u'\n', 1, 1);
    if (second.startsWith(u"Rules:"))
        info.rules = second.section(u':', 1).trimmed();
    return info;
}

} // namespace

QList<LessonInfo> builtInLessons()
{
    static const QList<LessonInfo> all = [] {
        QList<LessonInfo> lessons;
        for (const QString &pack : builtInPacks()) {
            const QDir folder(u":/instar/lessons/"_s + pack);
            for (const QString &name : folder.entryList({ u"*.md"_s }, QDir::Files, QDir::Name))
                lessons += infoOf(folder.filePath(name), pack);
        }
        return lessons;
    }();
    return all;
}

LessonInfo lessonAfter(const QString &file)
{
    const QList<LessonInfo> lessons = builtInLessons();
    const auto here = std::ranges::find(lessons, file, &LessonInfo::file);
    if (here == lessons.end() || here + 1 == lessons.end() || (here + 1)->pack != here->pack)
        return {};
    return *(here + 1);
}

} // namespace instar
