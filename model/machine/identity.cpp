// SPDX-License-Identifier: Apache-2.0
#include "model/machine/identity.h"

#include "model/machine/rowat.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

template<typename T>
concept Identified = requires(T &row) { row.identity.number; };
template<typename T>
constexpr bool HasIdentifiedRows = false;
template<typename T>
constexpr bool HasIdentifiedRows<QList<T>> = Identified<T>;

/// Where a row stands.
struct Standing
{
    QStringList keys;                 ///< that lead to it
    Name own = Name::None;            ///< what its id names
    const Machine *machine = nullptr; ///< that it lies in
};

/// Shows `see` each row and where it stands, a row before those in it.
template<typename See>
class RowWalk : public Visitor
{
public:
    explicit RowWalk(const See &see) : m_see(see) { }

    void bare(const char *, const auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *key, const T &member, const Holds &holds, const char *)
    {
        if constexpr (HasIdentifiedRows<T>)
            walkAll(key, member, holds);
        else if constexpr (Identified<T>)
            walkUnder(QString::fromLatin1(key), member, Name::None);
    }
    void operator()(
        const char *key, const auto &member, const auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }

    template<Identified T>
    void walk(const T &row, Name own)
    {
        const Name before = std::exchange(m_standing.own, own);
        m_see(row, std::as_const(m_standing));
        const Machine *machine = m_standing.machine;
        if constexpr (std::is_same_v<T, Machine>)
            m_standing.machine = &row;
        describe(*this, row);
        m_standing.machine = machine;
        m_standing.own = before;
    }

private:
    template<typename T>
    void walkAll(const char *key, const QList<T> &rows, const Holds &holds)
    {
        const qsizetype depth = m_standing.keys.size();
        m_standing.keys += QString::fromLatin1(key);
        if (holds.inside)
            m_standing.keys += QString::fromLatin1(holds.inside);
        for (qsizetype i = 0; i < rows.size(); ++i) {
            if constexpr (requires { idOf(rows[i]); })
                walkUnder(idOf(rows[i]), rows[i], holds.keys);
            else
                walkUnder(QString::number(i), rows[i], Name::None);
        }
        m_standing.keys.resize(depth);
    }
    template<typename T>
    void walkUnder(const QString &key, const T &row, Name own)
    {
        m_standing.keys += key;
        walk(row, own);
        m_standing.keys.removeLast();
    }

    const See &m_see;
    Standing m_standing;
};

template<typename See>
void seeRows(const Pack &pack, const See &see)
{
    RowWalk<See>(see).walk(pack, Name::None);
}

/// Gives numbers. It asks each list first whether it has to change.
class Numberer : public Visitor
{
public:
    explicit Numberer(quint32 last) : m_last(last) { }

    void bare(const char *, auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *, T &member, const Holds &, const char *)
    {
        if constexpr (HasIdentifiedRows<T> || Identified<T>)
            number(member);
    }
    void operator()(const char *key, auto &member, auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }

    template<Identified T>
    void number(T &row)
    {
        quint32 &own = row.identity.number;
        if (own == 0 || m_seen.contains(own))
            own = ++m_last;
        m_seen.insert(own);
        describe(*this, row);
    }
    template<typename T>
    void number(QList<T> &rows)
    {
        if (isSettled(rows))
            return;
        for (T &row : rows)
            number(row);
    }

    quint32 last() const { return m_last; }

private:
    /// Whether each has a number of its own; then those are known to be taken.
    template<typename T>
    bool isSettled(const QList<T> &rows)
    {
        QList<quint32> own;
        const auto see = [&own](const auto &row, const Standing &) { own += row.identity.number; };
        RowWalk<decltype(see)> walk(see);
        for (const T &row : rows)
            walk.walk(row, Name::None);
        QSet<quint32> some;
        for (const quint32 number : std::as_const(own)) {
            if (number == 0 || m_seen.contains(number) || some.contains(number))
                return false;
            some.insert(number);
        }
        m_seen.unite(some);
        return true;
    }

    quint32 m_last;
    QSet<quint32> m_seen;
};

/// Where a list of rows is: the number of the row that has it, and its key there.
using ListPlace = std::pair<quint32, QByteArrayView>;

/// The lists of a pack, by their places; a row that stands alone is a list of one.
class ListIndex : public Visitor
{
public:
    void bare(const char *, const auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *key, const T &member, const Holds &, const char *)
    {
        if constexpr (HasIdentifiedRows<T>) {
            for (const auto &row : member)
                add(key, row);
        } else if constexpr (Identified<T>) {
            add(key, member);
        }
    }
    void operator()(
        const char *key, const auto &member, const auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }
    void enter(const auto &row)
    {
        const quint32 around = std::exchange(m_around, row.identity.number);
        describe(*this, row);
        m_around = around;
    }
    const QList<const void *> *at(const ListPlace &place) const
    {
        const auto found = m_lists.constFind(place);
        return found == m_lists.constEnd() ? nullptr : &*found;
    }

private:
    void add(const char *key, const auto &row)
    {
        m_lists[{ m_around, key }].append(&row);
        enter(row);
    }

    QHash<ListPlace, QList<const void *>> m_lists;
    quint32 m_around = 0;
};

/// Gives rows the numbers of those that they were.
class Recognizer : public Visitor
{
public:
    explicit Recognizer(const ListIndex &former) : m_former(former) { }

    void bare(const char *, auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *key, T &member, const Holds &, const char *)
    {
        if constexpr (HasIdentifiedRows<T>)
            recognizeIn(key, member);
        else if constexpr (Identified<T>)
            recognizeIn(key, std::span(&member, 1));
    }
    void operator()(const char *key, auto &member, auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }
    void enter(auto &row)
    {
        const quint32 around = std::exchange(m_around, row.identity.number);
        if (m_around)
            describe(*this, row);
        m_around = around;
    }

private:
    template<typename Rows>
    void recognizeIn(const char *key, Rows &&rows)
    {
        const QList<const void *> *former = m_former.at({ m_around, key });
        if (!former)
            return;
        pair(rows, *former);
        for (auto &row : rows)
            enter(row);
    }

    template<typename Rows>
    void pair(Rows &rows, const QList<const void *> &former)
    {
        using T = std::remove_cvref_t<decltype(rows[0])>;
        constexpr bool hasIds = requires(T &row) { idOf(row); };
        const auto at = [&former](qsizetype i) -> const T & {
            return *static_cast<const T *>(former[i]);
        };
        std::vector<qsizetype> was(size_t(rows.size()), -1); // of each row, where it stood
        std::vector<bool> isTaken(size_t(former.size()), false);
        if constexpr (hasIds) {
            QHash<QString, qsizetype> places;
            for (qsizetype i = former.size(); i-- > 0;)
                places.insert(idOf(at(i)), i);
            for (size_t i = 0; i < was.size(); ++i) {
                const qsizetype place = places.value(idOf(rows[i]), -1);
                if (place >= 0 && !isTaken[size_t(place)])
                    take(was[i], isTaken, place);
            }
        } else {
            qsizetype next = 0; // rows seldom change their order
            for (size_t i = 0; i < was.size(); ++i) {
                for (qsizetype step = 0; step < former.size(); ++step) {
                    const qsizetype place = (next + step) % former.size();
                    if (isTaken[size_t(place)] || !(at(place) == rows[i]))
                        continue;
                    take(was[i], isTaken, place);
                    next = place + 1;
                    break;
                }
            }
        }
        fillGaps(was, isTaken, hasIds);
        for (size_t i = 0; i < was.size(); ++i)
            rows[i].identity.number = was[i] < 0 ? 0 : at(was[i]).identity.number;
    }
    static void take(qsizetype &was, std::vector<bool> &isTaken, qsizetype place)
    {
        was = place;
        isTaken[size_t(place)] = true;
    }
    /// What is new between two rows is what stood there before and is gone, one for one. Where it
    /// has ids, it must be as many: else some came or went, and none was called otherwise.
    static void fillGaps(std::vector<qsizetype> &was, std::vector<bool> &isTaken, bool hasIds)
    {
        for (size_t from = 0; from < was.size(); ++from) {
            if (was[from] >= 0)
                continue;
            size_t to = from;
            while (to < was.size() && was[to] < 0)
                ++to;
            const size_t first = from ? size_t(was[from - 1]) + 1 : 0;
            size_t last = first;
            while (last < isTaken.size() && !isTaken[last])
                ++last;
            const size_t gone = last - first, come = to - from;
            for (size_t i = 0; i < std::min(gone, come) && (!hasIds || gone == come); ++i)
                take(was[from + i], isTaken, qsizetype(first + i));
            from = to;
        }
    }

    const ListIndex &m_former;
    quint32 m_around = 0;
};

/// Puts other numbers in the place of those that there are.
template<typename Next>
class Renumberer : public Visitor
{
public:
    explicit Renumberer(Next next) : m_next(next) { }

    void bare(const char *, auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *, T &member, const Holds &, const char *)
    {
        if constexpr (HasIdentifiedRows<T>) {
            for (auto &row : member)
                renumber(row);
        } else if constexpr (Identified<T>) {
            renumber(member);
        }
    }
    void operator()(const char *key, auto &member, auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }
    void renumber(auto &row)
    {
        row.identity.number = m_next();
        describe(*this, row);
    }

private:
    Next m_next;
};

/// The innermost row on the way.
struct Innermost
{
    quint32 number = 0;
    void passed(const auto &row)
    {
        if constexpr (requires { row.identity.number; })
            number = row.identity.number;
    }
    void missed() { number = 0; }
    void row(const auto &) { }
    void list(const auto &, const Holds &) { }
};

struct Called
{
    Name what = Name::None;
    const Machine *machine = nullptr;
    QString text;
};

QHash<quint32, Called> callings(const Pack &pack)
{
    QHash<quint32, Called> all;
    seeRows(pack, [&](const auto &row, const Standing &standing) {
        if constexpr (requires { idOf(row); }) {
            if (standing.own != Name::None)
                all.insert(row.identity.number, { standing.own, standing.machine, idOf(row) });
        }
    });
    all.remove(0);
    return all;
}

quint32 numberOf(const Machine *machine)
{
    return machine ? machine->identity.number : 0;
}

} // namespace

void identify(Pack *pack, quint32 *last)
{
    quint32 most = *last;
    seeRows(std::as_const(*pack),
        [&most](const auto &row, const Standing &) { most = qMax(most, row.identity.number); });
    Numberer numberer(most);
    numberer.number(*pack);
    *last = numberer.last();
}

void recognize(Pack *pack, const Pack &former)
{
    ListIndex lists;
    lists.enter(former);
    pack->identity = former.identity;
    Recognizer(lists).enter(*pack);
}

void forgetIdentities(Pack *pack)
{
    Renumberer([] { return 0U; }).renumber(*pack);
}

QList<quint32> identities(const Pack &pack)
{
    QList<quint32> numbers;
    seeRows(pack, [&](const auto &row, const Standing &) { numbers += row.identity.number; });
    return numbers;
}

void setIdentities(Pack *pack, const QList<quint32> &numbers)
{
    if (identities(*pack).size() != numbers.size())
        return;
    qsizetype place = 0;
    Renumberer([&] { return numbers[place++]; }).renumber(*pack);
}

std::optional<QString> pointerOf(const Pack &pack, quint32 number)
{
    std::optional<QString> pointer;
    seeRows(pack, [&](const auto &row, const Standing &standing) {
        if (number && row.identity.number == number && !pointer)
            pointer = pointerTo(standing.keys);
    });
    return pointer;
}

quint32 numberAt(const Pack &pack, const QString &pointer)
{
    Innermost innermost;
    seeRowAt(pack, pointer, innermost);
    return innermost.number;
}

AnyRow anyRowOf(const Pack &pack, quint32 number)
{
    AnyRow found;
    seeRows(pack, [&]<typename T>(const T &row, const Standing &) {
        if (number == 0 || row.identity.number != number || found.row)
            return;
        found.type = &typeid(T);
        found.row = &row;
        if constexpr (std::is_base_of_v<Row, T>)
            found.common = &row;
    });
    return found;
}

QList<Renaming> renamings(const Pack &before, const Pack &after)
{
    const QHash<quint32, Called> now = callings(after);
    QList<Renaming> result;
    seeRows(before, [&](const auto &row, const Standing &standing) {
        if constexpr (requires { idOf(row); }) {
            const Called called = now.value(row.identity.number);
            const Machine *machine = standing.machine;
            if (called.what == standing.own && called.what != Name::None && called.text != idOf(row)
                && numberOf(called.machine) == numberOf(machine))
                result.append(
                    { called.what, machine ? machine->id : QString(), idOf(row), called.text });
        }
    });
    return result;
}

} // namespace instar
