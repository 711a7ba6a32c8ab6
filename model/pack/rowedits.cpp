// SPDX-License-Identifier: Apache-2.0
#include "model/pack/rowedits.h"

#include "model/pack/edits.h"
#include "model/pack/knownnames.h"
#include "model/pack/rowat.h"

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

void addStates(auto &) { }
/// A machine that can be drawn and run at once.
void addStates(Machine &machine)
{
    machine.states = { State { .id = u"absent"_s, .kind = State::Kind::Initial },
        State { .id = u"present"_s } };
    machine.rest = u"present"_s;
}

/// Calls `see(rows, index)` with the list in which a row stands; false: it stands in none.
bool withListOf(auto &pack, const QString &row, const auto &see)
{
    bool isFound = false;
    withListAt(pack, pointerAround(row), [&](auto &rows, const Holds &) {
        const qsizetype index = indexOfKey(std::as_const(rows), keysOf(row).last());
        isFound = index >= 0;
        if (isFound)
            see(rows, index);
    });
    return isFound;
}

/// Nothing where the row has no key.
std::optional<PlacedRow> placedRow(Pack pack, const QString &list, const QString &key)
{
    if (key.isEmpty())
        return {};
    return PlacedRow { std::move(pack), list + pointerTo({ key }) };
}

} // namespace

qsizetype indexInList(const Pack &pack, const QString &row)
{
    qsizetype found = -1;
    withListOf(pack, row, [&](const auto &, qsizetype index) { found = index; });
    return found;
}

std::optional<PlacedRow> withNewRow(
    Pack pack, const QString &list, qsizetype index, const QString &id)
{
    const Pack before = pack;
    const QString machine = machineAround(pack, list);
    QString key;
    withListAt(pack, list, [&]<typename T>(QList<T> &rows, const Holds &) {
        T row {};
        fill(row, before, machine);
        addStates(row);
        const qsizetype at = index < 0 || index > rows.size() ? rows.size() : index;
        key = QString::number(at);
        if constexpr (requires { idOf(row); }) {
            idOf(row) = key =
                id.isEmpty() ? freshName(headingOf(std::as_const(row)).name, idsOf(rows)) : id;
        }
        rows.insert(at, row);
    });
    return placedRow(std::move(pack), list, key);
}

std::optional<PlacedRow> withRowCopied(Pack pack, const QString &row)
{
    QString key;
    withListOf(pack, row, [&]<typename T>(QList<T> &rows, qsizetype at) {
        T copy = rows.at(at);
        key = QString::number(at + 1);
        if constexpr (requires { idOf(copy); })
            idOf(copy) = key = freshName(idOf(copy), idsOf(rows));
        if constexpr (std::is_same_v<T, ResourceSpec>) {
            QStringList paths;
            for (const ResourceSpec &resource : std::as_const(rows))
                paths += resource.path;
            copy.path = freshName(copy.path, paths);
        }
        rows.insert(at + 1, copy);
    });
    return placedRow(std::move(pack), pointerAround(row), key);
}

std::optional<PlacedRow> withRowMoved(Pack pack, const QString &row, qsizetype by)
{
    QString key;
    withListOf(pack, row, [&](auto &rows, qsizetype at) {
        if (at + by < 0 || at + by >= rows.size())
            return;
        rows.move(at, at + by);
        key = keysOf(row).last();
        if constexpr (!requires { idOf(rows[0]); })
            key = QString::number(at + by);
    });
    return placedRow(std::move(pack), pointerAround(row), key);
}

std::optional<Pack> withoutRow(Pack pack, const QString &row)
{
    if (const OwnName name = ownNameAt(pack, row); name.what == Name::State) {
        const Machine *machine = pack.machine(name.machine);
        return withMachine(pack, withoutStates(*machine, { name.text }).machine);
    }
    if (!withListOf(pack, row, [](auto &rows, qsizetype at) { rows.removeAt(at); }))
        return {};
    return pack;
}

} // namespace instar
