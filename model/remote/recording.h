// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/history.h"
#include "model/formats/har.h"

namespace instar {

/// What was recorded of a server: exchanges over HTTP, or a history in plain form.
struct Recording
{
    QString name; ///< of the file, or what stands for one in messages
    QList<HarEntry> exchanges;
    std::optional<History> plain;
};

/// Reads a history, lines of exchanges or an HTTP archive. Errors name file, line and remedy.
Result<Recording> readRecording(const QByteArray &bytes, const QString &name, const Pack &pack);

/// What a recording means under some rules.
struct RecordedHistory
{
    History history;
    QStringList leftOut; ///< trees of which nobody knows what they were before
};
RecordedHistory historyOf(const Recording &recording, const Rules &rules);

} // namespace instar
