// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"
#include "model/json/lessonfile.h"
#include "model/pack/pack.h"

namespace instar {

/// The pack that a scenario names: a built-in one, or a file beside the scenario's; of a machine or
/// statecharts a small pack is made.
struct ScenarioPack
{
    Pack pack;
    QStringList losses; ///< what of statecharts is not in it: "file:line: warning: text [rule]"
    QStringList errors; ///< what check() finds wrong in its file, likewise; it may run all the same
};
/// Fails where there is none, or none can be read.
Result<ScenarioPack> scenarioPack(const JsonText &scenario);
/// The pack alone, unchecked.
Result<Pack> packOfScenario(const JsonText &scenario);

/// A lesson's file with the pack that it is about.
struct LessonFile
{
    LessonDraft draft; ///< a pack that cannot be had is among its diagnostics
    ScenarioPack pack;
};

/// Fails where there is no such file, or it is too large.
Result<LessonFile> loadLesson(const QString &file);

/// A lesson that is ready to be followed.
struct StagedLesson
{
    Lesson lesson;
    Stage stage;
    ScenarioPack pack;
};
/// The error is one sentence with file and line.
Result<StagedLesson> stagedLesson(const QString &file);

} // namespace instar
