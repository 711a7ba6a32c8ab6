// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/items/tablemodel.h"

namespace instar {

/// Request of a burst, with the result of its last firing.
struct BurstRequest : Request
{
    quint32 serial = 0; ///< of the operation; 0: not fired yet, or changed since
    QString answer;     ///< result of the last firing, as text; empty: none
};

/// Table of the requests of a burst, in the order of firing; rows are numbered from 1.
class BurstModel : public TableModel<const BurstRequest *>
{
    Q_OBJECT
public:
    enum Column { Client, RequestText, Answer, OutcomeText, Contents, ColumnCount };

    /// `none` is the text in the column Outcome for requests without a planned outcome.
    explicit BurstModel(const QString &none, QObject *parent = nullptr);

    QList<Request> requests() const { return { m_rows.begin(), m_rows.end() }; }
    const BurstRequest &at(int row) const { return m_rows[row]; }
    void insert(int row, const Request &request);
    void remove(int row);
    void clear();
    /// Sets the operation of the fired request; clears the answer.
    void setSerial(int row, quint32 serial);
    /// Sets the text in the column Answer: the result of the last firing.
    void setAnswer(int row, const QString &answer);

private:
    int rows() const override { return int(m_rows.size()); }
    const BurstRequest *find(int row) const override { return &m_rows[row]; }

    QList<BurstRequest> m_rows;
};

/// Lists the parts of a request besides operation and path: "If-Match, 2 headers, 3 references".
QString contentsText(const Request &request);

} // namespace instar
