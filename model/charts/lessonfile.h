// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/scenariopack.h"
#include "model/formats/lesson.h"

namespace instar {

/// A lesson's file with the pack that it is about.
struct LessonFile
{
    LessonDraft draft; ///< a pack that cannot be had is among its findings
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
