// SPDX-License-Identifier: Apache-2.0
#include "model/machine/rowedits.h"

#include "model/machine/edits.h"
#include "model/machine/knownnames.h"
#include "model/machine/rowat.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Fills required members with the first thing that there is.
void fill(auto &row, const Pack &pack, const QString &machine)
{
    const auto name = [&](Name what) {
        return what == Name::Path ? u"/"_s : namesFor(pack, what, machine).value(0);
    };
    eachMember(row, [&]<typename T>(const char *, T &member, const Holds &holds) {
        if (!holds.required)
            return;
        if constexpr (std::is_same_v<T, QString>)
            member = holds.truth ? u"false"_s : holds.begins ? u"/"_s : name(holds.names);
        else if constexpr (std::is_same_v<T, QByteArray>)
            member = "{}";
        else if constexpr (std::is_same_v<T, QStringList>)
            member = namesFor(pack, holds.names, machine).mid(0, 1);
        else if constexpr (std::is_same_v<T, Condition>)
            member = { .kind = Condition::Kind::Label, .text = u"label"_s };
    });
}

template<typename T>
QStringList idsOf(const QList<T> &rows)
{
    QStringList ids;
    for (const T &row : rows)
        ids += idOf(row);
    return ids;
}

template<typename T>
void setWork(T &)
{ }

/// A machine that can be drawn and run at once.
void setWork(Machine &machine)
{
    machine.states = { State { .id = u"absent"_s, .kind = State::Kind::Initial },
        State { .id = u"present"_s } };
    machine.rest = u"present"_s;
}

struct AddRow
{
    const Pack &before;
    QString machine, id;
    qsizetype index;
    QString key; ///< of the new row

    template<typename T>
    void list(QList<T> &rows, const Holds &)
    {
        T row {};
        fill(row, before, machine);
        setWork(row);
        const qsizetype at = index < 0 || index > rows.size() ? rows.size() : index;
        key = QString::number(at);
        if constexpr (requires { idOf(row); }) {
            idOf(row) = key =
                id.isEmpty() ? freshName(headingOf(std::as_const(row)).name, idsOf(rows)) : id;
        }
        rows.insert(at, row);
    }
};

QStringList pathsOf(const QList<ResourceSpec> &resources)
{
    QStringList paths;
    for (const ResourceSpec &resource : resources)
        paths += resource.path;
    return paths;
}

struct CopyRow
{
    QString key; ///< of the row, then of the copy
    bool isDone = false;

    template<typename T>
    void list(QList<T> &rows, const Holds &)
    {
        const qsizetype at = RowAt<CopyRow>::indexOf(std::as_const(rows), key);
        if (at < 0)
            return;
        T row = rows[at];
        key = QString::number(at + 1);
        if constexpr (requires { idOf(row); })
            idOf(row) = key = freshName(idOf(row), idsOf(rows));
        if constexpr (std::is_same_v<T, ResourceSpec>)
            row.path = freshName(row.path, pathsOf(rows));
        rows.insert(at + 1, row);
        isDone = true;
    }
};

struct MoveRow
{
    QString key;
    qsizetype by;
    bool isDone = false;

    template<typename T>
    void list(QList<T> &rows, const Holds &)
    {
        const qsizetype at = RowAt<MoveRow>::indexOf(std::as_const(rows), key);
        if (at < 0 || at + by < 0 || at + by >= rows.size())
            return;
        rows.move(at, at + by);
        if constexpr (!requires { idOf(rows[0]); })
            key = QString::number(at + by);
        isDone = true;
    }
};

struct RemoveRow
{
    QString key;
    bool isDone = false;

    template<typename T>
    void list(QList<T> &rows, const Holds &)
    {
        const qsizetype at = RowAt<RemoveRow>::indexOf(std::as_const(rows), key);
        if (at < 0)
            return;
        rows.removeAt(at);
        isDone = true;
    }
};

/// The machine that the row around a list says, for what is named in the list.
struct MachineAround
{
    const Pack &pack;
    QString machine {};
    void row(const auto &row) { machine = machineFor(pack, row); }
};

QString machineAt(const Pack &pack, const QString &pointer)
{
    MachineAround around { pack };
    for (QString at = pointer; !at.isEmpty() && around.machine.isEmpty(); at = pointerAround(at))
        seeRowAt(pack, at, around);
    return around.machine;
}

struct FindRow
{
    QString key;
    qsizetype index = -1;
    void list(const auto &rows, const Holds &) { index = RowAt<FindRow>::indexOf(rows, key); }
};

} // namespace

qsizetype indexInList(const Pack &pack, const QString &row)
{
    if (row.isEmpty())
        return -1;
    FindRow find { keysOf(row).last() };
    seeRowAt(pack, pointerAround(row), find);
    return find.index;
}

std::optional<PlacedRow> withNewRow(
    Pack pack, const QString &list, qsizetype index, const QString &id)
{
    const Pack before = pack;
    AddRow add { before, machineAt(pack, list), id, index, {} };
    seeRowAt(pack, list, add);
    if (add.key.isEmpty())
        return {};
    return PlacedRow { std::move(pack), list + pointerTo({ add.key }) };
}

std::optional<PlacedRow> withRowCopied(Pack pack, const QString &row)
{
    CopyRow copy { keysOf(row).value(keysOf(row).size() - 1) };
    seeRowAt(pack, pointerAround(row), copy);
    if (!copy.isDone)
        return {};
    return PlacedRow { std::move(pack), pointerAround(row) + pointerTo({ copy.key }) };
}

std::optional<PlacedRow> withRowMoved(Pack pack, const QString &row, qsizetype by)
{
    MoveRow move { keysOf(row).value(keysOf(row).size() - 1), by };
    seeRowAt(pack, pointerAround(row), move);
    if (!move.isDone)
        return {};
    return PlacedRow { std::move(pack), pointerAround(row) + pointerTo({ move.key }) };
}

std::optional<Pack> withoutRow(Pack pack, const QString &row)
{
    const QStringList keys = keysOf(row);
    if (const OwnName name = ownNameAt(pack, row); name.what == Name::State) {
        const Machine *machine = pack.machine(name.machine);
        return withMachine(pack, withoutStates(*machine, { name.text }).machine);
    }
    RemoveRow remove { keys.value(keys.size() - 1) };
    seeRowAt(pack, pointerAround(row), remove);
    if (!remove.isDone)
        return {};
    return pack;
}

} // namespace instar
