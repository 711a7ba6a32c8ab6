// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/lesson.h"
#include "model/json/reading.h"

namespace instar {

// A lesson is a Markdown file, readable as it is, with these additions:
//
//     # TITLE                       the first line
//     Rules: R6 · R9                its subject; may be left out
//     ```setup PACK                 initial state: "NAME = VALUE" of switches, then a resource a
//     /a/b: STATE {...}             line, or "nothing"; without resources, the pack's sample
//     ```
//     ## HEADING                    begins a page
//     ```do TIME                    "CLIENT: OPERATION /a/b as ID {...}" or "end ID OUTCOME", a
//     ```                           line each; braces contain JSON as in a scenario
//     - [ ] words `a: Failed`       a prediction: two answers or more, each with what it claims
//     - [x] words `a: Rejected`     will be so at the next check
//     ```check TIME                 a fact a line: "/a/b: STATE", "/a/b: gone", "/a/b: new etag",
//     /a/b: Updating                "/a/b: same etag", "x of /a/b: 5", "ID: STATUS", "ID: CODE",
//     ```                           "violations: 0"
//
// Times are virtual ms and never decrease; the default is that of the block before.

constexpr qsizetype lessonBytes = 1024 * 1024; ///< the largest lesson that is read

/// Parsed text of a lesson, before its pack is known.
struct LessonText
{
    Lesson lesson; ///< parts without steps, choices without claims
    QString name;
    QByteArray scenario; ///< setup, steps and claims as JSON, on the same lines as in the lesson
    QList<Diagnostic> diagnostics;
    struct Owner
    {
        qsizetype part = 0;
        int choice = -1; ///< -1: the part itself
    };
    QList<Owner> owners; ///< of the scenario's steps
};
LessonText lessonText(const QByteArray &bytes, const QString &name);

/// True if a file has the suffix of lessons.
bool isLesson(QStringView file);

/// Lesson as far as it could be parsed, and the diagnostics; names are checked against the pack.
/// Its claims are checked when it is played.
struct LessonDraft
{
    Lesson lesson;
    QList<Diagnostic> diagnostics; ///< in file order
    QString error;                 ///< one sentence; empty if there are no diagnostics
};
LessonDraft lessonDraft(const LessonText &text, const Pack &pack);

} // namespace instar
