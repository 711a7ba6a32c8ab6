// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <functional>

namespace instar {

/// Elides texts distinctly: if the beginnings that fit are equal, a text begins, behind "… ", with
/// the part that differs. `cut` returns what fits of a text at a place. Only the texts at `places`
/// are considered.
void tellApart(const QStringList &texts, const QList<qsizetype> &places,
    const std::function<QString(qsizetype place, const QString &text)> &cut, QStringList *seen);

} // namespace instar
