// SPDX-License-Identifier: Apache-2.0
#include "model/explore/property.h"

#include "model/engine/question.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Returns true if a condition is not about one situation: it is about the past, about the
/// operation that asks, or left open by the pack.
bool needsMore(const Rules::Predicate &condition)
{
    return condition.any([](const Rules::Predicate &part) {
        using Kind = Condition::Kind;
        return part.kind == Kind::Last || part.kind == Kind::Elapsed || part.kind == Kind::Required
            || (part.kind == Kind::Label && part.parts.empty());
    });
}

} // namespace

Result<std::function<bool(const World &)>> compiledProperty(
    const Property &property, const Rules &rules)
{
    if (!property.type.isEmpty() && rules.machineForType(property.type) == Rules::None)
        return Error { u"The rules define no type \"%1\""_s.arg(property.type) };
    const Result<Rules::Predicate> condition = rules.compiled(property.condition);
    if (!condition)
        return Error { condition.error() };
    if (needsMore(*condition))
        return Error {
            u"A property is about a single state. It cannot use earlier states, times, required "
            u"operations or conditions that a client answers"_s
        };
    const Qt::CaseSensitivity cased = rules.pack().caseSensitivity();
    std::function<bool(const World &)> test =
        [rules, cased, condition = *condition, type = property.type,
            quantifier = property.quantifier](const World &world) {
            const Context context { .rules = rules, .world = world };
            bool some = false, every = true;
            for (const Resource resource : world.tree.resources()) {
                if (!type.isEmpty()
                    && world.tree.typePath(world.tree.type(resource)).compare(type, cased) != 0)
                    continue;
                const bool is = holds(condition, subjectOf(rules, world, resource), context);
                some = some || is;
                every = every && is;
            }
            return quantifier == Property::Quantifier::Some ? some
                : quantifier == Property::Quantifier::No    ? !some
                                                            : some && every;
        };
    return test;
}

} // namespace instar
