// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartbuilder.h"
#include "model/charts/notation/textnotation.h"

namespace instar {

/// The texts below states' labels while a diagram is read, as they are written.
class WrittenTexts
{
public:
    explicit WrittenTexts(const TextNotation &notation) : m_notation(notation) { }

    /// Adds a line to a state's description.
    void add(ChartBuilder &builder, int state, const QString &written);
    /// Keeps them as particulars where a writer would write them otherwise.
    void keep(ChartBuilder &builder) const;

private:
    const TextNotation &m_notation;
    QHash<int, QStringList> m_texts; ///< by node
};

} // namespace instar
