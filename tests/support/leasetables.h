// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QSet>
#include <QStringList>

/// The tables of the lease system as its sources have them, read from tests/data/blazar, and
/// nothing else: the engine is compared with them.
namespace leases {

/// What is said of one of the machines.
struct Table
{
    QStringList stable, transitional;
    QSet<QString> next;     ///< "from to": the program's table of transitions
    QSet<QString> unlisted; ///< the same, of what happens past the table
    QSet<QString> drawn;    ///< "from trigger to": the drawing
};

/// By machine. A broken file ends the test program.
QMap<QString, Table> machineTables();

/// Which statuses of reservations and events go with a lease's; an empty list: any.
struct Combination
{
    QStringList reservations, start, end;
};

/// By status of the lease; `variant` is "document" or "code".
QMap<QString, Combination> combinations(const QString &variant);

/// The statuses of one lease, its reservations and events.
struct Configuration
{
    QString lease;
    QStringList reservations;
    QString start, end, before;
    bool isGone = false;

    /// "ERROR active,error DONE UNDONE DONE", or "gone".
    QString text() const;
};

/// Whether a status of the lease goes with the others.
bool goesWith(
    const QMap<QString, Combination> &table, const QString &lease, const Configuration &others);

/// The stable status that follows from the events: those that fit no row are ERROR.
QString derived(const QMap<QString, Combination> &table, const Configuration &configuration);

} // namespace leases
