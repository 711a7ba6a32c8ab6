// SPDX-License-Identifier: Apache-2.0
// What people do with a statechart: pointing, walking and reading.
#include "views/diagram/access.h"
#include "views/diagram/statechart.h"

#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPinchGesture>
#include <QToolTip>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

QString StatechartView::nameOf(const ChartElement &element) const
{
    QString name = elementName(m_style.layout, element);
    if (element.kind == ChartElement::Kind::State) {
        if (const QString &detail = m_boxes[element.index]->look().detail; !detail.isEmpty())
            name += u", "_s + detail;
        if (m_boxes[element.index]->look().isCurrent)
            name += u", "_s + tr("the selected resource is here");
    } else if (prospectOf(element).isOpen()) {
        name += u", "_s + tr("can happen now");
    }
    return name;
}

QString StatechartView::descriptionOf(const ChartElement &element) const
{
    if (!m_controller)
        return {};
    const Rules &rules = m_controller->rules();
    const int machine = m_style.layout.machine;
    QStringList parts;
    if (element.kind == ChartElement::Kind::State) {
        const State *row = rules.pack().machines[machine].state(
            rules.state(m_style.layout.boxes[element.index].state).id);
        if (row && !row->label.isEmpty() && row->label != row->id)
            parts += tr("Called %1 everywhere but on the chart").arg(row->id);
        if (row && !row->about.isEmpty())
            parts += row->about;
        if (row && !rules.pack().sourceText(*row).isEmpty())
            parts += tr("Source: %1").arg(rules.pack().sourceText(*row));
        return parts.join(u'\n');
    }
    const Prospect prospect = prospectOf(element);
    if (!prospect.text.isEmpty())
        parts += prospect.text;
    if (!prospect.rule.isEmpty() && !prospect.text.contains(prospect.rule))
        parts += tr("Rule: %1").arg(prospect.rule);
    const QList<int> &rows = m_style.layout.arrows[element.index].link.lines[element.line].rows;
    for (const int row : rows) {
        if (const QString text = rowText(rules, machine, row); !text.isEmpty())
            parts += text;
    }
    return parts.join(u'\n');
}

Prospect StatechartView::prospectOf(const ChartElement &element) const
{
    if (element.kind == ChartElement::Kind::State || element.index >= m_prospects.size())
        return {};
    return m_prospects[element.index].value(element.line);
}

QString StatechartView::refusal() const
{
    if (!m_bubble->isVisible())
        return {};
    return m_bubble->rule().isEmpty() ? m_bubble->text()
                                      : m_bubble->text() + u'\n' + m_bubble->rule();
}

const BoxLook &StatechartView::lookOf(Rules::StateId state) const
{
    static const BoxLook none;
    const int box = m_style.layout.boxOf(state);
    return box < 0 ? none : m_boxes[box]->look();
}

void StatechartView::activate(const ChartElement &element)
{
    m_selected = element;
    const int machine = m_style.layout.machine;
    if (element.kind == ChartElement::Kind::State) {
        syncBoxes();
        syncArrows();
        emit stateSelected(
            machine, m_controller->rules().state(m_style.layout.boxes[element.index].state).id);
        return;
    }
    // What was lit a moment ago may have changed since.
    if (m_soon.isActive())
        refresh();
    syncBoxes();
    syncArrows();
    const Prospect prospect = prospectOf(element);
    if (prospect.kind == Prospect::Kind::Fires) {
        emit fireRequested(prospect.trigger);
    } else if (prospect.kind == Prospect::Kind::Ends) {
        emit endRequested(prospect.serial, prospect.trigger);
    } else {
        if (prospect.kind == Prospect::Kind::Refused)
            refuse(element, prospect.text, prospect.rule);
        emit transitionSelected(
            machine, m_style.layout.arrows[element.index].link.lines[element.line].rows.first());
    }
}

void StatechartView::focusElement(const ChartElement &element)
{
    setFocus(Qt::OtherFocusReason);
    setFocused(element);
}

void StatechartView::setFocused(std::optional<ChartElement> element)
{
    m_focused = element;
    syncBoxes();
    syncArrows();
    if (!element)
        return;
    const QRectF rect = elementRect(m_style.layout, *element);
    if (!seen().contains(rect))
        lookAt(rect.center(), Arrival::Travels);
    chartElementFocused(this, *element);
}

void StatechartView::setHovered(std::optional<ChartElement> element)
{
    m_hovered = element;
    const bool acts = element
        && (element->kind == ChartElement::Kind::State
            || prospectOf(*element).kind != Prospect::Kind::None);
    viewport()->setCursor(m_isPanning ? Qt::ClosedHandCursor
            : acts                    ? Qt::PointingHandCursor
                                      : Qt::ArrowCursor);
    syncBoxes();
    syncArrows();
}

void StatechartView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton)
        m_pressed = event->pos();
    m_bubble->hide();
}

void StatechartView::mouseMoveEvent(QMouseEvent *event)
{
    if (m_pressed && (event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
        const QPoint by = event->pos() - *m_pressed;
        if (!m_isPanning && by.manhattanLength() < 6)
            return;
        m_isPanning = true;
        m_pressed = event->pos();
        pan(by);
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    const auto element = elementAt(m_style.layout, mapToScene(event->pos()), tolerance());
    if (element != m_hovered)
        setHovered(element);
}

void StatechartView::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isClick = m_pressed && !m_isPanning && event->button() == Qt::LeftButton;
    m_pressed.reset();
    m_isPanning = false;
    auto element = elementAt(m_style.layout, mapToScene(event->pos()), tolerance());
    if (isClick && element && element->kind == ChartElement::Kind::Line) {
        // A click on the bare line means the line of its label that can happen.
        const ChartArrow &arrow = m_style.layout.arrows[element->index];
        const bool isOnLabel = arrow.label.contains(mapToScene(event->pos()));
        for (int line = 0; !isOnLabel && line < arrow.link.lines.size(); ++line) {
            if (prospectOf({ ChartElement::Kind::Line, element->index, line }).isOpen()) {
                element->line = line;
                break;
            }
        }
    }
    if (isClick && element)
        activate(*element);
    setHovered(element);
}

void StatechartView::mouseDoubleClickEvent(QMouseEvent *event)
{
    // The second click of two is a click too: two PUTs in a row are a thing to try.
    mousePressEvent(event);
}

void StatechartView::keyPressEvent(QKeyEvent *event)
{
    const auto walk = [this](double x, double y) {
        if (m_elements.isEmpty())
            return;
        if (!m_focused)
            return setFocused(currentElement());
        if (const auto next = elementTowards(m_style.layout, *m_focused, { x, y }))
            setFocused(next);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return walk(-1, 0);
    case Qt::Key_Right:
        return walk(1, 0);
    case Qt::Key_Up:
        return walk(0, -1);
    case Qt::Key_Down:
        return walk(0, 1);
    case Qt::Key_PageUp:
        return walkTo(m_focused ? m_elements.indexOf(*m_focused) - 1 : 0);
    case Qt::Key_PageDown:
        return walkTo(m_focused ? m_elements.indexOf(*m_focused) + 1 : 0);
    case Qt::Key_Home:
        return m_elements.isEmpty() ? void() : setFocused(currentElement());
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_focused)
            return activate(*m_focused);
        break;
    case Qt::Key_Escape:
        if (m_bubble->isVisible() || m_focused) {
            m_bubble->hide();
            return setFocused({});
        }
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_0:
        return fit();
    default:
        break;
    }
    event->ignore();
}

void StatechartView::walkTo(qsizetype element)
{
    if (!m_elements.isEmpty())
        setFocused(m_elements[std::clamp<qsizetype>(element, 0, m_elements.size() - 1)]);
}

ChartElement StatechartView::currentElement() const
{
    return { ChartElement::Kind::State, std::max(m_style.layout.boxOf(m_state), 0), 0 };
}

void StatechartView::focusInEvent(QFocusEvent *event)
{
    QGraphicsView::focusInEvent(event);
    const bool isTab =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (isTab && !m_focused && !m_elements.isEmpty())
        setFocused(currentElement());
    else
        setFocused(m_focused);
}

void StatechartView::focusOutEvent(QFocusEvent *event)
{
    QGraphicsView::focusOutEvent(event);
    syncBoxes();
    syncArrows();
}

bool StatechartView::viewportEvent(QEvent *event)
{
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto element = elementAt(m_style.layout, mapToScene(help->pos()), tolerance());
        if (!element) {
            QToolTip::hideText();
            return true;
        }
        const QString description =
            descriptionOf(*element).toHtmlEscaped().replace(u'\n', u"<br>"_s);
        QToolTip::showText(help->globalPos(),
            u"<qt><b>%1</b><br>%2</qt>"_s.arg(
                elementName(m_style.layout, *element).toHtmlEscaped(), description),
            viewport());
        return true;
    }
    case QEvent::Leave:
        setHovered({});
        break;
    case QEvent::NativeGesture: {
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            scaleBy(1 + gesture->value(), gesture->position().toPoint());
            return true;
        }
        break;
    }
    case QEvent::Gesture: {
        auto *gestures = static_cast<QGestureEvent *>(event);
        if (const auto *pinch = static_cast<QPinchGesture *>(gestures->gesture(Qt::PinchGesture))) {
            scaleBy(
                pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint().toPoint()));
            gestures->accept();
            return true;
        }
        break;
    }
    default:
        break;
    }
    return QGraphicsView::viewportEvent(event);
}

void StatechartView::showEvent(QShowEvent *event)
{
    QGraphicsView::showEvent(event);
    updateTicker();
}

void StatechartView::hideEvent(QHideEvent *event)
{
    QGraphicsView::hideEvent(event);
    m_ticker.stop();
    if (m_travel.state() == QAbstractAnimation::Running)
        m_travel.setCurrentTime(m_travel.duration());
}

void StatechartView::paintEvent(QPaintEvent *event)
{
    QGraphicsView::paintEvent(event);
    if (!m_style.layout.boxes.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(m_style.theme.dimText);
    painter.setFont(m_style.fonts.state);
    const QString text = m_path.isEmpty() || !m_controller
        ? tr("Select a resource")
        : tr("The pack has no type for this resource");
    painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
}

} // namespace instar
