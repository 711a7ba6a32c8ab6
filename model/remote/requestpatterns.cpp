// SPDX-License-Identifier: Apache-2.0
#include "model/remote/requestpatterns.h"

#include <QUrlQuery>

#include <algorithm>
#include <cctype>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestName = 256, LongestPath = 2048; ///< characters

/// A request line's target without its query, and without what a proxy puts before it.
QByteArrayView pathOf(QByteArrayView target)
{
    if (const qsizetype query = target.indexOf('?'); query >= 0)
        target.truncate(query);
    const qsizetype host = target.startsWith('/') ? -1 : target.indexOf("://");
    if (host > 0 && target.indexOf('/', host + 3) > 0)
        target = target.sliced(target.indexOf('/', host + 3));
    return target;
}

QString tooLong(qsizetype size)
{
    return u"a path may have %1 characters, this one has %2"_s.arg(LongestPath).arg(size);
}

/// Whether every percent sign begins an escape.
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

} // namespace

QString nameProblem(QStringView name)
{
    if (name.size() > LongestName)
        return u"a name may have %1 characters, this one has %2"_s.arg(LongestName)
            .arg(name.size());
    if (name == u"." || name == u"..")
        return u"\"%1\" is no name"_s.arg(name);
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
        Pattern pattern {
            .row = &row, .method = row.method.toUtf8(), .segments = {}, .of = PathTemplate(row.of)
        };
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

/// What stands between the slashes, decoded; a pack's suffix is cut off.
RequestPatterns::Parts RequestPatterns::partsOf(QByteArrayView path) const
{
    Parts parts;
    bool isText = true;
    if (!path.contains('%')) {
        isText = path.isValidUtf8();
        parts.text = QString::fromUtf8(path);
        if (!parts.text.startsWith(u'/'))
            parts.text.prepend(u'/');
        for (qsizetype begin = 1; begin > 0;) {
            const qsizetype end = parts.text.indexOf(u'/', begin);
            parts.spans.append({ begin, (end < 0 ? parts.text.size() : end) - begin });
            begin = end + 1;
        }
    } else {
        parts.text = u'/';
        for (const QByteArray &part :
            path.sliced(path.startsWith('/') ? 1 : 0).toByteArray().split('/')) {
            const QByteArray bytes = QByteArray::fromPercentEncoding(part);
            isText = isText && bytes.isValidUtf8();
            const QString decoded = QString::fromUtf8(bytes);
            parts.spans.append({ parts.text.size(), decoded.size() });
            parts.text += decoded + u'/';
        }
    }
    if (!isText)
        parts.problem = u"the path is not UTF-8"_s;
    else if (!isWellEscaped(path))
        parts.problem = u"a % in the path begins no escape such as %25"_s;
    auto &[begin, size] = parts.spans.last();
    if (!m_wire.suffix.isEmpty() && parts.part(parts.spans.size() - 1).endsWith(m_wire.suffix))
        size -= m_wire.suffix.size();
    parts.text.truncate(begin + size);
    return parts;
}

/// Whether the rest is a path of /type/name pairs, or one without its last name: of that the slash
/// may be there.
bool RequestPatterns::fitsPath(Segment::Kind kind, const Parts &parts, qsizetype from, Asked *asked)
{
    if (parts.spans.isEmpty())
        return false;
    const bool isCollection = kind == Segment::Kind::Collection;
    const bool endsInSlash = isCollection && parts.spans.last().second == 0;
    const qsizetype end = parts.spans.size() - (endsInSlash ? 1 : 0);
    if (end <= from || ((end - from) % 2 == 1) != isCollection)
        return false;
    if (std::any_of(parts.spans.begin() + from, parts.spans.begin() + end,
            [](const auto &span) { return span.second == 0; }))
        return false;
    asked->isCollection = isCollection;
    asked->path = parts.text.sliced(parts.spans[from].first - 1);
    if (endsInSlash)
        asked->path.chop(1);
    asked->badName = problemOf(parts, from);
    return true;
}

QString RequestPatterns::problemOf(const Parts &parts, qsizetype from)
{
    if (!parts.problem.isEmpty())
        return parts.problem;
    for (qsizetype at = from; at < parts.spans.size(); ++at) {
        if (QString problem = nameProblem(parts.part(at)); !problem.isEmpty())
            return problem;
    }
    const qsizetype size = parts.text.size() - parts.spans[from].first;
    return size > LongestPath ? tooLong(size) : QString();
}

/// Whether a row of plain words has as many parts as the path, and its words are those of the path:
/// most are not.
bool RequestPatterns::hasWords(const Pattern &pattern, const Parts &parts) const
{
    const auto count = qsizetype(pattern.segments.size());
    if (count == 0) // the root
        return parts.spans.size() == 1 && parts.spans.first().second == 0;
    if (count != parts.spans.size())
        return false;
    for (qsizetype at = 0; at < count; ++at) {
        const Segment &segment = pattern.segments[size_t(at)];
        if (segment.kind == Segment::Kind::Word
            && segment.word.compare(parts.part(at), m_names) != 0)
            return false;
    }
    return true;
}

/// What is left of a path whose last parts are the words that a row has behind it; without parts
/// where they are others.
RequestPatterns::Parts RequestPatterns::withoutWords(
    const Pattern &pattern, qsizetype from, const Parts &parts) const
{
    Parts left = parts;
    for (qsizetype at = qsizetype(pattern.segments.size()); at-- > from;) {
        const QString &word = pattern.segments[size_t(at)].word;
        if (left.spans.isEmpty() || word.compare(left.part(left.spans.size() - 1), m_names) != 0)
            return {};
        left.spans.removeLast();
    }
    if (!left.spans.isEmpty())
        left.text.truncate(left.spans.last().first + left.spans.last().second);
    return left;
}

/// The resource or collection that a row with `of` is about.
void RequestPatterns::tellTarget(
    const Pattern &pattern, const PathTemplate::Filling &filling, Asked *asked) const
{
    asked->path = pattern.of.filled(filling);
    asked->isCollection = pattern.of.size() % 2 == 1;
    if (pattern.names.size() > 0) {
        asked->names = pattern.names;
        asked->part = filling;
    }
    const QStringList names = asked->path.split(u'/', Qt::SkipEmptyParts);
    for (const QString &name : names) {
        if (asked->badName.isEmpty())
            asked->badName = nameProblem(name);
    }
    if (names.size() != pattern.of.size())
        asked->badName = nameProblem(u"/");
    if (asked->path.size() > LongestPath && asked->badName.isEmpty())
        asked->badName = tooLong(asked->path.size());
}

bool RequestPatterns::fits(const Pattern &pattern, const Parts &parts, Asked *asked) const
{
    using Kind = Segment::Kind;
    if (pattern.isPlain() && !hasWords(pattern, parts))
        return false;
    if (pattern.segments.empty())
        return true;
    qsizetype at = 0;
    PathTemplate::Filling filling;
    for (qsizetype i = 0; i < qsizetype(pattern.segments.size()); ++i) {
        const Segment &segment = pattern.segments[size_t(i)];
        if (segment.kind == Kind::Path || segment.kind == Kind::Collection) {
            if (i + 1 == qsizetype(pattern.segments.size()))
                return fitsPath(segment.kind, parts, at, asked);
            return fitsPath(segment.kind, withoutWords(pattern, i + 1, parts), at, asked);
        }
        if (at >= parts.spans.size())
            return false;
        const QStringView part = parts.part(at++);
        if (segment.kind == Kind::Version) {
            asked->version = part.toString();
            asked->badVersion = !m_wire.versions.contains(part, m_names);
        } else if (segment.kind == Kind::Operation) {
            asked->operation = part.toString();
            asked->badName = parts.problem;
        } else if (segment.kind == Kind::Holes) {
            const auto found = segment.holes.fit({ part }, m_names);
            if (!found)
                return false;
            filling.insert(*found);
            asked->badName = parts.problem;
        } else if (segment.word.compare(part, m_names) != 0) {
            return false;
        }
    }
    if (at != parts.spans.size())
        return false;
    if (pattern.of.size() > 0)
        tellTarget(pattern, filling, asked);
    return true;
}

/// Whether query and headers are what the row asks for. A version that the query lacks is told.
bool RequestPatterns::isTold(const Pattern &pattern, const HttpRequest &request, Asked *asked) const
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

Asked RequestPatterns::asked(const HttpRequest &request) const
{
    const Parts parts = partsOf(pathOf(request.target));
    const QByteArrayView wanted =
        request.method == "HEAD" ? QByteArrayView("GET") : QByteArrayView(request.method);
    Asked result;
    bool isWord = false; // the path is one of plain words
    for (const Pattern &pattern : m_patterns) {
        const bool isWanted = pattern.method == wanted;
        const bool matters = pattern.isPlain() ? isWanted || !isWord : isWanted && !isWord;
        Asked asked;
        if (!matters || !fits(pattern, parts, &asked))
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
    addAllowed(parts, &result);
    return result;
}

QStringList RequestPatterns::allowed(QByteArrayView target) const
{
    Asked result;
    addAllowed(partsOf(pathOf(target)), &result);
    return result.allowed;
}

QString RequestPatterns::resourceAt(QByteArrayView target) const
{
    const Parts parts = partsOf(pathOf(target));
    for (const Pattern &pattern : m_patterns) {
        Asked asked;
        if (pattern.row->ask == u"resource" && fits(pattern, parts, &asked))
            return asked.badName.isEmpty() ? asked.path : QString();
    }
    return {};
}

/// The methods that fit, and what they would be about.
void RequestPatterns::addAllowed(const Parts &parts, Asked *result) const
{
    bool isWord = false;
    for (const Pattern &pattern : m_patterns) {
        Asked asked;
        if ((isWord && !pattern.isPlain()) || !fits(pattern, parts, &asked) || asked.badVersion)
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
