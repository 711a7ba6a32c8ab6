// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/lesson.h"
#include "model/json/reading.h"

namespace instar {

// A lesson is a Markdown file with the following additions:
//
//     # TITLE                       The first line is the title.
//     Rules: R6 · R9                Optional: the rules that the lesson teaches.
//     ```setup PACK                 The state at the start: a line "NAME = VALUE" for each switch,
//     /a/b: STATE {...}             then a line for each resource, or the line "nothing" for an
//     ```                           empty world. Without either, the pack's sample is used.
//     ## HEADING                    A heading begins a page.
//     ```do TIME                    Each line is "CLIENT: OPERATION /a/b as ID {...}" or "end ID
//     ```                           OUTCOME". The braces contain JSON as in a scenario.
//     - [ ] words `a: Failed`       A question has two or more answers. Each ends with a fact, and
//     - [x] words `a: Rejected`     is right if the fact is true at the next check.
//     ```check TIME                 Each line is a fact: "/a/b: STATE", "/a/b: gone", "/a/b: new
//     /a/b: Updating                etag", "/a/b: same etag", "x of /a/b: 5", "ID: STATUS", "ID:
//     ```                           CODE" or "violations: 0".
//
// TIME is in virtual ms, never decreases, and is by default the TIME of the previous block.

constexpr qsizetype lessonBytes = 1024 * 1024; ///< size of the largest lesson that is read

/// Parsed lesson before its names are looked up in a pack.
struct LessonText
{
    Lesson lesson; ///< without its steps and facts, which `scenario` contains
    QString name;
    /// JSON of a scenario with the setup, the steps and the facts. Each of them has the same line
    /// number as in the lesson, so that diagnostics name the lesson's lines.
    QByteArray scenario;
    QList<Diagnostic> diagnostics;
    /// Part or answer that a step of the scenario belongs to.
    struct Owner
    {
        qsizetype part = 0;
        int choice = -1; ///< index of an answer; -1: the part itself
    };
    QList<Owner> owners; ///< by step of the scenario
};
LessonText lessonText(const QByteArray &bytes, const QString &name);

/// True if a file has the suffix of lessons.
bool isLesson(QStringView file);

/// Lesson as far as it could be parsed, with diagnostics of syntax and of names that the pack
/// lacks. Its facts are checked only when the lesson is played.
struct LessonDraft
{
    Lesson lesson;
    QList<Diagnostic> diagnostics; ///< in file order
    QString error;                 ///< one sentence; empty if there are no diagnostics
};
LessonDraft lessonDraft(const LessonText &text, const Pack &pack);

} // namespace instar
