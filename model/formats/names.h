// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/reading.h"
#include "model/machine/pack.h"

#include <QSet>

namespace instar {

/// The names of a pack that a scenario may use; whatever is none of them is told with the nearest
/// that is.
class Names
{
public:
    Names(Reading &reading, const Pack &pack);

    void checkOperation(Value where, const QString &name) const;
    void checkState(
        Value where, const QString &name) const; ///< a state, or a word that one passes for
    void checkPath(Value where, const QString &path) const; ///< pairs of a known type and a name
    bool isState(const QString &name) const { return m_states.contains(name); }
    /// The trigger that an outcome's name means, "Succeeded" and "Failed" included.
    QString outcome(Value where, const QString &name) const;
    /// Checks a switch of the pack and its value; gives the value as a word.
    QString switchValue(Value where, const QString &id, Value value) const;

private:
    void unknown(
        Value where, const QString &what, const QString &name, const QStringList &known) const;

    Reading &m_reading;
    const Pack &m_pack;
    QStringList m_operations, m_states, m_outcomes;
    QSet<QString> m_types; ///< folded where the pack ignores case
    bool m_anyType = false;
};

} // namespace instar
