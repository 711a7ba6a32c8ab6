// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/armedmodel.h"

#include <QPointer>
#include <QWidget>

class QAction;
class QHBoxLayout;
class QMenu;
class QPushButton;
class QTableView;
class QToolButton;

namespace instar {

class ElidedLabel;
class RequestEditor;

/// Requests of several clients that are fired together: each can be changed, copied, moved and
/// taken out.
class ArmedPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ArmedPanel(const Controller &controller, QWidget *parent = nullptr);

    QList<Request> requests() const { return m_model->requests(); }
    /// Whether outcome and duration can be chosen; a real server decides by itself.
    void setPlansWork(bool plans);
    void fillMenu(QMenu &menu);
    /// The editor that is open, if one is.
    RequestEditor *editor() const;

public slots:
    void arm(const instar::Request &request);
    /// How closely the last ones were released, in real microseconds; none: at one virtual moment.
    void setSpread(int requests, std::optional<double> microseconds);
    /// As which operations the requests that were handed over were fired, in their order; each row
    /// shows from then on what becomes of its own.
    void setFired(const QList<quint32> &serials);
    /// Says something else of what was fired last.
    void say(const QString &sentence);
    void edit();
    void duplicate();
    void remove();
    void moveUp();
    void moveDown();
    void clear();
    /// Hands all of them over, in order. They stay armed, but an operation's id is used once.
    void fire();

signals:
    void fireAsked(const QList<instar::Request> &requests);
    void outcomesAsked(); ///< what can happen when they come together
    void changed();       ///< what is armed
    /// Somebody looks at a row: the operation as which it was fired last, 0 where it was not, and
    /// its target.
    void chosen(quint32 serial, const QString &path);
    /// A resource was dropped: what the fire bar describes is to be armed on it.
    void armAsked(const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    enum class Words { Shown, Hidden };
    QAction *add(const QString &icon, const QString &text, const QKeySequence &keys, Words words,
        void (ArmedPanel::*act)());
    int current() const; ///< row; -1: none
    void select(int row);
    void refresh();
    void showAnswers();
    /// The operation as which a row was fired last; null: it was not, or time is before it.
    const Operation *firedAs(int row) const;
    void choose(int row);
    void showMenu(const QPoint &position);

    const Controller &m_controller;
    bool m_plansWork = true;
    ArmedModel *m_model;
    QTableView *m_view;
    QHBoxLayout *m_tools;
    QList<QToolButton *> m_worded; ///< lose their words where it is narrow
    QAction *m_edit, *m_duplicate, *m_up, *m_down, *m_remove, *m_clear;
    QPushButton *m_fire, *m_outcomes;
    ElidedLabel *m_said;
    QPointer<RequestEditor> m_editor;
};

} // namespace instar
