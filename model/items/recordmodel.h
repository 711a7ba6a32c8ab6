// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/tablemodel.h"
namespace instar {

/// Change that a record tells, and how many records there are before that from the first row's on.
struct RecordRow
{
    const Record *record;
    const Change *change;
    qsizetype moment;
};

/// Everything that has happened on a Controller and is kept there, and after it what was stepped
/// back over: one row for each thing that an event led to. Text only.
class RecordModel : public TableModel<std::optional<RecordRow>>
{
    Q_OBJECT
public:
    enum Column { Time, EventName, OperationId, Path, From, To, Moved, Text, ColumnCount };
    enum Role {
        Moment = Qt::UserRole, ///< qlonglong: how many events had happened when it had
        Serial,                ///< quint32: the operation
        FromStatusCategory,
        ToStatusCategory, ///< int: a StatusCategory, or -1
        Later,            ///< bool: it happened after the moment shown
    };

    explicit RecordModel(const Controller &controller, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    /// How many rows had happened at the moment shown; the others are later.
    int happenedRows() const;

private:
    std::optional<RecordRow> find(int row) const override;
    QVariant value(const RecordRow &row, int column, int role) const override;
    const OperationLog &operationsOf(const RecordRow &row) const;
    QString stateText(Rules::StateId state) const;
    QString sentence(const RecordRow &row) const;
    QString sentenceWithRule(const RecordRow &row) const;
    /// How many records there are from the first row's on, later ones too, and each of them; null:
    /// none, or forgotten since.
    qsizetype size() const;
    const Record *record(qsizetype moment) const;
    /// How many of them were forgotten since the rows were told last.
    qsizetype gone() const { return m_controller.forgotten() - m_forgotten; }
    bool isLater(qsizetype moment) const;
    void tellAll();
    void follow();
    void forgetOldest();

    const Controller &m_controller;
    std::vector<int> m_ends;   ///< record -> the row after its last
    int m_happened = 0;        ///< happenedRows() as it was told last
    qsizetype m_forgotten = 0; ///< records before that of the first row
};

} // namespace instar
