// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"
#include "model/json/lessonfile.h"
#include "model/pack/pack.h"

namespace instar {

/// Pack that a scenario names: a built-in one, or a file relative to the scenario's; a machine or
/// statecharts are converted to a small pack.
struct ScenarioPack
{
    Pack pack;
    QStringList losses; ///< of converting statecharts: "file:line: warning: text [rule]"
    QStringList errors; ///< of check() in its file, likewise; the pack may still run
};
/// Loads the pack of a scenario and checks it. Fails if it does not exist or cannot be read.
Result<ScenarioPack> scenarioPack(const JsonText &scenario);

/// Lesson as read from its file, with its pack.
struct LessonFile
{
    LessonDraft draft; ///< its diagnostics include that of a pack that cannot be loaded
    ScenarioPack pack;
};

/// Loads a lesson and its pack. Fails if there is no such file, or it is too large.
Result<LessonFile> loadLesson(const QString &file);

/// Lesson that is ready to be played.
struct StagedLesson
{
    Lesson lesson;
    Stage stage;
    ScenarioPack pack;
};
/// Loads a lesson and makes its stage. The error is one sentence with file and line.
Result<StagedLesson> stagedLesson(const QString &file);

} // namespace instar
