// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "views/drawing/theme.h"
#include "views/look.h"
#include "views/selection.h"

#include <QWidget>

#include <memory>

class QSplitter;

namespace instar {

class ElidedLabel;
class ScoreView;
class StatechartView;

/// One of two runs that lie side by side: the statechart of the selected resource over the score,
/// both at the time that is shown. Nothing can be fired in it.
class RunView : public QWidget
{
    Q_OBJECT
public:
    /// `title`: whose run it is; `other`: what it calls the other one, "there".
    RunView(std::unique_ptr<Simulator> run, const QString &title, const QString &other,
        QWidget *parent = nullptr);
    ~RunView() override;

    Simulator &run() { return *m_run; }
    StatechartView &chart() { return *m_chart; }
    ScoreView &score() { return *m_score; }
    Selection &selection() { return m_selection; }
    QSplitter &split() { return *m_split; }

    void setTheme(const Theme &theme);
    void setMotion(Motion motion);
    void select(const QString &path);
    void showTime(qint64 time);
    /// The selected resource's state, that of a machine's beginning where it is not there; empty:
    /// it has no machine.
    QString state() const;
    /// The selected resource is in another state in the other run; nothing: it is in the same one.
    /// The chart says so at its own state and where the other one is.
    void setOther(const std::optional<QString> &state);
    /// When the runs differ, the first time first; the resources that differ now, and the id of an
    /// operation that does.
    void setDifferences(
        const QList<qint64> &times, const QStringList &paths, const QString &operation);

signals:
    void resourceChosen(const QString &path);
    void timeAsked(qint64 time);

private:
    void paintOther(QPainter &painter) const;
    void tell();

    std::unique_ptr<Simulator> m_run;
    Selection m_selection;
    QString m_otherRun;
    std::optional<QString> m_other;
    ElidedLabel *m_state;
    QSplitter *m_split;
    StatechartView *m_chart;
    ScoreView *m_score;
};

} // namespace instar
