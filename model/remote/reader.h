// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/properties.h"
#include "model/remote/keys.h"

#include <QStringList>

namespace instar {

struct Phrasebook;
struct TypeParts;
enum class Hole;

/// What a document says of a resource.
struct ResourceMessage
{
    QString path;  ///< where the document or its place says; empty: it does not
    QString name;  ///< as the document says
    QString state; ///< the word it shows; empty: not said
    QString etag;
    QByteArray body;       ///< the document as it came
    Properties properties; ///< those that a client may set
    QStringList references;
    QList<ResourceMessage> children; ///< those that the document holds
    QStringList collections; ///< of children that the document holds, as paths; may be empty ones
    QString problem, problemText; ///< a refusal, where a reference or child is not written as one
    bool operator==(const ResourceMessage &) const = default;
};

/// Understands the documents of resources, whoever wrote them. The book must outlive it.
class ResourceReader
{
public:
    explicit ResourceReader(const Phrasebook &book) : m_book(book) { }
    /// What a property counts as that is null: not said; or, where the document is laid over
    /// another one, one that is to go.
    enum class Nulls { LeftOut, Kept };

    /// The resource that a value of the document says. `path` is where it stands; children get
    /// theirs from it.
    ResourceMessage read(const JsonText &document, Value resource, const QString &path,
        Nulls nulls = Nulls::LeftOut) const;

private:
    QString text(Value resource, Hole hole) const;
    bool holdsOthers(Value object, const Keys &keys, Nulls nulls) const; ///< members of other names
    void readChildren(const JsonText &document, Value around, const TypeParts &type,
        ResourceMessage *message, Nulls nulls) const;
    void readCollection(const JsonText &document, Value key, Value list, const QString &collection,
        ResourceMessage *message, Nulls nulls) const;

    const Phrasebook &m_book;
};

} // namespace instar
