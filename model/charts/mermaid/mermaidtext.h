// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

/// What Mermaid shows for a text: "<br>" and "\n" break the line, "#quot;" and "#35;" are letters.
QString shownByMermaid(const QString &written);

/// A text that Mermaid shows so, wherever it stands: behind a colon, between quotes, in a note.
QString writtenForMermaid(const QString &shown);

/// The same, but as it was written once if that still says it.
QString writtenForMermaid(const QString &shown, const QString &once);

/// May a state be called so?
bool isMermaidId(QStringView text);

} // namespace instar
