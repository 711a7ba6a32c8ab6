// SPDX-License-Identifier: Apache-2.0
#include "model/remote/requestrows.h"

#include <QUrlQuery>

#include <cctype>
#include <numeric>

namespace instar {

namespace {

constexpr qsizetype LongestName = 256, LongestPath = 2048; ///< characters

/// Returns a target without its query, and without the origin if it is in absolute form.
QByteArrayView pathOf(QByteArrayView target)
{
    if (const qsizetype query = target.indexOf('?'); query >= 0)
        target.truncate(query);
    const qsizetype host = target.startsWith('/') ? -1 : target.indexOf("://");
    if (host > 0 && target.indexOf('/', host + 3) > 0)
        target = target.sliced(target.indexOf('/', host + 3));
    return target;
}

/// Returns true if two hexadecimal digits follow every percent sign.
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

/// Returns why a path of these names, with `size` characters, is invalid; empty if it is valid.
QString pathProblem(const QStringList &names, qsizetype size)
{
    for (const QString &name : names) {
        if (const QString problem = nameProblem(name); !problem.isEmpty())
            return problem;
    }
    return size > LongestPath
        ? u"expected a path of at most %1 characters, found %2"_s.arg(LongestPath).arg(size)
        : QString();
}

} // namespace

QString nameProblem(QStringView name)
{
    if (name.size() > LongestName)
        return u"expected a name of at most %1 characters, found %2"_s.arg(LongestName)
            .arg(name.size());
    if (name == u"." || name == u"..")
        return u"\"%1\" is not a name"_s.arg(name);
    const auto isBad = [](QChar c) { return c == u'/' || c.category() == QChar::Other_Control; };
    return std::ranges::any_of(name, isBad)
        ? u"a name must not contain a slash or a control character"_s
        : QString();
}

RequestRow::RequestRow(const Rules &rules, const WireRequest &wireRow)
    : row(&wireRow),
      m_wire(&rules.pack().wire),
      m_nameCase(rules.pack().caseSensitivity()),
      m_of(wireRow.of),
      m_collection(wireRow.of.section(u'/', 0, -2)),
      m_isOfPart(Wire::isOfPart(wireRow))
{
    QString path = m_wire->pathOf(wireRow);
    m_query = path.section(u'?', 1);
    path = path.section(u'?', 0, 0);
    m_endsInSlash = path.endsWith(u'/');
    for (const auto &[hole, whole] :
        { std::pair(u"{path}"_s, Whole::Path), std::pair(u"{collection}"_s, Whole::Collection) }) {
        const qsizetype at = wireRow.of.isEmpty() ? path.indexOf(hole) : -1;
        if (at < 0)
            continue;
        m_whole = whole;
        m_after = PathTemplate(path.sliced(at + hole.size()));
        path.truncate(at);
    }
    m_before = PathTemplate(path);
}

std::optional<PathTemplate::HoleValues> RequestRow::holeValues(const QString &about) const
{
    if (row->of.isEmpty())
        return PathTemplate::HoleValues();
    const bool isInCollection = m_of.size() % 2 == 1 && about.count(u'/') % 2 == 0;
    return m_of.match(isInCollection ? about.section(u'/', 0, -2) : about, m_nameCase);
}

QByteArray RequestRow::target(const QString &about, const QString &version) const
{
    const QString sentVersion = version.isEmpty() ? m_wire->versions.value(0) : version;
    PathTemplate::HoleValues values = holeValues(about).value_or(PathTemplate::HoleValues());
    values.insert(u"version"_s, sentVersion);
    if (row->of.isEmpty())
        values.insert(u"operation"_s, about);
    const bool isInCollection = m_whole == Whole::Collection && about.count(u'/') % 2 == 0;
    const QString wholePath = isPlain() ? QString()
        : isInCollection                ? about.section(u'/', 0, -2)
                                        : about;
    QString after = m_after.filled(values);
    if (!isPlain() && m_wire->pathOf(*row).contains(u"}:"_s))
        after.remove(0, 1); // no slash before ":cancel" in "{path}:cancel"
    QString path = m_before.filled(values) + wholePath + after;
    if (m_endsInSlash)
        path += u'/';
    QString query = m_query.isEmpty() ? QString() : u'?' + m_query;
    return QUrl::toPercentEncoding(path, "/!$&'()*+,;=:@")
        + query.replace(u"{version}"_s, sentVersion).toUtf8();
}

bool RequestRow::match(const TargetPath &path, MatchedRequest *matched) const
{
    const QList<QStringView> parts(path.parts.cbegin(), path.parts.cend());
    const qsizetype beforeCount = m_before.size(),
                    afterCount = m_after.size() + (m_endsInSlash ? 1 : 0),
                    wholeCount = parts.size() - beforeCount - afterCount;
    const bool hasWrongLength = wholeCount < 0 || (isPlain() && wholeCount > 0);
    if (hasWrongLength || (m_endsInSlash && !parts.last().isEmpty()))
        return false;
    const auto first = m_before.match(parts.first(beforeCount), m_nameCase),
               last = m_after.match(
                   parts.sliced(beforeCount + wholeCount, m_after.size()), m_nameCase);
    if (!first || !last)
        return false;
    PathTemplate::HoleValues values = *first;
    values.insert(*last);
    matched->badName = path.problem;
    if (!isPlain() && !setWholePath(path.parts.sliced(beforeCount, wholeCount), matched))
        return false;
    if (values.contains(u"version"_s)) {
        matched->version = values.take(u"version"_s);
        matched->badVersion = !m_wire->versions.contains(matched->version, m_nameCase);
    }
    if (row->of.isEmpty())
        matched->operation = values.value(u"operation"_s);
    else
        setTarget(values, matched);
    return true;
}

/// Sets the path of the resource or collection from the names that stand for {path} or
/// {collection}. A resource's path consists of pairs of type and name; a collection's has one more
/// type, and may end in a slash. Returns false for names of another form.
bool RequestRow::setWholePath(QStringList names, MatchedRequest *matched) const
{
    const qsizetype size = names.join(u'/').size();
    matched->isCollection = m_whole == Whole::Collection;
    if (matched->isCollection && names.endsWith(QString()))
        names.removeLast();
    if (names.isEmpty() || names.contains(QString())
        || (names.size() % 2 == 1) != matched->isCollection)
        return false;
    matched->path = u'/' + names.join(u'/');
    if (matched->badName.isEmpty())
        matched->badName = pathProblem(names, size);
    return true;
}

/// Sets the path of the resource or collection: the row's `of`, filled with values of the target.
void RequestRow::setTarget(const PathTemplate::HoleValues &values, MatchedRequest *matched) const
{
    const PathTemplate &of = m_isOfPart ? m_collection : m_of;
    matched->path = of.filled(values);
    matched->isCollection = of.size() % 2 == 1;
    if (m_isOfPart) {
        matched->names = m_of;
        matched->part = values;
    }
    const QStringList names = matched->path.split(u'/', Qt::SkipEmptyParts);
    if (names.size() != of.size())
        matched->badName = nameProblem(u"/");
    else if (matched->badName.isEmpty())
        matched->badName = pathProblem(names, matched->path.size());
}

bool RequestRow::matchRest(const HttpRequest &request, MatchedRequest *matched) const
{
    const bool hasHeaders = std::ranges::all_of(row->with, [&](const WireHeader &expected) {
        return header(request.headers, expected.name.toLatin1()) == expected.text.toUtf8();
    });
    if (!hasHeaders)
        return false;
    const qsizetype mark = request.target.indexOf('?');
    const QUrlQuery query(
        mark < 0 ? QString() : QString::fromUtf8(request.target.sliced(mark + 1)));
    for (const auto &[name, expected] : QUrlQuery(m_query).queryItems(QUrl::FullyDecoded)) {
        const bool isVersion = expected == u"{version}";
        const QStringList values = query.allQueryItemValues(name, QUrl::FullyDecoded),
                          known = isVersion ? m_wire->versions : QStringList { expected };
        const auto found = std::ranges::find_if(values, [&](const QString &value) {
            return known.contains(value, isVersion ? m_nameCase : Qt::CaseSensitive);
        });
        if (found == values.end()) {
            if (isVersion)
                matched->badQuery = u"%1=%2"_s.arg(name, known.join(u" or "_s));
            return false;
        }
        if (isVersion)
            matched->version = *found;
    }
    return true;
}

RequestRows::RequestRows(const Rules &rules) : m_wire(rules.pack().wire)
{
    for (const WireRequest &row : m_wire.requests) {
        if (rules.applies(row))
            m_rows.emplace_back(rules, row);
    }
    m_ordered.resize(m_rows.size());
    std::iota(m_ordered.begin(), m_ordered.end(), 0);
    std::ranges::stable_partition(m_ordered, [&](size_t i) { return m_rows[i].isPlain(); });
}

const RequestRow *RequestRows::find(const QString &ask, const QString &about) const
{
    const auto found = std::ranges::find_if(m_rows,
        [&](const RequestRow &one) { return one.row->ask == ask && one.holeValues(about); });
    return found == m_rows.end() ? nullptr : &*found;
}

/// Splits a target's path into decoded parts, without the suffix that the pack adds to URLs.
TargetPath RequestRows::decoded(QByteArrayView target) const
{
    TargetPath path;
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

MatchedRequest RequestRows::match(const HttpRequest &request) const
{
    const TargetPath path = decoded(request.target);
    const QString method = request.method == "HEAD" ? u"GET"_s : QString::fromUtf8(request.method);
    MatchedRequest result;
    bool hasPlain = false; // a plain row matches: rows with {path} or {collection} do not count
    for (const size_t i : m_ordered) {
        const RequestRow *one = &m_rows[i];
        const bool hasMethod = one->row->method == method;
        const bool mayCount = one->isPlain() ? hasMethod || !hasPlain : hasMethod && !hasPlain;
        MatchedRequest matched;
        if (!mayCount || !one->match(path, &matched))
            continue;
        if (!one->matchRest(request, &matched)) {
            if (hasMethod && result.badQuery.isEmpty())
                result.badQuery = matched.badQuery;
            continue;
        }
        if (matched.badVersion) {
            result.badVersion = result.badVersion || hasMethod;
        } else if (hasMethod) {
            matched.row = one->row;
            return matched;
        } else {
            hasPlain = true;
        }
    }
    // No row matches: collects the methods that are allowed at this path.
    hasPlain = false;
    for (const size_t i : m_ordered) {
        const RequestRow *one = &m_rows[i];
        MatchedRequest matched;
        if ((hasPlain && !one->isPlain()) || !one->match(path, &matched) || matched.badVersion)
            continue;
        hasPlain = hasPlain || one->isPlain();
        const QString &allowed = one->row->method;
        if (!result.allowed.contains(allowed))
            result.allowed += allowed;
        if (allowed == u"GET" && !result.allowed.contains(u"HEAD"_s))
            result.allowed += u"HEAD"_s;
        result.path = matched.path;
        result.operation = matched.operation;
        result.version = matched.version;
    }
    return result;
}

QString RequestRows::resourceAt(QByteArrayView target) const
{
    const TargetPath path = decoded(target);
    for (const size_t i : m_ordered) {
        const RequestRow *one = &m_rows[i];
        MatchedRequest matched;
        if (one->row->ask == u"resource" && one->match(path, &matched))
            return matched.badName.isEmpty() ? matched.path : QString();
    }
    return {};
}

} // namespace instar
