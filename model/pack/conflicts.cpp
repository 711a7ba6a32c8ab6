// SPDX-License-Identifier: Apache-2.0
#include "model/pack/conflicts.h"

#include "model/pack/flow.h"
#include "model/pack/run.h"

#include <algorithm>

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

/// True if a resource of `type` can be at a place relative to a resource of type `from`.
bool isAt(const QString &type, const QString &from, QLatin1StringView place)
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
    static const QStringList words = wordList(PlaceWords);
    return words;
}

quint32 placeBit(QStringView place)
{
    const qsizetype word = placeWords().indexOf(place);
    return word < 0 ? 0 : 1u << word;
}

Places::Places(const Pack &pack)
{
    QHash<QString, QStringList> typesOf;
    for (const Type &type : pack.types) {
        m_isOpen = m_isOpen || type.path == u"*" || type.path.endsWith(u"/*");
        const Machine *machine = pack.machine(type.machine);
        if (!machine)
            continue;
        const QString path = pack.folded(type.path);
        for (const Transition &row : machine->transitions) {
            for (const QString &trigger : row.on) {
                QStringList &types = typesOf[trigger];
                if (!types.contains(path))
                    types += path;
            }
        }
    }
    QHash<QStringList, int> numbers;
    for (auto it = typesOf.cbegin(); it != typesOf.cend(); ++it) {
        const int number = numbers.value(it.value(), int(m_lists.size()));
        if (number == m_lists.size())
            m_lists += it.value();
        numbers.insert(it.value(), number);
        m_listOf.insert(it.key(), number);
    }
}

quint32 Places::meeting(const QString &on, const QString &running) const
{
    const std::pair key { m_listOf.value(on, -1), m_listOf.value(running, -1) };
    if (m_isOpen || key.first < 0 || key.second < 0)
        return ~0u; // check() reports operations that no type accepts
    if (const auto known = m_cache.constFind(key); known != m_cache.cend())
        return *known;
    quint32 places = 0;
    for (const QString &from : m_lists[key.first]) {
        for (const QString &type : m_lists[key.second]) {
            for (size_t i = 0; i < std::size(PlaceWords); ++i) {
                if (!(places & (1u << i)) && isAt(type, from, QLatin1StringView(PlaceWords[i])))
                    places |= 1u << i;
            }
        }
    }
    return *m_cache.insert(key, places);
}

namespace {

bool includes(const std::vector<bool> &set, int operation)
{
    return set.empty() || set[size_t(operation)];
}

} // namespace

ConflictMatrix::ConflictMatrix(const Pack &pack, const Setting &setting)
    : m_operations(pack.operationNames())
{
    for (const Switch &row : pack.switches)
        m_setting.insert(row.id, setting.value(row.id, row.defaultValue));
    for (const QString &name : m_operations)
        m_index.insert(name, int(m_index.size()));
    compileRows(pack);
    classifyOperations(pack);
    const Places places(pack);
    for (const QString &running : std::as_const(m_operations)) {
        for (const QString &incoming : std::as_const(m_operations))
            m_meetings.push_back(places.meeting(incoming, running));
    }
}

ConflictMatrix ConflictMatrix::withConflicts(const Pack &pack) const
{
    ConflictMatrix other = *this;
    other.compileRows(pack);
    return other;
}

void ConflictMatrix::compileRows(const Pack &pack)
{
    m_rows.clear();
    m_verdicts.clear();
    m_places = { u"self"_s, u"ancestor"_s, u"descendant"_s, u"sibling"_s, u"tree"_s };
    const auto operationSet = [this](const QStringList &names) {
        std::vector<bool> isIn(names.isEmpty() ? 0 : size_t(m_operations.size()), false);
        for (const QString &name : names) {
            if (const int index = m_index.value(name, -1); index >= 0)
                isIn[size_t(index)] = true;
        }
        return isIn;
    };
    quint32 namedPlaces = 0;
    for (int i = 0; i < pack.conflicts.size(); ++i) {
        const Conflict &row = pack.conflicts[i];
        m_verdicts.push_back(row.then);
        quint32 at = 0;
        for (const QString &place : row.at)
            at |= placeBit(place);
        namedPlaces |= at;
        if (exists(row, m_setting) && (at || row.at.isEmpty()))
            m_rows.push_back({ .row = i,
                .on = operationSet(row.on),
                .running = operationSet(row.running),
                .at = at,
                .facts = facts(pack, m_setting, row.condition) });
    }
    for (const QString &place : { u"reference"_s, u"referrer"_s }) {
        if (namedPlaces & (placeBit(u"reference"_s) | placeBit(u"referrer"_s)))
            m_places += place;
    }
    m_places += u"unrelated"_s;
    m_mayWait = std::ranges::find(m_verdicts, Conflict::Then::Wait) != m_verdicts.end();
}

/// Finds the operations that can run or arrive. Read-only ones end at once and meet no others.
/// Those that only move to stable states end at once, too, but others can arrive while they wait.
void ConflictMatrix::classifyOperations(const Pack &pack)
{
    std::vector<bool> reads(size_t(m_operations.size()), false);
    m_hasWork = m_hasTarget = m_removes = reads;
    for (const Machine &machine : pack.machines) {
        const MachineIndex machineIndex(machine);
        const auto isWork = [&](const QString &to) {
            const State *state = machineIndex.state(machineIndex.entered(to));
            return to == SameState || (state && state->kind == State::Kind::Transitional);
        };
        const auto isInitial = [&](const QString &to) {
            const State *state = machineIndex.state(to);
            return state && state->kind == State::Kind::Initial;
        };
        const auto removes = [&](const QString &to) { // at once, or when its work succeeds
            return isInitial(to)
                || std::ranges::any_of(machineIndex.from(machineIndex.entered(to)), [&](int index) {
                       const Transition &next = machine.transitions[index];
                       return next.on.contains(u"succeeded"_s)
                           && std::ranges::any_of(next.to, isInitial);
                   });
        };
        for (const Transition &row : machine.transitions) {
            const bool hasTarget = !row.to.isEmpty();
            const bool hasWork = std::ranges::any_of(row.to, isWork);
            const bool mayRemove =
                !std::ranges::all_of(row.from, isInitial) && std::ranges::any_of(row.to, removes);
            for (const QString &trigger : row.on) {
                const int index = m_index.value(trigger, -1);
                if (index < 0)
                    continue;
                reads[size_t(index)] = reads[size_t(index)] || (!hasTarget && row.refuse.isEmpty());
                m_hasTarget[size_t(index)] = m_hasTarget[size_t(index)] || hasTarget;
                m_hasWork[size_t(index)] = m_hasWork[size_t(index)] || hasWork;
                m_removes[size_t(index)] = m_removes[size_t(index)] || mayRemove;
            }
        }
    }
    m_canArrive = m_hasTarget;
    for (size_t i = 0; i < reads.size(); ++i)
        m_canArrive[i] = m_canArrive[i] || !reads[i]; // also an operation that no row accepts yet
}

QList<int> ConflictMatrix::decidingRows(
    int running, int incoming, quint32 place, bool *isSettled) const
{
    QList<int> rows;
    EarlierConditions earlier;
    *isSettled = false;
    for (const CompiledRow &compiled : m_rows) {
        if ((compiled.at && !(compiled.at & place)) || !includes(compiled.on, incoming)
            || !includes(compiled.running, running))
            continue;
        if (!rows.isEmpty() && earlier.covers(compiled.facts))
            continue;
        rows += compiled.row;
        if (compiled.facts.isEmpty()) {
            *isSettled = true;
            return rows;
        }
        earlier.add(compiled.facts);
    }
    *isSettled = !rows.isEmpty() && earlier.covers({});
    return rows;
}

bool ConflictMatrix::canMeet(const Meeting &meeting) const
{
    const int running = m_index.value(meeting.running, -1);
    const int incoming = m_index.value(meeting.incoming, -1);
    if (running < 0 || incoming < 0 || !m_canArrive[size_t(incoming)])
        return false;
    const bool runs = m_hasWork[size_t(running)] || (m_mayWait && m_hasTarget[size_t(running)]);
    const quint32 places = m_meetings[size_t(running * m_operations.size() + incoming)];
    return runs && (places & placeBit(meeting.place));
}

ConflictCell ConflictMatrix::cell(const Meeting &meeting) const
{
    ConflictCell cell;
    const int running = m_index.value(meeting.running, -1);
    const int incoming = m_index.value(meeting.incoming, -1);
    const quint32 place = placeBit(meeting.place);
    cell.canMeet = canMeet(meeting);
    if (running >= 0 && incoming >= 0 && place)
        cell.rows = decidingRows(running, incoming, place, &cell.isSettled);
    const auto add = [&cell](Conflict::Then verdict) {
        if (!cell.verdicts.contains(verdict))
            cell.verdicts += verdict;
    };
    for (const int row : std::as_const(cell.rows))
        add(m_verdicts[size_t(row)]);
    if (!cell.isSettled)
        add(Conflict::Then::Allow);
    const bool isInside = meeting.place == "self"_L1 || meeting.place == "descendant"_L1;
    cell.removesRunning = cell.canMeet && isInside && m_removes[size_t(incoming)]
        && cell.verdicts.contains(Conflict::Then::Allow);
    return cell;
}

bool ConflictMatrix::canDecide(int row, const Meeting &except) const
{
    const auto compiled = std::ranges::find(m_rows, row, &CompiledRow::row);
    const auto count = compiled == m_rows.end() ? 0 : int(m_operations.size());
    for (int running = 0; running < count; ++running) {
        for (int incoming = 0; incoming < count; ++incoming) {
            const quint32 places = m_meetings[size_t(running * count + incoming)];
            if (!includes(compiled->running, running) || !includes(compiled->on, incoming))
                continue;
            const bool isPair = m_operations[running] == except.running
                && m_operations[incoming] == except.incoming;
            for (size_t i = 0; i < std::size(PlaceWords); ++i) {
                const quint32 place = places & (compiled->at ? compiled->at : ~0u) & (1u << i);
                const bool isExcepted = isPair && place == placeBit(except.place);
                bool isSettled = false;
                if (place && !isExcepted
                    && decidingRows(running, incoming, place, &isSettled).contains(row))
                    return true;
            }
        }
    }
    return false;
}

namespace {

/// Returns the matrices for all values of the switches that conflict rows test; none if too many.
std::vector<ConflictMatrix> matricesOf(const Pack &pack)
{
    constexpr qsizetype mostMatrices = 64;
    std::vector<ConflictMatrix> all;
    const QList<Setting> settings = Checking(pack).settings(pack.conflicts);
    for (const Setting &setting : settings.size() > mostMatrices ? QList<Setting>() : settings)
        all.emplace_back(pack, setting);
    return all;
}

/// True if a row applies at reference or referrer: only then does the engine distinguish the two.
bool testsReferences(const Pack &pack, const Setting &setting)
{
    return std::ranges::any_of(pack.conflicts, [&](const Conflict &row) {
        return exists(row, setting)
            && (row.at.isEmpty() || row.at.contains(u"reference"_s)
                || row.at.contains(u"referrer"_s));
    });
}

/// True if a row may decide a meeting other than `except` in one of the matrices. Also true if
/// there are no matrices, because an untried combination of switches may need the row.
bool canDecide(int row, const std::vector<ConflictMatrix> &matrices, const Meeting &except)
{
    return matrices.empty() || std::ranges::any_of(matrices, [&](const ConflictMatrix &matrix) {
        return matrix.canDecide(row, except);
    });
}

/// Returns the refusal of the first rejecting row, else the first one not built in; empty: none.
QString refusalOf(const Pack &pack)
{
    for (const Conflict &row : pack.conflicts) {
        if (row.then == Conflict::Then::Reject && !row.code.isEmpty())
            return row.code;
    }
    const auto own = std::ranges::find_if(
        pack.refusals, [](const Refusal &row) { return !knownRefusals().contains(row.id); });
    return own == pack.refusals.end() ? QString() : own->id;
}

/// Edit of a pack's conflict rows, as withVerdict() describes it.
class VerdictEdit
{
public:
    VerdictEdit(
        const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish)
        : m_pack(pack), m_meeting(meeting), m_wish(wish), m_matrix(pack, setting)
    {
        m_cell = m_matrix.cell(meeting);
    }

    Pack edited()
    {
        if (!m_cell.canMeet || m_cell.says(m_wish) || !m_matrix.places().contains(m_meeting.place))
            return m_pack;
        m_before = matricesOf(m_pack);
        for (const int row : m_cell.rows) {
            Pack without = m_pack;
            without.conflicts.removeAt(row);
            if (!m_before.empty() && decidesOnlyThis(row) && isValid(without))
                return without;
        }
        const Pack pack = withRow({});
        return isValid(pack) ? pack : withRow(m_matrix.setting());
    }

private:
    bool isExact(const Conflict &row) const
    {
        return row.on == QStringList { m_meeting.incoming }
        && row.running == QStringList { m_meeting.running }
        && row.at == QStringList { m_meeting.place };
    }
    bool decidesOnlyThis(int row) const
    {
        return isExact(m_pack.conflicts[row]) || !canDecide(row, m_before, m_meeting);
    }

    /// Returns the pack with a row for the wished verdict that exists under `setting`. The row
    /// replaces the first matching row if that decides only this meeting; else it is inserted
    /// before that row, or at the end.
    Pack withRow(const Setting &setting) const
    {
        Pack pack = m_pack;
        const int first = m_cell.rows.value(0, int(pack.conflicts.size()));
        const bool isNew = m_cell.rows.isEmpty() || !setting.isEmpty() || !decidesOnlyThis(first)
            || (!isExact(pack.conflicts[first])
                && pack.conflicts[first].condition.kind != Condition::Kind::Always);
        Conflict row = isNew ? Conflict() : pack.conflicts[first];
        if (isNew) {
            row.on = { m_meeting.incoming };
            row.running = { m_meeting.running };
            row.at = { m_meeting.place };
        }
        if (isNew && !m_cell.rows.isEmpty())
            row.when = pack.conflicts[first].when;
        for (auto it = setting.cbegin(); it != setting.cend(); ++it)
            row.when[it.key()] = { *it };
        row.condition = {};
        row.then = m_wish;
        row.code = m_wish == Conflict::Then::Reject ? refusalOf(pack) : QString();
        if (isNew)
            pack.conflicts.insert(first, row);
        else
            pack.conflicts[first] = row;
        return pack;
    }

    /// True if, in an edited pack, the meeting has the wished verdict under the edit's setting, and
    /// keeps its old verdict under settings in which none of m_cell.rows matches.
    bool isValid(const Pack &pack) const
    {
        const auto isConsistent = [&](const ConflictMatrix &before) {
            const ConflictCell old = before.cell(m_meeting);
            const ConflictCell after = before.withConflicts(pack).cell(m_meeting);
            const bool mayChange = m_cell.rows.isEmpty()
                ? !old.isSettled
                : std::ranges::any_of(m_cell.rows, [&](int row) { return old.rows.contains(row); });
            return testsReferences(m_pack, before.setting())
                == testsReferences(pack, before.setting())
                && (mayChange || after.verdicts == old.verdicts);
        };
        return m_matrix.withConflicts(pack).cell(m_meeting).says(m_wish)
            && std::ranges::all_of(m_before, isConsistent);
    }

    const Pack &m_pack;
    const Meeting &m_meeting;
    Conflict::Then m_wish;
    ConflictMatrix m_matrix;
    ConflictCell m_cell;
    std::vector<ConflictMatrix> m_before; ///< by setting
};

} // namespace

Pack withVerdict(
    const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish)
{
    return VerdictEdit(pack, setting, meeting, wish).edited();
}

} // namespace instar
