// SPDX-License-Identifier: Apache-2.0
#include "model/remote/recording.h"

#include "model/json/exchanges.h"
#include "model/json/historytext.h"
#include "model/remote/historyrecorder.h"

namespace instar {

namespace {

/// The exchanges of an archive, or of a file with one per line; each with its line.
Result<QList<HarEntry>> exchangesIn(const QByteArray &bytes, const QString &name)
{
    if (holdsHar(bytes))
        return readHar(bytes, name);
    const Result<QList<Exchange>> exchanges = readExchanges(bytes, name);
    if (!exchanges)
        return Error { exchanges.error() };
    const QList<QByteArray> lines = bytes.split('\n');
    QList<HarEntry> entries;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!lines[i].trimmed().isEmpty())
            entries += HarEntry { exchanges->at(entries.size()), int(i + 1) };
    }
    return entries;
}

} // namespace

Result<Recording> readRecording(const QByteArray &bytes, const QString &name, const Pack &pack)
{
    Recording recording { .name = name, .exchanges = {}, .plain = {} };
    if (holdsHar(bytes) || holdsExchanges(bytes)) {
        const Result<QList<HarEntry>> exchanges = exchangesIn(bytes, name);
        if (!exchanges)
            return Error { exchanges.error() };
        recording.exchanges = *exchanges;
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
    for (const HarEntry &entry : recording.exchanges)
        historyRecorder.add(entry.exchange, entry.line);
    return { historyRecorder.history(), historyRecorder.leftOut() };
}

} // namespace instar
