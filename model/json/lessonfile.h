// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/lesson.h"
#include "model/json/reading.h"

namespace instar {

// A lesson is a Markdown file that can be read as it is. Of its own it has:
//
//     # TITLE                       the first line
//     Rules: R6 · R9                what it shows; may be left out
//     ```setup PACK                 what there is: "NAME = VALUE" of switches, then a resource a
//     /a/b: STATE {...}             line; "nothing"; without any, the pack's sample
//     ```
//     ## HEADING                    begins a page
//     ```do TIME                    "CLIENT: OPERATION /a/b as ID {...}" or "end ID OUTCOME", a
//     ```                           line each; what is in braces is spelled as in a scenario
//     - [ ] words `a: Failed`       a prediction: two answers or more, each with what it claims
//     - [x] words `a: Rejected`     will be so at the next check
//     ```check TIME                 a fact a line: "/a/b: STATE", "/a/b: gone", "/a/b: new etag",
//     /a/b: Updating                "/a/b: same etag", "x of /a/b: 5", "ID: STATUS", "ID: CODE",
//     ```                           "violations: 0"
//
// Times are virtual ms and never go back; left out, it is that of the block before.

constexpr qsizetype lessonBytes = 1024 * 1024; ///< the largest lesson that is read

/// What a file says, taken apart before its pack is known.
struct LessonText
{
    Lesson lesson; ///< parts without steps, choices without claims
    QString name;
    QByteArray scenario; ///< its setup, steps and claims as JSON, each on the line of the lesson
    QList<Diagnostic> diagnostics;
    struct Owner
    {
        qsizetype part = 0;
        int choice = -1; ///< -1: the part itself
    };
    QList<Owner> owners; ///< of the scenario's steps
};
LessonText lessonText(const QByteArray &bytes, const QString &name);

/// Whether a file's name is that of a lesson.
bool isLesson(QStringView file);

/// What could be understood of a lesson, and everything that could not; names are looked up in the
/// pack. Whether it comes true is seen when it is played.
struct LessonDraft
{
    Lesson lesson;
    QList<Diagnostic> diagnostics; ///< in file order
    QString error;                 ///< one sentence; empty where there are no diagnostics
};
LessonDraft lessonDraft(const LessonText &text, const Pack &pack);

} // namespace instar
