// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/http/http.h"
#include "model/pack/pathtemplate.h"
#include "model/remote/template.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <map>
#include <vector>

namespace instar {

/// Why a name is invalid, such as one that is too long; empty if it is valid.
QString nameProblem(QStringView name);

/// A request as the wire rows understand it.
struct Asked
{
    const WireRequest *row = nullptr; ///< null: no row fits
    QString path;                     ///< of a resource or collection, below the base
    QString operation;                ///< an operation's id
    QString version;
    QStringList allowed;           ///< methods that fit the path, if the request's does not
    bool isCollection = false;     ///< the path is that of a collection
    PathTemplate names {};         ///< of a part of a collection: paths of its resources
    PathTemplate::Filling part {}; ///< and the values of their holes; empty: the whole collection
    bool badVersion = false;
    QString badQuery; ///< the version that the query must give and lacks, though the path fits
    QString badName;  ///< why the path is invalid, though it fits; empty: it is valid
};

/// Compiled request rows of a pack, to match requests against.
class RequestPatterns
{
public:
    /// The rules must outlive it.
    explicit RequestPatterns(const Rules &rules);

    /// The first row that fits a request's method, target and headers. A path of plain words in
    /// some row, for any method, is never that of a resource or collection.
    Asked asked(const HttpRequest &request) const;
    /// The methods that fit a target.
    QStringList allowed(QByteArrayView target) const;
    /// Path of the resource at a URL's path, whatever its query; empty if there is none.
    QString resourceAt(QByteArrayView target) const;

private:
    /// Pattern for one segment of a path.
    struct Segment
    {
        enum class Kind { Word, Version, Operation, Holes, Path, Collection };
        Kind kind = Kind::Word;
        QString word;
        PathTemplate holes {}; ///< Holes: this part
    };
    struct Pattern
    {
        const WireRequest *row = nullptr;
        std::vector<Segment> segments {};
        PathTemplate of;       ///< the resource or collection; empty: the segments give it
        PathTemplate names {}; ///< of the resources in a part; then `of` is the collection
        QList<std::pair<QString, QString>> query {}; ///< required items
        bool isPlain() const
        {
            return std::ranges::none_of(segments,
                [](const Segment &segment) { return segment.kind >= Segment::Kind::Path; });
        }
    };
    struct Path
    {
        QStringList parts;
        QString problem; ///< why it is invalid, such as not UTF-8; empty: it is valid
    };
    Path decoded(QByteArrayView target) const;
    bool fits(const Pattern &pattern, const Path &path, Asked *asked) const;
    void addAllowed(const Path &path, Asked *result) const;
    bool isTold(const Pattern &pattern, const HttpRequest &request, Asked *asked) const;
    void tellTarget(
        const Pattern &pattern, const PathTemplate::Filling &filling, Asked *asked) const;
    static bool fitsPath(
        Segment::Kind kind, const QStringList &parts, const QString &problem, Asked *asked);

    const Wire &m_wire;
    Qt::CaseSensitivity m_names;
    std::vector<Pattern> m_patterns; ///< those of plain words first
};

/// References in a body, or the first invalid one.
struct References
{
    QStringList paths;
    QString problem; ///< a refusal's id; empty: all are valid
    QString text;    ///< what is wrong
};

/// Special parts of the documents of one type.
struct TypeParts
{
    struct Reference
    {
        const ReferenceRule *rule = nullptr;
        QStringList place; ///< as keys; lists have [] behind them
        Place path;        ///< of the path in a reference
    };
    const Type *type = nullptr;
    const Template *resource = nullptr; ///< layout of its resources; null: none
    QList<QStringList> wraps;           ///< places where documents wrap a whole resource
    QList<Reference> references;
    QStringList children; ///< names of collections
    QStringList back;     ///< of its properties, those that list referrers
    QStringList notPlain; ///< of its properties, those of the document, references and children
    /// Returns true if one of its references may point to resources of another type.
    bool refersTo(const QString &typePath, Qt::CaseSensitivity names) const;
};

/// Compiled wire rows of a pack. The rules must outlive it.
struct WireRules
{
    explicit WireRules(const Rules &rules);
    Q_DISABLE_COPY_MOVE(WireRules)

    using Headers = QList<std::pair<QByteArray, HoleText>>;
    static Headers headersOf(const QList<WireHeader> &rows);
    struct Answer
    {
        const WireAnswer *row = nullptr;
        Headers headers;
    };

    const Template *find(const QString &document) const;
    /// The type's own variant of a document, else the document.
    const Template *find(const QString &document, const TypeParts *type) const;
    /// find() for the type at a path, and the layout of its resources.
    const Template *findAt(const QString &document, const QString &path) const
    {
        return find(document, typeAt(path));
    }
    const Template *resourceAt(const QString &path) const { return resourceOf(typeAt(path)); }
    /// The document that one wraps, for what is at a path; else itself.
    const Template *inside(const Template *document, const QString &path) const;
    /// Layout of what the body of a row's requests holds.
    const Template *bodyOf(const WireRequest &row, const QString &path) const
    {
        return inside(findAt(row.body, path), path);
    }
    /// Wraps `inside` as a document does; null: unchanged.
    QByteArray wrapped(const Template *document, QByteArray inside) const;
    /// Values of the path's holes in a resource's name; empty if it has none.
    PathTemplate::Filling partsOfName(const QString &path) const;
    /// Name of a type's resource composed of its parts; empty if some are missing.
    QString nameOfParts(const QString &typePath, const PathTemplate::Filling &parts) const;
    /// The answers to a request, in their order.
    QList<const Answer *> answersTo(const QString &asked) const;
    /// The version that a client wants; empty: the default one.
    QString version(const QString &wanted) const
    {
        return wanted.isEmpty() ? wire.versions.value(0) : wanted;
    }
    /// The first row with this request about that path; null if there is none.
    const WireRequest *rowFor(const QString &ask, const QString &about) const;
    /// Target of a row's requests, with its holes filled and its query.
    QByteArray targetOf(const WireRequest &row, const QString &about, const QString &version) const;

    // Types in bodies

    /// Null if the pack has no such type.
    const TypeParts *type(const QString &typePath) const;
    const TypeParts *typeAt(const QString &path) const; ///< of a resource or collection
    /// Layout of a type's resources; null type: of those without documents of their own.
    const Template *resourceOf(const TypeParts *type) const
    {
        return type ? type->resource : find(QStringLiteral("resource"));
    }
    /// The references in the properties of a resource of that type.
    References references(const TypeParts &type, Value properties) const;
    /// Adds references to the properties where the rules place them; leaves out those without a
    /// rule.
    QJsonObject withReferences(
        const QString &typePath, QJsonObject properties, const QStringList &references) const;
    /// The property of a resource that lists its referrers of a type.
    QString back(const QString &referrerType, const QString &referredType) const;
    /// Path of a reference without its prefix on the wire: origin, base and version.
    QString plain(const QString &path) const;

    const Rules &rules;
    const Wire &wire;
    const Qt::CaseSensitivity names; ///< case sensitivity of names
    const RequestPatterns patterns;
    const std::map<QString, Template> templates;
    std::vector<TypeParts> types;
    QList<QStringList> wraps; ///< places where documents wrap a whole resource of unknown type
    const Headers headers;    ///< of every answer
    const QByteArray requestIdHeader, echoHeader; ///< empty: none
    bool repeatsHeaders = false;                  ///< some answer repeats a header of the request
    std::vector<Answer> answers;                  ///< that apply
    const QSet<QString> failures;  ///< error codes that work ends with, but no refusal
    QHash<QString, HoleText> urls; ///< read -> its URL, with the hole {id} for the operation

private:
    void addType(const Type &type, const QSet<QString> &documentsOfTypes);
    void tellOthers(const Type &type);
    QString problemOf(Value value, const TypeParts::Reference &reference, QString *path) const;
    bool fits(const ReferenceRule &rule, const QString &typePath) const;
};

} // namespace instar
