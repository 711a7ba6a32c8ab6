// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/notation/textplan.h"

namespace instar {

/// Decodes a text of Mermaid: "<br>" and "\n" are line breaks, "#quot;" and "#35;" characters.
QString shownByMermaid(const QString &written);

/// Encodes a text for Mermaid: after a colon, between quotes or in a note.
QString writtenForMermaid(const QString &shown);

/// Encodes a note: one line after a colon, or a block.
QStringList noteForMermaid(const QStringList &shown);

/// True if a state can have this name.
bool isMermaidId(QStringView text);

/// Kinds of vertices by stereotype: "fork", "join", "choice".
const QMap<QString, Vertex::Kind> &mermaidStereotypes();

const TextNotation &mermaidNotation();

} // namespace instar
