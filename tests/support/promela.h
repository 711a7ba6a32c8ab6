// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSet>
#include <QString>

namespace instar {

/// Model of an asynchronous controller and its clients for the model checker Spin. It uses nothing
/// of the engine: conflict matrix, propagation and treatment of orphans are written a second time
/// in Promela, over bit sets of nodes.
struct PromelaModel
{
    struct Operation
    {
        QString client; ///< submits its operations in order; empty: a client of its own
        bool put = true, remove = true; ///< possible kinds
        QList<int> targets;             ///< nodes
    };
    struct Switches
    {
        bool siblingsRun = false, middleCancels = false, ancestorsRestore = false;
        int orphans = 0; ///< 0: restored, 1: follow the tree, 2: fail
    };
    QList<int> parents; ///< node -> its parent, a smaller number; -1: top-level. At most 8 nodes.
    QList<Operation> operations;
    QList<Switches> switches; ///< each is explored separately

    QByteArray text() const;

    /// Possible endings, by index of the switches: "SFUD-...", a letter for each node, a space, and
    /// a letter for each operation. An error if spin or the compiler failed.
    Result<QMap<int, QSet<QByteArray>>> endings() const;
};

bool spinIsInstalled();

} // namespace instar
