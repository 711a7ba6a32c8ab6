// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rulefile.h"

#include "model/engine/scenario.h"
#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "model/json/scenariofile.h"
#include "model/statecharts/machinefile.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString ending = u".scenario.json"_s;

QString source(const QString &path)
{
    return QDir::cleanPath(
        QFileInfo(QStringLiteral(__FILE__)).absolutePath() + u"/../../"_s + path);
}

QString folderOf(const QString &pack)
{
    return source(
        (builtInPacks().contains(pack) ? u"resources/scenarios/"_s : u"tests/data/packs/"_s)
        + pack);
}

QStringList trimmed(const QStringList &texts)
{
    QStringList result;
    for (const QString &text : texts)
        result += text.trimmed();
    return result;
}

} // namespace

RuleFile ruleFile(const QString &pack)
{
    RuleFile file;
    const Result<QByteArray> bytes = fileBytes(source(u"tests/data/rules/%1.txt"_s.arg(pack)));
    if (!bytes) {
        file.problems += bytes.error();
        return file;
    }
    QSet<QString> ids;
    int number = 0;
    for (const QString &line : QString::fromUtf8(*bytes).split(u'\n')) {
        ++number;
        if (line.trimmed().isEmpty() || line.startsWith(u'#'))
            continue;
        const QStringList parts = trimmed(line.split(u'|'));
        if (parts.size() != 4 || parts.contains(QString())) {
            file.problems +=
                u"line %1: expected id | source | rule | scenarios, found \"%2\""_s.arg(number).arg(
                    line);
            continue;
        }
        if (ids.contains(parts[0]))
            file.problems += u"line %1: there is another rule \"%2\""_s.arg(number).arg(parts[0]);
        ids.insert(parts[0]);
        file.rules +=
            StatedRule { parts[0], parts[1], parts[2], trimmed(parts[3].split(u',')), number };
    }
    if (file.rules.isEmpty())
        file.problems += u"there are no rules"_s;
    return file;
}

QStringList scenarioNames(const QString &pack)
{
    QStringList names;
    for (const QString &file :
        QDir(folderOf(pack)).entryList({ u'*' + ending }, QDir::Files, QDir::Name))
        names += file.chopped(ending.size());
    return names;
}

QString scenarioFile(const QString &pack, const QString &name)
{
    return folderOf(pack) + u'/' + name + ending;
}

QString problemOf(const QString &scenarioFile)
{
    const Result<JsonText> document = loadDocument(scenarioFile);
    if (!document)
        return document.error();
    const Result<ScenarioPack> pack = scenarioPack(*document);
    if (!pack)
        return pack.error();
    const Result<Scenario> scenario = readScenario(*document, pack->pack);
    if (!scenario)
        return scenario.error();
    Result<Stage> stage = stageOf(*scenario, pack->pack);
    if (!stage)
        return stage.error();
    Simulator simulator(std::move(stage->rules), std::move(stage->world));
    const Played played = play(*scenario, simulator);
    QStringList problems;
    for (const Failure &failure : played.failures)
        problems += u"%1:%2: at %3 ms: %4"_s.arg(scenarioFile)
                        .arg(failure.line)
                        .arg(failure.at)
                        .arg(failure.text);
    if (played.passed + played.failed == 0)
        problems += scenarioFile + u": it expects nothing"_s;
    return problems.join(u'\n');
}

QString unshownRules(const QString &pack)
{
    const RuleFile file = ruleFile(pack);
    QStringList problems = file.problems;
    const QStringList names = scenarioNames(pack);
    QSet<QString> shown;
    for (const StatedRule &rule : file.rules) {
        for (const QString &name : rule.scenarios) {
            if (!names.contains(name))
                problems +=
                    u"line %1: rule %2 is shown by \"%3\", which is not there"_s.arg(rule.line).arg(
                        rule.id, name);
            shown.insert(name);
        }
    }
    for (const QString &name : names) {
        if (!shown.contains(name))
            problems += u"no rule names the scenario %1"_s.arg(name);
        problems += problemOf(scenarioFile(pack, name));
    }
    problems.removeAll(QString());
    return problems.join(u'\n');
}

} // namespace instar
