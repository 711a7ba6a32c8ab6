// SPDX-License-Identifier: Apache-2.0
#include "model/items/statuscategory.h"

#include <QRegularExpression>

#include <ranges>

namespace instar {

namespace {

using States = QSet<Rules::StateId>;

/// States that work leads to, in one machine or in all.
struct Entered
{
    States bySuccess; ///< first targets of the rows for success
    States byFailure; ///< all targets of the rows for bad outcomes other than cancellation
};

/// Returns the states to which an outcome of the work in `from` leads: the first `most` targets of
/// each row.
States targetsOf(const Rules &rules, Rules::StateId from, Rules::TriggerId outcome,
    qsizetype most = std::numeric_limits<qsizetype>::max())
{
    States states;
    for (const int index : rules.candidates(from, outcome)) {
        for (const Rules::Target &target : rules.transition(index).to | std::views::take(most)) {
            if (target.kind == Rules::Target::Kind::State)
                states.insert(target.state);
        }
    }
    return states;
}

/// Returns the states that work in one machine leads to; None: in all machines.
Entered enteredIn(const Rules &rules, int machine)
{
    std::vector<Rules::TriggerId> badOutcomes { rules.failed };
    for (const Outcome &outcome : rules.pack().outcomes) {
        const Rules::TriggerId trigger = rules.trigger(outcome.id);
        if (trigger != Rules::None && trigger != rules.canceled && !rules.isGood(trigger))
            badOutcomes.push_back(trigger);
    }
    Entered entered;
    for (Rules::StateId from = 0; from < Rules::StateId(rules.states().size()); ++from) {
        if (machine != Rules::None && rules.state(from).machine != machine)
            continue;
        entered.bySuccess |= targetsOf(rules, from, rules.succeeded, 1);
        for (const Rules::TriggerId outcome : badOutcomes)
            entered.byFailure |= targetsOf(rules, from, outcome);
    }
    return entered;
}

/// Returns an expression that matches the pattern at the beginning of a word: at the beginning of
/// the name, after a non-letter, or at a capital after a lower-case letter.
QRegularExpression wordIn(const QString &pattern)
{
    return QRegularExpression(u"(?:^|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"_s + pattern,
        QRegularExpression::UseUnicodePropertiesOption);
}

StatusCategory statusCategoryWith(const Entered &entered, const Rules &rules, Rules::StateId state)
{
    // A word that means waiting: "PENDING", "pendingReplacement", "Undone".
    static const QRegularExpression waiting =
        wordIn(u"(?i:pending|waiting|awaiting|undone|queued|scheduled|paused|suspended)"
               "(?:$|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"_s);
    // A last word that means an end: "TERMINATED", "SOFT_DELETED".
    static const QRegularExpression gone =
        wordIn(u"(?i:gone|deleted|removed|destroyed|terminated|retired|expired)$"_s);
    const Rules::StateRule &rule = rules.state(state);
    const Rules::StateId initial = rules.machines()[size_t(rule.machine)].initial;
    if (state == initial)
        return StatusCategory::Absent;
    if (rule.isStable() && waiting.match(rule.id).hasMatch())
        return StatusCategory::Waiting;
    if (rule.isStable() && gone.match(rule.id).hasMatch())
        return StatusCategory::Gone;
    if (state == rules.machines()[size_t(rule.machine)].rest)
        return StatusCategory::Rest; // even if failed work leads back to it
    if (rule.isTransitional())
        return targetsOf(rules, state, rules.succeeded).contains(initial) ? StatusCategory::Removing
                                                                          : StatusCategory::Working;
    const bool isReachedByFailureOnly =
        entered.byFailure.contains(state) && !entered.bySuccess.contains(state);
    return rule.isStable() && (isReachedByFailureOnly || isFailureName(rule.id))
        ? StatusCategory::Failed
        : StatusCategory::Rest;
}

} // namespace

bool isFailureName(const QString &name)
{
    static const QRegularExpression last =
        wordIn(u"(?i:failed|failure|fault|faulted|faulty|error|errored|crashed|broken|lost)$"_s);
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
