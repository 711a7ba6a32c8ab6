// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "model/json/library.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include <memory>

namespace instar::panels {

// What tests need to drive panels as a user would.

inline const QString net = QStringLiteral("/logicalNetworks/Transit");
inline const QString subnet = net + QStringLiteral("/subnets/Rack-1");
inline const QString sibling = net + QStringLiteral("/subnets/Rack-2");

inline std::unique_ptr<Simulator> sample(const QString &id = builtInPacks().first())
{
    const Result<Pack> pack = loadPack(id);
    Result<Rules> rules = Rules::make(*pack);
    Loaded loaded = makeWorld(*rules, pack->sample);
    return std::make_unique<Simulator>(*std::move(rules), std::move(loaded.world));
}

template<typename T>
T *named(const QWidget &parent, const QString &accessibleName)
{
    for (T *child : parent.findChildren<T *>()) {
        if (child->accessibleName() == accessibleName)
            return child;
    }
    qFatal("nothing is called %s", qPrintable(accessibleName));
}

/// A button by its words, with or without the sign of its key.
template<typename T = QToolButton>
T *button(const QWidget &parent, const QString &text)
{
    for (T *child : parent.findChildren<T *>()) {
        if (child->text() == text || child->text().remove(u'&') == text)
            return child;
    }
    qFatal("no button says %s", qPrintable(text));
}

/// What a label says.
inline QString text(const QWidget &parent, const char *objectName)
{
    return parent.findChild<QLabel *>(QString::fromLatin1(objectName))->text();
}

inline QAction *entry(const QMenu &menu, const QString &text)
{
    for (QAction *action : menu.actions()) {
        if (action->text() == text)
            return action;
    }
    qFatal("the menu has no %s", qPrintable(text));
}

inline QString copied()
{
    return QApplication::clipboard()->text();
}

inline void type(QWidget *into, const QString &text)
{
    into->setFocus();
    QTest::keyClicks(into, text);
}

/// Controls of ours in a widget: not the parts that Qt's own are made of.
inline QList<QWidget *> controls(const QWidget &all)
{
    QList<QWidget *> found;
    for (QWidget *widget : all.findChildren<QWidget *>()) {
        bool inner =
            widget->window()->windowType() == Qt::Popup || widget->objectName().startsWith(u"qt_");
        for (const char *maker :
            { "QComboBox", "QAbstractSpinBox", "QLineEdit", "QTabBar", "QAbstractItemView" })
            inner = inner || widget->parentWidget()->inherits(maker);
        for (const char *part : { "QScrollBar", "QLabel", "QMenu" })
            inner = inner || widget->inherits(part);
        if (!inner && widget->focusPolicy() != Qt::NoFocus)
            found += widget;
    }
    return found;
}

/// Controls that a screen reader could not name, and buttons that do not say what they are for; a
/// line each.
inline QString namelessControls(const QWidget &all)
{
    QStringList found;
    for (const QWidget *widget : controls(all)) {
        const QString words = widget->property("text").toString();
        const QString what = QString::fromLatin1(widget->metaObject()->className()) + u' ' + words;
        const bool hasText = !words.isEmpty() && !widget->inherits("QLineEdit");
        if (widget->accessibleName().isEmpty() && !hasText && !widget->focusProxy()
            && !widget->inherits("QTabWidget") && !widget->inherits("QTabBar"))
            found += what + QStringLiteral(" has no name");
        if (widget->inherits("QToolButton") && widget->toolTip().isEmpty())
            found += what + QStringLiteral(" has no tooltip");
    }
    return found.join(u'\n');
}

/// Controls of a shown window that the Tab key does not come to; a line each.
inline QString unreachableControls(QWidget &window)
{
    QSet<QWidget *> reached;
    for (int i = 0; i < 100; ++i) {
        QTest::keyClick(&window, Qt::Key_Tab);
        reached += QApplication::focusWidget();
    }
    QStringList missed;
    for (QWidget *control : controls(window)) {
        const bool isMeant = control->isVisible() && control->isEnabled() && !control->focusProxy()
            && (control->focusPolicy() & Qt::TabFocus);
        if (isMeant && !reached.contains(control))
            missed += QString::fromLatin1(control->metaObject()->className()) + u' '
                + control->accessibleName() + control->property("text").toString();
    }
    return missed.join(u'\n');
}

} // namespace instar::panels
