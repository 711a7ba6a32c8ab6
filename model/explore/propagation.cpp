// SPDX-License-Identifier: Apache-2.0
#include "model/explore/propagation.h"

#include "model/engine/step.h"
#include "model/explore/explore.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Shown = QMap<QString, QString>; ///< path -> word

const QString goneWord = u"gone"_s; ///< for a resource that was removed

/// Returns the nth name for resources of a type: arbitrary, or one of the allowed names.
QString nameIn(const Rules &rules, const QString &typePath, qsizetype number)
{
    const Type *type = rules.typeRow(typePath);
    if (type && !type->names.isEmpty())
        return type->names.value(number);
    return number == 0 ? u"x"_s : u"y"_s;
}

/// Returns the path of the first resource of a type.
QString samplePath(const Rules &rules, const QString &typePath)
{
    QString path, type;
    for (const QString &segment : typePath.split(u'/')) {
        type += type.isEmpty() ? segment : u'/' + segment;
        path += u'/' + segment + u'/' + nameIn(rules, type, 0);
    }
    return path;
}

/// Sample tree around a target of some type.
class SmallTree
{
public:
    SmallTree(const Rules &rules, const QString &typePath, bool exists)
        : target(samplePath(rules, typePath)), m_rules(rules)
    {
        const qsizetype segments = typePath.count(u'/') + 1;
        for (qsizetype i = 0; i + 1 < segments; ++i)
            add(target.section(u'/', 0, 2 * i + 2));
        if (exists)
            add(target);
        const QString other = nameIn(rules, typePath, 1);
        const QString sibling =
            other.isEmpty() ? QString() : target.section(u'/', 0, -2) + u'/' + other;
        if (!other.isEmpty())
            add(sibling);
        // A descendant of every type below both.
        for (const Type &type : rules.pack().types) {
            if (!type.path.startsWith(typePath + u'/'))
                continue;
            const QString below = samplePath(rules, type.path).sliced(target.size());
            for (const QString &owner : { exists ? target : QString(), sibling }) {
                if (!owner.isEmpty())
                    add(owner + below);
            }
        }
        const QString top = typePath.section(u'/', 0, 0), otherTop = nameIn(rules, top, 1);
        if (segments > 1 && !otherTop.isEmpty())
            add(u'/' + top + u'/' + otherTop);
        addReferences(typePath, exists);
    }

    QString target;
    QList<ResourceSpec> resources;
    QStringList references; ///< of the target

    Kin kinOf(const QString &path) const
    {
        if (path == target)
            return Kin::Target;
        if (references.contains(path))
            return Kin::References;
        if (target.startsWith(path + u'/'))
            return Kin::Ancestors;
        if (path.startsWith(target + u'/'))
            return Kin::Descendants;
        const bool isTop = target.count(u'/') == 2;
        if (path.section(u'/', 0, -3) == target.section(u'/', 0, -3))
            return isTop ? Kin::OtherTrees : Kin::Siblings;
        return path.section(u'/', 0, 2) == target.section(u'/', 0, 2) ? Kin::Tree : Kin::OtherTrees;
    }

private:
    void add(const QString &path)
    {
        if (std::ranges::find(resources, path, &ResourceSpec::path) == resources.end())
            resources += ResourceSpec { .path = path };
    }
    void addReferences(const QString &typePath, bool exists)
    {
        const Type *type = m_rules.typeRow(typePath);
        for (const ReferenceRule &rule : type ? type->references : QList<ReferenceRule>()) {
            if (rule.types.isEmpty() || !m_rules.applies(rule) || !references.isEmpty())
                continue;
            const QString path = samplePath(m_rules, rule.types.first());
            if (path == target || path.startsWith(target + u'/') || target.startsWith(path + u'/'))
                continue;
            add(path);
            references += path;
        }
        const auto own = std::ranges::find(resources, target, &ResourceSpec::path);
        if (exists && own != resources.end())
            own->references = references;
    }

    const Rules &m_rules;
};

/// Trial of one operation on one sample tree.
class Happening
{
public:
    Happening(const Rules &rules, const SmallTree &tree, const World &world, const QString &op)
        : m_rules(rules), m_tree(tree), m_world(world), m_before(shownWords(rules, world))
    {
        m_request.op = op;
        m_request.path = tree.target;
        m_request.id = u"x"_s;
        m_request.references = tree.references;
    }

    Propagation propagation()
    {
        Propagation result { .operation = m_request.op };
        const Stepped started = start({});
        for (const int label : started.record.asked)
            result.unsaid += m_rules.labels()[label];
        const auto refused =
            std::ranges::find(started.record.changes, Change::Kind::Rejected, &Change::kind);
        if (refused != started.record.changes.end()) {
            result.refused = refused->code;
            return result;
        }
        const bool isOver = started.world.running.empty();
        result.phases += { {}, isOver, shown(started.world) };
        for (const Rules::TriggerId outcome : m_rules.outcomes()) {
            if (isOver)
                break;
            if (outcome == m_rules.retried)
                continue; // no end
            addPhase(m_rules.triggerName(outcome), result);
        }
        return result;
    }

private:
    Stepped start(const QString &outcome) const
    {
        auto request = QSharedPointer<Request>::create(m_request);
        request->outcome = outcome;
        return step(m_rules, m_world,
            { .kind = Event::Kind::Submit, .time = m_world.now, .request = request });
    }
    /// Adds the phase of an outcome; equal phases are merged.
    void addPhase(const QString &outcome, Propagation &result) const
    {
        constexpr int mostEvents = 500;
        World world = start(outcome).world;
        for (int i = 0; i < mostEvents && !world.running.empty(); ++i) {
            const Event next = nextEvent(m_rules, world);
            if (next.kind == Event::Kind::Wait)
                return; // it waits for something else
            world = step(m_rules, std::move(world), next).world;
        }
        const QMap<Kin, QString> end = shown(world);
        const auto same = std::ranges::find_if(result.phases, [&](const Propagation::Phase &phase) {
            return !phase.outcomes.isEmpty() && phase.shown == end;
        });
        if (same == result.phases.end())
            result.phases += { { outcome }, false, end };
        else
            same->outcomes += outcome;
    }
    QMap<Kin, QString> shown(const World &world) const
    {
        QMap<Kin, QStringList> words;
        const Shown after = shownWords(m_rules, world);
        for (const QString &path : m_before.keys() + after.keys() + QStringList(m_tree.target)) {
            QStringList &known = words[m_tree.kinOf(path)];
            const QString word = after.value(path, goneWord);
            if (m_before.value(path, goneWord) != word && !known.contains(word))
                known += word;
        }
        QMap<Kin, QString> text;
        for (const auto &[kin, known] : words.asKeyValueRange())
            text.insert(kin, known.join(u", "_s));
        return text;
    }

    const Rules &m_rules;
    const SmallTree &m_tree;
    const World &m_world;
    const Shown m_before;
    Request m_request;
};

/// Returns true if two propagations agree on the relatives that both have.
bool agree(const Propagation &a, const Propagation &b)
{
    if (a.operation != b.operation || a.exists != b.exists || a.refused != b.refused
        || a.unsaid != b.unsaid || a.phases.size() != b.phases.size())
        return false;
    for (qsizetype i = 0; i < a.phases.size(); ++i) {
        const Propagation::Phase &one = a.phases[i], &other = b.phases[i];
        if (one.outcomes != other.outcomes || one.isAtOnce != other.isAtOnce)
            return false;
        for (const auto &[kin, word] : one.shown.asKeyValueRange()) {
            if (other.shown.contains(kin) && other.shown.value(kin) != word)
                return false;
        }
    }
    return true;
}

/// Returns true for top-level types, which are listed separately.
bool isTop(const Propagation &one)
{
    return !one.types.first().contains(u'/');
}

void include(QList<Propagation> &all, const Propagation &one)
{
    const auto same = std::ranges::find_if(all,
        [&](const Propagation &other) { return isTop(one) == isTop(other) && agree(one, other); });
    if (same == all.end()) {
        all += one;
        return;
    }
    same->types += one.types;
    for (qsizetype i = 0; i < one.phases.size(); ++i)
        same->phases[i].shown.insert(one.phases[i].shown);
}

} // namespace

QList<Propagation> propagations(const Rules &rules)
{
    QList<Propagation> all;
    for (const QString &operation : rules.pack().operationNames()) {
        for (const bool exists : { false, true }) {
            for (const Type &type : rules.pack().types) {
                if (type.path == u"*"_s || rules.trigger(operation) == Rules::None)
                    continue;
                const SmallTree tree(rules, type.path, exists);
                const Loaded loaded = makeWorld(rules, tree.resources);
                if (!loaded.problem.isEmpty())
                    continue;
                Propagation result = Happening(rules, tree, loaded.world, operation).propagation();
                result.types = { type.path };
                result.exists = exists;
                include(all, result);
            }
        }
    }
    return all;
}

} // namespace instar
