// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/machine/pathtemplate.h"
#include "model/remote/http.h"

#include <algorithm>
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

} // namespace instar
