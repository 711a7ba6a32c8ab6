// SPDX-License-Identifier: Apache-2.0
#include "model/engine/doubts.h"

#include "model/engine/errorcodes.h"
#include "model/machine/nearest.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Empty: there is none above.
QString pathAbove(const QString &path)
{
    return path.section(u'/', 0, -3);
}

/// "#old": what rows of the pack make beside a resource.
QSet<QString> copiesIn(const Pack &pack)
{
    QSet<QString> copies;
    for (const Machine &machine : pack.machines) {
        for (const State &state : machine.states) {
            for (const Step &step : state.work) {
                for (const QString &relation : step.to) {
                    if (relation.startsWith(u'#'))
                        copies.insert(relation);
                }
            }
        }
    }
    return copies;
}

/// A name that an expectation speaks of.
struct Spoken
{
    qsizetype step;
    QStringList keys;
    QString name;
};

class Doubter
{
public:
    Doubter(const Scenario &scenario, const Pack &pack)
        : m_scenario(scenario), m_pack(pack), m_copies(copiesIn(pack))
    { }

    QList<Doubt> all()
    {
        order();
        operations();
        errors();
        paths();
        std::ranges::stable_sort(m_all, {}, &Doubt::step);
        return m_all;
    }

private:
    void order();
    void operations();
    void errors();
    void paths();
    QList<Spoken> spokenPaths() const;
    QSet<QString> without(QSet<QString> places) const;
    QString placeOf(const QString &path) const;
    const QList<ResourceSpec> &resources() const
    {
        return m_scenario.resources ? *m_scenario.resources : m_pack.sample;
    }
    void unknown(const Spoken &spoken, const QString &what, const QStringList &known)
    {
        m_all.append({ spoken.step, spoken.keys,
            u"there is no %1 \"%2\" here%3"_s.arg(
                what, spoken.name, suggestion(spoken.name, known)),
            u"unknown-name"_s });
    }

    const Scenario &m_scenario;
    const Pack &m_pack;
    const QSet<QString> m_copies;
    QList<Doubt> m_all;
};

void Doubter::order()
{
    qint64 latest = 0;
    for (qsizetype i = 0; i < m_scenario.steps.size(); ++i) {
        const ScenarioStep &step = m_scenario.steps[i];
        if (step.at < latest) {
            m_all.append({ i, { u"at"_s },
                u"the step stands after one at %1 ms, but happens before it"_s.arg(latest),
                u"out-of-order"_s });
        }
        latest = std::max(latest, step.at);
        if (step.kind == ScenarioStep::Kind::Expect && step.expectation == Expectation())
            m_all.append({ i, {}, u"the step expects nothing"_s, u"never-speaks"_s });
    }
}

void Doubter::operations()
{
    QHash<QString, qint64> submitted;
    for (const ScenarioStep &step : m_scenario.steps) {
        if (step.kind == ScenarioStep::Kind::Submit)
            submitted.insert(step.request.id, step.at);
    }
    for (qsizetype i = 0; i < m_scenario.steps.size(); ++i) {
        const ScenarioStep &step = m_scenario.steps[i];
        QStringList ids = step.expectation.operations.keys() + step.expectation.errors.keys();
        if (step.kind == ScenarioStep::Kind::End)
            ids += step.operation;
        ids.removeDuplicates();
        for (const QString &id : std::as_const(ids)) {
            if (submitted.value(id, step.at) > step.at) {
                m_all.append({ i, {},
                    u"the step speaks of operation \"%1\" before it is asked for"_s.arg(id),
                    u"out-of-order"_s });
            }
        }
    }
}

void Doubter::errors()
{
    const QSet<QString> known = errorCodes(m_pack);
    for (qsizetype i = 0; i < m_scenario.steps.size(); ++i) {
        const QMap<QString, QString> &errors = m_scenario.steps[i].expectation.errors;
        for (auto it = errors.cbegin(); it != errors.cend(); ++it) {
            if (!it.value().isEmpty() && !known.contains(it.value()))
                unknown({ i, { u"expect"_s, u"errors"_s, it.key() }, it.value() }, u"error code"_s,
                    inOrder(known));
        }
    }
}

/// To expect that something is not there which never is would come true whatever happens.
void Doubter::paths()
{
    const QList<Spoken> spoken = spokenPaths();
    QSet<QString> unknownPlaces;
    for (const Spoken &one : spoken)
        unknownPlaces.insert(placeOf(one.name));
    unknownPlaces = without(std::move(unknownPlaces));
    if (unknownPlaces.isEmpty())
        return;
    constexpr qsizetype mostKnown = 10'000, mostSuggestions = 10;
    QStringList known;
    for (const ResourceSpec &resource : resources().mid(0, mostKnown))
        known += resource.path;
    for (const ScenarioStep &step : m_scenario.steps)
        known += step.paths;
    qsizetype told = 0;
    for (const Spoken &one : spoken) {
        if (unknownPlaces.contains(placeOf(one.name)))
            unknown(one, u"resource"_s, ++told <= mostSuggestions ? known : QStringList());
    }
}

QList<Spoken> Doubter::spokenPaths() const
{
    QList<Spoken> all;
    for (qsizetype i = 0; i < m_scenario.steps.size(); ++i) {
        const Expectation &expected = m_scenario.steps[i].expectation;
        const auto addKeys = [&](const QString &member, const QStringList &paths) {
            for (const QString &path : paths)
                all.append({ i, { u"expect"_s, member, path }, path });
        };
        const auto addList = [&](const QString &member, const QStringList &paths) {
            for (qsizetype k = 0; k < paths.size(); ++k)
                all.append({ i, { u"expect"_s, member, QString::number(k) }, paths[k] });
        };
        addKeys(u"resources"_s, expected.resources.keys());
        addKeys(u"properties"_s, expected.properties.keys());
        addList(u"etagsChanged"_s, expected.etagsChanged);
        addList(u"etagsUnchanged"_s, expected.etagsUnchanged);
    }
    return all;
}

/// Where a path leads, one text for all spellings; a copy lies where its original does.
QString Doubter::placeOf(const QString &path) const
{
    const qsizetype mark = path.lastIndexOf(u'#');
    const bool isCopy = mark > 0 && m_copies.contains(path.sliced(mark));
    const QString place = isCopy ? path.first(mark) : path;
    return m_pack.ignoreCase ? place.toCaseFolded() : place;
}

/// Those places that are neither there at the beginning, nor named by a step, nor above these or
/// below a step's, where its body may bring them.
QSet<QString> Doubter::without(QSet<QString> places) const
{
    const auto removeAbove = [&](QString place) {
        for (; !place.isEmpty() && !places.isEmpty(); place = pathAbove(place))
            places.remove(place);
    };
    for (const ResourceSpec &resource : resources()) { // there may be a million
        if (places.isEmpty())
            return places;
        places.remove(placeOf(resource.path));
    }
    for (const ResourceSpec &resource : resources())
        removeAbove(placeOf(resource.path));
    QSet<QString> asked;
    for (const ScenarioStep &step : m_scenario.steps) {
        for (const QString &path :
            step.paths + step.request.requests.keys() + step.request.references) {
            asked.insert(placeOf(path));
            removeAbove(placeOf(path));
        }
    }
    places.removeIf([&](QString place) {
        while (!place.isEmpty() && !asked.contains(place))
            place = pathAbove(place);
        return !place.isEmpty();
    });
    return places;
}

} // namespace

QList<Doubt> doubts(const Scenario &scenario, const Pack &pack)
{
    return Doubter(scenario, pack).all();
}

} // namespace instar
