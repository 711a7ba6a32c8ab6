// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/storedbody.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Checker for reads that contradict the writes of a history.
class BodyCheck
{
public:
    BodyCheck(const History &history, const Rules &rules);
    std::optional<BodyViolation> violation() const;

private:
    struct Write
    {
        const RecordedRequest *asked = nullptr;
        QJsonObject properties;
    };
    struct Path
    {
        std::vector<Write> writes;
        QList<const Observation *> reads; ///< in order of time
    };
    void addWrite(const RecordedRequest &asked, const Request &request);
    QString keyOf(const QString &path) const;
    bool isWrite(const QString &op) const { return m_writingOps.contains(op); }
    std::optional<QJsonValue> valueOf(const Write &write, const QString &member) const;
    const Observation *settledBy(
        const Path &path, const Write &write, const Observation &read) const;
    const Observation *shownBefore(
        const Path &path, const Observation &read, const QString &member) const;
    bool isEcho(const Path &path, const Write &write, const QString &member) const;
    bool mayExplain(
        const Path &path, const Write &last, const QString &member, const Observation &read) const;
    std::optional<BodyViolation> violationOf(
        const Path &path, const QString &member, const Observation &read) const;
    std::optional<BodyViolation> violationAt(const Path &path, const Observation &read) const;

    const History &m_history;
    const Rules &m_rules;
    QSet<QString> m_writingOps, m_owned;
    QHash<QString, Path> m_paths;
    QHash<QString, QList<const Observation *>> m_ends;    ///< request -> observations of success
    QHash<std::pair<int, QString>, Properties> m_answers; ///< (line, path) -> properties shown
};

BodyCheck::BodyCheck(const History &history, const Rules &rules)
    : m_history(history), m_rules(rules)
{
    const Pack &pack = rules.pack();
    for (const WireRequest &row : pack.wire.requests) {
        if (row.method == u"PUT" || row.method == u"PATCH")
            m_writingOps.insert(row.ask);
    }
    m_owned = QSet<QString>(pack.wire.owned.begin(), pack.wire.owned.end());
    for (const Machine &machine : pack.machines) {
        for (const Transition &row : machine.transitions) {
            for (const Assignment &one : row.set)
                m_owned.insert(one.property);
        }
    }
    for (const RecordedRequest &asked : history.requests)
        addWrite(asked, asked.request);
    for (const Observation &seen : history.observations) {
        if (!seen.isOfResource() && seen.word == statusName(Status::Succeeded))
            m_ends[seen.operation] += &seen;
        const auto path = m_paths.find(keyOf(seen.path));
        if (!seen.isOfResource() || path == m_paths.end() || seen.properties.isEmpty())
            continue;
        path->reads += &seen;
        m_answers.insert({ seen.line, keyOf(seen.path) }, seen.properties);
    }
    for (Path &path : m_paths)
        std::ranges::stable_sort(path.reads, {}, &Observation::to);
}

void BodyCheck::addWrite(const RecordedRequest &asked, const Request &request)
{
    if (!isWrite(asked.request.op) || asked.answer == RecordedRequest::Answer::Refused)
        return;
    if (!request.properties.isEmpty())
        m_paths[keyOf(request.path)].writes.push_back({ &asked, request.properties.object() });
    for (const Request &content : request.contents)
        addWrite(asked, content);
}

QString BodyCheck::keyOf(const QString &path) const
{
    return m_rules.pack().ignoreCase ? path.toCaseFolded() : path;
}

/// Returns the value that a write stores in a member; nothing if it does not mention it.
std::optional<QJsonValue> BodyCheck::valueOf(const Write &write, const QString &member) const
{
    const auto stored = write.properties.constFind(member);
    if (stored == write.properties.constEnd() || stored->isNull())
        return {};
    return *stored;
}

/// Returns an observation that a write had succeeded before a read: of its operation's status, or
/// its answer at rest; null: none.
const Observation *BodyCheck::settledBy(
    const Path &path, const Write &write, const Observation &read) const
{
    if (write.asked->answer != RecordedRequest::Answer::Accepted)
        return nullptr;
    for (const Observation *end : m_ends.value(write.asked->request.id)) {
        if (end->to <= read.from)
            return end;
    }
    const auto answer = std::ranges::find_if(path.reads, [&](const Observation *one) {
        return one->line == write.asked->line && one->to <= read.from && isAtRest(*one, m_rules);
    });
    return answer == path.reads.end() ? nullptr : *answer;
}

/// Returns an earlier read that showed another value under the same etag; null: none.
const Observation *BodyCheck::shownBefore(
    const Path &path, const Observation &read, const QString &member) const
{
    const auto before = std::ranges::find_if(path.reads, [&](const Observation *one) {
        const QJsonObject shown = one->properties.object();
        return !read.etag.isEmpty() && one->etag == read.etag && one->to <= read.from
            && shown.contains(member)
            && isOtherValue(shown.value(member), read.properties.value(member));
    });
    return before == path.reads.end() ? nullptr : *before;
}

/// Returns true if a write only repeats a value that was read before, which is often the server's.
bool BodyCheck::isEcho(const Path &path, const Write &write, const QString &member) const
{
    const QJsonValue value = write.properties.value(member);
    const auto known = std::ranges::find_if(m_history.resources, [&](const ResourceSpec &one) {
        return keyOf(one.path) == keyOf(write.asked->request.path);
    });
    QJsonValue last = known == m_history.resources.end() ? QJsonValue(QJsonValue::Undefined)
                                                         : known->properties.value(member);
    for (const Observation *read : path.reads) {
        if (read->to <= write.asked->sent && read->properties.object().contains(member))
            last = read->properties.value(member);
    }
    return !last.isUndefined() && !isOtherValue(value, last);
}

/// Returns true if another write, which may have come later, explains a read, or if another request
/// makes the value unknown.
bool BodyCheck::mayExplain(
    const Path &path, const Write &last, const QString &member, const Observation &read) const
{
    const QJsonValue seen = read.properties.value(member);
    const QString key = keyOf(read.path);
    const auto isOver = [&](const RecordedRequest &asked) {
        return asked.sent >= read.to || (asked.isClosed() && asked.answered <= last.asked->sent);
    };
    for (const Write &write : path.writes) {
        const std::optional<QJsonValue> value = valueOf(write, member);
        if (&write != &last && value && !isOver(*write.asked) && !isOtherValue(*value, seen))
            return true;
    }
    return std::ranges::any_of(m_history.requests, [&](const RecordedRequest &asked) {
        const QString target = keyOf(asked.request.path);
        const bool isAbove = key == target || key.startsWith(target + u'/');
        if (&asked == last.asked || asked.answer == RecordedRequest::Answer::Refused || !isAbove
            || isOver(asked))
            return false;
        const bool mentions = std::ranges::any_of(path.writes,
            [&](const Write &write) { return write.asked == &asked && valueOf(write, member); });
        return !mentions && (!isWrite(asked.request.op) || key == target);
    });
}

std::optional<BodyViolation> BodyCheck::violationOf(
    const Path &path, const QString &member, const Observation &read) const
{
    const QJsonValue seen = read.properties.value(member);
    const Observation *before = shownBefore(path, read, member);
    const Write *last = nullptr;
    const Observation *by = nullptr;
    for (const Write &write : path.writes) {
        const std::optional<QJsonValue> value = valueOf(write, member);
        if (!value || isEcho(path, write, member))
            continue;
        if (before && write.asked->answer == RecordedRequest::Answer::Accepted
            && !isOtherValue(*value, before->properties.value(member)))
            return BodyViolation { member, *value, seen, *write.asked, *before, read, true };
        const Observation *settled = settledBy(path, write, read);
        if (settled && (!last || write.asked->sent > last->asked->sent)) {
            last = &write;
            by = settled;
        }
    }
    if (!last)
        return {};
    const QJsonValue stored = *valueOf(*last, member);
    // The answer to the write shows the value as changed by the server.
    const QJsonValue answered =
        m_answers.value({ last->asked->line, keyOf(read.path) }).value(member);
    const bool isSaid = !answered.isUndefined() && !isOtherValue(answered, seen);
    if (!isOtherValue(stored, seen) || isSaid || mayExplain(path, *last, member, read))
        return {};
    return BodyViolation { member, stored, seen, *last->asked, *by, read, false };
}

std::optional<BodyViolation> BodyCheck::violationAt(const Path &path, const Observation &read) const
{
    for (const QString &member : read.properties.object().keys()) {
        if (m_owned.contains(member))
            continue;
        if (auto violation = violationOf(path, member, read))
            return violation;
    }
    return {};
}

std::optional<BodyViolation> BodyCheck::violation() const
{
    std::optional<BodyViolation> first;
    for (const Path &path : m_paths) {
        for (const Observation *read : path.reads) {
            if (first && first->observation.to <= read->to)
                break;
            if (auto violation = violationAt(path, *read)) {
                first = std::move(violation);
                break;
            }
        }
    }
    return first;
}

} // namespace

std::optional<BodyViolation> bodyViolation(const History &history, const Rules &rules)
{
    return BodyCheck(history, rules).violation();
}

bool isOtherValue(const QJsonValue &stored, const QJsonValue &seen)
{
    if (stored.isNull() || stored.isUndefined() || seen.isNull() || seen.isUndefined())
        return false; // left out
    if (stored.isObject() && seen.isObject()) {
        const QJsonObject members = stored.toObject(), shown = seen.toObject();
        for (auto it = members.begin(); it != members.end(); ++it) {
            if (isOtherValue(it.value(), shown.value(it.key())))
                return true;
        }
        return false;
    }
    if (stored.isArray() && seen.isArray()) {
        const QJsonArray items = stored.toArray(), shown = seen.toArray();
        return items.size() != shown.size()
            || std::ranges::any_of(items, [&](const QJsonValue &item) {
                   return std::ranges::all_of(
                       shown, [&](const QJsonValue &other) { return isOtherValue(item, other); });
               });
    }
    const auto isWhole = [](const QJsonValue &value) {
        return value.isObject() || value.isArray();
    };
    return isWhole(stored) || isWhole(seen)
        || stored.toVariant().toString().compare(seen.toVariant().toString(), Qt::CaseInsensitive)
        != 0;
}

} // namespace instar
