// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/descriptions/resourcekinds.h"

#include <optional>

namespace instar {

/// Where the documents of a description's resources have what a lifecycle needs. A pack has one
/// place for each, that of most kinds; keys that lead to it.
class DocumentPlaces
{
public:
    DocumentPlaces(const ApiDescription &description, const QList<ResourceKind> &kinds);

    std::optional<QStringList> state, name, etag; ///< nothing: documents do not say it

    /// The words of a kind's state where they stand in the pack's place; what is guessed or lost
    /// of them is added. Empty: the description has none.
    QStringList words(const ResourceKind &kind, QList<Remark> *remarks) const;

private:
    using Shapes = QList<const ApiShape *>;
    Shapes shapesOf(const ResourceKind &kind) const;
    const ApiProperty *stateOf(const Shapes &shapes) const;
    QStringList wordsAt(const Shapes &shapes, const QStringList &place) const;

    const ApiDescription &d;
};

} // namespace instar
