// SPDX-License-Identifier: Apache-2.0
#include "app/lessons.h"

#include "model/formats/library.h"

#include <QDir>
#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What the first line says, behind its mark.
QString titleIn(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return path;
    return QString::fromUtf8(file.readLine()).mid(2).trimmed();
}

} // namespace

QList<LessonInfo> builtInLessons()
{
    QList<LessonInfo> lessons;
    for (const QString &pack : builtInPacks()) {
        const QDir folder(u":/instar/lessons/"_s + pack);
        for (const QString &name : folder.entryList({ u"*.md"_s }, QDir::Files, QDir::Name)) {
            const QString file = folder.filePath(name);
            lessons += { file, pack, titleIn(file) };
        }
    }
    return lessons;
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
