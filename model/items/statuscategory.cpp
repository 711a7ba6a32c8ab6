// SPDX-License-Identifier: Apache-2.0
#include "model/items/statuscategory.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Target = Rules::Target;

/// States that work enters, by state id.
struct Entered
{
    std::vector<bool> bySuccess; ///< as its first target
    std::vector<bool> byFailure; ///< on any bad outcome but cancellation
};

/// Returns the states that the work of one machine enters; None: of all machines.
Entered enteredIn(const Rules &rules, int machine)
{
    std::vector<Rules::TriggerId> bad { rules.failed };
    for (const Outcome &outcome : rules.pack().outcomes) {
        const Rules::TriggerId trigger = rules.trigger(outcome.id);
        if (trigger != Rules::None && trigger != rules.canceled && !rules.isGood(trigger))
            bad.push_back(trigger);
    }
    const size_t count = rules.states().size();
    Entered entered { std::vector<bool>(count), std::vector<bool>(count) };
    const auto mark = [&](Rules::StateId from, Rules::TriggerId outcome, std::vector<bool> &states,
                          size_t most) {
        for (const int index : rules.candidates(from, outcome)) {
            const std::vector<Target> &to = rules.transition(index).to;
            for (size_t i = 0; i < std::min(to.size(), most); ++i) {
                if (to[i].kind == Target::Kind::State)
                    states[size_t(to[i].state)] = true;
            }
        }
    };
    for (size_t from = 0; from < count; ++from) {
        if (machine != Rules::None && rules.states()[from].machine != machine)
            continue;
        mark(int(from), rules.succeeded, entered.bySuccess, 1);
        for (const Rules::TriggerId outcome : bad)
            mark(int(from), outcome, entered.byFailure, count);
    }
    return entered;
}

bool leadsTo(
    const Rules &rules, Rules::StateId from, Rules::TriggerId outcome, Rules::StateId state)
{
    return std::ranges::any_of(rules.candidates(from, outcome), [&](int index) {
        return std::ranges::any_of(rules.transition(index).to, [&](const Target &target) {
            return target.kind == Target::Kind::State && target.state == state;
        });
    });
}

StatusCategory statusCategoryWith(const Entered &entered, const Rules &rules, Rules::StateId state)
{
    const Rules::StateRule &rule = rules.state(state);
    const Rules::StateId initial = rules.machines()[size_t(rule.machine)].initial;
    if (state == initial)
        return StatusCategory::Absent;
    if (rule.isStable() && saysWaiting(rule.id))
        return StatusCategory::Waiting;
    if (rule.isStable() && saysGone(rule.id))
        return StatusCategory::Gone;
    if (state == rules.machines()[size_t(rule.machine)].rest)
        return StatusCategory::Rest; // even if failed work leads back to it
    if (rule.isTransitional())
        return leadsTo(rules, state, rules.succeeded, initial) ? StatusCategory::Removing
                                                               : StatusCategory::Working;
    const bool isReachedByFailureOnly =
        entered.byFailure[size_t(state)] && !entered.bySuccess[size_t(state)];
    return rule.isStable() && (isReachedByFailureOnly || saysFailure(rule.id))
        ? StatusCategory::Failed
        : StatusCategory::Rest;
}

/// Returns an expression that matches the pattern at the beginning of a word: at the beginning of
/// the name, after a non-letter, or at a capital after a lower-case letter.
QRegularExpression wordIn(const QString &pattern)
{
    return QRegularExpression(u"(?:^|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"_s + pattern,
        QRegularExpression::UseUnicodePropertiesOption);
}

} // namespace

bool saysFailure(const QString &name)
{
    static const QRegularExpression last =
        wordIn(u"(?i:failed|failure|fault|faulted|faulty|error|errored|crashed|broken|lost)$"_s);
    return last.match(name).hasMatch();
}

bool saysWaiting(const QString &name)
{
    static const QRegularExpression word =
        wordIn(u"(?i:pending|waiting|awaiting|undone|queued|scheduled|paused|suspended)"
               "(?:$|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"_s);
    return word.match(name).hasMatch();
}

bool saysGone(const QString &name)
{
    static const QRegularExpression last =
        wordIn(u"(?i:gone|deleted|removed|destroyed|terminated|retired|expired)$"_s);
    return last.match(name).hasMatch();
}

StatusCategory statusCategoryOf(const Rules &rules, Rules::StateId state)
{
    return statusCategoryWith(enteredIn(rules, rules.state(state).machine), rules, state);
}

std::vector<StatusCategory> statusCategoriesOf(const Rules &rules)
{
    const Entered entered = enteredIn(rules, Rules::None);
    std::vector<StatusCategory> statusCategories;
    for (size_t state = 0; state < rules.states().size(); ++state)
        statusCategories.push_back(statusCategoryWith(entered, rules, Rules::StateId(state)));
    return statusCategories;
}

StatusCategory statusCategoryOfWord(const Rules &rules, int machine, const QString &word)
{
    const Rules::StateId state = rules.stateNamed(machine, word);
    return state == Rules::None ? StatusCategory::Rest : statusCategoryOf(rules, state);
}

} // namespace instar
