// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/guard.h"
#include "model/charts/statechart.h"

#include <QHash>
#include <QSet>

namespace instar::scxml {

/// Conditions that are words, as expressions of ECMAScript: each name is a variable.
class ConditionWords
{
public:
    void gather(const QList<Arc> &arcs);
    void setNeedsEcmaScript() { m_needsEcmaScript = true; }
    /// More than SCXML's null data model can say: a lone In(state), without quotes there.
    bool needsEcmaScript() const { return m_needsEcmaScript; }
    QStringList variables() const { return m_order; }
    /// `names`: state -> its id in the file.
    QString expression(const QString &condition, const QHash<QString, QString> &names) const;

private:
    void gather(const Guard &guard);
    QString expression(const Guard &guard, const QHash<QString, QString> &names) const;

    QHash<QString, QString> m_variables; ///< name -> variable
    QSet<QString> m_taken;
    QStringList m_order;
    bool m_needsEcmaScript = false;
};

} // namespace instar::scxml
