// SPDX-License-Identifier: Apache-2.0
#include "model/remote/historyrecorder.h"

#include "model/json/exchanges.h"
#include "model/json/historytext.h"
#include "model/json/reading.h"

#include <tuple>

namespace instar {

HistoryRecorder::HistoryRecorder(const Rules &rules, QString file)
    : m_rules(rules), m_interpreter(rules), m_treeGroups(rules), m_file(std::move(file))
{ }

void HistoryRecorder::add(const Exchange &exchange, int line)
{
    const std::optional<InterpretedExchange> interpreted = m_interpreter.interpreted(exchange);
    if (!interpreted)
        return;
    const qint64 snapshot = interpreted->isSnapshot ? ++m_snapshots : 0;
    for (const InterpretedExchange::ObservedResource &resource : interpreted->resources) {
        Observation observation = resource.observation;
        observation.line = line;
        observation.snapshot = snapshot;
        m_received[m_rules.pack().folded(observation.path)] +=
            ReceivedObservation { resource, m_arrivals++, interpreted->request.has_value() };
        if (resource.message) {
            observation.properties = resource.message->properties;
            m_treeGroups.join(ResourceSpec {
                .path = observation.path, .references = resource.message->references });
        }
        m_observations += observation;
    }
    if (interpreted->request)
        addRequest(*interpreted, line);
    if (!interpreted->unnamed.isEmpty())
        m_unnamed.insert(interpreted->unnamed);
    if (!interpreted->namedByServer.isEmpty())
        m_namedByServer.insert(interpreted->namedByServer);
    for (const QString &collection : { interpreted->collection, interpreted->below }) {
        if (collection.isEmpty())
            continue;
        Read &read = m_collections[collection];
        read.from = std::min(read.from, interpreted->from);
        read.to = std::min(read.to, interpreted->to);
    }
    if (interpreted->status) {
        m_statuses += *interpreted->status;
        m_statuses.last().line = line;
    }
}

void HistoryRecorder::addRequest(const InterpretedExchange &exchange, int line)
{
    RecordedRequest recorded = *exchange.request;
    recorded.line = line;
    QString &id = recorded.request.id;
    if (const int before = m_idUses[id]++)
        id += u"#%1"_s.arg(before + 1);
    for (const QString &operation : exchange.serverOperations)
        m_operations.insert(operation, id);
    m_treeGroups.join(recorded.request);
    if (exchange.isNew)
        m_creations += m_requests.size();
    m_requests += recorded;
}

/// Maps the number of each group of connected trees to the time (ms) of its first request.
QHash<int, double> HistoryRecorder::firstRequestTimes() const
{
    QHash<int, double> begun;
    for (const RecordedRequest &recorded : m_requests) {
        const int group = m_treeGroups.of(recorded.request.path);
        begun.insert(group, std::min(recorded.sent, begun.value(group, recorded.sent)));
    }
    return begun;
}

RecordedHistory HistoryRecorder::recorded() const
{
    History history;
    history.file = m_file;
    history.pack = m_rules.pack().id;
    history.switches = m_rules.switches();
    history.headerLine = 0; // exchanges have none
    const QSet<QString> before = unknown(Evidence::Before);
    const QSet<QString> leftOut = withConnected(before & unknown(Evidence::Overlapping));
    const QSet<QString> guessed = withConnected(before) - leftOut;
    history.guessed = QStringList(guessed.begin(), guessed.end());
    const QHash<int, double> begun = firstRequestTimes();
    QList<const ReceivedObservation *> initial;
    for (auto it = m_received.cbegin(); it != m_received.cend(); ++it) {
        const QString tree = m_interpreter.treeOf(it.key());
        const double changed = begun.value(m_treeGroups.of(tree), Unchanged);
        const Evidence evidence = guessed.contains(tree) ? Evidence::Overlapping : Evidence::Before;
        const QList<const ReceivedObservation *> earlier = observedBefore(*it, changed, evidence);
        // The earliest one, because a timer may have changed the state before a later one.
        const auto first = std::ranges::min_element(earlier, {}, &ReceivedObservation::to);
        if (first != earlier.end() && (*first)->resource.message && !leftOut.contains(tree))
            initial += *first;
    }
    // Parents before children, in whatever order they were observed.
    std::ranges::sort(initial, {}, [](const ReceivedObservation *one) {
        return std::tuple(one->resource.observation.path.count(u'/'), one->to(), one->order);
    });
    for (const ReceivedObservation *one : std::as_const(initial))
        history.resources += m_interpreter.specOf(*one->resource.message);
    for (const RecordedRequest &recorded : m_requests) {
        if (!leftOut.contains(m_interpreter.treeOf(recorded.request.path)))
            history.requests += recorded;
    }
    for (const Observation &observation : m_observations) {
        if (!leftOut.contains(m_interpreter.treeOf(observation.path)))
            history.observations += observation;
    }
    const auto ids = mapped<QSet<QString>>(
        history.requests, [](const RecordedRequest &request) { return request.request.id; });
    for (Observation status : m_statuses) {
        status.operation = m_operations.value(status.operation);
        if (ids.contains(status.operation))
            history.observations += status;
    }
    QStringList sorted(leftOut.begin(), leftOut.end());
    sorted.sort();
    return { std::move(history), std::move(sorted) };
}

/// Returns true if no earlier request in the tree can have removed the target of `creation`: then
/// the target did not exist when the recording began.
bool HistoryRecorder::isFirstInTree(const RecordedRequest &creation) const
{
    const QString tree = m_interpreter.treeOf(creation.request.path);
    return std::ranges::all_of(m_requests, [&](const RecordedRequest &other) {
        return other.sent >= creation.answered || m_interpreter.treeOf(other.request.path) != tree
            || (other.request.op == creation.request.op
                && other.request.path == creation.request.path);
    });
}

QList<const HistoryRecorder::ReceivedObservation *> HistoryRecorder::observedBefore(
    const QList<ReceivedObservation> &all, double changed, Evidence evidence) const
{
    QList<const ReceivedObservation *> before;
    const ReceivedObservation *overlapping = nullptr;
    for (const ReceivedObservation &one : all) {
        if (one.to() <= changed)
            before += &one;
        else if (!one.isOfRequest && one.from() <= changed
            && (!overlapping || one.from() < overlapping->from()))
            overlapping = &one;
    }
    if (before.isEmpty() && overlapping && evidence == Evidence::Overlapping)
        before += overlapping;
    return before;
}

/// Returns the trees whose state before their first change is unknown.
QSet<QString> HistoryRecorder::unknown(Evidence evidence) const
{
    const QHash<int, double> begun = firstRequestTimes();
    QSet<QString> all, known, result;
    const auto isRead = [&](const QString &collection, double changed) {
        const Read read = m_collections.value(collection);
        return (evidence == Evidence::Before ? read.to : read.from) <= changed;
    };
    for (auto it = m_received.cbegin(); it != m_received.cend(); ++it) {
        const QString tree = m_interpreter.treeOf(it.key());
        const int group = m_treeGroups.of(tree);
        const bool isBegun = begun.contains(group);
        const double changed = begun.value(group, Unchanged);
        all.insert(tree);
        if (m_unnamed.contains(tree.section(u'/', 0, 1)))
            result.insert(tree); // this tree may be the resource whose name is unknown
        if (isRead(tree.section(u'/', 0, 1), changed))
            known.insert(tree);
        for (const ReceivedObservation *one : observedBefore(*it, changed, evidence)) {
            known.insert(tree);
            const std::optional<ResourceMessage> &message = one->resource.message;
            if (!message)
                continue;
            const bool isAtWork = m_interpreter.specOf(*message).state.isEmpty();
            const bool isWhole = std::ranges::all_of(m_interpreter.separateCollections(*message),
                [&](const QString &collection) { return isRead(collection, changed); });
            if (isAtWork || (isBegun && !isWhole))
                result.insert(tree);
        }
    }
    for (const RecordedRequest &recorded : m_requests) {
        const QString tree = m_interpreter.treeOf(recorded.request.path);
        all.insert(tree);
        if (isRead(tree.section(u'/', 0, 1), begun.value(m_treeGroups.of(tree))))
            known.insert(tree);
    }
    for (const qsizetype number : m_creations) {
        const RecordedRequest &creation = m_requests[number];
        if (creation.request.path.count(u'/') == 2 && isFirstInTree(creation))
            known.insert(m_interpreter.treeOf(creation.request.path));
    }
    return result.unite(all - known).unite(m_namedByServer);
}

QSet<QString> HistoryRecorder::withConnected(const QSet<QString> &trees) const
{
    const auto groups =
        mapped<QSet<int>>(trees, [&](const QString &tree) { return m_treeGroups.of(tree); });
    QSet<QString> result = trees;
    const auto add = [&](const QString &path) {
        if (groups.contains(m_treeGroups.of(path)))
            result.insert(m_interpreter.treeOf(path));
    };
    for (auto it = m_received.cbegin(); it != m_received.cend(); ++it)
        add(it.key());
    for (const RecordedRequest &recorded : m_requests)
        add(recorded.request.path);
    return result;
}

Result<Recording> readRecording(const QByteArray &bytes, const QString &name, const Pack &pack)
{
    Recording recording { .name = name, .exchanges = {}, .plain = {} };
    if (holdsExchanges(bytes)) {
        const Result<QList<Exchange>> exchanges = readExchanges(bytes, name);
        if (!exchanges)
            return Error { exchanges.error() };
        for (const TextLine &line : linesOf(bytes))
            recording.exchanges +=
                RecordedExchange { exchanges->at(recording.exchanges.size()), int(line.number) };
        return recording;
    }
    const Result<History> plain = readHistory(bytes, name, pack);
    if (!plain)
        return Error { plain.error() };
    recording.plain = *plain;
    return recording;
}

RecordedHistory historyOf(const Recording &recording, const Rules &rules)
{
    if (recording.plain)
        return { *recording.plain, {} };
    HistoryRecorder historyRecorder(rules, recording.name);
    for (const RecordedExchange &one : recording.exchanges)
        historyRecorder.add(one.exchange, one.line);
    return historyRecorder.recorded();
}

} // namespace instar
