// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"
#include "model/result.h"

#include <QObject>
#include <QPointer>

namespace instar {

class Document;
class Rules;
class Simulator;
class Task;

/// What runs goes by the document: after each change the simulator has the rules of as much of the
/// pack as can be played, and its resources keep their states. A small pack is compiled at once, a
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
    /// Packs with more states and transitions are compiled beside the window.
    void setMostAtOnce(qsizetype rows) { m_mostAtOnce = rows; }
    static constexpr qsizetype MostAtOnce = 2500;

signals:
    void problemChanged(const QString &problem);
    /// What could not go on as it was.
    void settled(const QStringList &sentences);

private:
    void follow(const Pack &after);
    void take(const Pack &pack, Result<Rules> rules);

    Document &m_document;
    Simulator &m_simulator;
    Pack m_followed; ///< the document's, by which the rules that run were made
    QString m_problem;
    QPointer<Task> m_compiling;
    qsizetype m_mostAtOnce = MostAtOnce;
};

} // namespace instar
