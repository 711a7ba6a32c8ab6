// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"
#include "model/items/tablemodel.h"

namespace instar {

/// Request that waits, and what became of it when it was fired last.
struct ArmedRequest : Request
{
    quint32 serial = 0; ///< 0: not fired yet, or changed since
    QString answer;
};

/// Requests that wait to be fired together, in the order in which they will be; rows are numbered
/// from 1.
class ArmedModel : public TableModel<const ArmedRequest *>
{
    Q_OBJECT
public:
    enum Column { Client, Kind, Target, Ends, Answer, With, ColumnCount };

    /// `usual` is what a request ends as that does not say.
    explicit ArmedModel(const QString &usual, QObject *parent = nullptr);

    QList<Request> requests() const { return { m_rows.begin(), m_rows.end() }; }
    const ArmedRequest &at(int row) const { return m_rows[row]; }
    void insert(int row, const Request &request);
    void replace(int row, const Request &request);
    void remove(int row);
    /// Moves a request so that it stands at another place.
    void move(int from, int to);
    void clear();
    void setSerial(int row, quint32 serial);
    /// What became of it, as a person reads it.
    void setAnswer(int row, const QString &answer);

    int rowCount(const QModelIndex &parent = {}) const override;

private:
    const ArmedRequest *find(int row) const override;
    QVariant value(const ArmedRequest &, int, int) const override { return {}; }

    QList<ArmedRequest> m_rows;
};

/// What a request says beside who, what and where: "If-Match, 2 headers, body of 120 bytes".
QString enclosedText(const Request &request);

} // namespace instar
