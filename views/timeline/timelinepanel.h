// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/timeline/timelineview.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QToolButton;

namespace instar {

class NoticeBar;
class Simulator;

/// The timeline with what it is searched, sorted and zoomed by, and the branches of the run.
class TimelinePanel : public QWidget
{
    Q_OBJECT
public:
    TimelinePanel(Controller &controller, Selection &selection, QWidget *parent = nullptr);

    TimelineView *view() const { return m_view; }
    void setTheme(const Theme &theme) { m_view->setTheme(theme); }
    QSize sizeHint() const override { return { 640, 260 }; }

private:
    void showBranches();
    void removeBranch();

    Simulator *m_simulator; ///< null: the world is a server's
    TimelineView *m_view;
    NoticeBar *m_notice;
    QLineEdit *m_search;
    QComboBox *m_branches;
    QToolButton *m_branchMenu;
};

} // namespace instar
