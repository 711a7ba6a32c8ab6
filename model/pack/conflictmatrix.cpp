// SPDX-License-Identifier: Apache-2.0
#include "model/pack/conflictmatrix.h"

#include "model/pack/flow.h"
#include "model/pack/run.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Setting completed(const Pack &pack, const Setting &given)
{
    Setting setting;
    for (const Switch &row : pack.switches)
        setting.insert(row.id, given.value(row.id, row.defaultValue));
    return setting;
}

bool includes(const std::vector<bool> &set, int operation)
{
    return set.empty() || set[size_t(operation)];
}

} // namespace

ConflictMatrix::ConflictMatrix(const Pack &pack, const Setting &setting)
    : m_setting(completed(pack, setting)), m_operations(pack.operationNames())
{
    for (const QString &name : m_operations)
        m_index.insert(name, int(m_index.size()));
    take(pack);
    findWhatRuns(pack);
    const Places places(pack);
    for (const QString &running : std::as_const(m_operations)) {
        for (const QString &incoming : std::as_const(m_operations))
            m_meetings.push_back(places.meeting(incoming, running));
    }
}

ConflictMatrix ConflictMatrix::withConflicts(const Pack &pack) const
{
    ConflictMatrix other = *this;
    other.take(pack);
    return other;
}

void ConflictMatrix::take(const Pack &pack)
{
    m_rows.clear();
    m_verdicts.clear();
    m_places = { u"self"_s, u"ancestor"_s, u"descendant"_s, u"sibling"_s, u"tree"_s };
    const auto set = [this](const QStringList &names) {
        std::vector<bool> found(names.isEmpty() ? 0 : size_t(m_operations.size()), false);
        for (const QString &name : names) {
            if (const int index = m_index.value(name, -1); index >= 0)
                found[size_t(index)] = true;
        }
        return found;
    };
    quint32 named = 0;
    for (int i = 0; i < pack.conflicts.size(); ++i) {
        const Conflict &row = pack.conflicts[i];
        m_verdicts.push_back(row.then);
        quint32 at = 0;
        for (const QString &place : row.at)
            at |= placeBit(place);
        named |= at;
        if (exists(row, m_setting) && (at || row.at.isEmpty()))
            m_rows.push_back({ .row = i,
                .on = set(row.on),
                .running = set(row.running),
                .at = at,
                .facts = facts(pack, m_setting, row.condition) });
    }
    for (const QString &place : { u"reference"_s, u"referrer"_s }) {
        if (named & (placeBit(u"reference"_s) | placeBit(u"referrer"_s)))
            m_places += place;
    }
    m_places += u"unrelated"_s;
    m_mayWait = std::ranges::find(m_verdicts, Conflict::Then::Wait) != m_verdicts.end();
}

/// An operation that only looks is done at once and meets nobody. One that moves from rest to rest
/// is over at once, too; others can still come while it waits for its turn.
void ConflictMatrix::findWhatRuns(const Pack &pack)
{
    std::vector<bool> looks(size_t(m_operations.size()), false);
    m_works = m_acts = looks;
    for (const Machine &machine : pack.machines) {
        const WaysOut ways(machine);
        const auto works = [&](const QString &to) {
            const State *state = ways.state(ways.entered(to));
            return to == SameState || (state && state->kind == State::Kind::Transitional);
        };
        for (const Transition &row : machine.transitions) {
            const bool acts = !row.to.isEmpty();
            const bool runs = std::ranges::any_of(row.to, works);
            for (const QString &trigger : row.on) {
                const int index = m_index.value(trigger, -1);
                if (index < 0)
                    continue;
                looks[size_t(index)] = looks[size_t(index)] || (!acts && row.refuse.isEmpty());
                m_acts[size_t(index)] = m_acts[size_t(index)] || acts;
                m_works[size_t(index)] = m_works[size_t(index)] || runs;
            }
        }
    }
    m_comes = m_acts;
    for (size_t i = 0; i < looks.size(); ++i)
        m_comes[i] = m_comes[i] || !looks[i]; // what no row takes yet may come
}

QList<int> ConflictMatrix::speaking(int running, int incoming, quint32 place, bool *isSettled) const
{
    QList<int> rows;
    AskedBefore earlier;
    *isSettled = false;
    for (const Asked &asked : m_rows) {
        if ((asked.at && !(asked.at & place)) || !includes(asked.on, incoming)
            || !includes(asked.running, running))
            continue;
        if (!rows.isEmpty() && earlier.covers(asked.facts))
            continue;
        rows += asked.row;
        if (asked.facts.isEmpty()) {
            *isSettled = true;
            return rows;
        }
        earlier.add(asked.facts);
    }
    *isSettled = !rows.isEmpty() && earlier.covers({});
    return rows;
}

bool ConflictMatrix::canMeet(int running, int incoming, quint32 place) const
{
    const bool runs = m_works[size_t(running)] || (m_mayWait && m_acts[size_t(running)]);
    return runs && m_comes[size_t(incoming)]
        && (m_meetings[size_t(running * m_operations.size() + incoming)] & place);
}

bool ConflictMatrix::canMeet(const Meeting &meeting) const
{
    const int running = m_index.value(meeting.running, -1);
    const int incoming = m_index.value(meeting.incoming, -1);
    return running >= 0 && incoming >= 0 && canMeet(running, incoming, placeBit(meeting.place));
}

ConflictCell ConflictMatrix::cell(const Meeting &meeting) const
{
    ConflictCell cell;
    const int running = m_index.value(meeting.running, -1);
    const int incoming = m_index.value(meeting.incoming, -1);
    const quint32 place = placeBit(meeting.place);
    const bool isKnown = running >= 0 && incoming >= 0 && place;
    cell.canMeet = isKnown && canMeet(running, incoming, place);
    if (isKnown)
        cell.rows = speaking(running, incoming, place, &cell.isSettled);
    const auto add = [&cell](Conflict::Then verdict) {
        if (!cell.verdicts.contains(verdict))
            cell.verdicts += verdict;
    };
    for (const int row : std::as_const(cell.rows))
        add(m_verdicts[size_t(row)]);
    if (!cell.isSettled)
        add(Conflict::Then::Allow);
    return cell;
}

} // namespace instar
