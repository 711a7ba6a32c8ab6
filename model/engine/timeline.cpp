// SPDX-License-Identifier: Apache-2.0
#include "model/engine/timeline.h"

#include "model/engine/operationlog.h"
#include "model/engine/simulator.h"

namespace instar {

Timeline::Timeline(const World &beginning)
    : m_first(beginning.tree), m_begin(beginning.now), m_end(beginning.now)
{
    m_rows.reserve(size_t(m_first.size()));
    for (const quint32 branch : m_first.branches()) {
        const quint32 count = m_first.branchSize(branch);
        for (quint32 position = 0; position < count; ++position) {
            const Resource resource = m_first.at(branch, position);
            const Resource parent = m_first.parent(resource);
            const Row row = Row(m_rows.size());
            if (m_firstRows.size() <= resource)
                m_firstRows.resize(size_t(resource) + 1, NoRow);
            m_firstRows[resource] = row;
            Entry entry { .first = resource, .resource = resource };
            if (parent != NoResource) {
                entry.parent = m_firstRows[parent];
                entry.depth = quint16(m_rows[entry.parent].depth + 1);
            }
            m_levels = std::max(m_levels, entry.depth + 1);
            m_rows.push_back(entry);
        }
    }
    m_rowOf = m_firstRows;
    // Adds operations that were under way at the beginning; their start is unknown.
    for (const auto &queued : beginning.queue)
        m_bars.push_back({ .serial = queued->serial,
            .request = withoutContents(queued->request),
            .path = queued->request->path,
            .row = rowFor(queued->request->path),
            .submitted = beginning.now,
            .status = Status::Waiting,
            .requirer = queued->requirer });
    for (const auto &running : beginning.running)
        m_bars.push_back({ .serial = running->serial,
            .request = withoutContents(running->request),
            .path = running->path,
            .row = rowFor(running->path),
            .state = running->work,
            .submitted = beginning.now,
            .started = beginning.now });
    std::ranges::sort(m_bars, {}, &Bar::serial);
    for (const auto &running : beginning.running)
        updateSpans(beginning.now, { running->serial, runsOf(beginning.tree, running->affected) });
}

QString Timeline::key(const QString &path) const
{
    return m_first.caseSensitivity() == Qt::CaseSensitive ? path : path.toCaseFolded();
}

QString Timeline::name(Row row) const
{
    const Entry &entry = m_rows[row];
    return entry.first == NoResource ? m_created.value(row).name : m_first.name(entry.first);
}

QString Timeline::path(Row row) const
{
    const Entry &entry = m_rows[row];
    if (entry.first != NoResource)
        return m_first.path(entry.first);
    const Created &created = *m_created.constFind(row);
    return (entry.parent == NoRow ? QString() : path(entry.parent)) + u'/' + created.segment + u'/'
        + created.name;
}

Timeline::Row Timeline::find(const QString &path) const
{
    if (const auto row = m_createdRows.constFind(key(path)); row != m_createdRows.constEnd())
        return *row;
    const Resource first = m_first.find(path);
    return first == NoResource ? NoRow : m_firstRows[first];
}

Timeline::Row Timeline::rowFor(const QString &path)
{
    if (const Row known = find(path); known != NoRow)
        return known;
    const QString parentPath = path.section(u'/', 0, -3);
    const QString segment = path.section(u'/', -2, -2), name = path.section(u'/', -1);
    if (segment.isEmpty() || name.isEmpty())
        return NoRow;
    const Row parent = parentPath.isEmpty() ? NoRow : rowFor(parentPath);
    if (!parentPath.isEmpty() && parent == NoRow)
        return NoRow;
    const Row row = Row(m_rows.size());
    const int depth = parent == NoRow ? 0 : m_rows[parent].depth + 1;
    m_rows.push_back({ .parent = parent, .depth = quint16(depth) });
    m_levels = std::max(m_levels, depth + 1);
    m_created.insert(row, { segment, name });
    m_createdRows.insert(key(path), row);
    if (parent != NoRow)
        m_createdChildren[parent].push_back(row);
    m_isArranged = false;
    return row;
}

/// Returns the rows in preorder. Needs no sorting, because rows are numbered in the tree's order
/// among siblings, and children after their parents.
const Timeline::Arrangement &Timeline::arranged() const
{
    if (std::exchange(m_isArranged, true))
        return m_arrangement;
    const size_t count = m_rows.size();
    m_arrangement = { std::vector<Row>(count), std::vector<quint32>(count),
        std::vector<quint32>(count, 1) };
    auto &[rows, places, ends] = m_arrangement; // at first, `ends` contains sizes of subtrees
    for (size_t row = count; row-- > 0;) {
        if (m_rows[row].parent != NoRow)
            ends[m_rows[row].parent] += ends[row];
    }
    std::vector<quint32> next(count + 1); // parent + 1 -> the place of its next child
    for (Row row = 0; row < Row(count); ++row) {
        quint32 &at = next[Row(m_rows[row].parent + 1)]; // NoRow + 1 is 0
        const quint32 place = at;
        rows[place] = row;
        places[row] = place;
        next[row + 1] = place + 1;
        at = ends[row] = place + ends[row];
    }
    return m_arrangement;
}

int Timeline::distance(Row from, Row to) const
{
    int steps = 0;
    while (from != to) {
        Row &lower = to == NoRow || (from != NoRow && depth(from) >= depth(to)) ? from : to;
        lower = m_rows[lower].parent;
        ++steps;
    }
    return steps;
}

std::vector<bool> Timeline::touched() const
{
    std::vector<int> edges(m_rows.size() + 1);
    const auto touch = [&](qsizetype first, qsizetype last) {
        ++edges[size_t(first)];
        --edges[size_t(last) + 1];
    };
    for (const Span &span : m_spans)
        touch(placeOf(span.first), placeOf(span.last));
    for (const Bar &bar : m_bars) {
        if (bar.row != NoRow)
            touch(placeOf(bar.row), placeOf(bar.row));
    }
    std::vector<bool> result(m_rows.size());
    for (size_t place = 0, depth = 0; place < result.size(); ++place) {
        depth += size_t(edges[place]);
        result[place] = depth > 0;
    }
    return result;
}

void Timeline::setResource(Row row, Resource resource) const
{
    Resource &now = m_rows[row].resource;
    if (now != NoResource && m_rowOf[now] == row)
        m_rowOf[now] = NoRow;
    now = resource;
    if (resource == NoResource)
        return;
    if (m_rowOf.size() <= resource)
        m_rowOf.resize(size_t(resource) + 1, NoRow);
    m_rowOf[resource] = row;
}

void Timeline::changeResource(Row row, Resource resource)
{
    m_changes.push_back({ m_moments, row, m_rows[row].resource, resource });
    setResource(row, resource);
    m_changesShown = m_changes.size();
}

void Timeline::show(qsizetype moment) const
{
    while (m_changesShown < m_changes.size() && m_changes[m_changesShown].moment < moment) {
        const ResourceChange &change = m_changes[m_changesShown++];
        setResource(change.row, change.after);
    }
    while (m_changesShown > 0 && m_changes[m_changesShown - 1].moment >= moment) {
        const ResourceChange &change = m_changes[--m_changesShown];
        setResource(change.row, change.before);
    }
}

Timeline::Row Timeline::rowOf(Resource resource) const
{
    return resource < m_rowOf.size() ? m_rowOf[resource] : NoRow;
}

void Timeline::apply(const TreeChange &change)
{
    if (change.isCreation()) {
        if (const Row row = rowFor(change.path); row != NoRow)
            changeResource(row, change.resource);
        return;
    }
    std::vector<Row> open;
    if (const Row top = rowOf(change.resource); top != NoRow)
        open.push_back(top);
    while (!open.empty()) {
        const Row row = open.back();
        open.pop_back();
        const Resource first = m_rows[row].first;
        const Row end = row + (first == NoResource ? 1 : m_first.subtree(first).size());
        for (Row descendant = row; descendant < end; ++descendant) {
            if (m_rows[descendant].resource != NoResource)
                changeResource(descendant, NoResource);
            std::ranges::copy(m_createdChildren.value(descendant), std::back_inserter(open));
        }
    }
}

const Timeline::Bar *Timeline::bar(quint32 serial) const
{
    const auto found = std::ranges::lower_bound(m_bars, serial, {}, &Bar::serial);
    return found != m_bars.end() && found->serial == serial ? &*found : nullptr;
}

/// Inserts a bar by serial: an operation that was sent before the beginning may be reported after
/// later operations.
void Timeline::insert(Bar bar)
{
    const auto place = std::ranges::upper_bound(m_bars, bar.serial, {}, &Bar::serial);
    const auto index = quint32(place - m_bars.begin());
    if (place != m_bars.end()) {
        const auto shift = [index](auto &part) { part.bar += part.bar >= index ? 1 : 0; };
        std::ranges::for_each(m_spans, shift);
        std::ranges::for_each(m_ticks, shift);
    }
    m_bars.insert(place, std::move(bar));
}

void Timeline::updateSpans(qint64 time, const Holding &holding)
{
    const Bar *bar = this->bar(holding.operation);
    if (!bar)
        return;
    // A span continues if the operation still affects the same rows in the same state.
    std::vector<quint32> open;
    std::vector<std::pair<Row, Row>> runs;
    for (const auto &[first, last] : holding.runs) {
        const std::pair<Row, Row> run(rowOf(first), rowOf(last));
        if (run.first != NoRow && run.second != NoRow)
            runs.push_back(run);
    }
    for (const quint32 number : m_open.take(holding.operation)) {
        Span &span = m_spans[number];
        const auto same = std::ranges::find(runs, std::pair(span.first, span.last));
        if (same != runs.end() && span.state == bar->state) {
            open.push_back(number);
            runs.erase(same);
        } else {
            span.to = time;
        }
    }
    const quint32 index = quint32(bar - m_bars.data());
    for (const auto &[first, last] : runs) {
        open.push_back(quint32(m_spans.size()));
        m_spans.push_back({ index, first, last, time, NotYet, bar->state });
    }
    m_open.emplace(holding.operation, std::move(open));
}

/// Returns the usual working state of an operation, for servers that do not report the state.
static Rules::StateId workOf(const Rules &rules, const Timeline::Bar &bar)
{
    const int machine = rules.machineForType(typePathOf(bar.path));
    return workStatesOf(rules, machine, rules.trigger(bar.request->op)).value(0, Rules::None);
}

void Timeline::add(const Rules &rules, const Record &record)
{
    show(m_moments);
    const qint64 time = record.event.time;
    m_end = std::max(m_end, time);
    for (const TreeChange &change : record.treeChanges)
        apply(change);
    for (const Change &change : record.changes) {
        if (change.request && !bar(change.operation)) {
            const QString &path = change.path.isEmpty() ? change.request->path : change.path;
            insert({ .serial = change.operation,
                .request = withoutContents(change.request),
                .path = path,
                .row = rowFor(path),
                .submitted = time,
                .requirer = change.requirer });
        }
    }
    for (const Change &change : record.changes) {
        auto *found = const_cast<Bar *>(bar(change.operation));
        if (!found)
            continue;
        Bar &bar = *found;
        const quint32 index = quint32(found - m_bars.data());
        bar.attempts = std::max(bar.attempts, change.attempts);
        bar.status = statusAfter(rules, change).value_or(bar.status);
        const auto end = [&] {
            bar.ended = time;
            bar.code = change.code;
            bar.message = change.message;
            if (!change.rule.isEmpty())
                bar.rule = change.rule;
            for (const quint32 span : m_open.take(bar.serial))
                m_spans[span].to = time;
        };
        const auto tick = [&](Tick::Kind kind) {
            m_ticks.push_back({ kind, index, time, change.to, change.outcome });
        };
        switch (change.kind) {
        case Change::Kind::Queued:
            bar.conflictsWith = change.other;
            break;
        case Change::Kind::Started:
            bar.started = time;
            bar.state = change.to == Rules::None ? workOf(rules, bar) : change.to;
            bar.transition = change.transition;
            if (record.event.kind == Event::Kind::Fire)
                tick(Tick::Kind::Fire);
            break;
        case Change::Kind::Observed:
            bar.started = bar.ended = time;
            break;
        case Change::Kind::Replayed:
            bar.status = Status::Succeeded;
            bar.replayOf = change.other;
            bar.started = bar.ended = time;
            break;
        case Change::Kind::Rejected:
            end();
            bar.conflictsWith = change.other;
            bar.http = change.http;
            break;
        case Change::Kind::Worked:
            tick(change.outcome == rules.retried ? Tick::Kind::Retry : Tick::Kind::Work);
            if (change.to != Rules::None && change.to != bar.state) {
                bar.state = change.to;
                std::vector<quint32> next;
                for (const quint32 number : m_open.take(bar.serial)) {
                    Span span = m_spans[number];
                    m_spans[number].to = time;
                    span.from = time;
                    span.state = change.to;
                    next.push_back(quint32(m_spans.size()));
                    m_spans.push_back(span);
                }
                m_open.emplace(bar.serial, std::move(next));
            }
            break;
        case Change::Kind::Began:
            tick(Tick::Kind::Begin);
            break;
        case Change::Kind::Closed:
            end();
            bar.outcome = change.outcome;
            break;
        case Change::Kind::Canceled:
            end();
            bar.rule = rules.conflictText(change.conflict);
            bar.canceledBy = change.other;
            break;
        default:
            break;
        }
    }
    for (const Holding &holding : record.holdings)
        updateSpans(time, holding);
    ++m_moments;
}

Timeline timelineOf(const Simulator &simulator)
{
    Timeline timeline(simulator.beginning());
    for (const QList<Record> &records : { simulator.records(), simulator.later() }) {
        for (const Record &record : records)
            timeline.add(simulator.rules(), record);
    }
    return timeline;
}

} // namespace instar
