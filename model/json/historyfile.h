// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/json/saving.h"

namespace instar {

/// File that exchanges are written to as they end, one JSON object a line: what has happened is
/// there however the program ends. Only its owner may read it.
class HistoryFile
{
public:
    explicit HistoryFile(const QString &name);

    void add(const Exchange &exchange);
    /// Nothing more comes: syncs it to the disk.
    void finish();
    QString name() const { return m_file.name(); }
    /// Why it is not all there: one sentence; empty: it is.
    const QString &problem() const { return m_problem; }

private:
    void check(const Result<bool> &written);

    AppendingFile m_file;
    QString m_problem;
};

} // namespace instar
