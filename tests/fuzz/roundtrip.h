// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"
#include "tests/support/chartfacts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace instar {

/// Ends the program unless every notation has a text for the charts which its reader takes. Where
/// something is left out, or nothing is there, that may hold no state.
inline void checkOtherNotations(const QList<Statechart> &charts)
{
    if (std::ranges::all_of(charts, [](const Statechart &each) { return each.vertices.isEmpty(); }))
        return;
    for (const StatechartFormat &format : statechartFormats()) {
        if (!format.write)
            continue;
        const StatechartsWritten written = format.write(charts);
        if (!format.read || std::ranges::any_of(written.remarks, &Diagnostic::isLoss))
            continue;
        if (const auto again = format.read(written.bytes, QStringLiteral("written")); !again)
            qFatal("what was written as %s can be read: %s\n%s", qPrintable(format.title),
                qPrintable(again.error()), written.bytes.constData());
    }
}

/// Ends the program unless any bytes are read with remarks of one line each, and what the reader
/// gives is the same once it has been written without a loss and read again.
inline void checkRoundTrip(
    const StatechartFormat &format, const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<StatechartsRead> read = format.read(bytes, QStringLiteral("fuzz"));
    if (!read)
        return;
    for (const Diagnostic &remark : read->remarks) {
        if (remark.text.isEmpty() || remark.text.contains(u'\n') || remark.line < 0)
            qFatal("a remark is one line about a line");
    }
    const StatechartsWritten written = format.write(read->charts);
    const Result<StatechartsRead> again = format.read(written.bytes, QStringLiteral("written"));
    if (!again)
        qFatal("what was written can be read: %s\n%s", qPrintable(again.error()),
            written.bytes.constData());
    // Control characters are spelled out in what is written ("\\u0001"), and read as spelled.
    const bool isSpelledOut = written.bytes.contains("\\u");
    const bool isLossy = std::ranges::any_of(written.remarks, &Diagnostic::isLoss);
    if (sortedArrows(again->charts) != sortedArrows(read->charts) && !isSpelledOut && !isLossy)
        qFatal("and is the same:\n%s", written.bytes.constData());
    checkOtherNotations(read->charts);
}

} // namespace instar
