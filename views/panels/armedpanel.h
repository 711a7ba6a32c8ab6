// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/armedmodel.h"

#include <QWidget>

#include <functional>

class QAction;
class QHBoxLayout;
class QMenu;
class QPushButton;
class QTableView;

namespace instar {

class ElidedLabel;

/// Requests of several clients that are fired as one burst.
class ArmedPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ArmedPanel(const Controller &controller, QWidget *parent = nullptr);

    QList<Request> requests() const { return m_model->requests(); }
    /// Enables the choice of outcome and duration, which a real server decides by itself.
    void setOffersPlan(bool offered);
    void fillMenu(QMenu &menu);

public slots:
    void arm(const instar::Request &request);
    /// Spread of the last burst in real microseconds; none: it left at one virtual moment.
    void setSpread(int requests, std::optional<double> microseconds);
    /// Operations of the requests of the last burst, in their order; each row shows its status.
    void setFired(const QList<quint32> &serials);
    /// Shows a sentence beside the buttons.
    void say(const QString &sentence);
    void duplicate();
    void remove();
    void move(int by); ///< so many rows down
    void clear();
    /// Fires all of them, in order. They stay armed.
    void fire();

signals:
    void fireAsked(const QList<instar::Request> &requests);
    void outcomesAsked();
    void changed(); ///< the armed requests
    /// The user chose a row: its last operation (0: none), and its target.
    void chosen(quint32 serial, const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAction *add(const QString &icon, const QString &text, const QKeySequence &keys,
        const std::function<void()> &act);
    int current() const; ///< row; -1: none
    void select(int row);
    void refresh();
    void showAnswers();
    /// Last operation of a row; null: none was fired, or the time shown is earlier.
    const Operation *firedAs(int row) const;
    void choose(int row);

    const Controller &m_controller;
    bool m_offersPlan = true;
    ArmedModel *m_model;
    QTableView *m_view;
    QHBoxLayout *m_tools;
    QAction *m_duplicate, *m_up, *m_down, *m_remove, *m_clear;
    QPushButton *m_fire, *m_outcomes;
    ElidedLabel *m_said;
};

} // namespace instar
