// SPDX-License-Identifier: Apache-2.0
#include "model/items/mood.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Target = Rules::Target;

/// Whether some row leads from any state of the machine on an outcome to `state`, by a target that
/// `fits` (an index).
template<typename Fits>
bool isEnteredOn(const Rules &rules, Rules::TriggerId outcome, Rules::StateId state, Fits fits)
{
    const int machine = rules.state(state).machine;
    for (size_t from = 0; from < rules.states().size(); ++from) {
        if (rules.states()[from].machine != machine)
            continue;
        for (const int index : rules.candidates(int(from), outcome)) {
            const std::vector<Target> &to = rules.transition(index).to;
            for (size_t i = 0; i < to.size(); ++i) {
                if (to[i].kind == Target::Kind::State && to[i].state == state && fits(i))
                    return true;
            }
        }
    }
    return false;
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

bool isFailure(const Rules &rules, Rules::StateId state)
{
    const auto any = [](size_t) { return true; };
    const auto first = [](size_t index) { return index == 0; };
    if (isEnteredOn(rules, rules.succeeded, state, first))
        return false;
    if (isEnteredOn(rules, rules.failed, state, any))
        return true;
    return std::ranges::any_of(rules.pack().outcomes, [&](const Outcome &outcome) {
        const Rules::TriggerId trigger = rules.trigger(outcome.id);
        return trigger != Rules::None && trigger != rules.canceled && !rules.isGood(trigger)
            && isEnteredOn(rules, trigger, state, any);
    });
}

} // namespace

bool saysFailure(const QString &name)
{
    // A word begins behind anything but a letter, or with a capital behind a small letter.
    static const QRegularExpression last(
        u"(?:^|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"
        "(?i:failed|failure|fault|faulted|faulty|error|errored|crashed|broken|lost)$"_s,
        QRegularExpression::UseUnicodePropertiesOption);
    return last.match(name).hasMatch();
}

bool saysWaiting(const QString &name)
{
    static const QRegularExpression word(
        u"(?:^|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"
        "(?i:pending|waiting|awaiting|undone|queued|scheduled|paused|suspended)"
        "(?:$|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"_s,
        QRegularExpression::UseUnicodePropertiesOption);
    return word.match(name).hasMatch();
}

bool saysGone(const QString &name)
{
    static const QRegularExpression last(
        u"(?:^|[^\\p{L}]|(?<=\\p{Ll})(?=\\p{Lu}))"
        "(?i:gone|deleted|removed|destroyed|terminated|retired|expired)$"_s,
        QRegularExpression::UseUnicodePropertiesOption);
    return last.match(name).hasMatch();
}

Mood moodOf(const Rules &rules, Rules::StateId state)
{
    const Rules::StateRule &rule = rules.state(state);
    const Rules::StateId initial = rules.machines()[size_t(rule.machine)].initial;
    if (state == initial)
        return Mood::Absent;
    if (rule.isStable() && saysWaiting(rule.id))
        return Mood::Waiting;
    if (rule.isStable() && saysGone(rule.id))
        return Mood::Gone;
    if (state == rules.machines()[size_t(rule.machine)].rest)
        return Mood::Rest; // also where a failure leads back to it
    if (rule.isTransitional())
        return leadsTo(rules, state, rules.succeeded, initial) ? Mood::Removing : Mood::Working;
    const bool hasFailed = rule.isStable() && (saysFailure(rule.id) || isFailure(rules, state));
    return hasFailed ? Mood::Failed : Mood::Rest;
}

Mood moodOfWord(const Rules &rules, int machine, const QString &word)
{
    const Rules::StateId state = rules.stateNamed(machine, word);
    return state == Rules::None ? Mood::Rest : moodOf(rules, state);
}

} // namespace instar
