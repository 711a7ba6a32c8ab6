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
    /// Replay of the run under other rules, such as the rules of another switch value.
    Replay &replay() { return m_replay; }
    /// Sets the limit up to which a pack is compiled at once, in states and transitions.
    void setMostAtOnce(qsizetype rows) { m_mostAtOnce = rows; }

signals:
    void problemChanged(const QString &problem);
    /// Emitted if the user should know what became of the run, for example that steps were left
    /// out.
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
