// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/leasetables.h"

#include <QMap>

namespace leases {

/// End of the plugin's work for one reservation: success, the program's own exception, another one.
enum class Plugin { Works, Fails, Breaks };

/// Second, naive implementation of the lease manager: the functions of its prose description, one
/// operation at a time, each in one step. It shares nothing with the engine, so that each checks
/// the other.
class Manager
{
public:
    /// `variant` selects the table of combinations: "document" or "code".
    Manager(const QString &variant, Configuration configuration);

    enum class Event { Start, BeforeEnd, End };
    enum class Update { Works, IsRejected, Fails };

    /// Handles a due event; `plugins` by reservation. A late event is not retried.
    void fire(Event event, const QList<Plugin> &plugins, bool isLate);
    void update(Update how, bool changesDates);
    void remove(const QList<Plugin> &plugins);

    const Configuration &configuration() const { return m_now; }

private:
    enum class Raised { Nothing, InvalidStatus, NonFatal, Other };

    /// Frame of a lease's functions: the transition, the body, the derived status.
    template<typename Body>
    Raised around(const QString &transition, const QStringList &results, Body body);
    Raised basicAction(QString &event, const QString &target, const QList<Plugin> &plugins);
    bool isValid(const QString &from, const QString &to) const;

    QMap<QString, Table> m_machines;
    QMap<QString, Combination> m_combinations;
    Configuration m_now;
};

} // namespace leases
