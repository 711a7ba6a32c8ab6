// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/scxml/scxmlconditions.h"
#include "model/charts/scxml/scxmlshape.h"

namespace instar::scxml {

/// What the transitions of a statechart wait for, in SCXML's terms. The chart and its shape must
/// outlive it.
class Triggers
{
public:
    Triggers(const Statechart &chart, const Shape &shape);

    QStringList events(const Vertex &from, const Arc &arc) const;
    /// Of one that leads to a join: that the others can be taken, too.
    QString condition(const Vertex &from, const Arc &arc) const;

    /// A condition is more than SCXML's null data model can say.
    bool needsEcmaScript() const { return m_words.needsEcmaScript(); }
    /// Names in conditions that are words.
    QStringList variables() const { return m_words.variables(); }

private:
    QString otherwise(const Vertex &from, const Arc &arc) const;

    const Statechart &m;
    const Shape &m_shape;
    ConditionWords m_words;
};

} // namespace instar::scxml
