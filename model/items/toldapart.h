// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <functional>

namespace instar {

/// Texts cut to the room that each has, so that those which differ look different: where the
/// beginnings that there is room for are the same, a text begins, behind "… ", with what tells it
/// from the others. `cut` gives what is seen of the text that stands at a place. Only the texts at
/// `places` are looked at.
void tellApart(const QStringList &texts, const QList<qsizetype> &places,
    const std::function<QString(qsizetype place, const QString &text)> &cut, QStringList *seen);

} // namespace instar
