// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/operationmodel.h"
#include "views/drawing/theme.h"

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
    explicit QueuePanel(const Controller &controller, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    quint32 selectedSerial() const;         ///< 0: none
    QList<quint32> selectedSerials() const; ///< of every row that is selected
    void select(quint32 serial);
    void fillMenu(QMenu &menu);

signals:
    void selected(quint32 serial);
    void cancelAsked(quint32 serial);
    void endAsked(quint32 serial, const QString &outcome);
    void targetAsked(const QString &path);
    void selectionChanged(); ///< other rows are selected
    /// What could have become of those that are selected?
    void outcomesAsked();

private:
    void showMenu(const QPoint &position);
    void showSelection();

    const Controller &m_controller;
    OperationModel *m_model;
    RowDelegate *m_delegate;
    QTableView *m_view = nullptr;
    quint32 m_serial = 0; ///< selected, also while time is before it
    bool m_followsUser = true;
};

} // namespace instar
