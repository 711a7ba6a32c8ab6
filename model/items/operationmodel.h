// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/statuscategory.h"
#include "model/items/tablemodel.h"
namespace instar {

/// Table of the operations in a Controller's log, in order of submission. Provides text and roles.
class OperationModel : public TableModel<const Operation *>
{
    Q_OBJECT
public:
    enum Column {
        Id,
        Client,
        Kind,
        Target,
        StatusWord,
        Note,
        Progress,
        Attempts,
        Submitted,
        Ended,
        ColumnCount
    };
    enum Role {
        Serial = Qt::UserRole, ///< quint32
        StatusOf,              ///< int: a Status
        Fraction, ///< double: elapsed share of the running attempt; -1: the attempt has no due time
        OtherOperation, ///< quint32: operation that refused or canceled this one; 0: none
    };

    explicit OperationModel(const Controller &controller, QObject *parent = nullptr);

    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QModelIndex indexOf(quint32 serial) const;

private:
    const PersistentList<Operation> &all() const { return m_controller.operations().all(); }
    int rows() const override { return int(m_serials.size()); }
    const Operation *find(int row) const override;
    QVariant value(const Operation &operation, int column, int role) const override;
    void applyUpdate(const Update &update);
    void updateAll();
    void showProgress();
    void matchLog();
    void append();
    void remove(int first, int end);
    double fraction(const Operation &operation) const;
    QString progressText(const Operation &operation) const;

    const Controller &m_controller;
    std::vector<quint32> m_serials; ///< of the rows
    qsizetype m_forgotten = 0;      ///< operations that the log had dropped at the last update
};

/// Returns true if the request was never sent to a server.
bool isNotSent(const Operation &operation);
/// Returns the status for display. A request that was never sent is "Not sent", not "Rejected".
QString statusText(const Operation &operation);
StatusCategory statusCategoryOf(Status status);
/// Returns details of the status: the canceling or conflicting operation, and the error.
QString noteText(const Operation &operation);

} // namespace instar
