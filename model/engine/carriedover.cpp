// SPDX-License-Identifier: Apache-2.0
#include "model/engine/carriedover.h"

#include "model/engine/clock.h"
#include "model/engine/piece.h"
#include "model/engine/stepper.h"
#include "model/engine/watch.h"

#include <QSet>

#include <algorithm>
#include <set>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using StateId = Rules::StateId;
using TriggerId = Rules::TriggerId;

/// Sentences about how many of something, with some of their names.
class Sentences
{
public:
    /// What `one` says of a single thing and `many` of %n.
    size_t sentence(const QString &one, const QString &many)
    {
        const auto known = std::ranges::find(m_all, many, &Sentence::many);
        if (known != m_all.end())
            return size_t(known - m_all.begin());
        m_all.push_back({ one, many, 0, {} });
        return m_all.size() - 1;
    }
    /// One more; `example` is asked for its name where that is told.
    template<typename Example>
    void count(size_t sentence, Example example)
    {
        Sentence &counted = m_all[sentence];
        ++counted.count;
        if (counted.examples.size() < MostExamples)
            counted.examples += example();
    }
    void add(const QString &one, const QString &many, const QString &example)
    {
        count(sentence(one, many), [&] { return example; });
    }

    QStringList texts() const
    {
        QStringList texts;
        for (const Sentence &sentence : m_all) {
            if (texts.size() == MostSentences - 1 && qsizetype(m_all.size()) > MostSentences) {
                texts += u"%1 more kinds of things had to be settled."_s.arg(
                    qsizetype(m_all.size()) - texts.size());
                break;
            }
            const qint64 more = sentence.count - sentence.examples.size();
            const QString all = sentence.examples.join(u", "_s)
                + (more > 0 ? u" and %1 more"_s.arg(more) : QString());
            texts += sentence.count == 1
                ? u"%1: %2."_s.arg(sentence.one, all)
                : u"%1: %2."_s.arg(
                    QString(sentence.many).replace(u"%n"_s, QString::number(sentence.count)), all);
        }
        return texts;
    }

private:
    static constexpr qsizetype MostSentences = 20, MostExamples = 3;
    struct Sentence
    {
        QString one, many;
        qint64 count = 0;
        QStringList examples;
    };
    std::vector<Sentence> m_all;
};

/// Takes one world over.
class Carrier
{
public:
    Carrier(const World &world, const Rules &before, const Rules &now, const Renames &renames)
        : m_before(world),
          w(world),
          b(before),
          n(now),
          m_renames(renames),
          m_old(renames.applied(before.pack()))
    { }

    CarriedOver carried() &&;

private:
    /// What becomes of the resources of a code.
    struct Fate
    {
        Code code = 0;
        bool isKnown = false, isSettled = false; ///< settled: its state is another one now
        size_t sentence = 0;                     ///< settled: what is said of it
    };

    // what names mean
    int machineNow(int machine) const;
    StateId stateNow(int machine, StateId state) const;
    StateId stableNow(int machine, StateId state) const;
    TriggerId triggerNow(TriggerId trigger) const;
    int labelNow(int label) const;
    QString pathNow(const QString &path) const;
    Request requestNow(const Request &request, int machine) const;
    QString workKeyNow(const QString &key, int machine) const;
    QString outcomeNow(const QString &outcome) const;

    // resources
    void findTypes();
    Fate fate(int machine, Code code) const;
    bool keepsTree() const;
    void settle();
    bool isDouble(Resource resource, QSet<QString> *names) const;
    enum class Going { Along, Double, Typeless };
    size_t fateSentence(Code before, Code now);
    size_t goneSentence(Resource resource, Going why);
    void forgetGone();
    void carryReferences();
    void carryTimes();

    // operations
    void carryOperations();
    void findCopies();
    QString problem(Running &running, int machine);
    bool findStep(Running &running, StateId work) const;
    void carryLimit(Running &running, StateId work);
    void carryPlan(Running &running, int machine);
    int transitionNow(int transition);
    QMap<int, bool> answersNow(const QMap<int, bool> &answers) const;
    Cover coverNow(const Cover &cover) const;
    void leaveGoneBranches(Running &running);
    QString problem(Queued &queued) const;
    bool judgesOtherwise() const;
    void limitAnew();
    std::vector<std::pair<int, Resource>> brokenNow(
        const std::vector<std::pair<int, Resource>> &broken) const;
    std::set<std::pair<int, Resource>> findUntold();
    void goOn();

    bool isGone(Resource resource) const
    {
        return resource < m_codes.size() && m_codes[resource] == Tree::Gone;
    }
    const State *stateRow(const Rules &rules, const Pack &pack, StateId state) const;

    const World &m_before;
    World w;
    const Rules &b;
    const Rules &n;
    const Renames &m_renames;
    Pack m_old; ///< the rows of before in the names of now

    QStringList m_types;         ///< type of the tree -> its path now; empty: it is gone
    std::vector<int> m_machines; ///< type of the tree -> its machine now
    bool m_areTypesRenamed = false;
    bool m_isCaseChanged = false;

    std::vector<Code> m_codes;        ///< resource -> its code now; empty: the tree stays
    std::vector<bool> m_hasLeft;      ///< resource -> nobody answers for it any more
    std::vector<bool> m_isSettled;    ///< resource -> it was moved to another state
    std::vector<quint32> m_positions; ///< resource -> its position now
    QSet<quint32> m_cut;              ///< branches with resources that have left
    bool m_isAnyGone = false;

    std::optional<std::map<int, int>> m_transitions; ///< with a limit: before -> now
    std::vector<quint32> m_limited;                  ///< whose limit counts from now
    std::map<quint32, QString> m_withdrawn;          ///< serial -> why
    Sentences m_said;
    Record m_record;
};

int Carrier::machineNow(int machine) const
{
    const auto name = m_renames.now(Name::Machine, b.machines()[size_t(machine)].id);
    const auto found = std::ranges::find_if(
        n.machines(), [&](const Rules::MachineRule &rule) { return rule.id == name; });
    return found == n.machines().end() ? Rules::None : int(found - n.machines().begin());
}

/// None: the machine has no such state.
StateId Carrier::stateNow(int machine, StateId state) const
{
    const Rules::StateRule &old = b.state(state);
    const auto name = m_renames.now(Name::State, old.id, b.machines()[size_t(old.machine)].id);
    if (!name && machineNow(old.machine) == machine)
        return Rules::None;
    return n.stateNamed(machine, name.value_or(old.id));
}

StateId Carrier::stableNow(int machine, StateId state) const
{
    const StateId found = state == Rules::None ? Rules::None : stateNow(machine, state);
    return found != Rules::None && n.state(found).isStable() ? found : Rules::None;
}

TriggerId Carrier::triggerNow(TriggerId trigger) const
{
    if (trigger == Rules::None)
        return Rules::None;
    const auto name = m_renames.trigger(b.triggerName(trigger));
    return name ? n.trigger(*name) : Rules::None;
}

int Carrier::labelNow(int label) const
{
    const QString &text = b.labels()[label];
    const auto name = text.startsWith(Rules::ElapsedLabel) ? std::optional(text)
                                                           : m_renames.now(Name::Condition, text);
    return name ? int(n.labels().indexOf(*name)) : Rules::None;
}

QString Carrier::pathNow(const QString &path) const
{
    if (!m_areTypesRenamed)
        return path;
    QStringList parts = path.split(u'/');
    int type = -1;
    for (qsizetype i = 1; i < parts.size(); i += 2) {
        type = w.tree.childType(type, parts[i]);
        if (type < 0)
            break;
        if (!m_types[type].isEmpty() && m_types[type] != w.tree.typePath(type))
            parts[i] = m_types[type].section(u'/', -1);
    }
    return parts.join(u'/');
}

QString Carrier::outcomeNow(const QString &outcome) const
{
    const QString name = m_renames.trigger(outcome).value_or(QString());
    return n.trigger(name) == Rules::None ? n.triggerName(n.succeeded) : name;
}

QString Carrier::workKeyNow(const QString &key, int machine) const
{
    if (key == WholeWork)
        return key;
    const qsizetype cut = key.indexOf(u" /"_s);
    if (cut >= 0)
        return m_renames.trigger(key.first(cut)).value_or(key.first(cut)) + u' '
            + pathNow(key.sliced(cut + 1));
    const QString where = machine == Rules::None ? QString() : b.machines()[size_t(machine)].id;
    return m_renames.now(Name::State, key, where).value_or(key);
}

/// A request in the names of now; `machine`: of its target, before.
Request Carrier::requestNow(const Request &request, int machine) const
{
    Request now = request;
    now.op = m_renames.trigger(request.op).value_or(request.op);
    now.path = pathNow(request.path);
    if (!request.outcome.isEmpty())
        now.outcome = outcomeNow(request.outcome);
    now.work.clear();
    for (auto it = request.work.cbegin(); it != request.work.cend(); ++it) {
        Piece piece = *it;
        for (QString &outcome : piece.outcomes)
            outcome = outcomeNow(outcome);
        now.work.insert(workKeyNow(it.key(), machine), piece);
    }
    now.conditions.clear();
    for (auto it = request.conditions.cbegin(); it != request.conditions.cend(); ++it) {
        if (const auto name = m_renames.now(Name::Condition, it.key()))
            now.conditions.insert(*name, *it);
    }
    now.requests.clear();
    for (auto it = request.requests.cbegin(); it != request.requests.cend(); ++it) {
        Enclosed enclosed = *it;
        for (QString &path : enclosed.references)
            path = pathNow(path);
        now.requests.insert(pathNow(it.key()), enclosed);
    }
    for (QStringList *paths : { &now.references, &now.replaces }) {
        for (QString &path : *paths)
            path = pathNow(path);
    }
    for (Request &content : now.contents)
        content = requestNow(content, machine);
    return now;
}

// ---- Resources

void Carrier::findTypes()
{
    const Tree &tree = w.tree;
    for (int type = 0; type < tree.typeCount(); ++type) {
        QString path = m_renames.type(tree.typePath(type)).value_or(QString());
        const auto isSame = [&](const QString &other) {
            return other.compare(path, Qt::CaseInsensitive) == 0;
        };
        // Of types that case tells apart no more, the first is found.
        if (n.pack().ignoreCase && std::ranges::any_of(m_types, isSame))
            path.clear();
        m_areTypesRenamed = m_areTypesRenamed || path != tree.typePath(type);
        m_machines.push_back(path.isEmpty() ? Rules::None : n.machineForType(path));
        m_types += path;
    }
    m_isCaseChanged = n.pack().ignoreCase != (tree.caseSensitivity() == Qt::CaseInsensitive);
}

Carrier::Fate Carrier::fate(int machine, Code code) const
{
    const StateId state = b.stateOf(code);
    const StateId now = stateNow(machine, state);
    const StateId last = stableNow(machine, b.lastOf(code));
    const bool works = b.state(state).isTransitional();
    if (now != Rules::None && n.state(now).isStable())
        return { n.resting(now), true, false, 0 };
    if (now != Rules::None && n.state(now).isTransitional() && works)
        return { n.code(now, last), true, false, 0 };
    const StateId rest = n.machines()[size_t(machine)].rest;
    return { n.resting(works && last != Rules::None ? last : rest), true, true, 0 };
}

bool Carrier::keepsTree() const
{
    if (m_isCaseChanged || n.codeCount() != b.codeCount())
        return false;
    for (size_t type = 0; type < m_machines.size(); ++type) {
        const int machine = b.machineForType(w.tree.typePath(int(type)));
        if (machine == Rules::None) // nothing is of such a type
            continue;
        if (m_machines[type] == Rules::None || m_machines[type] != machineNow(machine))
            return false;
    }
    for (int code = 0; code < b.codeCount(); ++code) {
        if (w.tree.counts()[code] == 0)
            continue;
        const int machine = machineNow(b.state(b.stateOf(Code(code))).machine);
        if (machine == Rules::None)
            return false;
        const Fate same = fate(machine, Code(code));
        if (same.code != code || same.isSettled
            || b.state(b.stateOf(Code(code))).isStable()
                != n.state(n.stateOf(Code(code))).isStable())
            return false;
    }
    return true;
}

/// Whether another resource is called so, now that case does not matter.
bool Carrier::isDouble(Resource resource, QSet<QString> *names) const
{
    const Tree &tree = w.tree;
    const QString name = u"%1 %2 %3"_s.arg(tree.parent(resource))
                             .arg(tree.type(resource))
                             .arg(tree.name(resource).toCaseFolded());
    const bool isKnown = names->contains(name);
    names->insert(name);
    return isKnown;
}

size_t Carrier::fateSentence(Code before, Code now)
{
    const QString was = b.state(b.stateOf(before)).id, is = n.state(n.stateOf(now)).id;
    return m_said.sentence(
        u"1 resource was in \"%1\", where it cannot be any more; it is in \"%2\" now"_s.arg(
            was, is),
        u"%n resources were in \"%1\", where they cannot be any more; they are in \"%2\" now"_s.arg(
            was, is));
}

/// Why a resource is removed.
size_t Carrier::goneSentence(Resource resource, Going why)
{
    if (why == Going::Along)
        return m_said.sentence(u"1 resource below one that is removed is removed"_s,
            u"%n resources below those that are removed are removed"_s);
    if (why == Going::Double)
        return m_said.sentence(
            u"1 resource is removed, for it is called like another, now that case does not matter"_s,
            u"%n resources are removed, for they are called like others, now that case does not matter"_s);
    const QString &type = w.tree.typePath(w.tree.type(resource));
    return m_said.sentence(
        u"1 resource is removed, for there is no type \"%1\" any more"_s.arg(type),
        u"%n resources are removed, for there is no type \"%1\" any more"_s.arg(type));
}

void Carrier::settle()
{
    const Tree &tree = w.tree;
    const QList<Resource> all = tree.resources();
    const size_t size = all.isEmpty() ? 0 : size_t(std::ranges::max(all)) + 1;
    m_codes.resize(size);
    m_hasLeft.resize(size);
    m_isSettled.resize(size);
    m_positions.resize(size);
    std::vector<std::vector<Fate>> fates(n.machines().size()); // machine, code ->
    const bool folds = m_isCaseChanged && n.pack().ignoreCase;
    QSet<QString> names;
    std::map<std::pair<Going, size_t>, std::optional<size_t>> gone; // why, type -> sentence
    quint32 next = 0;
    for (const Resource resource : all) {
        const Tree::Place place = tree.place(resource);
        next = place.position == 0 ? 0 : next;
        const Resource parent = tree.parent(resource);
        const int machine = m_machines[size_t(tree.type(resource))];
        const bool goesAlong = parent != NoResource && isGone(parent);
        const bool isDoubled = !goesAlong && folds && isDouble(resource, &names);
        if (goesAlong || isDoubled || machine == Rules::None) {
            m_codes[resource] = Tree::Gone;
            m_hasLeft[resource] = true;
            m_isAnyGone = true;
            m_cut.insert(place.branch);
            const Going why = goesAlong ? Going::Along
                : isDoubled             ? Going::Double
                                        : Going::Typeless;
            const auto type = size_t(tree.type(resource));
            std::optional<size_t> &sentence = gone[std::pair(why, type)];
            if (!sentence)
                sentence = goneSentence(resource, why);
            m_said.count(*sentence, [&] { return tree.path(resource); });
            continue;
        }
        const Code code = tree.code(resource);
        std::vector<Fate> &known = fates[size_t(machine)];
        known.resize(size_t(b.codeCount()));
        if (!known[code].isKnown) {
            known[code] = fate(machine, code);
            if (known[code].isSettled)
                known[code].sentence = fateSentence(code, known[code].code);
        }
        const Fate &fate = known[code];
        m_codes[resource] = fate.code;
        m_positions[resource] = next++;
        m_isSettled[resource] = fate.isSettled;
        if (fate.isSettled)
            m_said.count(fate.sentence, [&] { return tree.path(resource); });
        if (b.state(b.stateOf(code)).isTransitional() && n.state(n.stateOf(fate.code)).isStable()) {
            m_hasLeft[resource] = true;
            m_cut.insert(place.branch);
        }
    }
}

void Carrier::forgetGone()
{
    if (!m_isAnyGone)
        return;
    const auto forget = [this](auto &facts) {
        facts.removeIf([this](auto entry) { return isGone(entry.key()); });
    };
    forget(w.references);
    forget(w.properties);
    forget(w.etags);
    forget(w.unknownWords);
    forget(w.bodies);
    for (QList<Resource> &referrers : w.referrers)
        referrers.removeIf([this](Resource resource) { return isGone(resource); });
    w.referrers.removeIf([](auto entry) { return entry->isEmpty(); });
}

/// Comes before types have their new names in the tree.
void Carrier::carryReferences()
{
    if (w.references.isEmpty() || (!m_areTypesRenamed && !m_isCaseChanged))
        return;
    for (QStringList &paths : w.references) {
        for (QString &path : paths)
            path = pathNow(path);
    }
    const bool folds = n.pack().ignoreCase;
    const QMap<QString, QList<Resource>> before = std::exchange(w.referrers, {});
    if (m_isCaseChanged && !folds) { // their keys do not tell how the paths are written
        for (const Resource resource : w.tree.resources()) {
            for (const QString &path : w.references.value(resource))
                w.referrers[path] += resource;
        }
        return;
    }
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        const QString path = pathNow(it.key());
        w.referrers[folds ? path.toCaseFolded() : path] += *it;
    }
}

/// Times of entry stay; a timer that a state has got counts from now.
void Carrier::carryTimes()
{
    const QHash<Resource, Timing> before = std::exchange(w.timed, {});
    w.looks.clear();
    w.asleep.clear();
    w.firing.reset();
    if (!n.hasTimers())
        return;
    std::vector<bool> isTimed;
    isTimed.reserve(size_t(n.codeCount()));
    for (int code = 0; code < n.codeCount(); ++code)
        isTimed.push_back(n.state(n.stateOf(Code(code))).timer.has_value());
    for (const quint32 branch : w.tree.branches()) {
        const std::span<const quint32> counts = w.tree.branchCounts(branch);
        bool isAny = false;
        for (size_t code = 0; code < counts.size(); ++code)
            isAny = isAny || (counts[code] && isTimed[code]);
        for (quint32 position = 0; isAny && position < w.tree.branchSize(branch); ++position) {
            const Resource resource = w.tree.at(branch, position);
            if (!isTimed[w.tree.code(resource)])
                continue;
            const auto known = before.constFind(resource);
            const bool isNew =
                known == before.cend() || (resource < m_isSettled.size() && m_isSettled[resource]);
            w.timed.insert(resource, Timing { isNew ? w.now : known->since });
        }
    }
}

/// Broken constraints in the numbers of now, without those that are no more.
std::vector<std::pair<int, Resource>> Carrier::brokenNow(
    const std::vector<std::pair<int, Resource>> &broken) const
{
    std::map<int, int> known; // constraint before -> now
    const auto same = [this](int index) {
        const Rules::ConstraintRule &old = b.constraints()[size_t(index)];
        const Constraint &row = m_old.machines[old.machine].constraints[old.index];
        const int machine = machineNow(old.machine);
        const auto found = std::ranges::find_if(n.constraints(), [&](const auto &rule) {
            const Constraint &other = n.row(rule);
            return rule.machine == machine && other.in == row.in
                && std::ranges::equal(other.holds, row.holds);
        });
        return found == n.constraints().end() ? Rules::None : int(found - n.constraints().begin());
    };
    std::vector<std::pair<int, Resource>> now;
    for (const auto &[constraint, resource] : broken) {
        if (isGone(resource))
            continue;
        if (!known.contains(constraint))
            known[constraint] = same(constraint);
        if (known[constraint] != Rules::None)
            now.emplace_back(known[constraint], resource);
    }
    return now;
}

// ---- Operations

/// The n-th step of a kind is the n-th of that kind; required operations are told apart by name.
bool Carrier::findStep(Running &running, StateId work) const
{
    if (running.phase == Running::Phase::Delayed) // nothing has begun
        return true;
    const std::vector<Rules::Work> &old = b.state(running.work).work;
    if (running.cursor >= int(old.size()))
        return false;
    const auto isSame = [&](const Rules::Work &before, Step::Kind kind, TriggerId name) {
        return before.kind == kind && (kind != Step::Kind::Require || before.name == name);
    };
    const Rules::Work &step = old[size_t(running.cursor)];
    auto nth = std::count_if(old.begin(), old.begin() + running.cursor,
        [&](const Rules::Work &other) { return isSame(other, step.kind, step.name); });
    const TriggerId name = triggerNow(step.name);
    if (step.kind == Step::Kind::Require && name == Rules::None)
        return false;
    const std::vector<Rules::Work> &now = n.state(work).work;
    for (size_t i = 0; i < now.size(); ++i) {
        if (!isSame(now[i], step.kind, name) || nth-- > 0)
            continue;
        running.cursor = int(i);
        return true;
    }
    return false;
}

const State *Carrier::stateRow(const Rules &rules, const Pack &pack, StateId state) const
{
    const Rules::StateRule &rule = rules.state(state);
    const QList<State> &rows = rules.pack().machines[rule.machine].states;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        if (rows[i].id == rule.id && rules.applies(rows[i]))
            return &pack.machines[rule.machine].states[i];
    }
    Q_ASSERT_X(false, "stateRow", qPrintable(rule.id));
    return nullptr;
}

void Carrier::carryLimit(Running &running, StateId work)
{
    const bool had = b.state(running.work).limit.has_value();
    if (!n.state(work).limit) {
        running.deadline = -1;
        return;
    }
    const Timer now = *stateRow(n, n.pack(), work)->timer;
    if (had) {
        Timer before = *stateRow(b, m_old, running.work)->timer;
        before.outcome = now.outcome;
        if (before == now)
            return;
    }
    running.deadline = -1;
    m_limited.push_back(running.serial);
}

int Carrier::transitionNow(int transition)
{
    if (!m_transitions) {
        m_transitions.emplace();
        const auto key = [](int machine, const Transition &row) {
            return QStringList { QString::number(machine), row.from.join(u'\n'), row.on.join(u'\n'),
                row.to.join(u'\n') }
                .join(u"\n\n"_s);
        };
        QHash<QString, QList<int>> now;
        const auto eachLimited = [](const Rules &rules, const auto &see) {
            QSet<int> seen;
            for (StateId state = 0; state < StateId(rules.states().size()); ++state) {
                for (TriggerId on = 0; on < rules.triggerCount(); ++on) {
                    for (const int index : rules.candidates(state, on)) {
                        if (rules.transition(index).limit != Rules::None)
                            seen.insert(index);
                    }
                }
            }
            QList<int> all = seen.values();
            std::ranges::sort(all);
            std::ranges::for_each(all, see);
        };
        eachLimited(n, [&](int index) {
            const Rules::Transition &rule = n.transition(index);
            now[key(rule.machine, n.row(rule))] += index;
        });
        eachLimited(b, [&](int index) {
            const Rules::Transition &rule = b.transition(index);
            QList<int> &left = now[key(
                machineNow(rule.machine), m_old.machines[rule.machine].transitions[rule.index])];
            m_transitions->emplace(index, left.isEmpty() ? Rules::None : left.takeFirst());
        });
    }
    const auto found = m_transitions->find(transition);
    return found == m_transitions->end() ? Rules::None : found->second;
}

QMap<int, bool> Carrier::answersNow(const QMap<int, bool> &answers) const
{
    QMap<int, bool> now;
    for (auto it = answers.cbegin(); it != answers.cend(); ++it) {
        if (const int label = labelNow(it.key()); label != Rules::None)
            now.insert(label, *it);
    }
    return now;
}

/// What is asked and planned, in the names and numbers of now. `machine`: of the target, before.
void Carrier::carryPlan(Running &running, int machine)
{
    running.answers = answersNow(running.answers);
    std::vector<std::pair<int, int>> taken;
    for (const auto &[transition, count] : running.taken) {
        if (const int now = transitionNow(transition); now != Rules::None)
            taken.emplace_back(now, count);
    }
    running.taken = std::move(taken);
    for (Todo &todo : running.todo)
        todo = { triggerNow(todo.operation), pathNow(todo.path) };
    QMap<QString, int> attempts;
    for (auto it = running.attemptsAt.cbegin(); it != running.attemptsAt.cend(); ++it)
        attempts.insert(workKeyNow(it.key(), machine), *it);
    running.attemptsAt = attempts;
    const TriggerId planned = triggerNow(running.planned);
    if (running.planned != Rules::None && planned == Rules::None) {
        const QString outcome = b.triggerName(running.planned);
        m_said.add(
            u"1 operation was to end in \"%1\", which is gone; it will succeed"_s.arg(outcome),
            u"%n operations were to end in \"%1\", which is gone; they will succeed"_s.arg(outcome),
            running.id);
    }
    running.planned =
        running.planned != Rules::None && planned == Rules::None ? n.succeeded : planned;
    const auto isUnknown = [this](const Piece &piece) {
        return std::ranges::any_of(piece.outcomes,
            [this](const QString &outcome) { return n.trigger(outcome) == Rules::None; });
    };
    if (!m_renames.isEmpty() || std::ranges::any_of(running.request->work, isUnknown))
        running.request = QSharedPointer<Request>::create(requestNow(*running.request, machine));
    running.path = pathNow(running.path);
}

/// Takes an operation over as far as it goes. Why it cannot go on; empty: it can.
QString Carrier::problem(Running &running, int machine)
{
    const QString work = b.state(running.work).id;
    const TriggerId op = triggerNow(running.op), soFar = triggerNow(running.soFar);
    if (isGone(running.target) || machine == Rules::None)
        return u"the resource is gone"_s;
    if (!n.isOperation(op))
        return u"nothing is done on \"%1\" any more"_s.arg(b.triggerName(running.op));
    const StateId now = stateNow(machine, running.work);
    if (now == Rules::None || !n.state(now).isTransitional())
        return u"nothing works in \"%1\" any more"_s.arg(work);
    if (!findStep(running, now))
        return u"what was being done in \"%1\" is not to be done there any more"_s.arg(work);
    if (soFar == Rules::None)
        return u"nothing ends in \"%1\" any more"_s.arg(b.triggerName(running.soFar));
    carryLimit(running, now);
    running.op = op;
    running.soFar = soFar;
    running.work = now;
    return {};
}

/// A cover with the positions of now, without what has left.
Cover Carrier::coverNow(const Cover &cover) const
{
    Cover now;
    for (const Tree::Range &range : cover) {
        if (!m_cut.contains(range.branch)) {
            now.push_back(range);
            continue;
        }
        bool isOpen = false;
        for (quint32 position = range.begin; position < range.end; ++position) {
            const Resource resource = w.tree.at(range.branch, position);
            if (m_hasLeft[resource]) {
                isOpen = isOpen && isGone(resource);
                continue;
            }
            const quint32 moved = m_positions[resource];
            if (isOpen)
                now.back().end = moved + 1;
            else
                now.push_back({ range.branch, moved, moved + 1 });
            isOpen = true;
        }
    }
    return now;
}

void Carrier::carryOperations()
{
    for (auto &shared : w.running) {
        Running &running = *shared;
        const int machineBefore = b.state(b.stateOf(w.tree.code(running.target))).machine;
        const int machine = m_machines[size_t(w.tree.type(running.target))];
        if (!m_cut.isEmpty())
            running.cover = coverNow(running.cover);
        const QString why = problem(running, machine);
        if (why.isEmpty()) {
            carryPlan(running, machineBefore);
            continue;
        }
        // Nobody asks it any more; but it has to be readable until it is canceled.
        m_withdrawn.emplace(running.serial, why);
        running.answers = answersNow(running.answers);
        running.op = n.canceled;
        running.soFar = n.canceled;
        running.planned = Rules::None;
        running.due = running.deadline = -1;
        running.phase = Running::Phase::Attempting;
        running.work = n.machines().front().rest;
        running.cursor = 0;
        running.todo.clear();
        running.taken.clear();
    }
    const bool isNewOrder = !w.queue.empty() && judgesOtherwise();
    for (auto &shared : w.queue) {
        Queued &queued = *shared;
        if (isNewOrder)
            queued.waitsFor.clear();
        if (const QString why = problem(queued); !why.isEmpty())
            m_withdrawn.emplace(queued.serial, why);
    }
}

QString Carrier::problem(Queued &queued) const
{
    const TriggerId op = triggerNow(queued.op);
    const QString asked = queued.request->path;
    queued.answers = answersNow(queued.answers);
    if (!m_renames.isEmpty())
        queued.request = QSharedPointer<Request>::create(
            requestNow(*queued.request, b.machineForType(typePathOf(asked))));
    const TriggerId before = std::exchange(queued.op, n.isOperation(op) ? op : n.canceled);
    if (!n.isOperation(op))
        return u"nothing is done on \"%1\" any more"_s.arg(b.triggerName(before));
    if (queued.target != NoResource && isGone(queued.target)) {
        queued.target = NoResource;
        return u"the resource is gone"_s;
    }
    if (n.machineForType(typePathOf(queued.request->path)) == Rules::None)
        return u"there is no type \"%1\" any more"_s.arg(typePathOf(asked));
    return {};
}

/// Whether who is in whose way may be another answer now.
bool Carrier::judgesOtherwise() const
{
    const auto conflicts = [](const Rules &rules, const Pack &pack) {
        QList<Conflict> rows;
        for (const Rules::ConflictRule &rule : rules.conflicts()) {
            Conflict row = pack.conflicts[rule.index];
            static_cast<Row &>(row) = {};
            rows += row;
        }
        return rows;
    };
    const auto conditions = [](const Rules &rules, const Pack &pack) {
        QMap<QString, Condition> bound;
        for (qsizetype i = 0; i < pack.conditions.size(); ++i) {
            if (rules.applies(pack.conditions[i]))
                bound.insert(pack.conditions[i].id, pack.conditions[i].condition);
        }
        return bound;
    };
    return conflicts(b, m_old) != conflicts(n, n.pack())
        || conditions(b, m_old) != conditions(n, n.pack());
}

void Carrier::leaveGoneBranches(Running &running)
{
    const auto gone = std::remove_if(running.branches.begin(), running.branches.end(),
        [this](quint32 branch) { return !w.tree.hasBranch(branch); });
    running.branches.erase(gone, running.branches.end());
}

void Carrier::limitAnew()
{
    for (const quint32 serial : m_limited) {
        Running &running = *w.change(serial);
        const Rules::Clock &limit = *n.state(running.work).limit;
        const auto moment = momentOf(n, w, running.target, limit, w.now);
        if (!moment)
            continue;
        running.deadline = std::max(w.now, *moment);
        w.agenda.emplace_back(running.deadline, serial);
        std::ranges::push_heap(w.agenda, std::greater());
    }
}

/// What was broken before is no news. Returns what nobody has been told of yet, for nothing has
/// happened there since the world was loaded: that stays so.
std::set<std::pair<int, Resource>> Carrier::findUntold()
{
    if (n.constraints().empty() || b.constraints().empty()) {
        w.broken.clear();
        return {};
    }
    World before = m_before;
    const QList<quint32> branches = before.tree.branches();
    watched(b, before, branches, false);
    const auto told = brokenNow(m_before.broken);
    w.broken = brokenNow(before.broken);
    std::set<std::pair<int, Resource>> untold(w.broken.begin(), w.broken.end());
    for (const auto &entry : told)
        untold.erase(entry);
    return untold;
}

/// What cannot go on is canceled, and the others go on by the rules that there are now.
void Carrier::goOn()
{
    std::vector<quint32> serials;
    serials.reserve(size_t(m_withdrawn.size()));
    for (const auto &[serial, why] : m_withdrawn)
        serials.push_back(serial);
    std::map<quint32, QString> ids;
    for (const auto &running : w.running)
        ids.emplace(running->serial, running->id);
    for (const auto &queued : w.queue)
        ids.emplace(queued->serial, queued->request->id);
    m_record.event.time = w.now;
    const std::set<std::pair<int, Resource>> untold = findUntold();
    Stepper(n, w, m_record).goOn(serials);
    std::erase_if(w.broken, [&](const auto &entry) { return untold.contains(entry); });
    for (Change &change : m_record.changes) {
        if (change.kind == Change::Kind::Settled && change.moved > 0)
            m_said.add(u"1 canceled operation left resources behind that are at rest now"_s,
                u"%n canceled operations left resources behind that are at rest now"_s,
                change.path);
        if (change.kind == Change::Kind::Violated)
            m_said.add(u"1 resource is where this constraint does not let it be: "_s + change.rule,
                u"%n resources are where this constraint does not let them be: "_s + change.rule,
                change.path);
        if (change.kind != Change::Kind::Canceled)
            continue;
        const auto found = m_withdrawn.find(change.operation);
        const QString why = found == m_withdrawn.end()
            ? u"the operation that required it cannot go on"_s
            : found->second;
        m_said.add(u"1 operation is canceled, for "_s + why,
            u"%n operations are canceled, for "_s + why, ids[change.operation]);
        change.message = u"The rules have changed: %1."_s.arg(why);
    }
}

CarriedOver Carrier::carried() &&
{
    findTypes();
    if (!keepsTree())
        settle();
    carryOperations();
    forgetGone();
    carryReferences();
    if (!m_codes.empty() || m_isCaseChanged || n.codeCount() != b.codeCount())
        w.tree.recode(
            n.codeCount(), m_codes, n.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive);
    if (m_areTypesRenamed)
        w.tree.nameTypes(m_types);
    for (const Type &type : n.pack().types) {
        if (type.path != u"*" && n.applies(type))
            w.tree.typeAt(type.path);
    }
    if (m_isAnyGone) {
        w.busy.removeIf([this](auto entry) { return !w.tree.hasBranch(entry.key()); });
        for (auto &running : w.running)
            leaveGoneBranches(*running);
    }
    if (m_isCaseChanged) {
        for (auto &running : w.running) {
            if (w.tree.exists(running->target))
                running->path = w.tree.path(running->target);
        }
    }
    carryTimes();
    limitAnew();
    goOn();
    return { std::move(w), m_said.texts(), std::move(m_record) };
}

} // namespace

CarriedOver carriedOver(
    const World &world, const Rules &before, const Rules &now, const Renames &renames)
{
    if (renames.isEmpty() && meanTheSame(before, now)) {
        CarriedOver same { world, {}, {} };
        same.record.event.time = world.now;
        return same;
    }
    return Carrier(world, before, now, renames).carried();
}

} // namespace instar
