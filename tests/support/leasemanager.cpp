// SPDX-License-Identifier: Apache-2.0
#include "tests/support/leasemanager.h"

using namespace Qt::StringLiterals;

namespace leases {

Manager::Manager(const QString &variant, Configuration configuration)
    : m_machines(machineTables()),
      m_combinations(combinations(variant)),
      m_now(std::move(configuration))
{ }

bool Manager::isValid(const QString &from, const QString &to) const
{
    return m_machines[u"lease"_s].next.contains(from + u' ' + to)
        && goesWith(m_combinations, to, m_now);
}

template<typename Body>
Manager::Raised Manager::around(const QString &transition, const QStringList &results, Body body)
{
    if (!isValid(m_now.lease, transition))
        return Raised::InvalidStatus;
    const QString before = std::exchange(m_now.lease, transition);
    const Raised raised = body(before);
    if (raised != Raised::Nothing) {
        m_now.lease = raised == Raised::NonFatal ? before : u"ERROR"_s;
        return raised;
    }
    if (m_now.isGone)
        return Raised::Nothing;
    const QString status = derived(m_combinations, m_now);
    const bool isRight = results.contains(status) && isValid(transition, status);
    m_now.lease = isRight ? status : u"ERROR"_s;
    return isRight ? Raised::Nothing : Raised::InvalidStatus;
}

/// Runs the plugins for all reservations; an empty target leaves their status.
Manager::Raised Manager::basicAction(
    QString &event, const QString &target, const QList<Plugin> &plugins)
{
    QString status = u"DONE"_s;
    for (qsizetype i = 0; i < m_now.reservations.size(); ++i) {
        QString &reservation = m_now.reservations[i];
        const bool mayMove = target.isEmpty()
            || m_machines[u"reservation"_s].next.contains(reservation + u' ' + target);
        if (!mayMove || plugins[i] == Plugin::Fails) {
            reservation = u"error"_s;
            status = u"ERROR"_s;
        } else if (plugins[i] == Plugin::Breaks) {
            return Raised::Other;
        } else if (!target.isEmpty()) {
            reservation = target;
        }
    }
    event = status;
    return Raised::Nothing;
}

void Manager::fire(Event event, const QList<Plugin> &plugins, bool isLate)
{
    QString &status = event == Event::Start ? m_now.start
        : event == Event::End               ? m_now.end
                                            : m_now.before;
    if (status != u"UNDONE" || !m_machines[u"lease"_s].stable.contains(m_now.lease))
        return;
    status = u"IN_PROGRESS"_s;
    Raised raised = Raised::Nothing;
    if (event == Event::Start)
        raised = around(u"STARTING"_s, { u"ACTIVE"_s, u"ERROR"_s },
            [&](const QString &) { return basicAction(status, u"active"_s, plugins); });
    else if (event == Event::End)
        raised = around(u"TERMINATING"_s, { u"TERMINATED"_s, u"ERROR"_s },
            [&](const QString &) { return basicAction(status, u"deleted"_s, plugins); });
    else
        raised = basicAction(status, {}, plugins);
    if (raised != Raised::Nothing)
        status = raised == Raised::InvalidStatus && !isLate ? u"UNDONE"_s : u"ERROR"_s;
}

void Manager::update(Update how, bool changesDates)
{
    around(u"UPDATING"_s, m_machines[u"lease"_s].stable, [&](const QString &before) {
        if (how == Update::IsRejected || (before == u"TERMINATED" && changesDates))
            return Raised::NonFatal;
        if (how == Update::Fails)
            return Raised::Other;
        if (changesDates && m_now.before == u"DONE")
            m_now.before = u"UNDONE"_s;
        return Raised::Nothing;
    });
}

void Manager::remove(const QList<Plugin> &plugins)
{
    around(u"DELETING"_s, { u"ERROR"_s }, [&](const QString &) {
        const bool hasStarted = m_now.start == u"DONE" || m_now.start == u"ERROR";
        if (hasStarted && m_now.end == u"UNDONE")
            m_now.end = u"IN_PROGRESS"_s;
        for (qsizetype i = 0; i < m_now.reservations.size(); ++i) {
            if (m_now.reservations[i] != u"deleted" && plugins[i] != Plugin::Works)
                return Raised::Other;
        }
        m_now.isGone = true;
        return Raised::Nothing;
    });
}

} // namespace leases
