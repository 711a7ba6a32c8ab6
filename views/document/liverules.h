// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QObject>

namespace instar {

class Document;
class Simulator;

/// What runs goes by the document: after each change the simulator has the rules of as much of the
/// pack as can be played, and its resources keep their states.
class LiveRules : public QObject
{
    Q_OBJECT
public:
    LiveRules(Document &document, Simulator &simulator, QObject *parent = nullptr);

    /// Why what runs is older than the document; empty: it is not.
    const QString &problem() const { return m_problem; }

signals:
    void problemChanged(const QString &problem);
    /// What could not go on as it was.
    void settled(const QStringList &sentences);

private:
    void follow(const Pack &before, const Pack &after);

    Document &m_document;
    Simulator &m_simulator;
    QString m_problem;
};

} // namespace instar
