// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/tablemodel.h"
namespace instar {

/// Change in a record, with the record's index (0: that of the first row).
struct RecordRow
{
    const Record *record;
    const Change *change;
    qsizetype moment;
};

/// Table of the changes in a Controller's records, a row each: those kept, then those after the
/// moment shown. Text only.
class RecordModel : public TableModel<std::optional<RecordRow>>
{
    Q_OBJECT
public:
    enum Column { Time, EventName, OperationId, Path, From, To, Moved, Text, ColumnCount };
    enum Role {
        Moment = Qt::UserRole, ///< qlonglong: number of events up to its own
        Serial,                ///< quint32: the operation
        FromStatusCategory,
        ToStatusCategory, ///< int: a StatusCategory, or -1
        Later,            ///< bool: it happened after the moment shown
    };

    explicit RecordModel(const Controller &controller, QObject *parent = nullptr);

    /// Number of rows that had happened at the moment shown; the others are later.
    int happenedRows() const;

private:
    int rows() const override { return m_ends.empty() ? 0 : m_ends.back(); }
    std::optional<RecordRow> find(int row) const override;
    QVariant value(const RecordRow &row, int column, int role) const override;
    const OperationLog &operationsOf(const RecordRow &row) const;
    QString sentence(const RecordRow &row) const;
    QString sentenceWithRule(const RecordRow &row) const;
    /// Number of records from that of the first row on, with later ones; and each of them: null if
    /// there is none, or it was forgotten since.
    qsizetype size() const;
    const Record *record(qsizetype moment) const;
    /// Number of records that were dropped since the last update of the rows.
    qsizetype gone() const { return m_controller.forgotten() - m_forgotten; }
    bool isLater(qsizetype moment) const;
    void updateAll();
    void follow();
    void forgetOldest();

    const Controller &m_controller;
    std::vector<int> m_ends;   ///< record -> the row after its last
    int m_happened = 0;        ///< happenedRows() at the last update
    qsizetype m_forgotten = 0; ///< records before that of the first row
};

} // namespace instar
