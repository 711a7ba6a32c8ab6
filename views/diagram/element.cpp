// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/element.h"

#include "model/engine/question.h"
#include "model/engine/step.h"
#include "views/panels/firebar.h"

#include <QCoreApplication>

#include <cmath>

namespace instar {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Chart", text);
}

/// Name that the chart shows for a state; `otherwise` if the state has no box.
QString stateName(const ChartLayout &layout, Rules::StateId state, const QString &otherwise)
{
    const int box = layout.boxOf(state);
    return box < 0 ? otherwise : layout.boxes[box].name.join(u' ');
}

/// Evaluates the lines of a chart's arrows for one resource: what would a click do now?
class ArrowMeanings
{
public:
    ArrowMeanings(const Controller &controller, const ChartLayout &layout, const QString &path,
        const Request &probe)
        : m_controller(controller),
          m_rules(controller.rules()),
          m_world(controller.world()),
          m_layout(layout),
          m_probe(probe),
          m_subject(subjectAt(m_rules, m_world, path)),
          m_code(codeOf(m_rules, m_world, m_subject)),
          m_running(m_world.runningOn(m_subject.resource))
    {
        m_probe.path = path;
        m_probe.id.clear();
    }

    QList<QList<ArrowMeaning>> all()
    {
        QList<QList<ArrowMeaning>> result;
        for (const ChartArrow &arrow : m_layout.arrows) {
            const bool canLeave = leadsFrom(m_rules, arrow.link, m_rules.stateOf(m_code));
            result += mapped<QList<ArrowMeaning>>(arrow.link.lines, [&](const LinkLine &line) {
                return canLeave ? meaningOf(arrow.link, line) : ArrowMeaning();
            });
        }
        return result;
    }

private:
    /// Meaning of a line: of its first trigger that can happen now, else of the first with a text.
    ArrowMeaning meaningOf(const Link &link, const LinkLine &line)
    {
        ArrowMeaning best;
        for (const Rules::TriggerId trigger : line.triggers) {
            const ArrowMeaning found = m_rules.isOperation(trigger)
                ? ofOperation(link, line, trigger)
                : ofOutcome(link, line, trigger);
            if (found.isOpen())
                return found;
            if (best.kind == ArrowMeaning::Kind::None && !found.text.isEmpty())
                best = found;
        }
        return best;
    }

    /// True if a transition into `code` is drawn as this line.
    bool isDrawnAs(const Link &link, const LinkLine &line, int transition, Code code) const
    {
        if (transition == Rules::None || !line.rows.contains(m_rules.transition(transition).index))
            return false;
        if (m_rules.semantics()) // a statechart's arrow may lead to a history, so `code` can differ
            return true;
        return link.to == Link::Last || link.to == m_rules.stateOf(code)
            || (link.to >= 0 && m_rules.state(link.to).kind == State::Kind::Composite);
    }

    /// Meaning of an operation: would it be accepted, and take this line?
    ArrowMeaning ofOperation(const Link &link, const LinkLine &line, Rules::TriggerId trigger)
    {
        const QString &name = m_rules.triggerName(trigger);
        if (!m_admissions.contains(name)) {
            Request request = m_probe;
            request.op = name;
            m_admissions.insert(name, m_controller.admission(request));
        }
        const Admission &admission = m_admissions[name];
        ArrowMeaning meaning { .trigger = name,
            .text = expectedAnswer(m_controller, admission, m_probe.path),
            .rule = admission.rule };
        if (admission.verdict == Admission::Verdict::Refused)
            meaning.kind = ArrowMeaning::Kind::Refused;
        else if ((admission.verdict == Admission::Verdict::Accepted
                     && isDrawnAs(link, line, admission.transition, admission.entered))
            || isNoEffectLoop(link, line, admission))
            meaning.kind = ArrowMeaning::Kind::Fires;
        else
            meaning.text = tr("Another transition applies now.");
        return meaning;
    }

    /// True if an operation would end at once without effect, and this line is its loop.
    bool isNoEffectLoop(const Link &link, const LinkLine &line, const Admission &admission) const
    {
        return admission.verdict == Admission::Verdict::Observed && link.isLoop()
            && admission.transition != Rules::None
            && line.rows.contains(m_rules.transition(admission.transition).index);
    }

    /// Meaning of an outcome or event: would it end a running operation on this line?
    ArrowMeaning ofOutcome(const Link &link, const LinkLine &line, Rules::TriggerId trigger)
    {
        const QString &name = m_rules.triggerName(trigger);
        for (const Running *running : std::as_const(m_running)) {
            const QList<Rules::TriggerId> open = m_controller.isLocal()
                ? possibleOutcomes(m_rules, m_world, running->serial)
                : QList<Rules::TriggerId>();
            if (!open.contains(trigger))
                continue;
            const Context context { .rules = m_rules,
                .world = m_world,
                .request = running->request.data(),
                .answers = &running->answers };
            const Taken next = taken(m_subject, m_code, trigger, context);
            if (!next.possible || !isDrawnAs(link, line, next.transition, next.code))
                continue;
            const QString text = tr("Ends %1 on %2 now: %3.")
                                     .arg(m_rules.triggerName(running->op), running->path, name);
            return { ArrowMeaning::Kind::Ends, name, running->serial, text, {} };
        }
        const QString text = trigger == m_rules.canceled
            ? tr("Happens when the running operation is canceled.")
            : line.isMinor ? tr("Another resource sends the event “%1”.").arg(name)
            : m_running.isEmpty()
            ? tr("Waits for an operation to end with “%1”; none is running.").arg(name)
            : tr("Waits for %1 to end with “%2”.")
                  .arg(m_rules.triggerName(m_running.first()->op), name);
        return { .trigger = name, .text = text };
    }

    const Controller &m_controller;
    const Rules &m_rules;
    const World &m_world;
    const ChartLayout &m_layout;
    Request m_probe;
    Subject m_subject;
    Code m_code;
    QList<const Running *> m_running;
    QMap<QString, Admission> m_admissions;
};

} // namespace

QList<ChartElement> chartElements(const ChartLayout &layout)
{
    QList<ChartElement> result;
    const auto addLines = [&](Rules::StateId from) {
        for (int i = 0; i < layout.arrows.size(); ++i) {
            if (layout.arrows[i].link.from != from)
                continue;
            for (int line = 0; line < layout.arrows[i].link.lines.size(); ++line)
                result += { ChartElement::Kind::Line, i, line };
        }
    };
    for (int i = 0; i < layout.boxes.size(); ++i) {
        result += { ChartElement::Kind::State, i, 0 };
        addLines(layout.boxes[i].state);
    }
    addLines(Link::Any);
    return result;
}

std::optional<ChartElement> elementAt(
    const ChartLayout &layout, const QPointF &point, double tolerance)
{
    for (int i = 0; i < layout.boxes.size(); ++i) { // a label over a box may be hidden
        const ChartBox &box = layout.boxes[i];
        if (box.isFrame() ? box.title().contains(point) : box.outline.contains(point))
            return ChartElement { ChartElement::Kind::State, i, 0 };
    }
    for (int i = 0; i < layout.arrows.size(); ++i) {
        for (int line = 0; line < layout.arrows[i].link.lines.size(); ++line) {
            if (layout.arrows[i].lineRect(line).contains(point))
                return ChartElement { ChartElement::Kind::Line, i, line };
        }
    }
    std::optional<ChartElement> best;
    for (int i = 0; i < layout.arrows.size(); ++i) {
        const ChartArrow &arrow = layout.arrows[i];
        const double away =
            arrow.dot.contains(point) ? 0 : distanceTo(arrow.curve.samples(32), point);
        if (away <= tolerance) {
            tolerance = away;
            best = ChartElement { ChartElement::Kind::Line, i, 0 };
        }
    }
    return best;
}

QRectF elementRect(const ChartLayout &layout, const ChartElement &element)
{
    if (element.kind == ChartElement::Kind::Line)
        return layout.arrows[element.index].lineRect(element.line);
    const ChartBox &box = layout.boxes[element.index];
    return box.isFrame() ? box.title() : box.outline.rect;
}

std::optional<ChartElement> elementTowards(
    const ChartLayout &layout, const ChartElement &from, const QPointF &direction)
{
    const QPointF origin = elementRect(layout, from).center();
    std::optional<ChartElement> best;
    double least = 1e9;
    for (const ChartElement &element : chartElements(layout)) {
        const QPointF away = elementRect(layout, element).center() - origin;
        const double along = QPointF::dotProduct(away, direction);
        const double aside = std::abs(QPointF::dotProduct(away, leftOf(direction)));
        // Accepts 60 degrees to either side, and prefers elements straight ahead.
        if (element == from || along < 1 || aside > along * 1.8)
            continue;
        if (const double cost = along + aside * 2; cost < least) {
            least = cost;
            best = element;
        }
    }
    return best;
}

QString elementName(const ChartLayout &layout, const ChartElement &element)
{
    if (element.kind == ChartElement::Kind::State)
        return stateName(layout, layout.boxes[element.index].state, {});
    const Link &link = layout.arrows[element.index].link;
    const QString from = stateName(layout, link.from, tr("Any state")),
                  text = link.lines[element.line].text;
    if (link.to == Link::Nowhere) //: a state, an operation and its refusal: "PUT: Conflict"
        return tr("%1 refuses %2").arg(from, text);
    return tr("%1 to %2: %3")
        .arg(from, stateName(layout, link.to, tr("its last resting state")), text);
}

QList<QList<ArrowMeaning>> arrowMeanings(const Controller &controller, const ChartLayout &layout,
    const QString &path, const Request &probe)
{
    QList<QList<ArrowMeaning>> result = ArrowMeanings(controller, layout, path, probe).all();
    const Tree &tree = controller.world().tree;
    const Resource chosen = tree.find(path);
    if (!controller.rules().semantics() || chosen == NoResource)
        return result;
    // An event reaches all regions: it can be fired if one of them takes it.
    for (const Resource region : tree.children(tree.at(tree.place(chosen).branch, 0))) {
        const auto others = ArrowMeanings(controller, layout, tree.path(region), probe).all();
        for (qsizetype arrow = 0; arrow < others.size(); ++arrow) {
            for (qsizetype line = 0; line < others[arrow].size(); ++line) {
                if (others[arrow][line].isOpen())
                    result[arrow][line] = others[arrow][line];
            }
        }
    }
    return result;
}

} // namespace instar
