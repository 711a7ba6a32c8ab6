// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/pack/tree.h"
#include "model/result.h"

#include <QHash>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace instar {

using Switches = QMap<QString, QString>; ///< switch -> value

struct Admission;
struct Record;
struct Request;
struct World;
class Rules;

/// Semantics of a pack whose machines are statecharts with history or regions, in place of the
/// engine's own. Immutable, and shared by copies of the rules.
class Semantics
{
public:
    virtual ~Semantics() = default;
    /// Moves the resources of a loaded world to their initial states.
    virtual void begin(const Rules &rules, World &world) const = 0;
    /// Accepts or refuses a request; `answers` decides conditions that pack and request leave open.
    virtual Admission admission(const Rules &rules, const World &world, const Request &request,
        const QMap<int, bool> &answers) const = 0;
    /// Applies a record's event (a submitted request) to a world; adds the changes to the record.
    virtual void step(const Rules &rules, World &world, Record &record) const = 0;
};

/// Compiled form of a pack under chosen switches, with names as numbers. Immutable.
///
/// Triggers (operations, outcomes, events) share one namespace. A word is a name that clients see:
/// a state's id or alias. A state code is a pair (state, last rested state); the second is dropped
/// if the machine never reads it, so that equal situations compare equal.
class Rules
{
public:
    using StateId = int; ///< over all machines
    using TriggerId = int;
    static constexpr int None = -1;

    /// Compiles a pack. Fails where a name in the pack or the switches cannot be resolved.
    static Result<Rules> make(const Pack &pack, const Switches &switches = {});

    /// Relation from a resource to others, such as its parent or its referrers.
    struct Relation
    {
        enum class Kind {
            Self,
            Parent,
            Ancestors,
            Children,
            Descendants,
            Siblings,
            References,
            Referrers,
            Dependents,
            Segment,
            Named,
            Copy,
            Path
        };
        Kind kind = Kind::Self;
        QString segment {}, name {}; ///< Segment: type of the children; Named: child at
                                     ///< segment/name; Copy: added to own path; Path: path
        bool ofParent = false;       ///< Segment, Named: children of the parent
    };
    /// Compiled Condition, with its names resolved.
    struct Predicate
    {
        Condition::Kind kind = Condition::Kind::Always;
        Condition::Match match = Condition::Match::In;
        bool some = false; ///< Related: one suffices; Required: only by operations on `relation`
        Relation relation;
        std::vector<bool> words;      ///< Related, Last: word -> true if it matches
        QStringList names;            ///< Id: names of resources; Property: values that are texts
        int label = None;             ///< Label: a condition that the pack leaves open
        QString property;             ///< Elapsed, Property: name of the property
        qint64 ms = 0;                ///< Elapsed: virtual ms
        std::optional<qint64> bound;  ///< Property: holds for a greater number
        QList<QJsonValue> values;     ///< Property: values other than texts; null: absent
        std::vector<Predicate> parts; ///< All, Not: operands; Label: its definition, if it has one
        bool always() const { return kind == Condition::Kind::Always; }
        /// Returns true if `test` holds for this condition or for a part of it, at any depth.
        bool any(bool (*test)(const Predicate &)) const
        {
            return test(*this) || std::ranges::any_of(parts, [test](const Predicate &part) {
                return part.any(test);
            });
        }
    };
    // Compiled rows of the pack: names are numbers, None means absent.
    struct Figure
    {
        Relation of;
        QString property;
        qint64 times = 1, add = 0;
        Predicate condition {};
    };
    /// Compiled Timer or timeout.
    struct Clock
    {
        TriggerId trigger = None; ///< an operation; for a timeout, the outcome of work
        bool isFromEntry = true;  ///< the base time is that of entering the state
        std::vector<Figure> at, afterIn;
        qint64 after = 0, every = 0;
        std::vector<Predicate> order {};
    };
    struct Target
    {
        enum class Kind { State, Same, Last };
        Kind kind = Kind::State;
        StateId state = None;
    };
    struct Transition
    {
        int machine = 0, index = 0; ///< indices of the machine and of its row in the pack
        Predicate condition;
        std::vector<Target> to;
        int refusal = None; ///< index in Pack::refusals
        int limit = None;
        qint64 after = 0; ///< virtual ms
        std::vector<Figure> afterIn;
        bool force = false;
        bool sets = false; ///< the row changes properties
        /// Returns true if the operation is done at once and changes no state.
        bool observes() const { return to.empty() && refusal == None; }
    };
    struct Work ///< compiled Step of the work in a transitional state
    {
        Step::Kind kind = Step::Kind::Attempt;
        Predicate condition, where, until;
        TriggerId name = None;
        std::vector<std::pair<TriggerId, TriggerId>> byOutcome, hear;
        std::vector<Relation> to;
        bool together = false;
        int row = None; ///< index in State::work; None: the attempt that a state makes by default
    };
    struct StateRule
    {
        QString id;
        int machine = 0;
        State::Kind kind = State::Kind::Stable;
        std::vector<Work> work {};
        std::optional<Clock> timer; ///< of a stable state
        std::optional<Clock> limit; ///< of a transitional state: timeout of its work
        int word = None;            ///< number of `id`
        int shown = None;           ///< the word that clients see; None: the last rested state's
        bool isStable() const { return kind == State::Kind::Stable; }
        bool isTransitional() const { return kind == State::Kind::Transitional; }
    };
    struct MachineRule
    {
        QString id;
        StateId initial = None, rest = None;
        StateId history = None; ///< target of "(last)" for a resource that never rested
        bool keepsLast = false; ///< codes contain the last rested state
    };
    struct ConstraintRule
    {
        int machine = 0, index = 0; ///< indices of the machine and of its row in the pack
        std::vector<StateId> in;
        std::vector<Predicate> holds;
        bool local = true; ///< reads only the tree of the resource's top-level ancestor
    };
    struct ConflictRule
    {
        int index = 0;                 ///< in Pack::conflicts
        std::vector<bool> on, running; ///< trigger -> true if included; empty: any
        quint32 at = 0;                ///< bits of Where; 0: anywhere
        Predicate condition;
        Conflict::Then then = Conflict::Then::Allow;
        int refusal = None; ///< index in Pack::refusals
    };
    /// Place of a running operation's target relative to an incoming one's, as a bit.
    enum Where : quint32 {
        Self = 1,
        Ancestor = 2,
        Descendant = 4,
        Sibling = 8,
        SameTree = 16,
        Reference = 32,
        Referrer = 64,
        Unrelated = 128
    };
    static constexpr quint32 InTree = Self | Ancestor | Descendant | Sibling | SameTree;
    struct OutcomeRule
    {
        QString status = QStringLiteral("Failed"), code = DefaultErrorCode.toString(),
                message = QStringLiteral("The operation failed.");
    };
    /// Move that a trigger causes alike on all resources that have the same state code.
    struct UniformMove
    {
        Code to;
        bool moves; ///< true: the event starts work, or the outcome ends it
    };

    const Pack &pack() const { return m_pack; }
    /// Returns the semantics of statecharts; null: the engine's own semantics.
    const Semantics *semantics() const { return m_semantics.get(); }
    void setSemantics(std::shared_ptr<const Semantics> semantics)
    {
        m_semantics = std::move(semantics);
    }
    /// Returns true if a row exists under the chosen switches.
    bool applies(const Row &row) const;
    /// Returns every switch of the pack with its value.
    const Switches &switches() const { return m_switches; }

    // names
    TriggerId trigger(const QString &name) const { return m_triggers.value(name, None); }
    const QString &triggerName(TriggerId trigger) const { return m_triggerNames[trigger]; }
    int triggerCount() const { return int(m_triggerNames.size()); }
    bool isOperation(TriggerId trigger) const
    {
        return trigger >= 0 && m_triggerRules[size_t(trigger)].isOperation;
    }
    const QString &word(int word) const { return m_words[word]; }
    int wordNamed(const QString &word) const { return m_wordIds.value(word, None); }
    const QStringList &labels() const { return m_labels; } ///< of conditions left open, or on time
    static constexpr QStringView ElapsedLabel = u"elapsed "; ///< prefix of labels for elapsed time
    /// Returns the labels that a request may answer: all but those for elapsed time.
    QStringList openLabels() const;
    /// Returns the properties that some row reads.
    const QStringList &properties() const { return m_properties; }
    /// Compiles a condition. Fails on states, labels and properties that no row mentions.
    Result<Predicate> compiled(const Condition &condition) const;

    // machines and states
    const std::vector<MachineRule> &machines() const { return m_machines; }
    const MachineRule &machine(int machine) const { return m_machines[size_t(machine)]; }
    const std::vector<StateRule> &states() const { return m_states; }
    const StateRule &state(StateId state) const { return m_states[size_t(state)]; }
    const StateRule &stateIn(Code code) const { return state(stateOf(code)); }
    StateId stateNamed(int machine, const QString &id) const;
    int machineForType(const QString &typePath) const; ///< None: the pack has no such type
    const Type *typeRow(const QString &typePath) const;

    // codes
    int codeCount() const { return int(m_codes.size()); }
    StateId stateOf(Code code) const { return m_codes[code].state; }
    /// Returns the last rested state; None: there is none, or the code does not keep it.
    StateId lastOf(Code code) const { return m_codes[code].last; }
    Code code(StateId state, StateId last) const; ///< the last rested state is dropped if not kept
    /// Returns the code of a resource at rest in a state.
    Code resting(StateId state) const { return code(state, state); }
    Code afterEntering(Code from, StateId state) const;
    /// Returns the code to which a target leads from a code.
    Code resolved(Code from, const Target &target) const;
    /// Returns the word that clients see for a code; the initial state's if they see no resource.
    int shownWord(Code code) const { return m_codes[code].shown; }
    const QString &shown(Code code) const { return m_words[m_codes[code].shown]; }
    bool isShown(Code code) const; ///< false: clients see no resource
    bool matches(Code code, const std::vector<bool> &words) const;

    // rows
    /// Returns the transitions out of a state on a trigger, in the order in which they are tried.
    std::span<const int> candidates(StateId state, TriggerId trigger) const
    {
        return candidatesIn(m_layerOf[size_t(state)], trigger);
    }
    /// Returns the transitional states to which the transitions out of a state lead.
    QList<StateId> workAfter(StateId from, TriggerId trigger) const;
    /// Returns true if some state of a machine has a transition on a trigger.
    bool knows(int machine, TriggerId trigger) const;
    /// Returns the rule text of a transition's or conflict's row, with its sources; empty for None.
    QString transitionText(int index) const
    {
        return index == None ? QString() : m_pack.ruleText(row(transition(index)));
    }
    QString conflictText(int index) const
    {
        return index == None ? QString() : m_pack.ruleText(m_pack.conflicts[index]);
    }
    /// Returns the row of a step of a state's work; null: the pack has none.
    const Step *stepRow(StateId state, int step) const
    {
        const StateRule &rule = this->state(state);
        const int row = rule.work[size_t(step)].row;
        return row == None ? nullptr : &m_pack.machines[rule.machine].state(rule.id)->work[row];
    }
    int transitionCount() const { return int(m_transitions.size()); }
    const Transition &transition(int index) const { return m_transitions[size_t(index)]; }
    const instar::Transition &row(const Transition &transition) const
    {
        return m_pack.machines[transition.machine].transitions[transition.index];
    }
    const std::vector<ConstraintRule> &constraints() const { return m_constraints; }
    std::span<const int> constraintsOn(StateId state) const
    {
        return m_constraintsOn[size_t(state)];
    }
    const instar::Constraint &row(const ConstraintRule &constraint) const
    {
        return m_pack.machines[constraint.machine].constraints[constraint.index];
    }
    const std::vector<ConflictRule> &conflicts() const { return m_conflicts; }
    /// Returns the bits of Where that occur in conflict rows.
    quint32 conflictPlaces() const { return m_conflictPlaces; }
    /// Returns the effect of a sent event, or of the outcome of another resource's work, on all
    /// resources with a code; absent if the effect depends on the individual resource.
    std::optional<UniformMove> uniformMoveByEvent(Code code, TriggerId event) const;
    std::optional<UniformMove> uniformMoveByOutcome(Code code, TriggerId outcome) const;
    const OutcomeRule &outcome(TriggerId outcome) const { return m_triggerRules[size_t(outcome)]; }
    bool isGood(TriggerId outcome) const { return m_triggerRules[size_t(outcome)].isGood; }
    const Refusal *refusal(int index) const
    {
        return index < 0 ? nullptr : &m_pack.refusals[index];
    }
    int refusalNamed(const QString &id) const;
    qint64 duration(TriggerId op) const { return m_triggerRules[size_t(op)].duration; }
    bool stampsAtEnd() const { return m_stampsAtEnd; }
    bool stampsAtStart() const { return m_stampsAtStart; }
    bool hasTimers() const { return m_hasTimers; }
    bool hasUntil() const { return m_hasUntil; }
    /// Returns true if the admission of a timer's operation can depend on trees of other top-level
    /// resources, or on time passing.
    bool timersReadOtherTrees() const { return m_timersReadOtherTrees; }
    /// Returns true if due times of timers, or their order at one time, can depend on relatives.
    bool timersReadRelatives() const { return m_timersReadRelatives; }
    /// Returns true if the order of timers due at once can depend on other trees.
    bool timerOrderReadsOtherTrees() const { return m_timerOrderReadsOtherTrees; }
    /// Returns the relations of rows that may lead to other trees: Siblings, Copy and Path.
    const std::vector<Relation> &farRelations() const { return m_farRelations; }
    bool hasWaits() const { return m_hasWaits; } ///< operations may wait for others
    bool merges(TriggerId operation) const { return m_triggerRules[size_t(operation)].merges; }
    /// Returns the outcomes that an attempt may have.
    const std::vector<TriggerId> &outcomes() const { return m_outcomeList; }

    // the engine's own triggers
    TriggerId succeeded = None, failed = None, canceled = None, rejected = None, invalid = None;
    TriggerId retried = None; ///< the outcome of transient failures

private:
    struct CodeRule
    {
        StateId state = None, last = None;
        int shown = None;
    };
    struct TriggerRule : OutcomeRule
    {
        bool isGood = false, isOperation = false, merges = false;
        qint64 duration = 1000; ///< of an attempt, virtual ms
    };
    struct TriggerRows
    {
        TriggerId trigger = None;
        quint32 begin = 0, count = 0; ///< in m_candidates
    };
    /// Transitions by trigger, for triggers that rows of one state, composite or "*" name; a lookup
    /// of any other trigger continues in the enclosing layer.
    struct Layer
    {
        quint32 begin = 0, end = 0; ///< in m_triggerRows
        int enclosing = None;
    };
    friend class RulesMaker;
    Rules() = default;
    std::span<const int> candidatesIn(int layer, TriggerId trigger) const;
    std::optional<Code> uniformTarget(Code code, TriggerId trigger) const;

    Pack m_pack;
    std::shared_ptr<const Semantics> m_semantics;
    Switches m_switches;
    QHash<QString, int> m_triggers, m_wordIds, m_typeMachines;
    QStringList m_triggerNames, m_words, m_labels, m_properties;
    std::vector<TriggerRule> m_triggerRules;
    int m_anyType = None;
    std::vector<MachineRule> m_machines;
    std::vector<StateRule> m_states;
    std::vector<QHash<QString, StateId>> m_stateIds; ///< by machine
    std::vector<CodeRule> m_codes;
    std::vector<int> m_firstCode; ///< state -> its first code, without a last rested state
    std::vector<int> m_rank;      ///< state -> its index among its machine's stable states
    std::vector<Transition> m_transitions;
    std::vector<int> m_candidates;
    std::vector<TriggerRows> m_triggerRows;
    std::vector<Layer> m_layers;
    std::vector<int> m_layerOf; ///< state -> layer
    std::vector<ConstraintRule> m_constraints;
    std::vector<std::vector<int>> m_constraintsOn;
    std::vector<ConflictRule> m_conflicts;
    quint32 m_conflictPlaces = 0;
    bool m_stampsAtEnd = false, m_stampsAtStart = false, m_hasTimers = false, m_hasUntil = false,
         m_timersReadOtherTrees = false, m_timersReadRelatives = false,
         m_timerOrderReadsOtherTrees = false, m_hasWaits = false;
    std::vector<TriggerId> m_outcomeList;
    std::vector<Relation> m_farRelations;
};

/// Returns the transitional states through which an operation can lead a machine's resources.
QList<Rules::StateId> workStatesOf(const Rules &rules, int machine, Rules::TriggerId op);
/// Returns true if the work in one of workStatesOf() requires operations, which may decide the
/// work's outcome. Only operations on which machine `other` has transitions count; None: all count.
bool requiresAny(const Rules &rules, int machine, Rules::TriggerId op, int other = Rules::None);

} // namespace instar
