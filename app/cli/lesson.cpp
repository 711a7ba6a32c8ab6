// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lesson.h"

#include "model/charts/scenariopack.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Finding untrue(const Failure &failure)
{
    return { { Issue::Severity::Error, {}, failure.text, u"untrue"_s },
        { .line = failure.line, .column = 1 } };
}

/// "file:line: text", said of the tree that it begins with.
Finding impossible(const QString &sentence)
{
    const qsizetype end = sentence.indexOf(u": "_s);
    const int line = sentence.left(end).section(u':', -1).toInt();
    return { { Issue::Severity::Error, {}, sentence.mid(end + 2), u"resource"_s },
        { .line = std::max(line, 1), .column = 1 } };
}

} // namespace

Exit checkLesson(const QString &file)
{
    const Result<LessonFile> read = loadLesson(file);
    if (!read)
        return complain(read.error());
    QList<Finding> findings = read->draft.findings;
    QString lines;
    for (const QStringList &said : { read->pack.losses, read->pack.errors }) {
        for (const QString &line : said)
            lines += oneLine(line) + u'\n';
    }
    const bool isPackBad = !read->pack.errors.isEmpty();
    if (findings.isEmpty()) {
        const Result<Stage> stage = stageOf(read->draft.lesson.setup, read->pack.pack);
        if (!stage)
            return print((lines + described(file, impossible(stage.error())) + u'\n').toUtf8(),
                Exit::Failed);
        for (const Failure &failure : untruths(read->draft.lesson, *stage))
            findings += untrue(failure);
    }
    for (const Finding &finding : std::as_const(findings))
        lines += described(file, finding) + u'\n';
    return print(lines.toUtf8(), findings.isEmpty() && !isPackBad ? Exit::Fine : Exit::Failed);
}

} // namespace instar
