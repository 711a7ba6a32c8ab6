// SPDX-License-Identifier: Apache-2.0
#include "model/pack/check.h"

#include "model/pack/conflicts.h"
#include "model/pack/flow.h"
#include "model/pack/knownnames.h"
#include "model/pack/nearest.h"
#include "model/pack/pathtemplate.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "model/pack/tree.h"

#include <algorithm>

namespace instar {

namespace {

void checkSwitches(Checking &c, const QString &pointer, const Row &row)
{
    for (auto it = row.when.cbegin(); it != row.when.cend(); ++it) {
        const Switch *found = c.pack.findSwitch(it.key());
        if (!found)
            continue;
        const QString at = pointer + u"/when"_s + pointerTo({ it.key() });
        for (const QString &value : it.value()) {
            if (!found->values.contains(value)) {
                c.error(at, u"unknown-value"_s,
                    u"switch \"%1\" cannot be \"%2\"; it is one of %3"_s.arg(
                        it.key(), value, found->values.join(u", "_s)));
            }
        }
        if (it.value().isEmpty())
            c.error(at, u"unknown-value"_s,
                u"the row never applies: its \"when\" lists no value of the switch \"%1\""_s.arg(
                    it.key()));
    }
}

/// True for row types that are rules of the system: such rows should name their source.
template<typename T>
constexpr bool IsRule = false;
template<typename T>
    requires std::same_as<T, Transition> || std::same_as<T, Constraint> || std::same_as<T, Conflict>
    || std::same_as<T, Refusal> || std::same_as<T, Stamp> || std::same_as<T, WireRequest>
    || std::same_as<T, WireAnswer> || std::same_as<T, WireDocument>
constexpr bool IsRule<T> = true;

/// Checks the common members of all rows: their switches and sources.
void checkRows(Checking &c)
{
    visitRows(c.pack, [&]<typename T>(const T &row, const RowLocation &location) {
        if constexpr (std::is_base_of_v<Row, T>) {
            if (location.machine && location.machine->isStatechart())
                return; // its rows are vertices and arrows of a chart
            const QString pointer = pointerTo(location.keys);
            checkSwitches(c, pointer, row);
            if (IsRule<T> && row.sources.isEmpty() && !c.sourceIds.isEmpty())
                c.unsourced += pointer;
        }
    });
}

/// Checks that a request's path (`path`) and its resource's path (`of`) have the same placeholders,
/// so that each path can be derived from the other.
void checkTarget(Checking &c, const WireRequest &row, const QString &pointer)
{
    if (row.of.isEmpty())
        return;
    QStringList inPath = PathTemplate(row.path).holes(), inOf = PathTemplate(row.of).holes();
    const auto isFilled = [&](const QString &hole) {
        return hole == u"base" || hole == u"version" || c.pack.wire.values.contains(hole);
    };
    inPath.removeIf(isFilled);
    if (QSet<QString>(inPath.cbegin(), inPath.cend()).size() != inPath.size())
        c.error(pointer, u"wire"_s, u"%1 contains a placeholder twice"_s.arg(row.path));
    const QStringList nameHoles = PathTemplate(row.of.section(u'/', -1)).holes();
    const bool isNameOptional = row.ask == u"collection" || row.method == u"POST";
    inOf.removeIf([&](const QString &hole) { // collection queries and POST need no resource name
        return isNameOptional && nameHoles.contains(hole) && !inPath.contains(hole);
    });
    inPath.sort();
    inOf.sort();
    if (inPath != inOf)
        c.error(pointer, u"wire"_s,
            u"%1 and %2 must have the same placeholders"_s.arg(row.path, row.of));
}

void checkWire(Checking &c)
{
    const Wire &wire = c.pack.wire;
    const auto isHiddenBy = [](const WireRequest &row, const WireRequest &earlier) {
        return earlier.method == row.method && earlier.path == row.path
            && (earlier.with.isEmpty() || earlier.with == row.with);
    };
    for (qsizetype i = 0; i < wire.requests.size(); ++i) {
        const WireRequest &row = wire.requests[i];
        const QString pointer = u"/wire/requests/%1"_s.arg(i);
        checkTarget(c, row, pointer + u"/of"_s);
        qsizetype hiding = 0; // index of the first request that hides the row; `i`: none does
        while (hiding < i && !isHiddenBy(row, wire.requests[hiding]))
            ++hiding;
        if (hiding < i)
            c.error(pointer, u"never-speaks"_s,
                u"the row is never used, because the earlier request %1 has the same method and path"_s
                    .arg(hiding));
    }
    if (!wire.isEmpty() && wire.base.contains(u"{version}"_s) && wire.versions.isEmpty())
        c.error(u"/wire/base"_s, u"wire"_s,
            u"the base contains {version}, but there are no versions"_s);
}

/// Returns true if a path has the form of a resource's path; reports any other path.
bool checkPath(Checking &c, const QString &pointer, const QString &path)
{
    if (!isResourcePath(path))
        c.error(pointer, u"sample-path"_s,
            u"the path \"%1\" is not made of /type/id pairs"_s.arg(path));
    return isResourcePath(path);
}

void checkSample(Checking &c)
{
    const Pack &pack = c.pack;
    QHash<QString, const Type *> types;
    QStringList names;
    for (const Type &type : pack.types) {
        types.insert(pack.folded(type.path), &type);
        names += type.path;
    }
    QSet<QString> listed, existing;
    for (const ResourceSpec &resource : pack.sample) {
        const QString resourcePath = pack.folded(resource.path);
        if (!isResourcePath(resourcePath))
            continue;
        for (qsizetype start = 0; start >= 0;) { // the resource and its ancestors
            const qsizetype end =
                resourcePath.indexOf(u'/', resourcePath.indexOf(u'/', start + 1) + 1);
            existing.insert(end < 0 ? resourcePath : resourcePath.first(end));
            start = end;
        }
    }
    for (qsizetype i = 0; i < pack.sample.size(); ++i) {
        const ResourceSpec &resource = pack.sample[i];
        const QString pointer = u"/sample/resources/%1"_s.arg(i);
        if (!checkPath(c, pointer + u"/path"_s, resource.path))
            continue;
        const QString typePath = typePathOf(resource.path);
        if (listed.contains(pack.folded(resource.path)))
            c.error(pointer + u"/path"_s, u"duplicate-id"_s,
                u"the resource \"%1\" is listed twice"_s.arg(resource.path));
        listed.insert(pack.folded(resource.path));

        QString ancestorType; // needs to be known, because parents are created with the resource
        for (const QString &segment : typePath.split(u'/')) {
            ancestorType += ancestorType.isEmpty() ? segment : u'/' + segment;
            if (!types.contains(pack.folded(ancestorType)) && !types.contains(u"*"_s)) {
                c.unknown(pointer + u"/path"_s, u"type"_s, ancestorType, names);
                break;
            }
        }
        const Type *type = types.value(pack.folded(typePath), types.value(u"*"_s));
        const Machine *machine = type ? pack.machine(type->machine) : nullptr;
        if (!machine)
            continue;
        const QString name = resource.path.section(u'/', -1);
        if (!type->names.isEmpty() && !type->names.contains(name, pack.caseSensitivity())) {
            c.error(pointer + u"/path"_s, u"sample-path"_s,
                u"expected one of the names that %1 allows (%2), found \"%3\""_s.arg(
                    type->path, type->names.join(u", "_s), name));
        }
        if (!resource.state.isEmpty()) {
            const State *state = machine->state(resource.state);
            if (state && state->kind != State::Kind::Stable)
                c.error(pointer + u"/state"_s, u"wrong-kind"_s,
                    u"no resource can rest in \"%1\": it is transitional, and no operation is running"_s
                        .arg(resource.state));
        }
        for (const QString &reference : resource.references) {
            if (checkPath(c, pointer + u"/references"_s, reference)
                && !existing.contains(pack.folded(reference)))
                c.warning(pointer + u"/references"_s, u"dangling-reference"_s,
                    u"the sample has no resource \"%1\""_s.arg(reference));
        }
    }
}

/// Returns the listed names; an empty list stands for all.
const QStringList &orAll(const QStringList &listed, const QStringList &all)
{
    return listed.isEmpty() ? all : listed;
}

/// Check of a pack's rows outside its machines.
class PolicyCheck
{
public:
    explicit PolicyCheck(Checking &checking)
        : c(checking),
          m_pack(checking.pack),
          m_places(checking.pack),
          m_types(idsOf(m_pack.types)),
          m_operations(m_pack.operationNames())
    { }

    void check()
    {
        eachMember(m_pack, [&]<typename T>(const char *key, const T &rows, const MemberSpec &) {
            if constexpr (IsRowList<T> && requires { idOf(rows[0]); })
                reportDuplicates(idsOf(rows), QString::fromLatin1(key));
        });
        switches();
        types();
        operations();
        outcomes();
        conditions();
        conflicts();
        refusals();
        unused();
    }

private:
    void reportDuplicates(const QStringList &ids, const QString &list)
    {
        QSet<QString> earlier;
        for (const QString &id : ids) {
            const QString key = list == u"types" ? m_pack.folded(id) : id;
            if (earlier.contains(key))
                c.error(pointerTo({ list, id }), u"duplicate-id"_s,
                    u"another row has the id \"%1\", too"_s.arg(id));
            earlier.insert(key);
        }
    }

    void switches()
    {
        for (const Switch &row : m_pack.switches) {
            if (!row.values.contains(row.defaultValue)) {
                c.error(pointerTo({ u"switches"_s, row.id, u"default"_s }), u"unknown-value"_s,
                    u"expected one of the values (%2) as the default, found \"%1\""_s.arg(
                        row.defaultValue, row.values.join(u", "_s)));
            }
        }
    }

    void types()
    {
        for (const Type &type : m_pack.types) {
            const QString pointer = pointerTo({ u"types"_s, type.path });
            m_usedMachines.insert(type.machine);
            if (type.path.isEmpty() || type.path.split(u'/').contains(QString()))
                c.error(pointer, u"unknown-type"_s,
                    u"\"%1\" is not a path of type names"_s.arg(type.path));
            const QString parent = type.path.section(u'/', 0, -2);
            if (!parent.isEmpty() && !m_types.contains(parent, m_pack.caseSensitivity())
                && !m_types.contains(u"*"_s))
                c.warning(pointer, u"missing-parent"_s,
                    u"there is no type \"%1\" for its parents"_s.arg(parent));
        }
    }

    void operations()
    {
        for (const OperationKind &kind : m_pack.operations) {
            const QString pointer = pointerTo({ u"operations"_s, kind.id });
            if (c.isOutcome(kind.id) || c.events.contains(kind.id))
                c.error(pointer, u"duplicate-id"_s,
                    u"\"%1\" is already the name of an outcome or event; operations, outcomes and events need distinct names"_s
                        .arg(kind.id));
            if (!c.handled.contains(kind.id)) {
                c.unknownWith(Diagnostic::Severity::Error, pointer, u"nobody-hears"_s,
                    u"no transition has the operation \"%1\" as its trigger"_s.arg(kind.id),
                    kind.id, sortedNames(c.handled));
            }
        }
    }

    void outcomes()
    {
        for (const Outcome &row : m_pack.outcomes) {
            const bool isOwn = // the names of built-in outcomes come first
                c.outcomes.indexOf(row.id) >= c.outcomes.size() - m_pack.outcomes.size();
            if (isOwn && !c.handled.contains(row.id) && !isDecided(row.id)) {
                c.unknownWith(Diagnostic::Severity::Warning, pointerTo({ u"outcomes"_s, row.id }),
                    u"nobody-hears"_s,
                    u"no transition has the outcome \"%1\" as its trigger"_s.arg(row.id), row.id,
                    sortedNames(c.handled));
            }
        }
    }

    bool isDecided(const QString &outcome) const
    {
        return std::ranges::any_of(m_pack.steps(), [&](const Step *step) {
            return (step->kind == Step::Kind::Decide && step->name == outcome)
                || step->hear.values().contains(outcome);
        });
    }

    void conditions()
    {
        for (const NamedCondition &named : m_pack.conditions) {
            if (isRecursive(m_pack, named))
                c.error(pointerTo({ u"conditions"_s, named.id }), u"circular-condition"_s,
                    u"the condition \"%1\" is defined by itself"_s.arg(named.id));
        }
    }

    void conflicts()
    {
        for (qsizetype i = 0; i < m_pack.conflicts.size(); ++i) {
            for (const QString &at : m_pack.conflicts[i].at) {
                if (!placeWords().contains(at))
                    c.unknown(u"/conflicts/%1/at"_s.arg(i), u"place"_s, at, placeWords());
            }
        }
        checkConflictRows();
    }

    /// True if an operation in `on` can arrive while one in `running` runs, related as `at` says.
    bool canApply(const Conflict &row) const
    {
        quint32 places = row.at.isEmpty() ? ~0u : 0;
        for (const QString &at : row.at)
            places |= placeBit(at) ? placeBit(at) : ~0u; // conflicts() reports unknown places
        return std::ranges::any_of(orAll(row.on, m_operations), [&](const QString &on) {
            return std::ranges::any_of(orAll(row.running, m_operations),
                [&](const QString &running) { return m_places.meeting(on, running) & places; });
        });
    }

    /// Reports conflict rows that never match, and conflict rows that earlier ones shadow. Rows
    /// with unknown names, which other checks report, are not checked for shadowing.
    void checkConflictRows()
    {
        const auto isUnknown = [&](const QString &name) { return !m_operations.contains(name); };
        QList<int> shadowed; // rows that earlier rows shadow in all switch settings so far
        for (int i = 0; i < m_pack.conflicts.size(); ++i) {
            const Conflict &row = m_pack.conflicts[i];
            if (!canApply(row))
                c.error(pointerTo({ u"conflicts"_s, QString::number(i) }), u"never-speaks"_s,
                    u"the row never applies: no two resources that accept these operations can be in this relation"_s);
            else if (std::ranges::none_of(row.on, isUnknown)
                && std::ranges::none_of(row.running, isUnknown)
                && std::ranges::all_of(row.at, placeBit))
                shadowed += i;
        }
        for (const Setting &setting : c.settings(m_pack.conflicts)) {
            if (shadowed.isEmpty())
                return;
            const ConflictMatrix matrix(m_pack, setting);
            shadowed.removeIf([&](int row) { return matrix.canDecide(row); });
        }
        for (const int row : shadowed)
            c.error(pointerTo({ u"conflicts"_s, QString::number(row) }), u"never-speaks"_s,
                u"the row never applies: earlier rows cover all its cases"_s);
    }

    void refusals()
    {
        for (const Refusal &row : m_pack.refusals) {
            if (!knownRefusals().contains(row.id) && !c.usedRefusals.contains(row.id))
                c.warning(pointerTo({ u"refusals"_s, row.id }), u"unused"_s,
                    u"no row uses the refusal \"%1\""_s.arg(row.id));
        }
    }

    void unused(
        const QString &list, const QStringList &ids, const QSet<QString> &used, const QString &text)
    {
        for (const QString &id : ids) {
            if (!used.contains(id))
                c.warning(pointerTo({ list, id }), u"unused"_s, text.arg(id));
        }
    }

    void unused()
    {
        unused(u"machines"_s, idsOf(m_pack.machines), m_usedMachines,
            u"no type uses the machine \"%1\""_s);
        unused(u"conditions"_s, idsOf(m_pack.conditions), c.usedConditions,
            u"no row uses the condition \"%1\""_s);
        unused(
            u"switches"_s, c.switchIds, c.usedSwitches, u"no row depends on the switch \"%1\""_s);
        unused(u"sources"_s, c.sourceIds, c.usedSources, u"no row names the source \"%1\""_s);
        if (!c.unsourced.isEmpty()) {
            const qsizetype others = c.unsourced.size() - 1;
            c.warning(c.unsourced.first(), u"no-source"_s,
                u"the row has no source for its rule%1"_s.arg(others == 0 ? QString()
                        : others == 1 ? u"; nor has one other row"_s
                                      : u"; nor have %1 other rows"_s.arg(others)));
        }
        if (!m_pack.retry.isEmpty() && !c.handled.contains(m_pack.retry)) {
            c.unknownWith(Diagnostic::Severity::Error, u"/retry"_s, u"unknown-outcome"_s,
                u"no transition has \"%1\", the outcome of transient failures, as its trigger"_s
                    .arg(m_pack.retry),
                m_pack.retry, sortedNames(c.handled));
        }
    }

    Checking &c;
    const Pack &m_pack;
    Places m_places;
    QStringList m_types, m_operations;
    QSet<QString> m_usedMachines;
};

} // namespace

QList<Diagnostic> check(const Pack &pack)
{
    Checking checking(pack);
    findUnknownNames(checking);
    checkRows(checking);
    for (const Machine &machine : pack.machines) {
        if (!machine.isStatechart())
            checkMachine(checking, machine);
    }
    checkWire(checking);
    PolicyCheck(checking).check();
    checkSample(checking);
    return std::move(checking.diagnostics);
}

} // namespace instar
