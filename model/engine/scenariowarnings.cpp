// SPDX-License-Identifier: Apache-2.0
#include "model/engine/scenariowarnings.h"

#include "model/pack/nearest.h"

namespace instar {

namespace {

/// Calls `visit` with a path and each of its ancestors.
void visitUpwards(QString path, const auto &visit)
{
    for (; !path.isEmpty(); path = path.section(u'/', 0, -3))
        visit(path);
}

/// Returns the suffixes, such as "#old", of copies that the pack's rows create.
QSet<QString> copiesIn(const Pack &pack)
{
    QSet<QString> copies;
    for (const Step *step : pack.steps()) {
        for (const QString &relation : step->to) {
            if (relation.startsWith(u'#'))
                copies.insert(relation);
        }
    }
    return copies;
}

/// Name in an expectation.
struct ExpectedName
{
    qsizetype step = 0;
    QString member, key; ///< of the expectation
    QString name;
};

Diagnostic warning(const Scenario &scenario, qsizetype step, const QStringList &keys,
    const QString &text, const QString &code)
{
    const QStringList all = QStringList { u"steps"_s, QString::number(step) } + keys;
    return { Diagnostic::Severity::Warning, pointerTo(all), text, code, scenario.steps[step].line };
}

Diagnostic unknown(const Scenario &scenario, const ExpectedName &expected, const QString &kind,
    const QStringList &known)
{
    const QString &name = expected.name;
    return warning(scenario, expected.step, { u"expect"_s, expected.member, expected.key },
        u"there is no %1 \"%2\" here%3"_s.arg(kind, name, suggestion(name, known)),
        u"unknown-name"_s);
}

void addEarlyUses(const Scenario &scenario, QList<Diagnostic> &all)
{
    QHash<QString, qint64> submitted;
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind == ScenarioStep::Kind::Submit)
            submitted.insert(step.request.id, step.at);
    }
    for (qsizetype i = 0; i < scenario.steps.size(); ++i) {
        const ScenarioStep &step = scenario.steps[i];
        QStringList ids = step.expectation.operations.keys() + step.expectation.errors.keys();
        if (step.kind == ScenarioStep::Kind::End)
            ids += step.operation;
        ids.removeDuplicates();
        for (const QString &id : std::as_const(ids)) {
            if (submitted.value(id, step.at) > step.at)
                all += warning(scenario, i, {},
                    u"the step names operation \"%1\" before it is requested"_s.arg(id),
                    u"out-of-order"_s);
        }
    }
}

void addUnknownCodes(const Scenario &scenario, const Pack &pack, QList<Diagnostic> &all)
{
    const QSet<QString> known = errorCodes(pack);
    for (qsizetype i = 0; i < scenario.steps.size(); ++i) {
        for (const auto &[id, code] : scenario.steps[i].expectation.errors.asKeyValueRange()) {
            if (!code.isEmpty() && !known.contains(code))
                all += unknown(
                    scenario, { i, u"errors"_s, id, code }, u"error code"_s, sortedNames(known));
        }
    }
}

QList<ExpectedName> expectedPaths(const Scenario &scenario)
{
    QList<ExpectedName> all;
    for (qsizetype i = 0; i < scenario.steps.size(); ++i) {
        const Expectation &expected = scenario.steps[i].expectation;
        const auto addKeys = [&](const QString &member, const QStringList &paths) {
            for (const QString &path : paths)
                all.append({ i, member, path, path });
        };
        const auto addList = [&](const QString &member, const QStringList &paths) {
            for (qsizetype k = 0; k < paths.size(); ++k)
                all.append({ i, member, QString::number(k), paths[k] });
        };
        addKeys(u"resources"_s, expected.resources.keys());
        addKeys(u"properties"_s, expected.properties.keys());
        addList(u"etagsChanged"_s, expected.etagsChanged);
        addList(u"etagsUnchanged"_s, expected.etagsUnchanged);
    }
    return all;
}

/// Warns about unknown paths: an expectation that a misspelled path is absent would always hold. A
/// path is known if it is an initial resource, is named by a step, or is an ancestor of either. All
/// paths below one that a step names are known, too, because the step's body may create them.
void addUnknownPaths(const Scenario &scenario, const Pack &pack, QList<Diagnostic> &all)
{
    // Normalizes the spelling of a path; a copy counts as its original.
    const auto keyOf = [&pack, copies = copiesIn(pack)](const QString &path) {
        const qsizetype mark = path.lastIndexOf(u'#');
        const bool isCopy = mark > 0 && copies.contains(path.sliced(mark));
        return pack.folded(isCopy ? path.first(mark) : path);
    };
    const QList<ExpectedName> expected = expectedPaths(scenario);
    auto unknownKeys =
        mapped<QSet<QString>>(expected, [&](const ExpectedName &one) { return keyOf(one.name); });
    const auto markKnown = [&](const QString &key) { unknownKeys.remove(key); };
    const QList<ResourceSpec> &resources = scenario.resources ? *scenario.resources : pack.sample;
    for (const ResourceSpec &resource : resources) { // there may be a million
        if (unknownKeys.isEmpty())
            return;
        visitUpwards(keyOf(resource.path), markKnown);
    }
    QSet<QString> namedKeys;
    QStringList known;
    for (const ScenarioStep &step : scenario.steps) {
        known += step.paths;
        for (const QString &path :
            step.paths + step.request.requests.keys() + step.request.references) {
            namedKeys.insert(keyOf(path));
            visitUpwards(keyOf(path), markKnown);
        }
    }
    constexpr qsizetype mostKnown = 10'000, mostSuggestions = 10;
    for (const ResourceSpec &resource : resources.first(std::min(mostKnown, resources.size())))
        known += resource.path;
    qsizetype warned = 0;
    for (const ExpectedName &one : expected) {
        bool isBelow = false;
        visitUpwards(keyOf(one.name),
            [&](const QString &key) { isBelow = isBelow || namedKeys.contains(key); });
        if (!isBelow && unknownKeys.contains(keyOf(one.name)))
            all += unknown(
                scenario, one, u"resource"_s, ++warned <= mostSuggestions ? known : QStringList());
    }
}

} // namespace

QList<Diagnostic> scenarioWarnings(const Scenario &scenario, const Pack &pack)
{
    QList<Diagnostic> all;
    addEarlyUses(scenario, all);
    addUnknownCodes(scenario, pack, all);
    addUnknownPaths(scenario, pack, all);
    const auto step = [](const Diagnostic &each) {
        return each.pointer.section(u'/', 2, 2).toInt();
    };
    std::ranges::stable_sort(all, {}, step);
    return all;
}

} // namespace instar
