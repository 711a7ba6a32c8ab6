// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/links.h"

#include "model/machine/run.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype mostLines = 30; ///< of one arrow; the rest is counted
constexpr int fewStates =
    3; ///< so many states and "any state" is still drawn as an arrow from each

class LinkMaker
{
public:
    LinkMaker(const Rules &rules, int machine)
        : m_rules(rules), m_machine(machine), m_rows(rules.pack().machines[machine])
    { }

    QList<Link> made()
    {
        for (int row = 0; row < m_rows.transitions.size(); ++row) {
            if (m_rules.applies(m_rows.transitions[row]))
                add(row);
        }
        return m_links;
    }

private:
    void add(int row)
    {
        const Transition &transition = m_rows.transitions[row];
        if (transition.to.isEmpty())
            return;
        for (const QString &from : transition.from) {
            if (from != AnyState) {
                addFrom(row, m_rules.stateNamed(m_machine, from), transition.on);
                continue;
            }
            for (const QString &trigger : transition.on)
                addAny(row, trigger);
        }
    }

    /// An outcome comes only where work is done; what clients ask for comes where resources rest,
    /// and, like what other resources send, at times anywhere.
    void addAny(int row, const QString &trigger)
    {
        const Rules::TriggerId id = m_rules.trigger(trigger);
        QList<Rules::StateId> working, resting;
        for (size_t i = 0; i < m_rules.states().size(); ++i) {
            const Rules::StateRule &state = m_rules.states()[i];
            if (state.machine != m_machine || state.kind == State::Kind::Composite
                || state.kind == State::Kind::Initial || isShadowed(row, state.id, trigger))
                continue;
            (state.isTransitional() ? working : resting) += int(i);
        }
        const bool isSame = m_rows.transitions[row].to.contains(SameState);
        if (isOutcome(id) || isSame) {
            for (const Rules::StateId from : isSame && !isOutcome(id) ? working + resting : working)
                addFrom(row, from, { trigger });
            return;
        }
        if (m_rules.isOperation(id) && resting.size() <= fewStates) {
            for (const Rules::StateId from : resting)
                addFrom(row, from, { trigger });
            resting.clear();
        }
        if (!working.isEmpty() || !resting.isEmpty())
            addFrom(row, Link::Any, { trigger });
    }

    void addFrom(int row, Rules::StateId from, const QStringList &triggers)
    {
        for (const QString &to : m_rows.transitions[row].to) {
            const Rules::StateId target = to == LastState ? Link::Last
                : to == SameState                         ? from
                                                          : m_rules.stateNamed(m_machine, to);
            Link &link = linkBetween(from, target);
            if (link.bend == 0)
                link.bend = m_rows.transitions[row].bend;
            addLines(link, row, triggers);
        }
    }

    void addLines(Link &link, int row, const QStringList &triggers)
    {
        const Transition &transition = m_rows.transitions[row];
        if (!transition.label.isEmpty()) {
            addLine(link, row, triggers, transition.label);
            return;
        }
        for (const QString &trigger : triggers) {
            const QString question = conditionText(transition.condition);
            addLine(link, row, { trigger },
                question.isEmpty() ? trigger : u"%1 [%2]"_s.arg(trigger, question));
        }
    }

    void addLine(Link &link, int row, const QStringList &triggers, const QString &text)
    {
        const auto known = std::ranges::find(link.lines, text, &LinkLine::text);
        const bool isNew = known == link.lines.end();
        if (isNew && link.lines.size() >= mostLines)
            return fold(link, row, triggers);
        LinkLine &line = isNew ? link.lines.emplaceBack() : *known;
        line.text = text;
        if (!line.rows.contains(row))
            line.rows += row;
        for (const QString &trigger : triggers) {
            const Rules::TriggerId id = m_rules.trigger(trigger);
            if (!line.triggers.contains(id))
                line.triggers += id;
        }
        line.isQuiet = areQuiet(triggers) || link.from == Link::Any;
    }

    /// The last line stands for all that have none of their own.
    void fold(Link &link, int row, const QStringList &triggers)
    {
        Folded &folded = m_folded[{ link.from, link.to }];
        if (folded.texts++ == 0)
            link.lines += LinkLine { .isQuiet = true };
        LinkLine &line = link.lines.last();
        line.text = QCoreApplication::translate("Chart", "… and %1 more")
                        .arg(QString::number(folded.texts));
        if (line.rows.isEmpty() || line.rows.last() != row)
            line.rows += row;
        for (const QString &trigger : triggers) {
            const Rules::TriggerId id = m_rules.trigger(trigger);
            if (!folded.triggers.contains(id)) {
                folded.triggers.insert(id);
                line.triggers += id;
            }
        }
        line.isQuiet = line.isQuiet && (areQuiet(triggers) || link.from == Link::Any);
    }

    bool areQuiet(const QStringList &triggers) const
    {
        return std::ranges::none_of(triggers, [this](const QString &trigger) {
            const Rules::TriggerId id = m_rules.trigger(trigger);
            return m_rules.isOperation(id) || (isOutcome(id) && id != m_rules.canceled);
        });
    }

    static QString conditionText(const Condition &condition)
    {
        switch (condition.kind) {
        case Condition::Kind::Label:
            return condition.text;
        case Condition::Kind::Not:
            return condition.parts.isEmpty() ? QString()
                                             : u"not "_s + conditionText(condition.parts.first());
        case Condition::Kind::Last:
            return u"was "_s + condition.states.join(u" or "_s);
        case Condition::Kind::Required:
            return condition.text.isEmpty() ? u"required"_s : u"required by "_s + condition.text;
        case Condition::Kind::Id:
            return condition.states.join(u" or "_s);
        case Condition::Kind::All: {
            QStringList parts;
            for (const Condition &part : condition.parts)
                parts += conditionText(part);
            parts.removeAll(QString());
            return parts.join(u", "_s);
        }
        case Condition::Kind::Related:
            return condition.match == Condition::Match::None ? u"no "_s + condition.text
                                                             : condition.text;
        case Condition::Kind::Elapsed:
            return u"in time"_s;
        case Condition::Kind::Property:
            return condition.text;
        case Condition::Kind::Always:
            break;
        }
        return {};
    }

    Link &linkBetween(Rules::StateId from, Rules::StateId to)
    {
        const auto known = m_places.constFind({ from, to });
        if (known != m_places.cend())
            return m_links[*known];
        m_places.insert({ from, to }, m_links.size());
        return m_links.emplaceBack(Link { .from = from, .to = to, .lines = {} });
    }

    bool isOutcome(Rules::TriggerId trigger) const
    {
        const QString &name = m_rules.triggerName(trigger);
        return trigger == m_rules.succeeded || trigger == m_rules.failed
            || trigger == m_rules.canceled || trigger == m_rules.rejected
            || trigger == m_rules.invalid || trigger == m_rules.retried
            || std::ranges::any_of(
                m_rules.pack().outcomes, [&](const Outcome &row) { return row.id == name; });
    }

    /// An earlier row without a question always speaks first.
    bool isShadowed(int row, const QString &state, const QString &trigger) const
    {
        const auto end = m_rows.transitions.begin() + row;
        return std::any_of(m_rows.transitions.begin(), end, [&](const Transition &earlier) {
            return m_rules.applies(earlier) && earlier.on.contains(trigger)
                && earlier.condition.kind == Condition::Kind::Always && earlier.to.size() == 1
                && leaves(m_rows, earlier, state);
        });
    }

    const Rules &m_rules;
    int m_machine;
    const Machine &m_rows;
    QList<Link> m_links;
    QHash<std::pair<Rules::StateId, Rules::StateId>, qsizetype> m_places; ///< in the links
    struct Folded
    {
        qsizetype texts = 0; ///< that stand for no line of their own
        QSet<Rules::TriggerId> triggers;
    };
    QHash<std::pair<Rules::StateId, Rules::StateId>, Folded> m_folded;
};

} // namespace

bool Link::isQuiet() const
{
    return std::ranges::all_of(lines, &LinkLine::isQuiet);
}

QList<Link> chartLinks(const Rules &rules, int machine)
{
    return LinkMaker(rules, machine).made();
}

bool leadsFrom(const Rules &rules, const Link &link, Rules::StateId state)
{
    const Rules::StateRule &rule = rules.state(state);
    if (link.from == Link::Any)
        return rule.kind != State::Kind::Initial;
    if (link.from < Link::Any)
        return false;
    return lineage(rules.pack().machines[rule.machine], rule.id)
        .contains(rules.state(link.from).id);
}

} // namespace instar
