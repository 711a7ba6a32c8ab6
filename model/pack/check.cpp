// SPDX-License-Identifier: Apache-2.0
#include "model/pack/check.h"

#include "model/pack/checking.h"
#include "model/pack/flow.h"
#include "model/pack/pathtemplate.h"
#include "model/pack/tree.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The rows that say how a pack is spoken over HTTP.
class WireCheck
{
public:
    explicit WireCheck(Checking &checking) : c(checking), m_wire(checking.pack.wire) { }

    void check()
    {
        c.row(u"/wire"_s, m_wire);
        for (qsizetype i = 0; i < m_wire.requests.size(); ++i)
            request(m_wire.requests[i], u"/wire/requests/%1"_s.arg(i));
        for (qsizetype i = 0; i < m_wire.answers.size(); ++i)
            c.row(u"/wire/answers/%1"_s.arg(i), m_wire.answers[i], Checking::Kind::Sourced);
        for (const WireDocument &document : m_wire.documents)
            c.row(pointerTo({ u"wire"_s, u"documents"_s, document.id }), document,
                Checking::Kind::Sourced);
        c.row(u"/wire/follow"_s, m_wire.follow);
        if (!m_wire.isEmpty() && m_wire.base.contains(u"{version}"_s) && m_wire.versions.isEmpty())
            c.error(u"/wire/base"_s, u"wire"_s,
                u"the base has the hole {version}, but there are no versions"_s);
    }

private:
    void request(const WireRequest &row, const QString &pointer)
    {
        c.row(pointer, row, Checking::Kind::Sourced);
        target(row, pointer + u"/of"_s);
        for (qsizetype i = 0; i < m_wire.requests.size() && &m_wire.requests[i] != &row; ++i) {
            const WireRequest &other = m_wire.requests[i];
            if (other.method == row.method && other.path == row.path
                && (other.with.isEmpty() || other.with == row.with)) {
                c.error(pointer, u"never-speaks"_s,
                    u"the request is never understood so: request %1 has the same method and path"_s
                        .arg(i));
                return;
            }
        }
    }

    /// Server and client must both be able to tell the resource's path from the request's, and the
    /// other way round.
    void target(const WireRequest &row, const QString &pointer)
    {
        if (row.of.isEmpty())
            return;
        QStringList asked = PathTemplate(row.path).holes(), told = PathTemplate(row.of).holes();
        const auto isFilled = [&](const QString &hole) {
            return hole == u"base" || hole == u"version" || m_wire.values.contains(hole);
        };
        asked.removeIf(isFilled);
        if (QSet<QString>(asked.cbegin(), asked.cend()).size() != asked.size())
            c.error(pointer, u"wire"_s, u"a hole stands twice in %1"_s.arg(row.path));
        const QStringList last = PathTemplate(row.of.section(u'/', -1)).holes();
        told.removeIf([&](const QString &hole) { // the part of a collection whose names fit
            const bool mayLack = row.ask == u"collection" || row.method == u"POST";
            return mayLack && last.contains(hole) && !asked.contains(hole);
        });
        asked.sort();
        told.sort();
        if (asked != told)
            c.error(pointer, u"wire"_s,
                u"%1 and %2 are to have the same holes"_s.arg(row.path, row.of));
    }

    Checking &c;
    const Wire &m_wire;
};

/// What grows with states times rows from everywhere is left out for machines larger than this;
/// people draw far smaller ones.
constexpr qsizetype MostPairs = 2'000'000;

bool isTooLarge(const Machine &machine)
{
    const auto fromAnywhere = std::ranges::count_if(
        machine.transitions, [](const Transition &row) { return row.from.contains(AnyState); });
    QSet<QString> named; // states with rows of their own: the others are alike
    for (const Transition &row : machine.transitions) {
        for (const QString &from : row.from)
            named.insert(from);
    }
    const auto inside = std::ranges::count_if(
        machine.states, [](const State &state) { return !state.parent.isEmpty(); });
    return (named.size() + inside) * fromAnywhere > MostPairs;
}

/// False, and an error: a path is none of a resource.
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
    const auto same = pack.ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    const auto key = [&](const QString &path) {
        return pack.ignoreCase ? path.toCaseFolded() : path;
    };
    QHash<QString, const Type *> types;
    QStringList names;
    for (const Type &type : pack.types) {
        types.insert(key(type.path), &type);
        names += type.path;
    }
    QSet<QString> listed, made;
    for (const ResourceSpec &resource : pack.sample) {
        const QString whole = key(resource.path);
        if (!isResourcePath(whole))
            continue;
        for (qsizetype type = 0; type >= 0;) {
            const qsizetype end = whole.indexOf(u'/', whole.indexOf(u'/', type + 1) + 1);
            made.insert(end < 0 ? whole : whole.first(end));
            type = end;
        }
    }
    for (qsizetype i = 0; i < pack.sample.size(); ++i) {
        const ResourceSpec &resource = pack.sample[i];
        const QString pointer = u"/sample/resources/%1"_s.arg(i);
        if (!checkPath(c, pointer + u"/path"_s, resource.path))
            continue;
        const QString typePath = typePathOf(resource.path);
        if (listed.contains(key(resource.path)))
            c.error(pointer + u"/path"_s, u"duplicate-id"_s,
                u"the resource \"%1\" is listed twice"_s.arg(resource.path));
        listed.insert(key(resource.path));

        QString above; // types of the parents that are made with it
        for (const QString &segment : typePath.split(u'/')) {
            above += above.isEmpty() ? segment : u'/' + segment;
            if (!types.contains(key(above)) && !types.contains(u"*"_s)) {
                c.unknown(pointer + u"/path"_s, u"type"_s, above, names);
                break;
            }
        }
        const Type *type = types.value(key(typePath), types.value(u"*"_s));
        const Machine *machine = type ? pack.machine(type->machine) : nullptr;
        if (!machine)
            continue;
        const QString name = resource.path.section(u'/', -1);
        if (!type->names.isEmpty() && !type->names.contains(name, same)) {
            c.error(pointer + u"/path"_s, u"sample-path"_s,
                u"the only names under %1 are %2, not \"%3\""_s.arg(
                    type->path, type->names.join(u", "_s), name));
        }
        if (!resource.state.isEmpty()) {
            const State *state = machine->state(resource.state);
            if (state && state->kind != State::Kind::Stable)
                c.error(pointer + u"/state"_s, u"wrong-kind"_s,
                    u"no resource rests in \"%1\": nothing works on it"_s.arg(resource.state));
        }
        for (const QString &reference : resource.references) {
            if (checkPath(c, pointer + u"/references"_s, reference)
                && !made.contains(key(reference)))
                c.warning(pointer + u"/references"_s, u"dangling-reference"_s,
                    u"the sample has no resource \"%1\""_s.arg(reference));
        }
    }
}

} // namespace

QList<Issue> check(const Pack &pack)
{
    Checking checking(pack);
    findUnknownNames(checking);
    checking.row({}, pack);
    for (const Machine &machine : pack.machines) {
        if (machine.isStatechart())
            continue;
        checkStructure(checking, machine);
        if (isTooLarge(machine)) {
            checking.warning(pointerTo({ u"machines"_s, machine.id }), u"too-large"_s,
                u"the machine is too large to say which of its rows can speak"_s);
            continue;
        }
        const Flow flow(checking, machine);
        checkStates(checking, flow);
        checkTransitions(checking, flow);
        checkLivelock(checking, flow);
    }
    WireCheck(checking).check();
    checkPolicy(checking);
    checkSample(checking);
    return std::move(checking.issues);
}

} // namespace instar
