// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"

#include <QFile>

namespace instar {

/// A file that exchanges are written to as they end, one JSON object a line: what has happened is
/// there however the program ends.
class HistoryFile
{
public:
    explicit HistoryFile(const QString &name);

    void add(const Exchange &exchange);
    QString name() const { return m_file.fileName(); }
    /// Why it is not all there: one sentence; empty: it is.
    const QString &problem() const { return m_problem; }

private:
    void fail();

    QFile m_file;
    QString m_problem;
};

} // namespace instar
