// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/engine/properties.h"
#include "model/machine/pathtemplate.h"
#include "model/remote/template.h"

#include <QHash>
#include <QMap>
#include <QStringList>

#include <optional>

namespace instar {

struct WireRules;
struct World;
struct TypeParts;

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
    QStringList apart; ///< of `collections`, those that are no part of it: it is silent about them
    QMap<QString, QJsonObject> others; ///< properties that it says of resources below, by path
    QString problem, problemText; ///< a refusal, where a reference or child is not written as one
    bool operator==(const ResourceMessage &) const = default;
};

/// What an answer tells of a resource: so it was at some moment of the interval. Where several
/// answers tell it together, the interval is that of all. What has a lower `when.exchange` is
/// older.
struct Sighting
{
    QString path;
    std::optional<ResourceMessage> message; ///< nothing: it was not there
    AnswerInterval when;
};

/// What answers tell of all that is in a collection ("/racks").
struct CollectionSighting
{
    QString path;
    QList<ResourceMessage> resources;
    AnswerInterval when;
    bool isMissing = false; ///< the server has no such collection
};

/// What times in words are, in ms since 1970.
struct WireClock
{
    qint64 zero = 0, now = 0;     ///< virtual 0, and the present
    const World *world = nullptr; ///< holds the moments that are not said again; null: none are
    /// The moment that is stored where a member says one, of a resource at `path`.
    std::optional<qint64> stored(const Template::Saying &saying, const QString &path) const;
};

/// Understands the documents of resources, whoever wrote them. The book must outlive it.
class ResourceReader
{
public:
    explicit ResourceReader(const WireRules &book) : m_book(book) { }
    /// What a property counts as that is null: not said; or, where the document is laid over
    /// another one, one that is to go.
    enum class Nulls { LeftOut, Kept };
    struct How
    {
        Nulls nulls = Nulls::LeftOut;
        WireClock clock {};
        const Template *as = nullptr;    ///< the document of a request; null: that of resources
        const TypeParts *type = nullptr; ///< of the resource, where no path says
    };

    /// The resource that a value of the document says. `path` is where it stands; children get
    /// theirs from it. Children of which a request's document gives no name have paths that end in
    /// a slash.
    ResourceMessage read(
        const JsonText &document, Value resource, const QString &path, const How &how) const;
    /// The string that stands where a document has a hole; numbers name resources, too.
    QString text(Value resource, const Template &as, Hole hole) const;
    /// The parts of its name that it says.
    PathTemplate::Filling nameParts(Value resource, const Template &as) const;
    /// A resource's whole, where the document only wraps it.
    Value unwrapped(Value root, const TypeParts *type) const;

private:
    const WireRules &m_book;
};

} // namespace instar
