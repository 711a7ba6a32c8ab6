// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"

#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "model/pack/nearest.h"
#include "model/statecharts/chartrules.h"

#include <QFile>

namespace instar {

LoadedScenario loadScenario(const QString &file)
{
    if (builtInPacks().contains(file) && !QFile::exists(file))
        throw CommandError {
            u"%1: expected a scenario file, found the id of a pack; write a scenario with \"pack\": \"%1\""_s
                .arg(file)
        };
    if (isLesson(file)) {
        StagedLesson lesson = valueOf(stagedLesson(file));
        return { scenarioOf(lesson.lesson), std::move(lesson.stage), std::move(lesson.pack) };
    }
    const JsonText document = valueOf(loadDocument(file));
    const ScenarioPack source = valueOf(scenarioPack(document));
    const Scenario scenario = valueOf(readScenario(document, source.pack));
    return { scenario, valueOf(runnableStage(scenario, source.pack)), source };
}

LoadedScenario loadScenarioWithoutChoices(const QString &file)
{
    LoadedScenario staged = loadScenario(file);
    if (const QString problem = choiceProblem(staged.scenario); !problem.isEmpty())
        throw CommandError { problem };
    return staged;
}

Exit exitAfterWarnings(const LoadedScenario &staged, Exit exit)
{
    warn(linesOf(staged.pack.losses + staged.pack.errors));
    return staged.pack.errors.isEmpty() || exit != Exit::Fine ? exit : Exit::Failed;
}

PackMade packFrom(const QString &name)
{
    const MachineFile file = valueOf(loadMachines(name));
    PackMade made = valueOf(packIn(file));
    made.remarks = file.remarks + made.remarks;
    return made;
}

Switches switchesIn(const Pack &pack, const QStringList &texts, const QString &prefix)
{
    Switches switches;
    const auto names = mapped<QStringList>(pack.switches, &Switch::id);
    for (const QString &given : texts) {
        const QString name = given.section(u'=', 0, 0), value = given.section(u'=', 1);
        if (!given.contains(u'='))
            throw CommandError { prefix + u"expected NAME=VALUE, found \"%1\""_s.arg(given) };
        const Switch *known = pack.findSwitch(name);
        if (!known)
            throw CommandError { prefix + noSuch(u"switch"_s, name, names) };
        if (!known->values.contains(value))
            throw CommandError { prefix
                + noSuch(u"value of switch %1"_s.arg(name), value, known->values) };
        switches.insert(name, value);
    }
    return switches;
}

QByteArray smallFile(const QString &name)
{
    return name.isEmpty() ? QByteArray() : valueOf(fileBytes(name, 1024 * 1024));
}

QString linesOf(const QStringList &texts)
{
    return mapped<QString>(texts, [](const QString &text) { return oneLine(text) + u'\n'; });
}

void showDiagnostics(const QString &file, const QList<Diagnostic> &remarks)
{
    constexpr qsizetype mostShown = 1000;
    auto lines = mapped<QStringList>(remarks.mid(0, mostShown),
        [&](const Diagnostic &remark) { return described(file, remark); });
    if (remarks.size() > mostShown)
        lines += u"%1:1: note: %2 more diagnostics are not shown"_s.arg(
            file, QString::number(remarks.size() - mostShown));
    warn(linesOf(lines));
}

} // namespace instar
