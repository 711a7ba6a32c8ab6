// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/tablemodel.h"
namespace instar {

/// Every operation of a Controller that was asked for and is kept there, in order of submission.
/// Text and meaning only.
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
        Fraction, ///< double: how much of the running attempt has passed; -1: it waits for somebody
        InTheWay, ///< quint32: the operation that it collided with or that canceled it; 0: none
        Message,  ///< QString: the error's or refusal's full text
    };

    explicit OperationModel(const Controller &controller, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QModelIndex indexOf(quint32 serial) const;

private:
    const PersistentList<Operation> &all() const { return m_controller.operations().all(); }
    int rows() const { return int(m_serials.size()); }
    const Operation *find(int row) const override;
    QVariant value(const Operation &operation, int column, int role) const override;
    void follow(const Update &update);
    void compareAll();
    void showProgress();
    void takeOver();
    void append();
    void remove(int first, int end);
    double fraction(const Operation &operation) const;
    QString progressText(const Operation &operation) const;

    const Controller &m_controller;
    std::vector<quint32> m_serials; ///< of the rows
    qsizetype m_forgotten = 0;      ///< operations, when the rows were told last
};

/// Whether no server has heard of it.
bool isNotSent(const Operation &operation);
/// An operation's status as a person reads it: what never reached a server was not rejected by one.
QString statusText(const Operation &operation);
/// What became of an operation beside its status: who canceled it, what it collided with, how it
/// failed.
QString noteText(const Operation &operation);

} // namespace instar
