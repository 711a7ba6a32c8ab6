// SPDX-License-Identifier: Apache-2.0
#include "model/charts/lessonfile.h"

#include "model/formats/library.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What a message says behind "file:line: ".
QString withoutPlace(const QString &message, const QString &file)
{
    const QString place = file + u':';
    return message.startsWith(place) ? message.mid(message.indexOf(u": "_s, place.size()) + 2)
                                     : message;
}

} // namespace

Result<LessonFile> loadLesson(const QString &file)
{
    const Result<QByteArray> bytes = fileBytes(file, lessonBytes);
    if (!bytes)
        return Error { bytes.error() };
    const LessonText text = lessonText(*bytes, file);
    const Result<JsonText> document = JsonText::parse(text.scenario, file);
    if (!document)
        return Error { document.error() };
    const Result<ScenarioPack> pack = scenarioPack(*document);
    if (pack)
        return LessonFile { lessonDraft(text, pack->pack), *pack };
    LessonDraft draft { text.lesson, text.findings, {} };
    const Value name = document->root().find("pack");
    if (!name.string().isEmpty() || draft.findings.isEmpty())
        draft.findings.append(
            { { Issue::Severity::Error, {}, withoutPlace(pack.error(), file), u"unknown-pack"_s },
                name.position() });
    std::ranges::stable_sort(
        draft.findings, {}, [](const Finding &each) { return each.position.line; });
    draft.error = summary(file, draft.findings);
    return LessonFile { std::move(draft), {} };
}

Result<StagedLesson> stagedLesson(const QString &file)
{
    Result<LessonFile> read = loadLesson(file);
    if (!read)
        return Error { read.error() };
    if (!read->draft.error.isEmpty())
        return Error { read->draft.error };
    Result<Stage> stage = stageOf(read->draft.lesson.setup, read->pack.pack);
    if (!stage)
        return Error { stage.error() };
    return StagedLesson { std::move(read->draft.lesson), *std::move(stage), std::move(read->pack) };
}

} // namespace instar
