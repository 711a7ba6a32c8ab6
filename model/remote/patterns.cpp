// SPDX-License-Identifier: Apache-2.0
#include "model/remote/patterns.h"

#include "model/remote/keys.h"

#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

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

} // namespace

RequestPatterns::RequestPatterns(const Wire &wire, Qt::CaseSensitivity names)
    : m_wire(wire), m_names(names)
{
    using Kind = Segment::Kind;
    static const QHash<QString, Kind> holes { { u"{version}"_s, Kind::Version }, { u"{operation}"_s, Kind::Operation },
        { u"{path}"_s, Kind::Path }, { u"{collection}"_s, Kind::Collection } };
    for (const WireRequest &row : wire.requests) {
        QString whole = row.path;
        whole.replace(u"{base}"_s, wire.base);
        whole.replace(u"{path}"_s, u"/{path}"_s);
        whole.replace(u"{collection}"_s, u"/{collection}"_s);
        Pattern pattern { .row = &row, .method = row.method.toUtf8(), .segments = {} };
        for (const QString &word : whole.split(u'/', Qt::SkipEmptyParts))
            pattern.segments.push_back({ holes.value(word, Kind::Word), word });
        m_patterns.push_back(std::move(pattern));
    }
}

/// What stands between the slashes, decoded; a pack's suffix is cut off.
RequestPatterns::Parts RequestPatterns::partsOf(QByteArrayView path) const
{
    Parts parts;
    parts.slashes = std::ranges::count(path, '/');
    if (!path.contains('%')) {
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
        for (const QByteArray &part : path.sliced(path.startsWith('/') ? 1 : 0).toByteArray().split('/')) {
            const QString decoded = QUrl::fromPercentEncoding(part);
            parts.spans.append({ parts.text.size(), decoded.size() });
            parts.text += decoded + u'/';
        }
    }
    auto &[begin, size] = parts.spans.last();
    if (!m_wire.suffix.isEmpty() && parts.part(parts.spans.size() - 1).endsWith(m_wire.suffix))
        size -= m_wire.suffix.size();
    parts.text.truncate(begin + size);
    return parts;
}

/// Whether the rest is a path of /type/name pairs, or one without its last name.
bool RequestPatterns::fitsPath(Segment::Kind kind, const Parts &parts, qsizetype from, Asked *asked)
{
    const qsizetype rest = parts.spans.size() - from;
    if (rest < 1 || (rest % 2 == 0) != (kind == Segment::Kind::Path))
        return false;
    if (std::any_of(parts.spans.begin() + from, parts.spans.end(), [](const auto &span) { return span.second == 0; }))
        return false;
    asked->isCollection = kind == Segment::Kind::Collection;
    asked->path = parts.text.sliced(parts.spans[from].first - 1);
    // A name with a slash in it cannot be told from a path.
    return asked->path.count(u'/') <= parts.slashes;
}

bool RequestPatterns::fits(const Pattern &pattern, const Parts &parts, Asked *asked) const
{
    using Kind = Segment::Kind;
    qsizetype at = 0;
    for (const Segment &segment : pattern.segments) {
        if (segment.kind == Kind::Path || segment.kind == Kind::Collection)
            return fitsPath(segment.kind, parts, at, asked);
        if (at >= parts.spans.size())
            return false;
        const QStringView part = parts.part(at++);
        if (segment.kind == Kind::Version) {
            asked->version = part.toString();
            asked->badVersion = std::ranges::none_of(m_wire.versions, [&](const QString &known) { return sameName(known, part, m_names); });
        } else if (segment.kind == Kind::Operation) {
            asked->operation = part.toString();
        } else if (!sameName(segment.word, part, m_names)) {
            return false;
        }
    }
    return at == parts.spans.size();
}

Asked RequestPatterns::asked(const QByteArray &method, QByteArrayView target) const
{
    const Parts parts = partsOf(pathOf(target));
    const QByteArrayView wanted = method == "HEAD" ? QByteArrayView("GET") : QByteArrayView(method);
    Asked result;
    for (const Pattern &pattern : m_patterns) {
        if (pattern.method != wanted)
            continue;
        Asked asked;
        if (!fits(pattern, parts, &asked))
            continue;
        if (!asked.badVersion) {
            asked.row = pattern.row;
            return asked;
        }
        result.badVersion = true;
    }
    for (const Pattern &pattern : m_patterns) {
        Asked asked;
        if (!fits(pattern, parts, &asked) || asked.badVersion)
            continue;
        const QString &allowed = pattern.row->method;
        if (!result.allowed.contains(allowed))
            result.allowed += allowed;
        if (allowed == u"GET" && !result.allowed.contains(u"HEAD"_s))
            result.allowed += u"HEAD"_s;
        result.path = asked.path;
        result.operation = asked.operation;
        result.version = asked.version;
    }
    return result;
}

} // namespace instar
