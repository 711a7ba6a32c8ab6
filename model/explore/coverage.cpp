// SPDX-License-Identifier: Apache-2.0
#include "model/explore/coverage.h"

#include "model/explore/trial.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Coverage::Coverage(const Rules &rules)
    : m_rules(rules), m_codes(errorCodes(rules.pack()) - readingCodes(rules.pack()))
{
    const ConflictMatrix matrix(rules.pack(), rules.switches());
    for (const QString &place : matrix.places()) {
        for (const QString &incoming : matrix.operations()) {
            for (const QString &running : matrix.operations()) {
                const Meeting meeting { running, incoming, place };
                if (matrix.canMeet(meeting))
                    m_meetings += meeting;
            }
        }
    }
    std::sort(m_meetings.begin(), m_meetings.end());
}

namespace {

Meeting meetingOf(const Rules &rules, const Met &met)
{
    return { rules.triggerName(met.running), rules.triggerName(met.incoming),
        QString::fromLatin1(PlaceWords[met.place]) };
}

} // namespace

void Coverage::add(const Exercised &exercised)
{
    m_exercised.add(exercised);
    for (const Met &met : exercised.meetings) {
        const Meeting meeting = meetingOf(m_rules, met);
        if (std::binary_search(m_meetings.begin(), m_meetings.end(), meeting))
            m_met.insert(meeting);
    }
}

bool Coverage::isNew(const Met &met) const
{
    if (m_exercised.meetings.contains(met))
        return false;
    const Meeting meeting = meetingOf(m_rules, met);
    return std::binary_search(m_meetings.begin(), m_meetings.end(), meeting) && !hasMet(meeting);
}

bool Coverage::isNew(const QString &code) const
{
    return m_codes.contains(code) && !m_exercised.codes.contains(code);
}

bool Coverage::isNew(const Exercised &exercised) const
{
    const auto isNew = [this](const auto &one) { return this->isNew(one); };
    return !std::ranges::includes(m_exercised.rows, exercised.rows)
        || std::ranges::any_of(exercised.meetings, isNew)
        || std::ranges::any_of(exercised.codes, isNew);
}

QStringList Coverage::news(const Exercised &exercised) const
{
    QStringList all;
    for (const int row : exercised.rows) {
        if (!hasRow(row))
            all += rowText(row);
    }
    for (const Met &met : exercised.meetings) {
        if (isNew(met))
            all += meetingText(meetingOf(m_rules, met));
    }
    for (const QString &code : exercised.codes) {
        if (isNew(code))
            all += code;
    }
    return all;
}

bool Coverage::hasMet(const Meeting &meeting) const
{
    return m_met.contains(meeting);
}

Coverage::Part Coverage::rows() const
{
    return { qsizetype(m_exercised.rows.size()), m_rules.transitionCount() };
}

Coverage::Part Coverage::meetings() const
{
    return { qsizetype(m_met.size()), m_meetings.size() };
}

Coverage::Part Coverage::codes() const
{
    return { m_codes.size() - codesLeft().size(), m_codes.size() };
}

std::vector<int> Coverage::rowsLeft() const
{
    std::vector<int> left;
    for (int row = 0; row < m_rules.transitionCount(); ++row) {
        if (!hasRow(row))
            left.push_back(row);
    }
    return left;
}

QList<Meeting> Coverage::meetingsLeft() const
{
    QList<Meeting> left;
    std::set_difference(
        m_meetings.begin(), m_meetings.end(), m_met.begin(), m_met.end(), std::back_inserter(left));
    return left;
}

QStringList Coverage::codesLeft() const
{
    QStringList left(m_codes.begin(), m_codes.end());
    left.removeIf([this](const QString &code) { return m_exercised.codes.contains(code); });
    left.sort();
    return left;
}

QString Coverage::rowText(int transition) const
{
    const Rules::Transition &rule = m_rules.transition(transition);
    const Transition &row = m_rules.row(rule);
    const QString machine = m_rules.machines()[size_t(rule.machine)].id;
    const QString leads =
        row.refuse.isEmpty() ? u"to "_s + row.to.join(u" or "_s) : u"refused "_s + row.refuse;
    return u"%1/%2: from %3 on %4 %5"_s.arg(machine, QString::number(rule.index),
        row.from.join(u", "_s), row.on.join(u", "_s),
        row.to.isEmpty() && row.refuse.isEmpty() ? u"nothing happens"_s : leads);
}

QString Coverage::meetingText(const Meeting &meeting)
{
    return u"%1 comes while %2 runs at: %3"_s.arg(meeting.incoming, meeting.running, meeting.place);
}

QJsonObject coverageJson(const Coverage &coverage)
{
    const auto part = [](const Coverage::Part &counted, const QJsonArray &left) {
        return QJsonObject { { u"exercised"_s, counted.exercised }, { u"of"_s, counted.of },
            { u"left"_s, left } };
    };
    QJsonArray rows, meetings;
    for (const int row : coverage.rowsLeft())
        rows.append(coverage.rowText(row));
    for (const Meeting &meeting : coverage.meetingsLeft())
        meetings.append(QJsonObject { { u"incoming"_s, meeting.incoming },
            { u"running"_s, meeting.running }, { u"at"_s, meeting.place } });
    return { { u"transitions"_s, part(coverage.rows(), rows) },
        { u"meetings"_s, part(coverage.meetings(), meetings) },
        { u"codes"_s, part(coverage.codes(), QJsonArray::fromStringList(coverage.codesLeft())) } };
}

QString coverageText(const Coverage &coverage)
{
    QString text = u"exercised:\n"_s;
    const auto add = [&text](const QString &what, const Coverage::Part &part, QStringList left) {
        text += u"  %1 of %2 %3\n"_s.arg(part.exercised).arg(part.of).arg(what);
        constexpr qsizetype most = 20; // listed; the JSON has all
        const qsizetype more = left.size() - most;
        left = left.first(std::min(most, left.size()));
        for (const QString &one : std::as_const(left))
            text += u"    not yet: %1\n"_s.arg(one);
        if (more > 0)
            text += u"    and %1 more\n"_s.arg(more);
    };
    QStringList rows, meetings;
    for (const int row : coverage.rowsLeft())
        rows += coverage.rowText(row);
    for (const Meeting &meeting : coverage.meetingsLeft())
        meetings += Coverage::meetingText(meeting);
    add(u"transitions"_s, coverage.rows(), rows);
    add(u"meetings of two operations"_s, coverage.meetings(), meetings);
    add(u"codes of refusals and failures"_s, coverage.codes(), coverage.codesLeft());
    return text;
}

namespace {

constexpr int MostOfAType = 50;
constexpr qsizetype MostResources = 100; ///< of a search: the moves of a step grow with them

/// Searches with some resources. Requests answer the conditions in `known`, to which newly met ones
/// are added.
NextExercise exerciseFound(const Rules &rules, const Coverage &coverage,
    const QList<ResourceSpec> &resources, qint64 most, const Budget &budget, OpenConditions *known)
{
    TrialSearch search({ &rules }, resources);
    NextExercise result;
    Exercised exercised;
    const auto visit = [&](const TrialSearch::Node &node) {
        if (!coverage.isNew(exercised))
            return true;
        Expectation expected;
        for (const Operation &operation : node.systems.front().log.all()) {
            if (operation.requiredBy.isEmpty())
                expected.operations.insert(operation.id, statusName(operation.status));
        }
        result.gained = exercised;
        result.scenario = search.scenarioTo(node, expected);
        result.scenario->switches = rules.switches();
        return false;
    };
    search.run(std::numeric_limits<int>::max(), most, budget, known, visit, &exercised);
    result.worlds = search.size();
    result.complete = search.isComplete();
    return result;
}

} // namespace

NextExercise nextExercise(const Rules &rules, const Coverage &coverage,
    const QList<ResourceSpec> &resources, const Budget &budget)
{
    NextExercise result;
    OpenConditions open;
    qint64 met = 0;
    // The first round collects the open conditions.
    bool isFirstLook = true;
    for (const int most : { 1, 1, 2, 6, MostOfAType }) {
        const QList<ResourceSpec> some = someOf(resources, most);
        if (some.size() > MostResources)
            break;
        const OpenConditions known = open;
        Budget watched = budget;
        watched.goesOn = [&](qint64 now) { return !budget.goesOn || budget.goesOn(met + now); };
        const bool isAll = some.size() == resources.size() && !isFirstLook;
        const qint64 left = budget.states - met;
        const qint64 share = isAll ? left : std::max<qint64>(left / (isFirstLook ? 10 : 3), 1);
        isFirstLook = false;
        NextExercise found = exerciseFound(rules, coverage, some, share, watched, &open);
        met += found.worlds;
        found.worlds = met;
        found.complete = found.complete && isAll && open == known;
        result = std::move(found);
        if (result.scenario || result.complete || met >= budget.states
            || budget.interruption(met) != Limit::None)
            break;
    }
    return result;
}

} // namespace instar
