// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/packfile.h"
#include "tests/support/valueof.h"

namespace instar {

// Packs from short text. Errors end the test program.

inline JsonText parsed(const QByteArray &json)
{
    return valueOf(JsonText::parse(json, QStringLiteral("my.json")));
}

inline Pack packOf(const QByteArray &json)
{
    return valueOf(readPack(parsed(json)));
}

/// Formats the first diagnostic as "line pointer code", with the number of others: " +1".
inline QString firstOf(const QList<Diagnostic> &all)
{
    if (all.isEmpty())
        return {};
    const QString first =
        QStringLiteral("%1 %2 %3").arg(all[0].line).arg(all[0].pointer, all[0].code);
    return all.size() == 1 ? first : first + QStringLiteral(" +%1").arg(all.size() - 1);
}

/// Pack of one machine and one transition, with these members beside `from` and `on`.
inline QByteArray withTransition(const QByteArray &members)
{
    return R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {}, "transitions": [{"from": "a", "on": "b")"
        + members + "}]}}}";
}

/// Pack of one machine and one state, with these members.
inline QByteArray withState(const QByteArray &members)
{
    return R"({"id": "p", "types": {}, "machines": {"m": {"rest": "a", "states": {"a": {)" + members
        + "}}}}}";
}

} // namespace instar
