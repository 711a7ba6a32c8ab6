// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/reading.h"
#include "model/pack/pack.h"

#include <QHash>
#include <QSet>

namespace instar {

/// Returns the syntax error of a resource's path; empty: the path is valid.
QString pathProblem(QStringView path);

/// Checker of names in scenarios against a pack; reports unknown names with the nearest known one.
class PackNames
{
public:
    PackNames(JsonReader &reading, const Pack &pack);

    void checkOperation(Value where, const QString &name) const;
    /// Checks the name of a state, or its alias, in the machine at a path.
    void checkState(Value where, const QString &path, const QString &name) const;
    /// Checks the name of a transitional state of any machine.
    void checkWork(Value where, const QString &name) const;
    void checkPath(Value where, const QString &path) const; ///< pairs of a known type and a name
    void wrong(Value where, const QString &text, const QString &code) const
    {
        m_reading.error(where, text, code);
    }
    void unknown(
        Value where, const QString &what, const QString &name, const QStringList &known) const;
    bool isState(const QString &name) const { return m_states.contains(name); }
    /// Checks and returns the name of an outcome; also accepts "Succeeded" and "Failed".
    QString outcome(Value where, const QString &name) const;
    /// Checks a switch of the pack and its value; returns the value as a text.
    QString switchValue(Value where, const QString &id, Value value) const;

private:
    JsonReader &m_reading;
    const Pack &m_pack;
    QStringList m_operations, m_outcomes;
    QSet<QString> m_states, m_working;   ///< ids of all states; of transitional states
    QHash<QString, QStringList> m_types; ///< normalized type path -> states and aliases
    bool m_anyType = false;              ///< the pack has the type "*"
};

} // namespace instar
