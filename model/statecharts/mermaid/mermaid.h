// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

namespace instar {

/// Reads the state diagrams (stateDiagram-v2, stateDiagram) of a Mermaid file, or of the ```mermaid
/// blocks of a Markdown file. What lies where is told in ChartBuilder.
///
/// Styles are the looks of states; comments, links and settings are no part of the statechart: see
/// Statechart::asides. Every line that is not understood is reported.
Result<StatechartsRead> readMermaid(const QByteArray &bytes, const QString &file);

/// Writes each statechart as a diagram; several are blocks of a Markdown file. What Mermaid has no
/// form for (histories, entry and exit points, several targets) is reported.
StatechartsWritten writeMermaid(const QList<Statechart> &charts);

} // namespace instar
