// SPDX-License-Identifier: Apache-2.0
#include "views/tips.h"

#include "model/foreigntext.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenu>
#include <QTabBar>
#include <QToolTip>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The view whose rows a widget shows; null: none.
QAbstractItemView *viewOf(const QWidget &viewport)
{
    auto *view = qobject_cast<QAbstractItemView *>(viewport.parentWidget());
    return view && view->viewport() == &viewport ? view : nullptr;
}

QString tipOfView(const QAbstractItemView &view, const QPoint &position)
{
    if (const auto *header = qobject_cast<const QHeaderView *>(&view))
        return header->model() ? header->model()
                                     ->headerData(header->logicalIndexAt(position),
                                         header->orientation(), Qt::ToolTipRole)
                                     .toString()
                               : QString();
    return view.indexAt(position).data(Qt::ToolTipRole).toString();
}

/// Tooltip that Qt would show for a widget, at a position in it.
QString tipAt(const QWidget &widget, const QPoint &position)
{
    if (const QAbstractItemView *view = viewOf(widget)) {
        const QString tip = tipOfView(*view, position);
        return tip.isEmpty() ? widget.toolTip() : tip;
    }
    if (const auto *menu = qobject_cast<const QMenu *>(&widget)) {
        const QAction *action = menu->actionAt(position);
        return action && menu->toolTipsVisible() ? action->toolTip() : QString();
    }
    const auto *tabs = qobject_cast<const QTabBar *>(&widget);
    const int tab = tabs ? tabs->tabAt(position) : -1;
    return tab >= 0 ? tabs->tabToolTip(tab) : widget.toolTip();
}

} // namespace

bool PlainTips::eventFilter(QObject *watched, QEvent *event)
{
    auto *widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget *>(watched) : nullptr;
    if (!widget)
        return false;
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString tip = tipAt(*widget, help->pos());
    if (!Qt::mightBeRichText(tip) && visible(tip) == tip)
        return false; // Qt shows this tip safely
    showPlainTip(help->globalPos(), tip, widget);
    return true;
}

void showPlainTip(const QPoint &position, const QString &text, QWidget *widget)
{
    const QString html = htmlText(text).replace(u'\n', u"<br>"_s);
    QToolTip::showText(position, text.isEmpty() ? QString() : u"<qt>%1</qt>"_s.arg(html), widget);
}

void showHtmlTip(const QPoint &position, const QString &html, QWidget *widget)
{
    QToolTip::showText(position, visible(html), widget);
}

} // namespace instar
