// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/rerun.h"

#include <QObject>
#include <QPointer>

namespace instar {

class Document;
class Task;

/// Updater of a simulator's rules from a document: after each change it compiles the runnable part
/// of the pack and replays the run. A small pack is compiled at once, a large one in the
/// background, where a newer edit replaces an older one.
class LiveRules : public QObject
{
    Q_OBJECT
public:
    LiveRules(Document &document, Simulator &simulator, QObject *parent = nullptr);

    /// Error that keeps the rules older than the document; empty: none.
    const QString &problem() const { return m_problem; }
    /// True while the newest rules are being compiled.
    bool isCompiling() const { return !m_compiling.isNull(); }
    /// The run, to be replayed under other switches.
    Replay &replay() { return m_replay; }
    /// Sets how many states and transitions a pack may have to be compiled in the foreground.
    void setMostAtOnce(qsizetype rows) { m_mostAtOnce = rows; }

signals:
    void problemChanged(const QString &problem);
    /// Emitted with a sentence if steps of the run no longer apply, or the chart does not run.
    void replayed(const QString &sentence);

private:
    void compile(const Pack &pack);
    void apply(const Pack &pack, Result<Rules> rules);

    Simulator &m_simulator;
    Replay m_replay;
    Pack m_compiled; ///< the document's pack from which the current rules were compiled
    QString m_problem;
    QPointer<Task> m_compiling;
    qsizetype m_mostAtOnce = 2500;
};

} // namespace instar
