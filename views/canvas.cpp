// SPDX-License-Identifier: Apache-2.0
#include "views/canvas.h"

#include "views/tips.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPinchGesture>
#include <QPointer>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Accessible interface of one part, valid while the canvas has that part.
class PartAccess : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    PartAccess(Canvas *canvas, const CanvasPart &part) : m_canvas(canvas), m_part(part) { }

    bool isValid() const override { return m_canvas && m_canvas->parts().contains(m_part); }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override
    {
        return m_canvas ? m_canvas->window()->windowHandle() : nullptr;
    }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    QAccessibleInterface *parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_canvas);
    }
    QAccessibleInterface *child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return m_canvas->nameOf(m_part);
        return kind == QAccessible::Description ? m_canvas->descriptionOf(m_part) : QString();
    }
    void setText(QAccessible::Text, const QString &) override { }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect area = m_canvas->areaOf(m_part);
        return { m_canvas->viewport()->mapToGlobal(area.topLeft()), area.size() };
    }
    QAccessible::Role role() const override
    {
        constexpr QAccessible::Role byKind[] { QAccessible::ListItem, QAccessible::Button,
            QAccessible::TreeItem, QAccessible::Cell };
        return byKind[int(m_part.kind)];
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        state.focusable = true;
        state.focused = !state.invalid && m_canvas->hasFocus() && m_canvas->focused() == m_part;
        state.selectable = m_part.kind != CanvasPart::Kind::Line;
        state.selected = !state.invalid && m_canvas->isSelected(m_part);
        const auto isExpanded = state.invalid ? std::nullopt : m_canvas->isExpanded(m_part);
        state.expandable = isExpanded.has_value();
        state.expanded = isExpanded == true;
        state.collapsed = isExpanded == false;
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface
            ? static_cast<QAccessibleActionInterface *>(this)
            : nullptr;
    }

    QStringList actionNames() const override { return { pressAction(), setFocusAction() }; }
    void doAction(const QString &name) override
    {
        if (!isValid())
            return;
        if (name == pressAction())
            m_canvas->activate(m_part);
        else if (name == setFocusAction())
            m_canvas->focusPart(m_part);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<Canvas> m_canvas;
    CanvasPart m_part;
};

/// Accessible interface of a canvas, whose children are its parts.
class CanvasAccess : public QAccessibleWidget
{
public:
    explicit CanvasAccess(Canvas *canvas) : QAccessibleWidget(canvas, canvas->role()) { }
    ~CanvasAccess() override { clearChildren(); }

    int childCount() const override { return int(canvas()->parts().size()); }
    QAccessibleInterface *child(int index) const override
    {
        const QList<CanvasPart> parts = canvas()->parts();
        if (index < 0 || index >= parts.size())
            return nullptr;
        // Created on first use: usually no screen reader runs.
        if (m_parts != parts) {
            clearChildren();
            m_parts = parts;
            for (const CanvasPart &part : parts)
                m_children +=
                    QAccessible::registerAccessibleInterface(new PartAccess(canvas(), part));
        }
        return QAccessible::accessibleInterface(m_children[index]);
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        return int(
            m_children.indexOf(QAccessible::uniqueId(const_cast<QAccessibleInterface *>(child))));
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        return childOf(canvas()->partAt(canvas()->viewport()->mapFromGlobal(QPoint(x, y))));
    }
    QAccessibleInterface *focusChild() const override
    {
        return canvas()->hasFocus() ? childOf(canvas()->focused()) : nullptr;
    }

private:
    Canvas *canvas() const { return static_cast<Canvas *>(widget()); }
    QAccessibleInterface *childOf(const std::optional<CanvasPart> &part) const
    {
        return part ? child(int(canvas()->parts().indexOf(*part))) : nullptr;
    }
    void clearChildren() const
    {
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
        m_parts.clear();
    }

    mutable QList<CanvasPart> m_parts;
    mutable QList<QAccessible::Id> m_children; ///< of m_parts
};

QAccessibleInterface *canvasAccess(const QString &, QObject *object)
{
    auto *canvas = qobject_cast<Canvas *>(object);
    return canvas ? new CanvasAccess(canvas) : nullptr;
}

} // namespace

Canvas::Canvas(QAccessible::Role role, QWidget *parent) : QGraphicsView(parent), m_role(role)
{
    static const bool isInstalled = (QAccessible::installFactory(&canvasAccess), true);
    Q_UNUSED(isInstalled);
    setScene(&m_scene);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->grabGesture(Qt::PinchGesture);
}

void Canvas::zoomIn()
{
    zoomBy(1.2, viewport()->rect().center());
}

void Canvas::zoomOut()
{
    zoomBy(1 / 1.2, viewport()->rect().center());
}

QImage Canvas::image(double scale) const
{
    constexpr double most = 16'000; // pixels of a side
    const QSizeF size = pictureSize();
    scale = std::min({ scale, most / size.width(), most / size.height() });
    QImage image((size * scale).toSize().expandedTo({ 1, 1 }), QImage::Format_RGB32);
    image.fill(palette().color(QPalette::Base));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    paintAll(painter);
    return image;
}

void Canvas::pan(const QPoint &by)
{
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void Canvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton)
        m_pressed = event->pos();
    m_isDragged = false;
}

bool Canvas::isDrag(const QMouseEvent &event)
{
    if (!(event.buttons() & (Qt::LeftButton | Qt::MiddleButton)))
        m_pressed.reset();
    m_isDragged = m_isDragged
        || (m_pressed
            && (event.pos() - *m_pressed).manhattanLength() >= QApplication::startDragDistance());
    return m_pressed.has_value();
}

bool Canvas::panIfDragged(const QMouseEvent &event)
{
    if (!isDrag(event))
        return false;
    if (m_isDragged) {
        pan(event.pos() - std::exchange(m_pressed, event.pos()).value());
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    return true;
}

bool Canvas::isClickEnd(const QMouseEvent &event)
{
    return std::exchange(m_pressed, std::nullopt) && !m_isDragged
        && event.button() == Qt::LeftButton;
}

void Canvas::focusPart(const CanvasPart &part)
{
    setFocus(Qt::OtherFocusReason);
    setFocused(part);
}

void Canvas::notifyPartsChanged()
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(this, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void Canvas::notifyFocusChanged()
{
    const std::optional<CanvasPart> part = QAccessible::isActive() ? focused() : std::nullopt;
    if (!part)
        return;
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(int(parts().indexOf(*part)));
    QAccessible::updateAccessibility(&event);
}

bool Canvas::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            showHtmlTip(help->globalPos(), tip, viewport());
        return true;
    }
    if (event->type() == QEvent::Leave)
        clearHover();
    if (event->type() == QEvent::NativeGesture) {
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomBy(1 + gesture->value(), gesture->position());
            return true;
        }
    }
    if (event->type() == QEvent::Gesture) {
        auto *gestures = static_cast<QGestureEvent *>(event);
        if (const auto *pinch = static_cast<QPinchGesture *>(gestures->gesture(Qt::PinchGesture))) {
            zoomBy(pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint()));
            gestures->accept();
            return true;
        }
    }
    return QGraphicsView::viewportEvent(event);
}

void Canvas::focusInEvent(QFocusEvent *event)
{
    QGraphicsView::focusInEvent(event);
    m_isTabbedTo = event->reason() == Qt::TabFocusReason
        || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    showFocus();
}

void Canvas::focusOutEvent(QFocusEvent *event)
{
    QGraphicsView::focusOutEvent(event);
    showFocus();
}

void Canvas::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoomIn();
    else if (key == Qt::Key_Minus)
        zoomOut();
    else if (key == Qt::Key_0)
        fit();
    else
        QGraphicsView::keyPressEvent(event);
}

} // namespace instar
