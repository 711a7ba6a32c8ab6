// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/timelineview.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace instar {

class NoticeBar;
class Simulator;

/// Panel of the timeline, its filter, and the branches of the run.
class TimelinePanel : public QWidget
{
    Q_OBJECT
public:
    TimelinePanel(Controller &controller, Selection &selection, QWidget *parent = nullptr);

    TimelineView *view() const { return m_view; }
    QSize sizeHint() const override { return { 640, 260 }; }
    void focusFilter();
    /// Label with the number of resources in each state, for a window to place.
    QLabel *counts() const { return m_counts; }

private:
    QWidget *makeHead();
    void applyFilter();
    bool showsAll() const; ///< false: the filter or the choice of rows hides some
    void showLines();
    void showCounts();
    void showBranches();
    void removeBranch();

    const Controller &m_controller;
    Simulator *m_simulator; ///< null: the controller shows a server
    TimelineView *m_view;
    NoticeBar *m_notice;
    QLineEdit *m_filter;
    QToolButton *m_rest; ///< shows rows that no operation has affected
    QTimer m_typing;     ///< delays applyFilter() until the user pauses
    QLabel *m_counts;
    QComboBox *m_branches;
    QToolButton *m_branchMenu;
};

} // namespace instar
