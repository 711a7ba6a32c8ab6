// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statechart.h"

#include <QHash>

namespace instar {

/// What the classes of a diagram say.
class MermaidStyles
{
public:
    /// `chart`: of which the settings hold "classDef good fill:green".
    explicit MermaidStyles(const Statechart &chart);

    /// Of a state with these classes and this style of its own ("mermaid.class", "mermaid.style").
    Look lookOf(const Particulars &particulars) const;

private:
    QHash<QString, QString> m_classes; ///< by name
};

} // namespace instar
