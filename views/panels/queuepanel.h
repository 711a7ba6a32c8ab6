// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/operationmodel.h"
#include "model/items/recordmodel.h"
#include "views/selection.h"

#include <QSet>
#include <QWidget>

class QMenu;
class QTableView;

namespace instar {

/// Table of all operations: client, kind, target, status and conflicting operation.
class QueuePanel : public QWidget
{
    Q_OBJECT
public:
    QueuePanel(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    /// Highlights the rows of these operations.
    void setHighlighted(const QSet<quint32> &serials);
    void fillMenu(QMenu &menu);

signals:
    void cancelAsked(quint32 serial);
    void endAsked(quint32 serial, const QString &outcome);
    void targetAsked(const QString &path);
    void whyAsked(quint32 serial);
    void outcomesAsked(); ///< of the selected operations

private:
    QList<quint32> selectedRows() const;
    void showSelection();

    const Controller &m_controller;
    Selection &m_selection;
    OperationModel *m_model;
    QTableView *m_view = nullptr;
    QSet<quint32> m_highlighted;
    bool m_followsUser = true;
};

/// Table of all events, in order.
class RecordPanel : public QWidget
{
    Q_OBJECT
public:
    RecordPanel(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

signals:
    /// Explain a row: its operation or, without one (0), its resource.
    void whyAsked(quint32 serial, const QString &path);
    void momentAsked(qsizetype moment); ///< number of events before it
    void targetAsked(const QString &path);

private:
    void fillMenu(QMenu &menu);

    RecordModel *m_model;
    QTableView *m_view;
};

} // namespace instar
