// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/json/har.h"

namespace instar {

/// Recording of a server: exchanges over HTTP, or a history in plain form.
struct Recording
{
    QString name; ///< of the file, or what stands for it in messages
    QList<HarEntry> exchanges;
    std::optional<History> plain;
};

/// Reads a history, lines of exchanges or an HTTP archive. Errors name file, line and remedy.
Result<Recording> readRecording(const QByteArray &bytes, const QString &name, const Pack &pack);

/// History of a recording under certain rules.
struct RecordedHistory
{
    History history;
    QStringList leftOut; ///< trees whose initial state is unknown
};
RecordedHistory historyOf(const Recording &recording, const Rules &rules);

} // namespace instar
