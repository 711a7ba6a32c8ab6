// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/http/http.h"
#include "model/pack/pathtemplate.h"

#include <algorithm>
#include <vector>

namespace instar {

/// Why a name is invalid, such as one that is too long; empty if it is valid.
QString nameProblem(QStringView name);

/// A request as the wire rows understand it.
struct MatchedRequest
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
    MatchedRequest match(const HttpRequest &request) const;
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
    bool fits(const Pattern &pattern, const Path &path, MatchedRequest *asked) const;
    void addAllowed(const Path &path, MatchedRequest *result) const;
    bool isTold(const Pattern &pattern, const HttpRequest &request, MatchedRequest *asked) const;
    void tellTarget(
        const Pattern &pattern, const PathTemplate::Filling &filling, MatchedRequest *asked) const;
    static bool fitsPath(Segment::Kind kind, const QStringList &parts, const QString &problem,
        MatchedRequest *asked);

    const Wire &m_wire;
    Qt::CaseSensitivity m_names;
    std::vector<Pattern> m_patterns; ///< those of plain words first
};

} // namespace instar
