// SPDX-License-Identifier: Apache-2.0
#include "model/explore/coverage.h"

#include <QJsonArray>

namespace instar {

namespace {

/// Returns the pack with the refusals and types that apply under the rules' switches.
Pack appliedPart(const Rules &rules)
{
    Pack pack = rules.pack();
    const auto keep = [&](auto &rows) {
        rows.removeIf([&](const auto &row) { return !rules.applies(row); });
    };
    keep(pack.refusals);
    keep(pack.types);
    return pack;
}

} // namespace

Coverage::Coverage(const Rules &rules) : m_rules(rules)
{
    const Pack applied = appliedPart(rules);
    m_codes = errorCodes(applied) - unreadableCodes(applied);
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

bool Coverage::add(const Exercised &exercised)
{
    const auto count = [this] {
        return m_exercised.rows.size() + m_exercised.meetings.size() + m_exercised.codes.size();
    };
    const size_t before = count();
    m_exercised.add(exercised);
    if (count() == before)
        return false;
    for (const CompiledMeeting &met : exercised.meetings) {
        const Meeting meeting { m_rules.triggerName(met.running), m_rules.triggerName(met.incoming),
            QString::fromLatin1(PlaceWords[met.place]) };
        if (std::binary_search(m_meetings.begin(), m_meetings.end(), meeting))
            m_met.insert(meeting);
    }
    return true;
}

QStringList Coverage::rowsLeft() const
{
    QStringList left;
    for (int row = 0; row < m_rules.transitionCount(); ++row) {
        if (!m_exercised.rows.contains(row))
            left += rowText(row);
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
    const QString machine = m_rules.machine(rule.machine).id;
    const QString leads =
        row.refuse.isEmpty() ? u"to "_s + row.to.join(u" or "_s) : u"refused "_s + row.refuse;
    return u"%1/%2: from %3 on %4 %5"_s.arg(machine, QString::number(rule.index),
        row.from.join(u", "_s), row.on.join(u", "_s),
        row.to.isEmpty() && row.refuse.isEmpty() ? u"no effect"_s : leads);
}

QJsonObject coverageJson(const Coverage &coverage)
{
    const auto part = [](const Coverage::Part &counted, const QJsonArray &left) {
        return QJsonObject { { u"exercised"_s, counted.exercised }, { u"of"_s, counted.of },
            { u"left"_s, left } };
    };
    QJsonArray meetings;
    for (const Meeting &meeting : coverage.meetingsLeft())
        meetings.append(QJsonObject { { u"incoming"_s, meeting.incoming },
            { u"running"_s, meeting.running }, { u"at"_s, meeting.place } });
    return { { u"transitions"_s,
                 part(coverage.rows(), QJsonArray::fromStringList(coverage.rowsLeft())) },
        { u"meetings"_s, part(coverage.meetings(), meetings) },
        { u"codes"_s, part(coverage.codes(), QJsonArray::fromStringList(coverage.codesLeft())) } };
}

QString coverageText(const Coverage &coverage)
{
    QString text = u"exercised:\n"_s;
    const auto add = [&text](const QString &what, const Coverage::Part &part, QStringList left) {
        text += u"  %1 of %2 %3\n"_s.arg(part.exercised).arg(part.of).arg(what);
        constexpr qsizetype mostListed = 20; // coverageJson() lists all
        const qsizetype more = left.size() - mostListed;
        left = left.first(std::min(mostListed, left.size()));
        for (const QString &one : std::as_const(left))
            text += u"    not exercised: %1\n"_s.arg(one);
        if (more > 0)
            text += u"    and %1 more\n"_s.arg(more);
    };
    const auto meetings = mapped<QStringList>(coverage.meetingsLeft(), [](const Meeting &meeting) {
        return u"%1 arrives while %2 runs (place: %3)"_s.arg(
            meeting.incoming, meeting.running, meeting.place);
    });
    add(u"transitions"_s, coverage.rows(), coverage.rowsLeft());
    add(u"conflicts of two operations"_s, coverage.meetings(), meetings);
    add(u"codes of refusals and failures"_s, coverage.codes(), coverage.codesLeft());
    return text;
}

} // namespace instar
