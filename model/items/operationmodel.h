// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/statuscategory.h"
#include "model/items/tablemodel.h"
namespace instar {

/// Table of the operations kept by a Controller, in order of submission. Text and roles only.
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
        Fraction, ///< double: elapsed share of the running attempt; -1: it waits for a decision
        OtherOperation, ///< quint32: the operation it conflicted with or that canceled it; 0: none
        Message,        ///< QString: the error's or refusal's full text
    };

    explicit OperationModel(const Controller &controller, QObject *parent = nullptr);

    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QModelIndex indexOf(quint32 serial) const;

private:
    const PersistentList<Operation> &all() const { return m_controller.operations().all(); }
    int rows() const override { return int(m_serials.size()); }
    const Operation *find(int row) const override;
    QVariant value(const Operation &operation, int column, int role) const override;
    void follow(const Update &update);
    void compareAll();
    void showProgress();
    void matchLog(); ///< makes the rows those of the log
    void append();
    void remove(int first, int end);
    double fraction(const Operation &operation) const;
    QString progressText(const Operation &operation) const;

    const Controller &m_controller;
    std::vector<quint32> m_serials; ///< of the rows
    qsizetype m_forgotten = 0;      ///< by the log, at the last update of the rows
};

/// Returns true if the request was never sent to a server.
bool isNotSent(const Operation &operation);
/// Status for display; a request that never reached a server was not rejected by one.
QString statusText(const Operation &operation);
StatusCategory statusCategoryOf(Status status);
/// Details of the status: what canceled an operation, what it conflicted with, how it failed.
QString noteText(const Operation &operation);

} // namespace instar
