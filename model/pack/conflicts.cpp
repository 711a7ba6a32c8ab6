// SPDX-License-Identifier: Apache-2.0
#include "model/pack/conflicts.h"

#include "model/pack/flow.h"
#include "model/pack/run.h"

#include <algorithm>
#include <functional>
#include <optional>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

qsizetype depth(const QString &type)
{
    return type.count(u'/') + 1;
}

bool isBelow(const QString &type, const QString &above)
{
    return type.startsWith(above + u'/');
}

/// Whether a resource of one type can be seen there from a resource of another.
bool isSeen(const QString &type, const QString &from, QLatin1StringView place)
{
    if (place == "self"_L1)
        return type == from;
    if (place == "ancestor"_L1)
        return isBelow(from, type);
    if (place == "descendant"_L1)
        return isBelow(type, from);
    if (place == "sibling"_L1)
        return depth(type) > 1 && type.section(u'/', 0, -2) == from.section(u'/', 0, -2);
    if (place == "tree"_L1) {
        const bool areSiblings = depth(type) == 2 && depth(from) == 2;
        return type.section(u'/', 0, 0) == from.section(u'/', 0, 0) && depth(type) > 1
            && depth(from) > 1 && !areSiblings;
    }
    return true; // a reference leads anywhere
}

} // namespace

const QStringList &placeWords()
{
    static const QStringList words = [] {
        QStringList all;
        for (const char *word : PlaceWords)
            all += QString::fromLatin1(word);
        return all;
    }();
    return words;
}

quint32 placeBit(QStringView place)
{
    for (size_t i = 0; i < std::size(PlaceWords); ++i) {
        if (place == QLatin1StringView(PlaceWords[i]))
            return 1u << i;
    }
    return 0;
}

Places::Places(const Pack &pack)
{
    QHash<QString, QStringList> typesOf;
    for (const Type &type : pack.types) {
        m_isOpen = m_isOpen || type.path == u"*" || type.path.endsWith(u"/*");
        const Machine *machine = pack.machine(type.machine);
        if (!machine)
            continue;
        const QString path = pack.ignoreCase ? type.path.toCaseFolded() : type.path;
        for (const Transition &row : machine->transitions) {
            for (const QString &trigger : row.on) {
                QStringList &types = typesOf[trigger];
                if (!types.contains(path))
                    types += path;
            }
        }
    }
    QHash<QStringList, int> known;
    for (auto it = typesOf.cbegin(); it != typesOf.cend(); ++it) {
        const auto list = known.constFind(it.value());
        const int index = list == known.cend() ? int(m_lists.size()) : *list;
        if (list == known.cend()) {
            known.insert(it.value(), index);
            m_lists += it.value();
        }
        m_listOf.insert(it.key(), index);
    }
}

/// Every place at which some type of the one list is seen from some type of the other.
quint32 Places::seen(int ours, int theirs) const
{
    const std::pair key { ours, theirs };
    if (const auto known = m_seen.constFind(key); known != m_seen.cend())
        return *known;
    quint32 places = 0;
    for (const QString &from : m_lists[ours]) {
        for (const QString &type : m_lists[theirs]) {
            for (size_t i = 0; i < std::size(PlaceWords); ++i) {
                if (!(places & (1u << i)) && isSeen(type, from, QLatin1StringView(PlaceWords[i])))
                    places |= 1u << i;
            }
        }
    }
    return *m_seen.insert(key, places);
}

quint32 Places::meeting(const QString &on, const QString &running) const
{
    const int ours = m_listOf.value(on, -1), theirs = m_listOf.value(running, -1);
    if (m_isOpen || ours < 0 || theirs < 0) // what nobody takes is told elsewhere
        return ~0u;
    return seen(ours, theirs);
}

bool Places::canMeet(const QString &on, const QString &running, const QString &at) const
{
    const quint32 place = placeBit(at);
    return !place || (meeting(on, running) & place); // no place is told elsewhere, too
}

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

namespace {

constexpr qsizetype MostSettings = 64; ///< under more, no row but a new one is looked at

/// One way to change the rows.
struct Attempt
{
    QList<Conflict> rows;
    int added = -1, removed = -1; ///< where; -1: none
    QList<Conflict> touched;      ///< as they were, and as they are

    /// Where a row of the new ones stood before; -1: nowhere.
    int before(int row) const
    {
        if (row == added)
            return -1;
        return added >= 0 && row > added ? row - 1 : removed >= 0 && row >= removed ? row + 1 : row;
    }
};

class VerdictEdit
{
public:
    VerdictEdit(
        const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish)
        : m_pack(pack), m_meeting(meeting), m_wish(wish), m_places(pack), m_own(pack, setting)
    {
        m_operations = m_own.operations();
        m_cell = m_own.cell(meeting);
        const QList<Setting> settings = Checking(pack).settings(pack.conflicts);
        m_isLarge = settings.size() > MostSettings;
        for (const Setting &each : settings) {
            if (!m_isLarge)
                m_before.emplace_back(pack, each);
        }
        m_before.push_back(m_own);
    }

    Pack edited()
    {
        if (!m_cell.canMeet || m_cell.says(m_wish) || !m_own.places().contains(m_meeting.place))
            return m_pack;
        for (const Attempt &attempt : attempts()) {
            if (std::optional<Pack> done = tried(attempt))
                return *std::move(done);
        }
        return withRows(addedHere().rows);
    }

private:
    QList<Attempt> attempts() const
    {
        QList<Attempt> all;
        if (!m_isLarge) {
            for (const int row : m_cell.rows)
                all += without(row);
            for (const int row : m_cell.rows)
                all += changed(row, Ask::AsBefore);
            for (const int row : m_cell.rows)
                all += changed(row, Ask::Nothing);
            for (const int row : m_cell.rows)
                all += narrowed(row);
            for (int row = 0; row < m_pack.conflicts.size(); ++row)
                all += widened(row);
        }
        all += added();
        all += addedHere();
        return all;
    }

    Attempt without(int row) const
    {
        Attempt attempt {
            .rows = m_pack.conflicts, .removed = row, .touched = { m_pack.conflicts[row] }
        };
        attempt.rows.removeAt(row);
        return attempt;
    }
    Attempt replaced(int row, const Conflict &by) const
    {
        Attempt attempt { .rows = m_pack.conflicts, .touched = { m_pack.conflicts[row], by } };
        attempt.rows[row] = by;
        return attempt;
    }
    enum class Ask { AsBefore, Nothing };
    Attempt changed(int row, Ask ask) const
    {
        Conflict now = m_pack.conflicts[row];
        now.then = m_wish;
        now.code = m_wish == Conflict::Then::Reject ? refusal() : QString();
        if (ask == Ask::Nothing)
            now.condition = {};
        return replaced(row, now);
    }
    QList<Attempt> narrowed(int row) const
    {
        QList<Attempt> all;
        const auto without = [&](QStringList Conflict::*list, const QString &word) {
            Conflict now = m_pack.conflicts[row];
            if ((now.*list).size() > 1 && (now.*list).removeAll(word) > 0 && !(now.*list).isEmpty())
                all += replaced(row, now);
        };
        without(&Conflict::on, m_meeting.incoming);
        without(&Conflict::running, m_meeting.running);
        without(&Conflict::at, m_meeting.place);
        return all;
    }
    /// What has a source keeps to what is written there.
    QList<Attempt> widened(int row) const
    {
        Conflict now = m_pack.conflicts[row];
        if (now.then != m_wish || now.condition.kind != Condition::Kind::Always
            || !now.about.isEmpty() || !now.sources.isEmpty())
            return {};
        const auto add = [](QStringList *list, const QString &word) {
            if (!list->isEmpty() && !list->contains(word))
                *list += word;
        };
        add(&now.on, m_meeting.incoming);
        add(&now.running, m_meeting.running);
        add(&now.at, m_meeting.place);
        return now == m_pack.conflicts[row] ? QList<Attempt>() : QList { replaced(row, now) };
    }
    /// Before the first row that may speak, and there when that one is; else behind all.
    Attempt added() const
    {
        Conflict row;
        row.on = { m_meeting.incoming };
        row.running = { m_meeting.running };
        row.at = { m_meeting.place };
        row.then = m_wish;
        row.code = m_wish == Conflict::Then::Reject ? refusal() : QString();
        int at = int(m_pack.conflicts.size());
        if (!m_cell.rows.isEmpty()) {
            at = m_cell.rows.first();
            row.when = m_pack.conflicts[at].when;
        }
        Attempt attempt { .rows = m_pack.conflicts, .added = at, .touched = { row } };
        attempt.rows.insert(at, row);
        return attempt;
    }
    /// The added row restricted to this setting, so that no other setting changes.
    Attempt addedHere() const
    {
        Attempt attempt = added();
        Conflict &row = attempt.rows[attempt.added];
        for (const auto &[name, value] : m_own.setting().asKeyValueRange())
            row.when[name] = { value };
        attempt.touched = { row };
        return attempt;
    }
    /// What others of the pack are refused with; empty: it refuses nothing yet.
    QString refusal() const
    {
        for (const Conflict &row : m_pack.conflicts) {
            if (row.then == Conflict::Then::Reject && !row.code.isEmpty())
                return row.code;
        }
        const auto own = std::ranges::find_if(
            m_pack.refusals, [](const Refusal &row) { return !knownRefusals().contains(row.id); });
        return own == m_pack.refusals.end() ? QString() : own->id;
    }

    Pack withRows(const QList<Conflict> &rows) const
    {
        Pack pack = m_pack;
        pack.conflicts = rows;
        return pack;
    }

    /// Nothing where it does not do what is wished, or more than that.
    std::optional<Pack> tried(const Attempt &attempt) const
    {
        Pack pack = withRows(attempt.rows);
        if (!m_own.withConflicts(pack).cell(m_meeting).says(m_wish))
            return {};
        std::vector<ConflictMatrix> after;
        after.reserve(size_t(m_before.size()));
        for (const ConflictMatrix &before : m_before)
            after.push_back(before.withConflicts(pack));
        for (size_t i = 0; i < after.size(); ++i) {
            if (!keepsOthers(pack, attempt, m_before[i], after[i]))
                return {};
        }
        for (int row = int(pack.conflicts.size()) - 1; row >= 0 && !m_isLarge; --row) {
            const int old = attempt.before(row);
            if (old >= 0 && isAbout(pack.conflicts[row]) && !isHeard(row, pack, after)
                && isHeard(old, m_pack, m_before))
                pack.conflicts.removeAt(row);
        }
        return pack;
    }

    /// Whether every other meeting ends as before, and this one, too, where what speaks of it is
    /// not what speaks now.
    bool keepsOthers(const Pack &pack, const Attempt &attempt, const ConflictMatrix &before,
        const ConflictMatrix &after) const
    {
        if (seesReferences(m_pack, before.setting()) != seesReferences(pack, after.setting()))
            return false;
        return std::ranges::all_of(attempt.touched, [&](const Conflict &row) {
            return eachMeeting(row, before.places(), [&](const Meeting &meeting) {
                const ConflictCell was = before.cell(meeting);
                if (meeting == m_meeting && isSaidBy(was))
                    return true;
                return meaning(m_pack, was) == meaning(pack, after.cell(meeting));
            });
        });
    }
    bool isSaidBy(const ConflictCell &cell) const
    {
        return m_cell.rows.isEmpty()
            ? !cell.isSettled
            : std::ranges::any_of(m_cell.rows, [&](int row) { return cell.rows.contains(row); });
    }

    /// As long as `see` says so; false: it did not for one.
    bool eachMeeting(const Conflict &row, const QStringList &places,
        const std::function<bool(const Meeting &)> &see) const
    {
        const QStringList &comes = row.on.isEmpty() ? m_operations : row.on;
        const QStringList &runs = row.running.isEmpty() ? m_operations : row.running;
        for (const QString &incoming : comes) {
            for (const QString &running : runs) {
                for (const QString &place : row.at.isEmpty() ? places : row.at) {
                    if (m_places.canMeet(incoming, running, place)
                        && !see({ running, incoming, place }))
                        return false;
                }
            }
        }
        return true;
    }

    struct Said
    {
        Conflict::Then then;
        QString code;
        Condition condition;
        bool operator==(const Said &) const = default;
    };
    /// What happens, whichever row says so. Nobody's word is the same as a row that allows.
    static QList<Said> meaning(const Pack &pack, const ConflictCell &cell)
    {
        QList<Said> all;
        for (const int index : cell.rows) {
            const Conflict &row = pack.conflicts[index];
            all += { row.then, row.code, row.condition };
        }
        if (!cell.isSettled)
            all += { Conflict::Then::Allow, {}, {} };
        while (all.size() > 1 && all.last().then == all[all.size() - 2].then
            && all.last().code == all[all.size() - 2].code)
            all.remove(all.size() - 2);
        return all;
    }

    /// The engine tells what is referred to from what is not as soon as one row asks.
    static bool seesReferences(const Pack &pack, const Setting &setting)
    {
        return std::ranges::any_of(pack.conflicts, [&](const Conflict &row) {
            return exists(row, setting)
                && (row.at.isEmpty() || row.at.contains(u"reference"_s)
                    || row.at.contains(u"referrer"_s));
        });
    }

    bool isAbout(const Conflict &row) const
    {
        return (row.on.isEmpty() || row.on.contains(m_meeting.incoming))
            && (row.running.isEmpty() || row.running.contains(m_meeting.running))
            && (row.at.isEmpty() || row.at.contains(m_meeting.place));
    }
    bool isHeard(int row, const Pack &pack, const std::vector<ConflictMatrix> &matrices) const
    {
        return std::ranges::any_of(matrices, [&](const ConflictMatrix &matrix) {
            return !eachMeeting(pack.conflicts[row], matrix.places(),
                [&](const Meeting &meeting) { return !matrix.cell(meeting).rows.contains(row); });
        });
    }

    const Pack &m_pack;
    const Meeting &m_meeting;
    Conflict::Then m_wish;
    Places m_places;
    ConflictMatrix m_own;
    QStringList m_operations;
    ConflictCell m_cell;
    bool m_isLarge = false;
    std::vector<ConflictMatrix> m_before; ///< by setting
};

} // namespace

Pack withVerdict(
    const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish)
{
    return VerdictEdit(pack, setting, meeting, wish).edited();
}

} // namespace instar
