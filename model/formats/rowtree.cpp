// SPDX-License-Identifier: Apache-2.0
#include "model/formats/rowtree.h"

#include "model/formats/members.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using namespace members;

/// Takes a row to pieces: what it says itself, and the rows in it.
class RowTreeMaker : public Visitor
{
public:
    template<typename T>
    RowTree made(const T &row)
    {
        RowTree tree;
        if constexpr (requires { idOf(row); })
            tree.key = tree.id = idOf(row);
        if constexpr (requires { row.identity; })
            tree.number = row.identity.number;
        RowTree *const around = std::exchange(m_tree, &tree);
        describe(*this, row);
        m_tree = around;
        return tree;
    }

    void row(const char *name, const char *, const char *)
    {
        m_tree->word = QString::fromLatin1(name);
    }
    template<typename T>
    void operator()(const char *key, const T &member, const Holds &holds, const char *)
    {
        if constexpr (IsRows<T>)
            addRows(key, member, holds);
        else if constexpr (Described<T, KeyList>)
            addSingle(key, member);
        else
            add(key, holds, holds.required || holds.always || !isAbsent(member, holds),
                [&] { return memberOutput(member, holds); });
    }
    template<typename T, typename U>
    void operator()(
        const char *key, const T &member, const U &other, const Holds &holds, const char *)
    {
        if constexpr (IsRows<T>) {
            const bool isSaid = member.isEmpty() && !isAbsent(member, other, holds);
            add(key, holds, isSaid, [] { return Output::array(); });
            addRows(key, member, holds);
        } else {
            add(key, holds, !isAbsent(member, other, holds),
                [&] { return memberOutput(member, other, holds); });
        }
    }
    void mark(const char *key, const char *)
    {
        add(key, {}, true, [] { return Output::boolean(true); });
    }
    void bare(const char *key, const auto &member, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }
    void extras(const QList<Extra> &extras)
    {
        for (const Extra &extra : extras) {
            if (extra.key.startsWith("x-"_L1))
                m_tree->members.push_back({ extra.key, extra.json, false });
        }
    }

private:
    void add(const char *key, const Holds &holds, bool isSaid, const auto &value)
    {
        const bool isName = holds.names != Name::None && holds.names != Name::Source;
        if (isName || !holds.words.empty() || holds.required)
            m_tree->about.push_back(key);
        if (isSaid)
            m_tree->members.push_back(
                { QString::fromLatin1(key), value().oneLine(), holds.drawing });
    }
    template<typename T>
    void addRows(const char *key, const QList<T> &rows, const Holds &holds)
    {
        RowList list { { QString::fromLatin1(key) }, Keyed<const T>, false, holds.anyOrder, {} };
        if (holds.inside)
            list.keys += QString::fromLatin1(holds.inside);
        list.rows.reserve(size_t(rows.size()));
        for (const T &row : rows) {
            list.rows.push_back(made(row));
            if (!list.isKeyed)
                list.rows.back().key = QString::number(list.rows.size() - 1);
            list.rows.back().own = holds.keys;
        }
        m_tree->lists.push_back(std::move(list));
    }
    template<typename T>
    void addSingle(const char *key, const T &row)
    {
        RowList list { { QString::fromLatin1(key) }, false, true, false, {} };
        list.rows.push_back(made(row));
        m_tree->lists.push_back(std::move(list));
    }

    RowTree *m_tree = nullptr;
};

} // namespace

RowTree rowTree(const Pack &pack)
{
    return RowTreeMaker().made(pack);
}

const RowTree::Member *memberOf(const RowTree &row, const QString &key)
{
    const auto found = std::ranges::find(row.members, key, &RowTree::Member::key);
    return found == row.members.end() ? nullptr : &*found;
}

const RowList *listOf(const RowTree &row, const QStringList &keys)
{
    const auto found = std::ranges::find(row.lists, keys, &RowList::keys);
    return found == row.lists.end() ? nullptr : &*found;
}

bool saysTheSame(const RowList &a, const RowList &b)
{
    return a.keys == b.keys && std::ranges::equal(a.rows, b.rows, [](const auto &x, const auto &y) {
        return x.id == y.id && saysTheSame(x, y);
    });
}

bool saysTheSame(const RowTree &a, const RowTree &b)
{
    return a.members == b.members
        && std::ranges::equal(
            a.lists, b.lists, [](const RowList &x, const RowList &y) { return saysTheSame(x, y); });
}

} // namespace instar
