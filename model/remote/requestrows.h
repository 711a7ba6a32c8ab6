// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/http/http.h"
#include "model/pack/pathtemplate.h"

#include <vector>

namespace instar {

/// Why a name is invalid, such as one that is too long; empty if it is valid.
QString nameProblem(QStringView name);

/// Result of matching a request with the wire rows.
struct MatchedRequest
{
    const WireRequest *row = nullptr; ///< null: no row fits
    QString path;                     ///< of a resource or collection, below the base
    QString operation;                ///< an operation's id
    QString version;
    QStringList allowed;              ///< methods allowed at the path, if the request's is not
    bool isCollection = false;        ///< the path is that of a collection
    PathTemplate names {};            ///< paths of the resources in a part of a collection
    PathTemplate::HoleValues part {}; ///< hole values that select it; empty: the whole collection
    bool badVersion = false;
    QString badQuery; ///< version that the query lacks, if the path matches
    QString badName;  ///< why the path is invalid although it matches; empty: it is valid
};

struct TargetPath
{
    QStringList parts; ///< between slashes, decoded
    QString problem;   ///< why it is invalid, such as not UTF-8; empty: it is valid
};

/// Compiled request row of a pack: writes and parses targets by the same templates.
class RequestRow
{
public:
    RequestRow(const Rules &rules, const WireRequest &row);

    /// Returns the values of the holes for `about`, a path or an operation's id; nothing if the row
    /// does not match. A row of a collection also matches the paths of its members.
    std::optional<PathTemplate::HoleValues> holeValues(const QString &about) const;
    /// Returns the target of a request, with its query. A row of a collection takes a member's
    /// path, too. An empty `version` stands for the pack's first one.
    QByteArray target(const QString &about, const QString &version = {}) const;
    /// Matches a path, and sets the members of `matched` that it names.
    bool match(const TargetPath &path, MatchedRequest *matched) const;
    /// Matches query and headers; sets the version that the query contains.
    bool matchRest(const HttpRequest &request, MatchedRequest *matched) const;
    /// Returns true for a row without {path} and {collection}.
    bool isPlain() const { return m_whole == Whole::None; }
    bool isOfCollection() const
    {
        return m_whole == Whole::Collection || m_isOfPart || m_of.size() % 2 == 1;
    }

    const WireRequest *row;

private:
    void setTarget(const PathTemplate::HoleValues &values, MatchedRequest *matched) const;
    bool setWholePath(QStringList names, MatchedRequest *matched) const;

    const Wire *m_wire;
    Qt::CaseSensitivity m_nameCase;
    /// Hole for a whole path in the target, between `m_before` and `m_after`.
    enum class Whole { None, Path, Collection } m_whole = Whole::None;
    PathTemplate m_before, m_after;
    bool m_endsInSlash = false;
    QString m_query;                       ///< with the hole {version}
    PathTemplate m_of {}, m_collection {}; ///< WireRequest::of, and the collection around it
    bool m_isOfPart = false;               ///< see MatchedRequest::part
};

/// Request rows of a pack, compiled, that apply under the switches. The rules must outlive them.
class RequestRows
{
public:
    explicit RequestRows(const Rules &rules);

    const std::vector<RequestRow> &all() const { return m_rows; }
    /// Returns the first row with this `ask` for a path or an operation's id; null: none.
    const RequestRow *find(const QString &ask, const QString &about) const;
    /// Matches a request with the first row that fits its method, target and headers. Rows with
    /// {path} or {collection} are ignored if another row fits the target, even for another method.
    MatchedRequest match(const HttpRequest &request) const;
    /// Returns the path of the resource at a target, whatever its query; empty if there is none.
    QString resourceAt(QByteArrayView target) const;

private:
    TargetPath decoded(QByteArrayView target) const;

    const Wire &m_wire;
    std::vector<RequestRow> m_rows; ///< in the pack's order
    std::vector<size_t> m_ordered;  ///< indices of the rows, the plain ones first
};

} // namespace instar
