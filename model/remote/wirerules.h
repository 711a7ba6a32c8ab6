// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/machine/pathtemplate.h"
#include "model/remote/http.h"
#include "model/remote/template.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <map>
#include <vector>

namespace instar {

/// Why nothing may have a name, such as one that is too long or is no text; empty: it may.
QString nameProblem(QStringView name);

/// What a request asks for.
struct Asked
{
    const WireRequest *row = nullptr; ///< null: nothing fits
    QString path;                     ///< of a resource or collection, below the base
    QString operation;                ///< an operation's id
    QString version;
    QStringList allowed;           ///< methods that fit the path, where the request's does not
    bool isCollection = false;     ///< the path is one: it lacks the name of what is asked for
    PathTemplate names {};         ///< of a part of a collection: its resources, and what is in the
    PathTemplate::Filling part {}; ///< holes of their names; empty: the whole collection is meant
    bool badVersion = false;
    QString badQuery; ///< the version that the query has to say, and does not, though the path fits
    QString badName;  ///< why nothing can be at the path, though it fits; empty: something can
};

/// The ways of asking that a pack knows, made ready to be compared with.
class RequestPatterns
{
public:
    /// The rules must outlive it.
    explicit RequestPatterns(const Rules &rules);

    /// The first row that fits a request's method, target and headers. What a row of plain words
    /// fits, for whatever method, is no resource's or collection's path.
    Asked asked(const HttpRequest &request) const;
    /// The methods that fit a target.
    QStringList allowed(QByteArrayView target) const;
    /// The resource that is asked for at a URL's path, whatever its query; empty: none is.
    QString resourceAt(QByteArrayView target) const;

private:
    /// What may stand between two slashes.
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
        PathTemplate of;       ///< the resource or collection; empty: in the segments
        PathTemplate names {}; ///< of the resources in a part of a collection, which `of` is then
        QList<std::pair<QString, QString>> query {}; ///< what it has to say
        bool isPlain() const
        {
            return std::ranges::none_of(segments,
                [](const Segment &segment) { return segment.kind >= Segment::Kind::Path; });
        }
    };
    struct Path
    {
        QStringList parts;
        QString problem; ///< why it is none, such as bytes that are no UTF-8; empty: it is
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

/// The references that were found in a body, or which one is wrong.
struct References
{
    QStringList paths;
    QString problem; ///< a refusal's id; empty: all is well
    QString text;    ///< what is wrong, in words
};

/// What the documents of one type hold beside plain properties.
struct TypeParts
{
    struct Reference
    {
        const ReferenceRule *rule = nullptr;
        QStringList place; ///< as keys; lists have [] behind them
        Place path;        ///< in what stands there
    };
    const Type *type = nullptr;
    const Template *resource = nullptr; ///< how its resources are written; null: not at all
    QList<QStringList> wraps;           ///< where documents hold a resource's whole
    QList<Reference> references;
    QStringList children; ///< names of collections
    QStringList back;     ///< of its properties, those that list who refers to it
    QStringList notPlain; ///< of its properties, those that are the document's own, references' or,
                          ///< where they stand there, children's
    /// Whether one of its references may lead to resources of another type.
    bool refersTo(const QString &typePath, Qt::CaseSensitivity names) const;
};

/// What a pack's wire rows come to, read once. The rules must outlive it.
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
    /// The document that a type has in that one's place, else that one.
    const Template *find(const QString &document, const TypeParts *type) const;
    /// The same for what is at a path, and how that itself is written.
    const Template *findAt(const QString &document, const QString &path) const
    {
        return find(document, typeAt(path));
    }
    const Template *resourceAt(const QString &path) const { return resourceOf(typeAt(path)); }
    /// The document that one only wraps, for what is at a path; else itself.
    const Template *inside(const Template *document, const QString &path) const;
    /// What stands in the body of a row's requests, where that only wraps it.
    const Template *bodyOf(const WireRequest &row, const QString &path) const
    {
        return inside(findAt(row.body, path), path);
    }
    /// A document with what it only wraps; null: as it is.
    QByteArray wrapped(const Template *document, QByteArray inside) const;
    /// What holes of paths stand for in a resource's name; empty: nothing.
    PathTemplate::Filling partsOfName(const QString &path) const;
    /// A type's name of such parts; empty: some are missing.
    QString nameOfParts(const QString &typePath, const PathTemplate::Filling &parts) const;
    /// The answers to what was asked, in their order.
    QList<const Answer *> answersTo(const QString &asked) const;
    /// The version that is asked for where a client wants this one; empty: the usual one.
    QString version(const QString &wanted) const
    {
        return wanted.isEmpty() ? wire.versions.value(0) : wanted;
    }
    /// The first row that asks so about that path; null: there is none.
    const WireRequest *rowFor(const QString &ask, const QString &about) const;
    /// The path of a row with its holes filled, and its query.
    QByteArray targetOf(const WireRequest &row, const QString &about, const QString &version) const;

    // what types say of bodies

    /// Null where the pack has no such type.
    const TypeParts *type(const QString &typePath) const;
    const TypeParts *typeAt(const QString &path) const; ///< of a resource or collection
    /// How resources of a type are written; null type: of those without documents of their own.
    const Template *resourceOf(const TypeParts *type) const
    {
        return type ? type->resource : find(QStringLiteral("resource"));
    }
    /// What the properties of a resource of that type refer to.
    References references(const TypeParts &type, Value properties) const;
    /// The properties with references put into them where the rules say; those that no rule knows
    /// are left out.
    QJsonObject withReferences(
        const QString &typePath, QJsonObject properties, const QStringList &references) const;
    /// The property of a resource that lists who refers to it, for a referrer of a type that points
    /// at it.
    QString back(const QString &referrerType, const QString &referredType) const;
    /// A path as a reference has it, without what stands before it on the wire.
    QString plain(const QString &path) const;

    const Rules &rules;
    const Wire &wire;
    const Qt::CaseSensitivity names; ///< how names are compared
    const RequestPatterns patterns;
    const std::map<QString, Template> templates;
    std::vector<TypeParts> types;
    QList<QStringList> wraps; ///< where documents hold the whole of a resource of no known type
    const Headers headers;    ///< of every answer
    const QByteArray requestIdHeader, echoHeader; ///< their names; empty: there is none
    bool repeatsHeaders = false;                  ///< some answer has a header of the request
    std::vector<Answer> answers;                  ///< that apply
    const QSet<QString> failures;  ///< error codes that only work ends with, no rule refuses
    QHash<QString, HoleText> urls; ///< question -> its URL, with the hole {id} for the operation

private:
    void addType(const Type &type, const QSet<QString> &documentsOfTypes);
    void tellOthers(const Type &type);
    QString problemOf(Value value, const TypeParts::Reference &reference, QString *path) const;
    bool fits(const ReferenceRule &rule, const QString &typePath) const;
};

} // namespace instar
