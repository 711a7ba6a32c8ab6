// SPDX-License-Identifier: Apache-2.0
#include "views/diagram/access.h"

#include "views/diagram/statechart.h"

#include <QAccessible>
#include <QAccessibleWidget>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// One state or transition. Lives as long as the view's elements stay as they are.
class ElementAccess : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    ElementAccess(StatechartView *view, const ChartElement &element)
        : m_view(view), m_element(element)
    { }

    bool isValid() const override { return m_view && m_view->elements().contains(m_element); }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return m_view ? m_view->window()->windowHandle() : nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    QAccessibleInterface *parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    QAccessibleInterface *child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return m_view->nameOf(m_element);
        return kind == QAccessible::Description ? m_view->descriptionOf(m_element) : QString();
    }
    void setText(QAccessible::Text, const QString &) override { }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect seen =
            m_view->mapFromScene(elementRect(m_view->layout(), m_element)).boundingRect();
        return { m_view->viewport()->mapToGlobal(seen.topLeft()), seen.size() };
    }
    QAccessible::Role role() const override
    {
        return m_element.kind == ChartElement::Kind::State ? QAccessible::ListItem
                                                           : QAccessible::Button;
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        state.focusable = true;
        state.focused = !state.invalid && m_view->hasFocus() && m_view->focused() == m_element;
        state.active = !state.invalid && m_element.kind == ChartElement::Kind::State
            && m_view->layout().boxes[m_element.index].state == m_view->state();
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
            m_view->activate(m_element);
        else if (name == setFocusAction())
            m_view->focusElement(m_element);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<StatechartView> m_view;
    ChartElement m_element;
};

class ChartAccess : public QAccessibleWidget
{
public:
    explicit ChartAccess(StatechartView *view) : QAccessibleWidget(view, QAccessible::Chart) { }
    ~ChartAccess() override { forget(); }

    void forget() const
    {
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
        m_elements.clear();
    }

    int childCount() const override { return int(view()->elements().size()); }
    QAccessibleInterface *child(int index) const override
    {
        const QList<ChartElement> elements = view()->elements();
        if (index < 0 || index >= elements.size())
            return nullptr;
        // Made when first asked for: nobody listens as a rule.
        if (m_elements != elements) {
            forget();
            m_elements = elements;
            for (const ChartElement &element : elements)
                m_children +=
                    QAccessible::registerAccessibleInterface(new ElementAccess(view(), element));
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
        const QPointF at = view()->mapToScene(view()->viewport()->mapFromGlobal(QPoint(x, y)));
        const auto element = elementAt(view()->layout(), at, 4);
        return element ? child(int(view()->elements().indexOf(*element))) : nullptr;
    }
    QAccessibleInterface *focusChild() const override
    {
        const auto element = view()->focused();
        return element && view()->hasFocus() ? child(int(view()->elements().indexOf(*element)))
                                             : nullptr;
    }

private:
    StatechartView *view() const { return static_cast<StatechartView *>(widget()); }
    mutable QList<ChartElement> m_elements;
    mutable QList<QAccessible::Id> m_children; ///< of m_elements
};

QAccessibleInterface *madeAccess(const QString &, QObject *object)
{
    auto *view = qobject_cast<StatechartView *>(object);
    return view ? new ChartAccess(view) : nullptr;
}

} // namespace

void installChartAccess()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(&madeAccess);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

void chartElementsChanged(StatechartView *view)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(view, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void chartElementFocused(StatechartView *view, const ChartElement &element)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(view, QAccessible::Focus);
    event.setChild(int(view->elements().indexOf(element)));
    QAccessible::updateAccessibility(&event);
}

} // namespace instar
