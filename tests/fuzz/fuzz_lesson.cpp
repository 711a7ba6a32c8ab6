// SPDX-License-Identifier: Apache-2.0
#include "model/json/lessonfile.h"
#include "model/json/library.h"
#include "tests/support/valueof.h"

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const Pack pack = valueOf(loadPack(u"network-controller"_s));
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const LessonText text = lessonText(bytes, u"fuzz"_s);
    if (!JsonText::parse(text.scenario, {}))
        qFatal("a lesson's scenario is JSON");
    const LessonDraft draft = lessonDraft(text, pack);
    for (const Diagnostic &diagnostic : draft.diagnostics) {
        if (described(u"fuzz"_s, diagnostic).contains(u'\n'))
            qFatal("a diagnostic is one line");
    }
    if (!draft.error.isEmpty())
        return 0;
    for (const LessonPart &part : draft.lesson.parts) {
        using Kind = LessonPart::Kind;
        if (part.kind == Kind::Do && part.steps.isEmpty())
            qFatal("something is done");
        if (part.kind == Kind::Check && part.steps.size() != 1)
            qFatal("a check is one expectation");
    }
    return 0;
}
