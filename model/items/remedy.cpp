// SPDX-License-Identifier: Apache-2.0
#include "model/items/remedy.h"

#include "model/engine/question.h"
#include "model/engine/step.h"
#include "model/items/sentences.h"
#include "model/json/condition.h"

#include <QCoreApplication>

namespace instar {

namespace {

struct RemedyWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::RemedyWords)
};

/// Returns true if some row takes the operation in a state, and none always refuses it there.
bool accepts(const Rules &rules, Rules::StateId state, Rules::TriggerId op)
{
    bool isTaken = false;
    for (const int index : rules.candidates(state, op)) {
        const Rules::Transition &row = rules.transition(index);
        if (row.refusal != Rules::None && row.condition.always())
            return false;
        isTaken |= row.refusal == Rules::None;
    }
    return isTaken;
}

bool isOutcome(const Rules &rules, Rules::TriggerId trigger)
{
    return std::ranges::find(rules.outcomes(), trigger) != rules.outcomes().end();
}

/// Returns the first trigger on a shortest way from a resource's state to one that accepts an
/// operation (breadth-first search). Ignores bad outcomes, rows that remove the resource, and rows
/// with several possible targets. None: there is no such way.
Rules::TriggerId firstStepTowards(
    const Rules &rules, const World &world, const QString &path, Rules::TriggerId op)
{
    const Rules::StateId from = rules.stateOf(world.tree.code(world.tree.find(path)));
    std::vector<std::pair<Rules::StateId, Rules::TriggerId>> open { { from, Rules::None } };
    const auto add = [&](Rules::StateId state, Rules::TriggerId first) {
        if (rules.state(state).kind != State::Kind::Initial
            && std::ranges::find(open, state, [](const auto &one) { return one.first; })
                == open.end())
            open.emplace_back(state, first);
    };
    for (size_t i = 0; i < open.size(); ++i) {
        const auto [state, first] = open[i];
        if (accepts(rules, state, op))
            return first;
        for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            const Request request { .op = rules.triggerName(trigger), .path = path };
            const bool isRefused = state == from && rules.isOperation(trigger)
                && admission(rules, world, request).verdict != Admission::Verdict::Accepted;
            if (isRefused || (isOutcome(rules, trigger) && !rules.isGood(trigger)))
                continue;
            for (const int index : rules.candidates(state, trigger)) {
                const std::vector<Rules::Target> &to = rules.transition(index).to;
                if (to.size() == 1 && to.front().kind == Rules::Target::Kind::State)
                    add(to.front().state, first == Rules::None ? trigger : first);
            }
        }
    }
    return Rules::None;
}

QString missingText(const Rules &rules, const World &world, const Subject &missing)
{
    const QString parent = missing.path.section(u'/', 0, -3);
    if (!parent.isEmpty() && world.tree.find(parent) == NoResource)
        return RemedyWords::tr("Create %1 first.").arg(parent);
    QStringList creators;
    for (const QString &name : rules.pack().operationNames()) {
        if (accepts(rules, rules.machine(missing.machine).initial, rules.trigger(name)))
            creators += name;
    }
    return creators.isEmpty() ? QString()
                              : RemedyWords::tr("Create the resource first, with %1.")
                                    .arg(creators.join(RemedyWords::tr(" or ")));
}

/// Returns the states in which an operation is accepted, and the first step towards them.
QString stateText(const Rules &rules, const World &world, const Subject &subject,
    Rules::TriggerId op, const QString &path)
{
    QStringList accepting;
    for (Rules::StateId state = 0; state < Rules::StateId(rules.states().size()); ++state) {
        const Rules::StateRule &rule = rules.state(state);
        if (rule.machine == subject.machine && rule.kind != State::Kind::Initial
            && rule.kind != State::Kind::Composite && accepts(rules, state, op))
            accepting += stateTitle(rules, state);
    }
    constexpr qsizetype mostListed = 8;
    accepting.removeDuplicates();
    if (accepting.size() > mostListed)
        accepting = accepting.first(mostListed) << u"…"_s;
    const QString name = rules.triggerName(op);
    if (accepting.isEmpty())
        return accepts(rules, rules.machine(subject.machine).initial, op)
            ? RemedyWords::tr("%1 creates a resource. Choose a new name.").arg(name)
            : RemedyWords::tr("No state of this resource accepts %1.").arg(name);
    //: an operation, states
    const QString text =
        RemedyWords::tr("%1 is accepted in the states %2.").arg(name, accepting.join(u", "_s));
    const Rules::TriggerId first = firstStepTowards(rules, world, path, op);
    if (first == Rules::None)
        return text;
    const QString step = rules.isOperation(first) ? RemedyWords::tr("Fire %1 first.")
        : isOutcome(rules, first) ? RemedyWords::tr("Wait for the outcome %1 of the running work.")
                                  : RemedyWords::tr("The event %1 leads there.");
    return text + u' ' + step.arg(rules.triggerName(first));
}

/// Returns how a request can succeed that is refused although no other operation conflicts.
QString lastingText(
    const Rules &rules, const World &world, const Request &request, const Admission &refused)
{
    const Subject subject = subjectAt(rules, world, request.path);
    const Rules::TriggerId op = rules.trigger(request.op);
    if (op == Rules::None || subject.machine == Rules::None || rules.semantics())
        return {};
    const Rules::StateId state = rules.stateOf(codeOf(rules, world, subject));
    if (!accepts(rules, state, op))
        return subject.resource == NoResource ? missingText(rules, world, subject)
                                              : stateText(rules, world, subject, op, request.path);
    if (refused.transition == Rules::None) {
        const auto isRequired = [](const Rules::Predicate &part) {
            return part.kind == Condition::Kind::Required;
        };
        const auto &rows = rules.candidates(state, op);
        if (!std::ranges::all_of(
                rows, [&](int index) { return rules.transition(index).condition.any(isRequired); }))
            return {};
        const QString about = rules.row(rules.transition(*rows.begin())).about;
        return about.isEmpty()
            ? RemedyWords::tr("%1 runs only when another operation requires it.").arg(request.op)
            : about;
    }
    const Rules::Transition &row = rules.transition(refused.transition);
    return row.refusal == Rules::None || row.condition.always()
        ? QString()
        : RemedyWords::tr("The request is refused while this holds: %1.")
              .arg(conditionWords(rules.row(row).condition));
}

} // namespace

Remedy remedyFor(const Controller &controller, const Request &request)
{
    const Rules &rules = controller.rules();
    const Admission now = controller.admission(request);
    if (now.verdict != Admission::Verdict::Refused)
        return {};
    if (!now.other)
        return { false, lastingText(rules, controller.world(), request, now) };
    constexpr int mostEvents = 100; // low: each update computes the advice again
    World after = controller.world();
    for (int i = 0; i < mostEvents && after.pending(now.other); ++i) {
        const Event event = nextEvent(rules, after);
        if (event.kind == Event::Kind::Wait)
            break; // the end is unknown
        after = step(rules, std::move(after), event).world;
    }
    const Admission then = admission(rules, after, request);
    if (!controller.isLocal() || then.verdict != Admission::Verdict::Refused || then.other)
        return { true, {} };
    //: a status and a code
    const QString text = RemedyWords::tr("After the conflicting operation, the answer is %1.")
                             .arg(u"%1 %2"_s.arg(then.http).arg(then.code));
    return { false, text + u' ' + lastingText(rules, after, request, then) };
}

QString remedyText(const Rules &rules, const Explanation &failure)
{
    Condition decisive = failure.condition;
    for (const NamedCondition &row : rules.pack().conditions) {
        if (row.id == decisive.text && rules.applies(row))
            decisive = row.condition;
    }
    return failure.choice == Explanation::Choice::Condition
            && decisive.kind == Condition::Kind::Property
        ? RemedyWords::tr("It depends on the property %1, which the sample tree in Edit sets.")
              .arg(decisive.text)
        : QString();
}

} // namespace instar
