// SPDX-License-Identifier: Apache-2.0
#include "model/pack/identity.h"

#include "model/pack/rows.h"
#include "model/pack/tree.h"

#include <QHash>

#include <algorithm>
#include <utility>
#include <vector>

namespace instar {

namespace {

/// Assigner of numbers to rows; detaches only lists that change.
struct Numberer
{
    quint32 last = 0;         ///< the greatest number so far
    QSet<quint32> numbers {}; ///< of the rows so far

    void number(auto &row)
    {
        quint32 &own = row.identity.number;
        if (own == 0 || numbers.contains(own))
            own = ++last;
        numbers.insert(own);
        eachList(row, [this](const char *, auto &&rows, const MemberSpec &) {
            if (this->isNumbered(rows))
                return;
            for (auto &one : rows)
                this->number(one);
        });
    }

private:
    /// True if each row in the list has a number of its own; then adds these to `numbers`.
    bool isNumbered(const auto &rows)
    {
        QSet<quint32> listed;
        bool isUnique = true;
        for (const auto &one : rows) {
            visitRows(one, [&](const auto &row, const RowLocation &) {
                const quint32 own = row.identity.number;
                isUnique = isUnique && own != 0 && !numbers.contains(own) && !listed.contains(own);
                listed.insert(own);
            });
        }
        if (isUnique)
            numbers.unite(listed);
        return isUnique;
    }
};

void matchRows(qsizetype &formerOf, std::vector<bool> &isTaken, qsizetype place)
{
    formerOf = place;
    isTaken[size_t(place)] = true;
}

/// Matches added rows with removed rows: in each gap between two matched rows, in order, if
/// canMatch(row, former row). Rows with ids only match in a gap with as many added as removed rows.
void fillGaps(
    std::vector<qsizetype> &formerOf, std::vector<bool> &isTaken, bool hasIds, const auto &canMatch)
{
    for (size_t from = 0; from < formerOf.size(); ++from) {
        if (formerOf[from] >= 0)
            continue;
        size_t to = from;
        while (to < formerOf.size() && formerOf[to] < 0)
            ++to;
        const size_t first = from ? size_t(formerOf[from - 1]) + 1 : 0;
        size_t last = first;
        while (last < isTaken.size() && !isTaken[last])
            ++last;
        const size_t removed = last - first, added = to - from;
        const size_t pairs = hasIds && removed != added ? 0 : std::min(removed, added);
        for (size_t i = 0; i < pairs; ++i) {
            if (canMatch(from + i, first + i))
                matchRows(formerOf[from + i], isTaken, qsizetype(first + i));
        }
        from = to;
    }
}

constexpr qsizetype MostSteps = 1000; ///< former rows that are compared with one row

void recognizeBelow(auto &row, const auto &former);

/// Gives rows the numbers of the former rows that they match.
template<typename T>
void pairRows(auto &rows, std::span<const T> former)
{
    constexpr bool hasIds = requires(T &row) { idOf(row); };
    const auto at = [former](qsizetype i) -> const T & { return former[size_t(i)]; };
    const auto count = qsizetype(former.size());
    std::vector<qsizetype> formerOf(size_t(rows.size()), -1); // row -> index of the former row
    std::vector<bool> isTaken(former.size(), false);
    if constexpr (hasIds) {
        QHash<QString, qsizetype> places;
        for (qsizetype i = count; i-- > 0;)
            places.insert(idOf(at(i)), i);
        for (size_t i = 0; i < formerOf.size(); ++i) {
            const qsizetype place = places.value(idOf(rows[i]), -1);
            if (place >= 0 && !isTaken[size_t(place)])
                matchRows(formerOf[i], isTaken, place);
        }
    } else {
        qsizetype next = 0; // rows seldom change their order
        for (size_t i = 0; i < formerOf.size(); ++i) {
            for (qsizetype step = 0; step < std::min(count, MostSteps); ++step) {
                const qsizetype place = (next + step) % count;
                if (isTaken[size_t(place)] || !(at(place) == rows[i]))
                    continue;
                matchRows(formerOf[i], isTaken, place);
                next = place + 1;
                break;
            }
        }
    }
    fillGaps(formerOf, isTaken, hasIds, [&](size_t row, size_t place) {
        if constexpr (std::is_same_v<T, State>) // another alias means another state
            return rows[qsizetype(row)].as == at(qsizetype(place)).as;
        return true;
    });
    for (size_t i = 0; i < formerOf.size(); ++i) {
        rows[qsizetype(i)].identity.number = formerOf[i] < 0 ? 0 : at(formerOf[i]).identity.number;
        if (formerOf[i] >= 0)
            recognizeBelow(rows[qsizetype(i)], at(formerOf[i]));
    }
}

/// Matches the rows below a row; rows of one type have the same lists in the same order.
void recognizeBelow(auto &row, const auto &former)
{
    std::vector<std::pair<const void *, size_t>> before; // the former row's lists
    eachList(former, [&](const char *, const auto &rows, const MemberSpec &) {
        before.emplace_back(rows.data(), size_t(rows.size()));
    });
    size_t next = 0;
    eachList(row, [&](const char *, auto &&rows, const MemberSpec &) {
        using T = std::remove_cvref_t<decltype(rows[0])>;
        const auto [data, size] = before[next++];
        pairRows<T>(rows, std::span(static_cast<const T *>(data), size));
    });
}

void renumber(auto &row, const auto &next)
{
    row.identity.number = next();
    eachList(row, [&](const char *, auto &&rows, const MemberSpec &) {
        for (auto &one : rows)
            renumber(one, next);
    });
}

} // namespace

void identify(Pack *pack, quint32 *last)
{
    quint32 most = *last;
    visitRows(std::as_const(*pack),
        [&most](const auto &row, const RowLocation &) { most = qMax(most, row.identity.number); });
    Numberer numberer { most };
    numberer.number(*pack);
    *last = numberer.last;
}

void recognize(Pack *pack, const Pack &former)
{
    pack->identity = former.identity;
    recognizeBelow(*pack, former);
}

void forgetIdentities(Pack *pack)
{
    renumber(*pack, [] { return 0U; });
}

QList<quint32> identities(const Pack &pack)
{
    QList<quint32> numbers;
    visitRows(pack, [&](const auto &row, const RowLocation &) { numbers += row.identity.number; });
    return numbers;
}

void setIdentities(Pack *pack, const QList<quint32> &numbers)
{
    if (identities(*pack).size() != numbers.size())
        return;
    qsizetype place = 0;
    renumber(*pack, [&] { return numbers[place++]; });
}

std::optional<QString> pointerOf(const Pack &pack, quint32 number)
{
    std::optional<QString> pointer;
    visitRows(pack, [&](const auto &row, const RowLocation &location) {
        if (number && row.identity.number == number && !pointer)
            pointer = pointerTo(location.keys);
    });
    return pointer;
}

quint32 numberAt(const Pack &pack, const QString &pointer)
{
    for (QString at = pointer;; at = parentPointer(at)) {
        quint32 number = 0;
        bool isInList = false;
        withRowAt(pack, at, [&]<typename T>(const T &row) {
            if constexpr (requires { row.identity; })
                number = row.identity.number;
        });
        withListAt(
            pack, parentPointer(at), [&](const auto &, const MemberSpec &) { isInList = true; });
        if (number || isInList || at.isEmpty())
            return number;
    }
}

QList<Renaming> renamings(const Pack &before, const Pack &after)
{
    QHash<quint32, RowLocation> locationsAfter;
    visitRows(after, [&](const auto &row, const RowLocation &location) {
        if (location.own != Name::None && row.identity.number)
            locationsAfter.insert(row.identity.number, location);
    });
    QList<Renaming> result;
    visitRows(before, [&](const auto &row, const RowLocation &location) {
        const RowLocation later = locationsAfter.value(row.identity.number);
        const Machine *machine = location.machine;
        if (later.own != Name::None && later.own == location.own
            && later.keys.last() != location.keys.last()
            && (!machine || later.machine->identity.number == machine->identity.number))
            result.append({ later.own, machine ? machine->id : QString(), location.keys.last(),
                later.keys.last() });
    });
    return result;
}

QString pathAfter(const Pack &before, const QList<Renaming> &renamings, const QString &path)
{
    const QStringList parts = path.split(u'/');
    QString type, result = parts[0];
    for (qsizetype i = 1; i < parts.size(); i += 2) {
        type += (i > 1 ? u"/"_s : QString()) + parts[i];
        const QString newType = nameAfter(renamings, Name::Type, type);
        const QString newParentType = newType.section(u'/', 0, -2);
        if (newType != type && newParentType != typePathOf(result))
            result = pathOfType(before, newParentType);
        result += u'/' + (QStringList(newType.section(u'/', -1)) + parts.mid(i + 1, 1)).join(u'/');
    }
    return result;
}

} // namespace instar
