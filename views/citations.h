// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "views/drawing/theme.h"

#include <functional>

class QLabel;

namespace instar {

// Chips that cite the sources of rules by their keys.

/// HTML of an engine's sentence, with a chip that links to "source:KEY" in place of each source.
QString cited(const Pack &pack, const QString &text, const Theme &theme);
/// HTML of the chips of a row's sources.
QString chipsOf(const Pack &pack, const Row &row, const Theme &theme);
/// Splits a sentence into text and sources; both are empty if it is only the place of a row.
std::pair<QString, QStringList> parted(const Pack &pack, const QString &text);

/// Source key of a chip's link.
QString sourceKey(const QString &link);
/// Gives the chips of a label tooltips; `pack` returns the pack then.
void tellSources(QLabel *label, const std::function<const Pack &()> &pack);
/// Tooltip of a source: document, section and a paraphrase; empty: unknown key.
QString sourceTip(const Pack &pack, const QString &key);

} // namespace instar
