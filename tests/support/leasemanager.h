// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/leasetables.h"

#include <QMap>

namespace leases {

/// How the plugin's work for one reservation ends.
enum class Plugin {
    Works,
    Fails,
    Breaks
}; ///< well; with the program's own exception; with any other

/// A second, naive account of the manager that moves a lease: its functions as prose describes
/// them, one operation at a time and at once. It shares nothing with the engine, so that each can
/// be checked against the other.
class Manager
{
public:
    /// `variant` is "document" or "code": which table of combinations is asked.
    Manager(const QString &variant, Configuration configuration);

    enum class Event { Start, BeforeEnd, End };
    enum class Update { Works, IsRejected, Fails };

    /// The clock finds an event; `plugins` by reservation. A late event is not tried again.
    void fire(Event event, const QList<Plugin> &plugins, bool isLate);
    void update(Update how, bool changesDates);
    void remove(const QList<Plugin> &plugins);

    const Configuration &configuration() const { return m_now; }

private:
    enum class Raised { Nothing, InvalidStatus, NonFatal, Other };

    /// What goes around the functions of a lease: the transition, the body, the status that
    /// follows.
    template<typename Body>
    Raised around(const QString &transition, const QStringList &results, Body body);
    Raised basicAction(QString &event, const QString &target, const QList<Plugin> &plugins);
    bool isValid(const QString &from, const QString &to) const;

    QMap<QString, Table> m_machines;
    QMap<QString, Combination> m_combinations;
    Configuration m_now;
};

} // namespace leases
