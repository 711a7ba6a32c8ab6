// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/burstmodel.h"

#include <QWidget>

class QAction;
class QMenu;
class QPushButton;
class QTableView;

namespace instar {

class ElidedLabel;

/// Panel of the burst: a table of requests of several clients, and the button that fires them
/// together.
class BurstPanel : public QWidget
{
    Q_OBJECT
public:
    explicit BurstPanel(const Controller &controller, QWidget *parent = nullptr);

    QList<Request> requests() const { return m_model->requests(); }
    /// Fills the context menu of the current row.
    void fillMenu(QMenu &menu);

public slots:
    void add(const instar::Request &request);
    /// Assigns the operations of the last burst to the rows, in order; each row shows the status of
    /// its operation.
    void setFired(const QList<quint32> &serials);
    /// Shows a sentence beside the buttons.
    void say(const QString &sentence);
    void remove();
    void clear();
    /// Fires all requests, in order. They stay in the burst.
    void fire();

signals:
    void fireAsked(const QList<instar::Request> &requests);
    void outcomesAsked();
    void changed(); ///< the requests of the burst have changed
    /// The user chose a row: `serial` is its last operation (0: none), `path` its target.
    void chosen(quint32 serial, const QString &path);

private:
    int current() const; ///< current row; -1: none
    void select(int row);
    void refresh();
    void showAnswers();
    /// Operation that a row was last fired as; null if there is none at the time shown.
    const Operation *firedAs(int row) const;
    void choose(int row);

    const Controller &m_controller;
    BurstModel *m_model;
    QTableView *m_view;
    QAction *m_remove, *m_clear;
    QPushButton *m_fire, *m_outcomes;
    ElidedLabel *m_message;
};

} // namespace instar
