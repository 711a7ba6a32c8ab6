// SPDX-License-Identifier: Apache-2.0
#include "model/formats/merging.h"

#include "model/formats/likeness.h"
#include "model/formats/output.h"
#include "model/formats/pack.h"
#include "model/formats/rowpairs.h"
#include "model/machine/identity.h"
#include "model/machine/rowat.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Gives a row its number.
struct Numbering
{
    quint32 number = 0;
    void row(auto &row) const
    {
        if constexpr (requires { row.identity.number; })
            row.identity.number = number;
    }
    void list(auto &, const Holds &) const { }
};

/// Numbers of rows by the pointers to them.
using Numbers = QList<std::pair<QString, quint32>>;

void setNumbers(Pack *pack, const Numbers &numbers)
{
    for (const auto &[pointer, number] : numbers) {
        Numbering numbering { number };
        seeRowAt(*pack, pointer, numbering);
    }
}

QString pointerIn(const QString &pointer, const RowList &list, const QString &key)
{
    const QString at = pointer + pointerTo(list.keys);
    return list.isSingle ? at : at + pointerTo({ key });
}

/// Rows of `other` that are rows of `row`.
void collectSame(const RowTree &row, const RowTree &other, const QString &pointer, Numbers *numbers)
{
    numbers->append({ pointer, row.number });
    for (const RowList &theirs : other.lists) {
        const RowList *own = listOf(row, theirs.keys);
        if (!own)
            continue;
        RowPairs pairs(own->rows, theirs.rows);
        if (own->isSingle)
            pairs.pairSingle();
        else if (own->isKeyed)
            pairs.pairById();
        else
            pairs.pairByMeaning(Placement::Ignored);
        for (size_t i = 0; i < own->rows.size(); ++i) {
            if (const qsizetype there = pairs.other()[i]; there >= 0) {
                const RowTree &same = theirs.rows[size_t(there)];
                collectSame(own->rows[i], same, pointerIn(pointer, theirs, same.key), numbers);
            }
        }
    }
}

/// As a file has it.
Output outputOf(const RowTree &row)
{
    Output object = Output::object();
    for (const RowTree::Member &member : row.members)
        object.add(member.key, Output::raw(member.json));
    for (const RowList &list : row.lists) {
        if (list.rows.empty() && !list.isKeyed)
            continue; // where there are none that must be said, it is a member
        Output rows = list.isKeyed ? Output::object() : Output::array();
        for (const RowTree &one : list.rows) {
            if (list.isKeyed)
                rows.add(one.id, outputOf(one));
            else
                rows.add(outputOf(one));
        }
        if (list.isSingle)
            rows = outputOf(list.rows.front());
        if (list.keys.size() > 1) {
            Output around = Output::object();
            around.add(list.keys[1], std::move(rows));
            rows = std::move(around);
        }
        object.add(list.keys.front(), std::move(rows));
    }
    return object;
}

void collectNumbers(const RowTree &row, const QString &pointer, Numbers *numbers)
{
    numbers->append({ pointer, row.number });
    for (const RowList &list : row.lists) {
        for (size_t i = 0; i < list.rows.size(); ++i) {
            const QString key = list.isKeyed ? list.rows[i].id : QString::number(i);
            collectNumbers(list.rows[i], pointerIn(pointer, list, key), numbers);
        }
    }
}

/// The same row, which may have changed. One that is new is it by its name; one that has neither
/// number nor name, by what it says.
bool isOneRow(const RowTree &a, const RowTree &b)
{
    if (a.number && b.number)
        return a.number == b.number;
    return a.id == b.id && (!a.id.isEmpty() || (a.number == b.number && saysTheSame(a, b)));
}

qsizetype placeOf(const std::vector<RowTree> &rows, const RowTree &row)
{
    const auto found =
        std::ranges::find_if(rows, [&](const RowTree &other) { return isOneRow(other, row); });
    return found == rows.end() ? -1 : found - rows.begin();
}

const RowTree *findIn(const RowList *list, const RowTree &row)
{
    const qsizetype place = list ? placeOf(list->rows, row) : -1;
    return place < 0 ? nullptr : &list->rows[size_t(place)];
}

/// Puts together what two made of a tree of rows.
class Merging
{
public:
    RowTree row(const RowTree *base, const RowTree &ours, const RowTree &theirs)
    {
        RowTree result = ours;
        result.members.clear();
        if (base && ours.id == base->id)
            result.id = theirs.id;
        if (result.number == 0)
            result.number = theirs.number;
        for (const RowTree::Member &member : ours.members)
            addMember(&result, base, ours, theirs, member.key);
        for (const RowTree::Member &member : theirs.members) {
            if (!memberOf(ours, member.key))
                addMember(&result, base, ours, theirs, member.key);
        }
        for (RowList &list : result.lists) {
            const RowList *there = listOf(theirs, list.keys);
            if (there)
                list = rows(base ? listOf(*base, list.keys) : nullptr, list, *there);
        }
        for (const RowList &list : theirs.lists) {
            if (!listOf(ours, list.keys))
                result.lists.push_back(list);
        }
        return result;
    }

    QStringList conflicts;

private:
    static QString nameOf(const RowTree &row)
    {
        return row.id.isEmpty() ? row.word : u"%1 \"%2\""_s.arg(row.word, row.id);
    }
    static bool isSame(const RowTree::Member *a, const RowTree::Member *b)
    {
        return a && b ? *a == *b : a == b;
    }
    static bool isSame(const RowTree &a, const RowTree &b)
    {
        return a.id == b.id && saysTheSame(a, b);
    }

    void addMember(RowTree *result, const RowTree *base, const RowTree &ours, const RowTree &theirs,
        const QString &key)
    {
        const RowTree::Member *own = memberOf(ours, key), *their = memberOf(theirs, key);
        const RowTree::Member *before = base ? memberOf(*base, key) : nullptr;
        const bool isTheirs = isSame(own, before);
        const RowTree::Member *chosen = isTheirs ? their : own;
        if (!isTheirs && !isSame(own, their) && !isSame(their, before)
            && !(own ? own : their)->isDrawing)
            conflicts += u"%1: \"%2\" was changed here and in the file; yours stays."_s.arg(
                nameOf(ours), key);
        if (chosen)
            result->members.push_back(*chosen);
    }

    RowList rows(const RowList *base, const RowList &ours, const RowList &theirs)
    {
        RowList result = ours;
        if (base && saysTheSame(*base, ours))
            return theirs;
        if ((base && saysTheSame(*base, theirs)) || saysTheSame(ours, theirs))
            return ours;
        result.rows.clear();
        if (ours.isSingle) {
            result.rows.push_back(
                row(base ? &base->rows.front() : nullptr, ours.rows.front(), theirs.rows.front()));
            return result;
        }
        std::vector<RowTree> mine, others; // in either's order
        for (const RowTree &own : ours.rows) {
            const RowTree *old = findIn(base, own), *their = findIn(&theirs, own);
            if (their)
                mine.push_back(row(old, own, *their));
            else if (!old || !isSame(*old, own))
                mine.push_back(kept(old, own));
        }
        for (const RowTree &their : theirs.rows) {
            const RowTree *old = findIn(base, their), *own = findIn(&ours, their);
            if (own)
                others.push_back(mine[size_t(placeOf(mine, *own))]);
            else if (!old)
                others.push_back(their);
            else if (!isSame(*old, their))
                conflicts +=
                    u"%1 was removed here and changed in the file; it stays removed."_s.arg(
                        nameOf(their));
        }
        const bool movedHere = base && !areInOrder(*base, ours);
        result.rows = movedHere || !base ? interleaved(mine, others) : interleaved(others, mine);
        return result;
    }
    RowTree kept(const RowTree *old, const RowTree &own)
    {
        if (old)
            conflicts +=
                u"%1 was changed here and removed from the file; yours stays."_s.arg(nameOf(own));
        return own;
    }

    /// Whether what is left of the rows stands as it did.
    static bool areInOrder(const RowList &before, const RowList &now)
    {
        qsizetype last = -1;
        for (const RowTree &row : now.rows) {
            const qsizetype place = placeOf(before.rows, row);
            if (place >= 0 && place < last)
                return false;
            last = std::max(place, last);
        }
        return true;
    }
    /// The rows of the first, and behind those before them what only the second has.
    static std::vector<RowTree> interleaved(
        std::vector<RowTree> rows, const std::vector<RowTree> &more)
    {
        qsizetype behind = 0;
        for (const RowTree &row : more) {
            const qsizetype place = placeOf(rows, row);
            if (place >= 0) {
                behind = place + 1;
                continue;
            }
            rows.insert(rows.begin() + behind, row);
            ++behind;
        }
        return rows;
    }
};

enum class Wins { Done, These };

/// Renamings of one pack, for another one in which others were done already. What is called
/// otherwise in both is called as the one that wins says.
QList<Renaming> following(const QList<Renaming> &these, const QList<Renaming> &done, Wins wins)
{
    QList<Renaming> result;
    for (Renaming each : these) {
        bool isOpen = true;
        for (const Renaming &other : done) {
            const bool isOne =
                other.what == each.what && other.machine == each.machine && other.from == each.from;
            isOpen = isOpen && (!isOne || (wins == Wins::These && other.to != each.to));
            if (isOne)
                each.from = other.to;
        }
        for (const Renaming &other : done) {
            if (other.what == Name::Machine && other.from == each.machine)
                each.machine = other.to;
        }
        if (isOpen)
            result += each;
    }
    return result;
}

} // namespace

Pack recognized(Pack other, const Pack &pack)
{
    forgetIdentities(&other);
    Numbers numbers;
    collectSame(rowTree(likeness(pack, other).pack), rowTree(other), {}, &numbers);
    setNumbers(&other, numbers);
    return other;
}

Merged merged(const Pack &base, const Pack &ours, const Pack &theirs)
{
    const QList<Renaming> here = renamings(base, ours), there = renamings(base, theirs);
    const QList<Renaming> taken = following(there, here, Wins::Done);
    const Pack mine = renamed(ours, taken), both = renamed(renamed(base, here), taken);
    const Pack their = renamed(theirs, following(here, there, Wins::These));
    Merging merging;
    const RowTree before = rowTree(both);
    const RowTree tree = merging.row(&before, rowTree(mine), rowTree(their));
    const Result<JsonText> text = JsonText::parse(outputOf(tree).text(), {});
    Result<Pack> pack = text ? readPack(*text) : Result<Pack>(Error { text.error() });
    if (!pack)
        return { ours,
            { u"What was changed here does not go together with what was changed in "
              "the file: %1; yours stays."_s.arg(pack.error()) } };
    for (const Extra &extra : ours.extras) {
        if (!extra.key.startsWith(u"x-"))
            pack->extras += extra;
    }
    Numbers numbers;
    collectNumbers(tree, {}, &numbers);
    setNumbers(&*pack, numbers);
    for (const Renaming &own : here) {
        for (const Renaming &other : there) {
            if (own.what == other.what && own.machine == other.machine && own.from == other.from
                && own.to != other.to)
                merging.conflicts +=
                    u"\"%1\" is called \"%2\" here and \"%3\" in the file; yours stays."_s.arg(
                        own.from, own.to, other.to);
        }
    }
    return { *std::move(pack), merging.conflicts };
}

} // namespace instar
