// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// A lesson that comes with the program.
struct LessonInfo
{
    QString file, pack, title;
    QString rules; ///< that it shows: "R6 · R9 · 4.3 d"
    bool operator==(const LessonInfo &) const = default;
};

/// Those of each system, systems in their usual order.
QList<LessonInfo> builtInLessons();

/// The one after a lesson of the same system; without a file: there is none.
LessonInfo lessonAfter(const QString &file);

} // namespace instar
