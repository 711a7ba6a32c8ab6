// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/properties.h"
#include "model/remote/keys.h"

#include <QHash>
#include <QMap>
#include <QStringList>

#include <optional>

namespace instar {

struct Phrasebook;
struct World;
struct TypeParts;
class Template;
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
    QMap<QString, QJsonObject> others; ///< properties that it says of resources below, by path
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
    /// A document of a request may be another one than that of resources: `as`; children of which
    /// it gives no name have paths that end in a slash.
    struct Times
    {
        qint64 zero = 0, now = 0;     ///< ms since 1970: virtual 0, the present
        const World *world = nullptr; ///< holds the moments that are not said again
    };
    ResourceMessage read(const JsonText &document, Value resource, const QString &path, Nulls nulls,
        const Template *as, Times times) const;
    ResourceMessage read(const JsonText &document, Value resource, const QString &path,
        Nulls nulls = Nulls::LeftOut) const;
    /// A resource's whole, where the document only wraps it.
    Value unwrapped(Value root) const;

private:
    std::optional<qint64> limit(const QString &member, const Template &as, Times times,
        const QHash<QString, qint64> &said, const QString &path) const;
    void checkTimes(const Template &as, Times times, const QHash<QString, qint64> &said,
        ResourceMessage *message) const;
    void readSayings(Value resource, const Template &as, Times times, Nulls nulls,
        ResourceMessage *message) const;
    void readEmbedded(const JsonText &document, Value resource, const Template &as, Times times,
        Nulls nulls, ResourceMessage *message) const;
    QString text(Value resource, Hole hole) const;
    bool holdsOthers(Value object, const Keys &keys, Nulls nulls) const; ///< members of other names
    void readChildren(const JsonText &document, Value around, const TypeParts &type,
        ResourceMessage *message, Nulls nulls) const;
    void readCollection(const JsonText &document, Value key, Value list, const QString &collection,
        ResourceMessage *message, Nulls nulls) const;

    const Phrasebook &m_book;
};

} // namespace instar
