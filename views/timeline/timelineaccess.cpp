// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timelineaccess.h"

#include "views/timeline/timelineview.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QTextDocumentFragment>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// A resource by its row, or an operation by its serial.
class PartAccess : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    PartAccess(TimelineView *view, const TimelinePart &part) : m_view(view), m_part(part) { }

    bool isValid() const override { return m_view && m_view->parts().contains(m_part); }
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
            return m_view->nameOf(m_part);
        return kind == QAccessible::Description
            ? QTextDocumentFragment::fromHtml(m_view->whyPart(m_part)).toPlainText()
            : QString();
    }
    void setText(QAccessible::Text, const QString &) override { }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect seen = m_view->rectOf(m_part).toAlignedRect();
        return { m_view->viewport()->mapToGlobal(seen.topLeft()), seen.size() };
    }
    QAccessible::Role role() const override
    {
        return m_part.serial ? QAccessible::Cell : QAccessible::TreeItem;
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        state.focusable = state.selectable = true;
        state.selected = !state.invalid && m_view->isSelected(m_part);
        state.focused = state.selected && m_view->hasFocus();
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface
            ? static_cast<QAccessibleActionInterface *>(this)
            : nullptr;
    }
    QStringList actionNames() const override { return { pressAction() }; }
    void doAction(const QString &name) override
    {
        if (isValid() && name == pressAction())
            m_view->choose(m_part);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<TimelineView> m_view;
    TimelinePart m_part;
};

class TimelineAccess : public QAccessibleWidget
{
public:
    explicit TimelineAccess(TimelineView *view) : QAccessibleWidget(view, QAccessible::Tree) { }
    ~TimelineAccess() override { forget(); }

    int childCount() const override { return int(view()->parts().size()); }
    QAccessibleInterface *child(int index) const override
    {
        const QList<TimelinePart> parts = view()->parts();
        if (index < 0 || index >= parts.size())
            return nullptr;
        // Made when first asked for: nobody listens as a rule.
        if (m_parts != parts) {
            forget();
            m_parts = parts;
            for (const TimelinePart &part : parts)
                m_children +=
                    QAccessible::registerAccessibleInterface(new PartAccess(view(), part));
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
        const QPointF at = view()->viewport()->mapFromGlobal(QPoint(x, y));
        const QList<TimelinePart> parts = view()->parts();
        for (qsizetype i = parts.size() - 1; i >= 0; --i) { // operations lie on their rows
            if (view()->rectOf(parts[i]).contains(at))
                return child(int(i));
        }
        return nullptr;
    }

private:
    TimelineView *view() const { return static_cast<TimelineView *>(widget()); }
    void forget() const
    {
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
        m_parts.clear();
    }
    mutable QList<TimelinePart> m_parts;
    mutable QList<QAccessible::Id> m_children; ///< of m_parts
};

QAccessibleInterface *madeTimelineAccess(const QString &, QObject *object)
{
    auto *view = qobject_cast<TimelineView *>(object);
    return view ? new TimelineAccess(view) : nullptr;
}

} // namespace

void installTimelineAccess()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(&madeTimelineAccess);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

void timelineFocusMoved(TimelineView *view)
{
    if (!QAccessible::isActive())
        return;
    const QList<TimelinePart> parts = view->parts();
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (!view->isWalkedTo(parts[i]))
            continue;
        QAccessibleEvent event(view, QAccessible::Focus);
        event.setChild(int(i));
        QAccessible::updateAccessibility(&event);
        return;
    }
}

} // namespace instar
