// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/engine/coverage.h"
#include "model/engine/verdict.h"

namespace instar {

// A verdict on a history, as the console prints it.

/// How the program ends with it.
Exit exitOf(const HistoryVerdict &verdict);

/// What was asked for beside the verdict.
struct BesideVerdict
{
    std::optional<Readings> readings;
    std::optional<Coverage> coverage;
};

/// One JSON document.
QByteArray verdictDocument(const HistoryVerdict &verdict, const BesideVerdict &beside = {});
/// For a person.
QByteArray verdictPlain(
    const HistoryVerdict &verdict, const History &history, const BesideVerdict &beside = {});
/// One test case for the whole history.
QByteArray verdictJunit(const HistoryVerdict &verdict, const History &history);
/// Why a tree is left out of it, "/a/b is not judged: ...".
QString notJudgedText(const QString &tree);
/// One file that holds everything that it shows: the verdict, who asked and saw what when, and an
/// order that explains it.
QByteArray verdictHtml(
    const HistoryVerdict &verdict, const History &history, const BesideVerdict &beside = {});

} // namespace instar
