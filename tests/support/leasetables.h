// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QSet>
#include <QStringList>

/// Tables of the lease system, copied from its sources in tests/data/blazar, to compare the engine
/// with.
namespace leases {

/// Tables of one machine.
struct Table
{
    QStringList stable, transitional;
    QSet<QString> next;     ///< "from to": the program's table of transitions
    QSet<QString> unlisted; ///< likewise: changes that bypass the table
    QSet<QString> drawn;    ///< "from trigger to": transitions of the diagram
};

/// Tables by machine. A broken file ends the test program.
QMap<QString, Table> machineTables();

/// Statuses of reservations and events allowed with a status of the lease; empty list: any.
struct Combination
{
    QStringList reservations, start, end;
};

/// Combinations by status of the lease; `variant` is "document" or "code".
QMap<QString, Combination> combinations(const QString &variant);

/// Statuses of one lease, its reservations and events.
struct Configuration
{
    QString lease;
    QStringList reservations;
    QString start, end, before;
    bool isGone = false;

    /// "ERROR active,error DONE UNDONE DONE", or "gone".
    QString text() const;
};

/// Returns true if a status of the lease is allowed with the other statuses.
bool goesWith(
    const QMap<QString, Combination> &table, const QString &lease, const Configuration &others);

/// Stable status of the lease that its events imply; ERROR if they fit no row.
QString derived(const QMap<QString, Combination> &table, const Configuration &configuration);

} // namespace leases
