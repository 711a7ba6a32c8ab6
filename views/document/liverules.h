// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/rerun.h"

#include <QObject>
#include <QPointer>

namespace instar {

class Document;
class Task;

/// Rules of a simulator that follow a document: after each change the run is played again under the
/// rules of as much of the pack as can be played. A small pack is compiled at once, a
/// large one beside the window, where the newest edit is the one that counts.
class LiveRules : public QObject
{
    Q_OBJECT
public:
    LiveRules(Document &document, Simulator &simulator, QObject *parent = nullptr);

    /// Why what runs is older than the document; empty: it is not, or is about to change.
    const QString &problem() const { return m_problem; }
    /// Whether the newest rules are still being compiled.
    bool isCompiling() const;
    /// The run, for whoever plays it again under other switches.
    Replay &replay() { return m_replay; }
    /// Packs with more states and transitions are compiled beside the window.
    void setMostAtOnce(qsizetype rows) { m_mostAtOnce = rows; }
    static constexpr qsizetype MostAtOnce = 2500;

signals:
    void problemChanged(const QString &problem);
    /// What of the run could not be played again.
    void replayed(const QString &sentence);

private:
    void follow(const Pack &after);
    void take(const Pack &pack, Result<Rules> rules);

    Document &m_document;
    Simulator &m_simulator;
    Replay m_replay;
    Pack m_followed; ///< the document's, by which the rules that run were made
    QString m_problem;
    QPointer<Task> m_compiling;
    qsizetype m_mostAtOnce = MostAtOnce;
};

} // namespace instar
