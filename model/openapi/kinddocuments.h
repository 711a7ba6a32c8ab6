// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/resourcekinds.h"

#include <QMap>

#include <optional>

namespace instar {

/// Places in the documents of one kind of resource, as a description tells; keys that lead there.
struct KindDocuments
{
    bool isTold = false; ///< the description says what a resource looks like
    QString wrapper;     ///< the key under which answers hold the resource; empty: they are it
    std::optional<QStringList> state, name, etag; ///< in the resource; nothing: it does not say
    QMap<QString, QStringList> nameParts;         ///< where its name is several holes of its path
    std::optional<QStringList> url;               ///< of the path where the resource is asked for
    QStringList words; ///< that its state may be; empty: the description has none
    bool isListed = false;
    QString listKey; ///< of a list's items; empty: the document is the list
    QString nextKey; ///< of the URL where a list goes on; empty: it does not
    bool operator==(const KindDocuments &) const = default;
};

/// What is guessed, or not understood, is added to the remarks.
KindDocuments documentsOf(
    const ApiDescription &description, const ResourceKind &kind, QList<Diagnostic> *remarks);

/// Whether a document holds the resource under the wrapper's key.
bool isWrapped(const ApiShape &shape, const QString &wrapper);

} // namespace instar
