// SPDX-License-Identifier: Apache-2.0
#include "model/remote/requestpatterns.h"

#include <QUrlQuery>

#include <algorithm>
#include <cctype>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestName = 256, LongestPath = 2048; ///< characters

/// Path of a request's target, without the query and a proxy's origin.
QByteArrayView pathOf(QByteArrayView target)
{
    if (const qsizetype query = target.indexOf('?'); query >= 0)
        target.truncate(query);
    const qsizetype host = target.startsWith('/') ? -1 : target.indexOf("://");
    if (host > 0 && target.indexOf('/', host + 3) > 0)
        target = target.sliced(target.indexOf('/', host + 3));
    return target;
}

/// Returns true if every percent sign begins an escape.
bool isWellEscaped(QByteArrayView path)
{
    const auto isHex = [&](qsizetype at) {
        return at < path.size() && std::isxdigit(uchar(path[at]));
    };
    for (qsizetype at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
        if (!isHex(at + 1) || !isHex(at + 2))
            return false;
    }
    return true;
}

/// Why a path of these names with `size` characters is invalid; empty if it is valid.
QString pathProblem(const QStringList &names, qsizetype size)
{
    for (const QString &name : names) {
        if (const QString problem = nameProblem(name); !problem.isEmpty())
            return problem;
    }
    return size > LongestPath
        ? u"a path may have %1 characters, this one has %2"_s.arg(LongestPath).arg(size)
        : QString();
}

} // namespace

QString nameProblem(QStringView name)
{
    if (name.size() > LongestName)
        return u"a name may have %1 characters, this one has %2"_s.arg(LongestName)
            .arg(name.size());
    if (name == u"." || name == u"..")
        return u"\"%1\" is not a name"_s.arg(name);
    const auto isBad = [](QChar c) { return c == u'/' || c.category() == QChar::Other_Control; };
    return std::ranges::any_of(name, isBad)
        ? u"a name may not have a slash or a control character in it"_s
        : QString();
}

RequestPatterns::RequestPatterns(const Rules &rules)
    : m_wire(rules.pack().wire),
      m_names(rules.pack().ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive)
{
    using Kind = Segment::Kind;
    static const QHash<QString, Kind> holes { { u"{version}"_s, Kind::Version },
        { u"{operation}"_s, Kind::Operation }, { u"{path}"_s, Kind::Path },
        { u"{collection}"_s, Kind::Collection } };
    for (const WireRequest &row : m_wire.requests) {
        if (!rules.applies(row))
            continue;
        const QString path = m_wire.pathOf(row);
        QString whole = path.section(u'?', 0, 0);
        if (row.of.isEmpty()) {
            whole.replace(u"{path}"_s, u"/{path}"_s);
            whole.replace(u"{collection}"_s, u"/{collection}"_s);
        }
        Pattern pattern { .row = &row, .of = PathTemplate(row.of) };
        for (const QString &word : whole.split(u'/', Qt::SkipEmptyParts)) {
            const bool hasHoles = !row.of.isEmpty() && word != u"{version}" && word.contains(u'{');
            if (hasHoles)
                pattern.segments.push_back({ Kind::Holes, word, PathTemplate(word) });
            else
                pattern.segments.push_back({ holes.value(word, Kind::Word), word });
        }
        if (whole.endsWith(u'/') && !pattern.segments.empty())
            pattern.segments.push_back({});
        if (path.contains(u'?'))
            pattern.query = QUrlQuery(path.section(u'?', 1)).queryItems(QUrl::FullyDecoded);
        if (Wire::isOfPart(row)) {
            pattern.names = pattern.of;
            pattern.of = PathTemplate(row.of.section(u'/', 0, -2));
        }
        m_patterns.push_back(std::move(pattern));
    }
    std::stable_partition(m_patterns.begin(), m_patterns.end(),
        [](const Pattern &pattern) { return pattern.isPlain(); });
}

/// Splits a target's path into decoded segments; a pack's suffix is cut off.
RequestPatterns::Path RequestPatterns::decoded(QByteArrayView target) const
{
    Path path;
    const QByteArrayView text = pathOf(target);
    if (!isWellEscaped(text))
        path.problem = u"a % in the path does not begin an escape such as %25"_s;
    for (const QByteArray &part :
        text.sliced(text.startsWith('/') ? 1 : 0).toByteArray().split('/')) {
        const QByteArray bytes = QByteArray::fromPercentEncoding(part);
        if (!bytes.isValidUtf8())
            path.problem = u"the path is not UTF-8"_s;
        path.parts += QString::fromUtf8(bytes);
    }
    if (path.parts.last().endsWith(m_wire.suffix))
        path.parts.last().chop(m_wire.suffix.size());
    return path;
}

/// Returns true if the parts are /type/name pairs; the path of a collection ends in a type,
/// with or without a slash behind it.
bool RequestPatterns::fitsPath(
    Segment::Kind kind, const QStringList &parts, const QString &problem, MatchedRequest *asked)
{
    const bool isCollection = kind == Segment::Kind::Collection;
    const bool endsInSlash = isCollection && parts.endsWith(QString());
    const QStringList names = endsInSlash ? parts.first(parts.size() - 1) : parts;
    if (names.isEmpty() || names.contains(QString()) || (names.size() % 2 == 1) != isCollection)
        return false;
    asked->isCollection = isCollection;
    asked->path = u'/' + names.join(u'/');
    asked->badName = problem.isEmpty() ? pathProblem(names, parts.join(u'/').size()) : problem;
    return true;
}

/// Sets the resource or collection of a row with `of`.
void RequestPatterns::tellTarget(
    const Pattern &pattern, const PathTemplate::Filling &filling, MatchedRequest *asked) const
{
    asked->path = pattern.of.filled(filling);
    asked->isCollection = pattern.of.size() % 2 == 1;
    if (pattern.names.size() > 0) {
        asked->names = pattern.names;
        asked->part = filling;
    }
    const QStringList names = asked->path.split(u'/', Qt::SkipEmptyParts);
    if (names.size() != pattern.of.size())
        asked->badName = nameProblem(u"/");
    else if (asked->badName.isEmpty())
        asked->badName = pathProblem(names, asked->path.size());
}

bool RequestPatterns::fits(const Pattern &pattern, const Path &path, MatchedRequest *asked) const
{
    using Kind = Segment::Kind;
    const QStringList &parts = path.parts;
    if (pattern.segments.empty())
        return parts == QStringList { QString() };
    qsizetype at = 0, left = qsizetype(pattern.segments.size());
    PathTemplate::Filling filling;
    for (const Segment &segment : pattern.segments) {
        --left;
        if (segment.kind == Kind::Path || segment.kind == Kind::Collection) {
            const QStringList own = parts.mid(at, std::max<qsizetype>(parts.size() - left - at, 0));
            if (!fitsPath(segment.kind, own, path.problem, asked))
                return false;
            at += own.size();
            continue;
        }
        if (at >= parts.size())
            return false;
        const QString &part = parts[at++];
        if (segment.kind == Kind::Version) {
            asked->version = part;
            asked->badVersion = !m_wire.versions.contains(part, m_names);
        } else if (segment.kind == Kind::Operation) {
            asked->operation = part;
            asked->badName = path.problem;
        } else if (segment.kind == Kind::Holes) {
            const auto found = segment.holes.fit({ part }, m_names);
            if (!found)
                return false;
            filling.insert(*found);
            asked->badName = path.problem;
        } else if (segment.word.compare(part, m_names) != 0) {
            return false;
        }
    }
    if (at != parts.size())
        return false;
    if (pattern.of.size() > 0)
        tellTarget(pattern, filling, asked);
    return true;
}

/// Returns true if query and headers are what the row requires. Notes a missing version.
bool RequestPatterns::isTold(
    const Pattern &pattern, const HttpRequest &request, MatchedRequest *asked) const
{
    const auto isThere = [&](const WireHeader &wanted) {
        return header(request.headers, wanted.name.toLatin1()) == wanted.text.toUtf8();
    };
    if (!std::ranges::all_of(pattern.row->with, isThere))
        return false;
    if (pattern.query.isEmpty())
        return true;
    const qsizetype mark = request.target.indexOf('?');
    const QUrlQuery query(
        mark < 0 ? QString() : QString::fromUtf8(request.target.sliced(mark + 1)));
    for (const auto &[name, wanted] : pattern.query) {
        const bool isVersion = wanted == u"{version}";
        const QStringList values = query.allQueryItemValues(name, QUrl::FullyDecoded),
                          known = isVersion ? m_wire.versions : QStringList { wanted };
        const auto said = std::ranges::find_if(values, [&](const QString &value) {
            return known.contains(value, isVersion ? m_names : Qt::CaseSensitive);
        });
        if (said == values.end()) {
            if (isVersion)
                asked->badQuery = u"%1=%2"_s.arg(name, known.join(u" or "_s));
            return false;
        }
        if (isVersion)
            asked->version = *said;
    }
    return true;
}

MatchedRequest RequestPatterns::match(const HttpRequest &request) const
{
    const Path path = decoded(request.target);
    const QString wanted = request.method == "HEAD" ? u"GET"_s : QString::fromUtf8(request.method);
    MatchedRequest result;
    bool isWord = false; // a plain row fits: rows with {path} or holes no longer count
    for (const Pattern &pattern : m_patterns) {
        const bool isWanted = pattern.row->method == wanted;
        const bool matters = pattern.isPlain() ? isWanted || !isWord : isWanted && !isWord;
        MatchedRequest asked;
        if (!matters || !fits(pattern, path, &asked))
            continue;
        if (!isTold(pattern, request, &asked)) {
            if (isWanted && result.badQuery.isEmpty())
                result.badQuery = asked.badQuery;
            continue;
        }
        if (asked.badVersion) {
            result.badVersion = result.badVersion || isWanted;
        } else if (isWanted) {
            asked.row = pattern.row;
            return asked;
        } else {
            isWord = true;
        }
    }
    addAllowed(path, &result);
    return result;
}

QStringList RequestPatterns::allowed(QByteArrayView target) const
{
    MatchedRequest result;
    addAllowed(decoded(target), &result);
    return result.allowed;
}

QString RequestPatterns::resourceAt(QByteArrayView target) const
{
    const Path path = decoded(target);
    for (const Pattern &pattern : m_patterns) {
        MatchedRequest asked;
        if (pattern.row->ask == u"resource" && fits(pattern, path, &asked))
            return asked.badName.isEmpty() ? asked.path : QString();
    }
    return {};
}

/// Adds the methods allowed at a path, and the resource, operation and version that it names.
void RequestPatterns::addAllowed(const Path &path, MatchedRequest *result) const
{
    bool isWord = false;
    for (const Pattern &pattern : m_patterns) {
        MatchedRequest asked;
        if ((isWord && !pattern.isPlain()) || !fits(pattern, path, &asked) || asked.badVersion)
            continue;
        isWord = isWord || pattern.isPlain();
        const QString &allowed = pattern.row->method;
        if (!result->allowed.contains(allowed))
            result->allowed += allowed;
        if (allowed == u"GET" && !result->allowed.contains(u"HEAD"_s))
            result->allowed += u"HEAD"_s;
        result->path = asked.path;
        result->operation = asked.operation;
        result->version = asked.version;
    }
}

} // namespace instar
