// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rundifference.h"
#include "views/tworuns/runview.h"

#include <QDialog>

class QLabel;
class QMenu;
class QSlider;
class QSplitter;
class QToolButton;

namespace instar {

class Task;
class TaskStrip;

/// Two runs that were gone through to their end, and what they do differently.
struct TwoRunsContent
{
    std::unique_ptr<Simulator> here, there;
    QString hereTitle, thereTitle;
    QStringList said; ///< what could not be there as it is here
    QList<RunDifference> differences;
    bool isCutOff = false; ///< one of them would have gone on by itself
};

/// Two runs side by side, with charts and scores of their own, one time and one selected resource.
/// Where they differ is marked on both, and told in a sentence.
class TwoRuns : public QDialog
{
    Q_OBJECT
public:
    explicit TwoRuns(QWidget *parent = nullptr);
    ~TwoRuns() override;

    void setTheme(const Theme &theme);
    void setMotion(Motion motion);
    /// What the run here can be compared with; it is filled by whoever knows what there is.
    QMenu *menu() { return m_menu; }
    /// Runs are being made; what was shown stays until they are there.
    void follow(Task *task);
    /// Shows the time of the first difference, and a resource that differs then; without any the
    /// end, and the resource that was selected, or else `path`.
    void setContent(TwoRunsContent content, const QString &path);
    /// Says why there is nothing to be seen.
    void tell(const QString &sentence);

    bool isComparing() const { return m_here; }
    RunView *here() { return m_here; }
    RunView *there() { return m_there; }
    const QList<RunDifference> &differences() const { return m_differences; }
    const QString &sentence() const { return m_told; }

    void select(const QString &path);
    const QString &selected() const { return m_path; }
    void showTime(qint64 time);
    qint64 time() const { return m_time; }
    /// Goes to the next difference in time, or the one before.
    void goTo(int by);

signals:
    void againAsked();

private:
    QWidget *buildTop();
    QWidget *buildBottom();
    void connectHalves();
    /// Of the difference at the time shown, or the last one before it; the first where that is
    /// still to come. -1: there is none.
    qsizetype current() const;
    void refresh();
    void say(const QString &sentence);

    QMenu *m_menu;
    QToolButton *m_with, *m_again, *m_before, *m_next;
    QLabel *m_sentence, *m_where, *m_clock, *m_said;
    TaskStrip *m_tasks;
    QSplitter *m_halves;
    QWidget *m_bottom;
    QSlider *m_slider;
    RunView *m_here = nullptr, *m_there = nullptr;
    QList<RunDifference> m_differences;
    QList<qint64> m_times; ///< at which something happens in either run
    QString m_path, m_told;
    qint64 m_time = 0, m_agreed = 0; ///< shown; up to which nothing differs, where nothing does
    bool m_isCutOff = false, m_isFollowing = false;
    Theme m_theme = Theme::light();
    Motion m_motion = Motion::Full;
};

} // namespace instar
