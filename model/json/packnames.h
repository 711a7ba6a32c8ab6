// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/reading.h"
#include "model/pack/pack.h"

#include <QHash>
#include <QSet>

namespace instar {

/// What is wrong with a resource's path, whatever types there are; empty: nothing.
QString pathProblem(QStringView path);

/// The names of a pack that a scenario may use; whatever is none of them is told with the nearest
/// that is.
class PackNames
{
public:
    PackNames(Reading &reading, const Pack &pack);

    void checkOperation(Value where, const QString &name) const;
    /// A state of the machine at a path, or a word that one passes for.
    void checkState(Value where, const QString &path, const QString &name) const;
    /// A state in which some machine works.
    void checkWork(Value where, const QString &name) const;
    void checkPath(Value where, const QString &path) const; ///< pairs of a known type and a name
    void wrong(Value where, const QString &text, const QString &rule) const
    {
        m_reading.error(where, text, rule);
    }
    /// A name that is none of those known; the message has the nearest that is.
    void unknown(
        Value where, const QString &what, const QString &name, const QStringList &known) const;
    bool isState(const QString &name) const { return m_states.contains(name); }
    /// The trigger that an outcome's name means, "Succeeded" and "Failed" included.
    QString outcome(Value where, const QString &name) const;
    /// Checks a switch of the pack and its value; gives the value as a word.
    QString switchValue(Value where, const QString &id, Value value) const;

private:
    QString folded(const QString &typePath) const;
    const QStringList &statesAt(const QString &path) const;

    Reading &m_reading;
    const Pack &m_pack;
    QStringList m_operations, m_outcomes;
    QSet<QString> m_states, m_working;
    QHash<QString, QStringList> m_types; ///< folded type path -> states and words of its machines
    bool m_anyType = false;
};

} // namespace instar
