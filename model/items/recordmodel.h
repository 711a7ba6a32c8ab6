// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/tablemodel.h"

namespace instar {

/// Row of the table: a change, the record of its event, and that record's index (see record()).
struct RecordRow
{
    const Record *record;
    const Change *change;
    qsizetype moment;
};

/// Table with a row for each change in a Controller's records: first those up to the moment shown,
/// then those after it. Provides text and roles only.
class RecordModel : public TableModel<std::optional<RecordRow>>
{
    Q_OBJECT
public:
    enum Column { Time, EventName, OperationId, Path, From, To, Moved, Text, ColumnCount };
    enum Role {
        Moment = Qt::UserRole, ///< qlonglong: number of events up to and including the row's
        Serial,                ///< quint32: of the operation
        FromStatusCategory,    ///< int: a StatusCategory; -1: the change has no such state
        ToStatusCategory,      ///< int: a StatusCategory; -1: the change has no such state
        Later,                 ///< bool: the change happened after the moment shown
    };

    explicit RecordModel(const Controller &controller, QObject *parent = nullptr);

    /// Returns the number of rows up to the moment shown; all others are later.
    int happenedRows() const;

private:
    int rows() const override { return m_ends.empty() ? 0 : m_ends.back(); }
    std::optional<RecordRow> find(int row) const override;
    QVariant value(const RecordRow &row, int column, int role) const override;
    const OperationLog &operationsOf(const RecordRow &row) const;
    QString sentence(const RecordRow &row) const;
    QString sentenceWithRule(const RecordRow &row) const;
    /// Returns the number of records that the Controller has, plus those dropped().
    qsizetype size() const;
    /// Returns the record at an index below size(); null if it was dropped.
    const Record *record(qsizetype moment) const;
    /// Returns the number of records that the Controller dropped since the last update of the rows.
    qsizetype dropped() const { return m_controller.forgotten() - m_forgotten; }
    bool isLater(qsizetype moment) const;
    void updateRows();
    void forgetOldest();

    const Controller &m_controller;
    std::vector<int> m_ends;   ///< index of a record -> index after its last row
    int m_happenedRows = 0;    ///< happenedRows() at the last update
    qsizetype m_forgotten = 0; ///< Controller::forgotten() at the last update of the rows
};

} // namespace instar
