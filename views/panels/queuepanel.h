// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/operationmodel.h"
#include "views/drawing/theme.h"
#include "views/selection.h"

#include <QSet>
#include <QWidget>

class QMenu;
class QTableView;

namespace instar {

class RowDelegate;

/// Every operation that was asked for: who, what, on which resource, how it fares and what it met.
class QueuePanel : public QWidget
{
    Q_OBJECT
public:
    QueuePanel(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Rows of operations that are spoken of stand out.
    void setLookedAt(const QSet<quint32> &serials);
    void fillMenu(QMenu &menu);

signals:
    void cancelAsked(quint32 serial);
    void endAsked(quint32 serial, const QString &outcome);
    void targetAsked(const QString &path);
    void timeAsked(qint64 time);   ///< a virtual time is to be shown
    void whyAsked(quint32 serial); ///< what became of it, or of its target
    /// What could have become of those that are selected?
    void outcomesAsked();

private:
    void showMenu(const QPoint &position);
    QList<quint32> selectedRows() const;
    void showSelection(); ///< as far as time is not before it

    const Controller &m_controller;
    Selection &m_selection;
    OperationModel *m_model;
    RowDelegate *m_delegate;
    QTableView *m_view = nullptr;
    QSet<quint32> m_lookedAt;
    bool m_followsUser = true;
};

} // namespace instar
