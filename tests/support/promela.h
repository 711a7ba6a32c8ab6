// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSet>
#include <QString>

namespace instar {

/// Clients of an asynchronous controller, told to the model checker spin. Nothing of the engine is
/// used here: the checker's rules are the matrix of who cancels and refuses whom, the table of
/// propagation, and what a canceled operation leaves behind, each written down a second time, over
/// bits of nodes.
struct PromelaModel
{
    struct Operation
    {
        QString client; ///< those of one client are submitted in order; empty: a client of its own
        bool put = true, remove = true; ///< what may be asked for
        QList<int> targets;             ///< nodes
    };
    struct Switches
    {
        bool siblingsRun = false, middleCancels = false, ancestorsRestore = false;
        int orphans = 0; ///< 0: they go back, 1: they follow the tree, 2: they fail
    };
    QList<int> parents; ///< node -> its parent, a smaller number; -1: top-level. At most 8 nodes.
    QList<Operation> operations;
    QList<Switches> switches; ///< each is explored

    QByteArray text() const;

    /// How it can end, by each of the switches: "SFUD-..." a letter a node, a space, and a letter
    /// an operation. An error where spin or the compiler failed.
    Result<QMap<int, QSet<QByteArray>>> endings() const;
};

bool spinIsInstalled();

} // namespace instar
