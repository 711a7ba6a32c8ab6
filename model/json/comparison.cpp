// SPDX-License-Identifier: Apache-2.0
#include "model/json/comparison.h"

#include "model/json/members.h"
#include "model/pack/rows.h"
#include "model/pack/runnablepack.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>
#include <vector>

namespace instar {

namespace {

struct RowList;

/// Tree of a row of any kind: its members as JSON (without those of the drawing), and inner rows.
struct RowTree
{
    QString kind;            ///< "state", "transition" ...
    QString key;             ///< the row's id, or its index in a list
    Name names = Name::None; ///< what the id names: a state, a type ...
    quint32 number = 0;      ///< equal in both packs for matching rows; 0: none
    QMap<QString, QByteArray> members;
    QStringList identifying; ///< keys of identifying members: names, enumerations, required ones
    std::vector<RowList> lists;
};

/// Rows under one key of a row.
struct RowList
{
    QStringList keys;       ///< path of keys from the containing row
    bool isKeyed = false;   ///< the rows have ids
    bool isSingle = false;  ///< one row, which has no key of its own
    bool isOrdered = false; ///< the order has a meaning
    std::vector<RowTree> rows;
};

class RowTreeMaker : public MemberVisitor<RowTreeMaker>
{
public:
    template<typename T>
    RowTree treeOf(const T &row)
    {
        RowTree tree { .kind = headingOf(row).name };
        if constexpr (members::Keyed<const T>)
            tree.key = idOf(row);
        if constexpr (requires { row.identity; })
            tree.number = row.identity.number;
        RowTree *const outer = std::exchange(m_tree, &tree);
        describe(*this, row);
        m_tree = outer;
        return tree;
    }

    template<typename T>
    void operator()(const char *key, const T &member, const MemberSpec &spec, const char *)
    {
        if constexpr (members::IsRows<T>)
            addRows(key, member, spec);
        else if constexpr (IsRow<T>)
            m_tree->lists.push_back(
                { { QString::fromLatin1(key) }, false, true, false, { treeOf(member) } });
        else
            add(key, spec, members::outputOf(member, spec));
    }
    /// Adds rows, or an empty list as a member if files contain the empty list.
    template<typename T>
        requires members::IsRows<T>
    void operator()(const char *key, const SharedKey<const T, const bool> &both,
        const MemberSpec &spec, const char *)
    {
        addRows(key, both.first, spec);
        add(key, spec, both.first.isEmpty() ? members::outputOf(both, spec) : std::nullopt);
    }
    void mark(const char *key, const char *) { add(key, {}, Output::boolean(true)); }
    void extras(const QList<Extra> &extras)
    {
        for (const Extra &extra : extras) {
            if (extra.key.startsWith("x-"_L1))
                m_tree->members.insert(extra.key, extra.json);
        }
    }

private:
    void add(const char *key, const MemberSpec &spec, const std::optional<Output> &value)
    {
        const bool isName = spec.names != Name::None && spec.names != Name::Source;
        if (isName || !spec.words.empty() || spec.required)
            m_tree->identifying += QString::fromLatin1(key);
        if (value && !spec.drawing)
            m_tree->members.insert(QString::fromLatin1(key), value->oneLine());
    }
    template<typename T>
    void addRows(const char *key, const QList<T> &rows, const MemberSpec &spec)
    {
        constexpr bool isKeyed = members::Keyed<const T>;
        RowList list { { QString::fromLatin1(key) }, isKeyed, false, !isKeyed && !spec.anyOrder,
            {} };
        if (spec.wrapper)
            list.keys += QString::fromLatin1(spec.wrapper);
        for (const T &row : rows) {
            list.rows.push_back(treeOf(row));
            if (!isKeyed)
                list.rows.back().key = QString::number(list.rows.size() - 1);
            list.rows.back().names = spec.keys;
        }
        m_tree->lists.push_back(std::move(list));
    }

    RowTree *m_tree = nullptr;
};

QJsonValue valueOf(const QByteArray &json)
{
    return QJsonDocument::fromJson('[' + json + ']').array().at(0);
}

QJsonObject objectOf(const RowTree &row)
{
    QJsonObject object;
    for (auto it = row.members.cbegin(); it != row.members.cend(); ++it)
        object.insert(it.key(), valueOf(*it));
    for (const RowList &list : row.lists) {
        QJsonObject keyed;
        QJsonArray rows;
        for (const RowTree &one : list.rows) {
            keyed.insert(one.key, objectOf(one));
            rows.append(objectOf(one));
        }
        QJsonValue value = list.isKeyed ? QJsonValue(keyed) : QJsonValue(rows);
        if (list.isSingle)
            value = rows.at(0);
        if (list.keys.size() > 1)
            value = QJsonObject { { list.keys.last(), value } };
        if (!list.rows.empty())
            object.insert(list.keys.first(), value);
    }
    return object;
}

/// Returns the kind and content of a row, without its key.
QByteArray contentOf(const RowTree &row)
{
    return row.kind.toUtf8() + jsonOf(objectOf(row));
}

class RowPairs
{
public:
    RowPairs(const RowList &a, const RowList &b)
        : m_a(a.rows), m_b(b.rows), m_other(m_a.size(), None), m_isPaired(m_b.size())
    {
        if (a.isSingle || a.isKeyed)
            pairBy([](const RowTree &row) { return row.kind.toUtf8() + row.key.toUtf8(); });
        else
            pairByContent();
    }
    static constexpr qsizetype None = -1;

    /// Row of the first list -> index of its partner in the second, or None.
    const std::vector<qsizetype> &other() const { return m_other; }
    bool isPaired(size_t other) const { return m_isPaired[other]; }

    /// Returns the rows that moved: those outside a longest increasing subsequence.
    std::vector<bool> moved() const
    {
        constexpr size_t noRow = ~size_t(0);
        std::vector<size_t> tails, before(m_other.size(), noRow); // of subsequences, by length
        std::vector<bool> result(m_other.size());
        for (size_t i = 0; i < m_other.size(); ++i) {
            if (m_other[i] == None)
                continue;
            result[i] = true;
            const auto tail = std::ranges::lower_bound(
                tails, m_other[i], {}, [this](size_t row) { return m_other[row]; });
            if (tail != tails.begin())
                before[i] = *std::prev(tail);
            if (tail == tails.end())
                tails.push_back(i);
            else
                *tail = i;
        }
        for (size_t i = tails.empty() ? noRow : tails.back(); i != noRow; i = before[i])
            result[i] = false;
        return result;
    }
    /// Returns the row's indices in both lists, counting only paired rows.
    std::pair<qint64, qint64> indicesOf(size_t row) const
    {
        const auto first = std::count_if(m_other.begin(), m_other.begin() + ptrdiff_t(row),
            [](qsizetype other) { return other != None; });
        return { first, std::count(m_isPaired.begin(), m_isPaired.begin() + m_other[row], true) };
    }

private:
    void addPair(size_t a, size_t b)
    {
        m_other[a] = qsizetype(b);
        m_isPaired[b] = true;
    }
    /// Pairs rows with equal keys, in order; ignores empty keys.
    void pairBy(const auto &keyOf)
    {
        QHash<QByteArray, std::vector<size_t>> open;
        for (size_t i = m_b.size(); i-- > 0;) {
            if (!m_isPaired[i])
                open[keyOf(m_b[i])].push_back(i);
        }
        open.remove({});
        for (size_t i = 0; i < m_a.size() && !open.isEmpty(); ++i) {
            const auto found = m_other[i] == None ? open.find(keyOf(m_a[i])) : open.end();
            if (found == open.end() || found->empty())
                continue;
            addPair(i, found->back());
            found->pop_back();
        }
    }
    /// Pairs rows with equal content; of several equal rows, first those with the same number.
    void pairByContent()
    {
        pairBy([](const RowTree &row) { return contentOf(row) + QByteArray::number(row.number); });
        pairBy(contentOf);
        pairBy(identityOf);
        pairBy([](const RowTree &row) {
            return row.number ? QByteArray::number(row.number) : QByteArray();
        });
    }
    /// Returns the names and required members of a row; empty if the row has none.
    static QByteArray identityOf(const RowTree &row)
    {
        QByteArray identity;
        for (const QString &key : row.identifying)
            identity += '\n' + row.members.value(key);
        return identity.isEmpty() ? identity : row.kind.toUtf8() + identity;
    }

    const std::vector<RowTree> &m_a, &m_b;
    std::vector<qsizetype> m_other;
    std::vector<bool> m_isPaired;
};

/// Comparison of two packs as trees. `own` is a row of the first pack, `translated` the same row
/// with the names of the second pack, `other` the matching row of the second pack.
class TreeComparison
{
public:
    explicit TreeComparison(const QList<Renaming> &renamings) : m_renamings(renamings) { }

    using Order = std::optional<std::pair<qint64, qint64>>; ///< of a moved row: both indices

    void compare(const RowTree &own, const RowTree &translated, const RowTree &other,
        const QString &where = {}, const Order &order = {})
    {
        if (isRenamed(own, translated, where))
            report(Difference::Kind::Renamed, own, where, { { u"id"_s, own.key } },
                { { u"id"_s, translated.key } });
        QJsonObject from, to;
        for (auto it = translated.members.cbegin(); it != translated.members.cend(); ++it) {
            const QByteArray ownValue = own.members[it.key()], otherValue = other.members[it.key()];
            if (*it == otherValue)
                continue;
            // After a rename, equal texts may name different rows; `from` then shows the new name.
            from.insert(it.key(), valueOf(otherValue == ownValue ? *it : ownValue));
            if (!otherValue.isEmpty())
                to.insert(it.key(), valueOf(otherValue));
        }
        for (auto it = other.members.cbegin(); it != other.members.cend(); ++it) {
            if (!translated.members.contains(it.key()))
                to.insert(it.key(), valueOf(*it));
        }
        if (order && order->first != order->second) {
            from.insert(u"order"_s, order->first);
            to.insert(u"order"_s, order->second);
        }
        if (!from.isEmpty() || !to.isEmpty())
            report(Difference::Kind::Changed, own, where, from, to);
        for (size_t i = 0; i < translated.lists.size(); ++i)
            compareLists(own.lists[i], translated.lists[i], other, where);
    }

    QList<Difference> differences;

private:
    /// True if a renaming must be reported; false for types below a renamed one.
    bool isRenamed(const RowTree &own, const RowTree &translated, const QString &where) const
    {
        if (own.key == translated.key)
            return false;
        if (own.names == Name::Type)
            return own.key.section(u'/', -1) != translated.key.section(u'/', -1);
        return std::ranges::any_of(m_renamings, [&](const Renaming &each) {
            return each.what == own.names && each.from == own.key
                && (each.what != Name::State
                    || where.startsWith(pointerTo({ u"machines"_s, each.machine, {} })));
        });
    }
    void report(Difference::Kind kind, const RowTree &row, const QString &where,
        const QJsonObject &from, const QJsonObject &to)
    {
        differences.append({ kind, row.kind, where.mid(1), from, to });
    }

    void compareLists(
        const RowList &own, const RowList &translated, const RowTree &other, const QString &parent)
    {
        static const RowList empty;
        const auto found = std::ranges::find(other.lists, translated.keys, &RowList::keys);
        const RowList &others = found == other.lists.end() ? empty : *found;
        const RowPairs pairs(translated, others);
        const auto pointerOf = [&](const RowTree &row) {
            const QStringList &keys = translated.keys;
            return parent + pointerTo(translated.isSingle ? keys : keys + QStringList { row.key });
        };
        const std::vector<bool> moved =
            translated.isOrdered ? pairs.moved() : std::vector<bool>(translated.rows.size());
        for (size_t i = 0; i < translated.rows.size(); ++i) {
            const RowTree &row = own.rows[i];
            const qsizetype match = pairs.other()[i];
            if (match == RowPairs::None)
                report(Difference::Kind::Removed, row, pointerOf(row), objectOf(row), {});
            else
                compare(row, translated.rows[i], others.rows[size_t(match)], pointerOf(row),
                    moved[i] ? Order(pairs.indicesOf(i)) : Order());
        }
        for (size_t i = 0; i < others.rows.size(); ++i) {
            const RowTree &row = others.rows[i];
            if (!pairs.isPaired(i))
                report(Difference::Kind::Added, row, pointerOf(row), {}, objectOf(row));
        }
    }

    const QList<Renaming> &m_renamings;
};

/// Numbers matching rows alike. Versions of one document have such numbers already.
void recognizeRows(Pack *a, Pack *b)
{
    if (a->identity.number && b->identity.number)
        return;
    quint32 last = 0;
    identify(a, &last);
    forgetIdentities(b);
    recognize(b, *a);
}

QString textOf(const QJsonValue &value)
{
    return value.isUndefined() ? u"nothing"_s : QString::fromUtf8(jsonOf(value));
}

QString wordOf(Difference::Kind kind)
{
    static const QStringList words { u"added"_s, u"removed"_s, u"renamed"_s, u"changed"_s };
    return words[int(kind)];
}

} // namespace

QJsonObject differenceJson(const Difference &difference)
{
    const auto object = [](const QJsonObject &row, bool isThere) {
        return isThere ? QJsonValue(row) : QJsonValue();
    };
    return { { u"kind"_s, wordOf(difference.kind) }, { u"row"_s, difference.row },
        { u"where"_s, difference.where },
        { u"from"_s, object(difference.from, difference.kind != Difference::Kind::Added) },
        { u"to"_s, object(difference.to, difference.kind != Difference::Kind::Removed) } };
}

QString differenceText(const Difference &difference)
{
    const QString begin = QStringList { wordOf(difference.kind), difference.row, difference.where }
                              .join(u' ')
                              .trimmed();
    const QJsonObject &from = difference.from, &to = difference.to;
    switch (difference.kind) {
    case Difference::Kind::Added:
        return begin + u": "_s + textOf(to);
    case Difference::Kind::Removed:
        return begin + u": "_s + textOf(from);
    case Difference::Kind::Renamed:
        return begin + u" -> "_s + to.value("id"_L1).toString();
    case Difference::Kind::Changed:
        break;
    }
    QStringList keys = from.keys() + to.keys(), members;
    keys.removeDuplicates();
    keys.sort();
    for (const QString &key : std::as_const(keys))
        members += u"%1 %2 -> %3"_s.arg(key, textOf(from.value(key)), textOf(to.value(key)));
    return begin + u": "_s + members.join(u", "_s);
}

PackComparison compared(ComparedPack a, ComparedPack b)
{
    recognizeRows(&a.pack, &b.pack);
    const bool hasSwitches = !a.switches.isEmpty() || !b.switches.isEmpty();
    const Pack first = hasSwitches ? withSwitches(a.pack, a.switches) : a.pack;
    const Pack second = hasSwitches ? withSwitches(b.pack, b.switches) : b.pack;
    const QList<Renaming> names = renamings(first, second);
    TreeComparison comparison(names);
    RowTreeMaker rows;
    comparison.compare(rows.treeOf(first), rows.treeOf(renamed(first, names)), rows.treeOf(second));
    return { std::move(a), std::move(b), names, std::move(comparison.differences) };
}

QList<Difference> difference(const Pack &a, const Pack &b)
{
    return compared({ {}, a, {} }, { {}, b, {} }).differences;
}

QString differencesText(const QList<Difference> &differences)
{
    return mapped<QString>(
        differences, [](const Difference &each) { return oneLine(differenceText(each)) + u'\n'; });
}

} // namespace instar
