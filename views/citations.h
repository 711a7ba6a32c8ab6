// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "views/drawing/theme.h"

#include <functional>

class QLabel;

namespace instar {

// Where a rule is written is said by a short key; the document stands behind it.

/// Rich text of a sentence in which the engine has named sources in full: each becomes a chip that
/// links to "source:KEY".
QString cited(const Pack &pack, const QString &text, const Theme &theme);
/// The chips of a row.
QString chipsOf(const Pack &pack, const Row &row, const Theme &theme);
/// A sentence without its sources, and the sources. Nothing of either: it is only a row's place.
std::pair<QString, QStringList> parted(const Pack &pack, const QString &text);

/// The key that a chip's link leads to.
QString sourceKey(const QString &link);
/// A label with chips says what a source is while the mouse is over its chip. `pack` is asked then.
void tellSources(QLabel *label, const std::function<const Pack &()> &pack);
/// What a source is and says, for a tooltip: document, section, our words. Empty: there is none.
QString sourceTip(const Pack &pack, const QString &key);

} // namespace instar
