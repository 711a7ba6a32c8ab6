// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operation.h"

#include <QAbstractTableModel>

namespace instar {

/// Requests that wait to be fired together, in the order in which they will be; rows are numbered
/// from 1.
class ArmedModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Client, Kind, Target, Ends, With, ColumnCount };
    enum Role {
        Full = Qt::UserRole, ///< QString: a whole row, tab-separated; of the header: what its cells
                             ///< are
    };

    /// `usual` is what a request ends as that does not say.
    explicit ArmedModel(const QString &usual, QObject *parent = nullptr)
        : QAbstractTableModel(parent), m_usual(usual)
    { }

    const QList<Request> &requests() const { return m_requests; }
    void insert(int row, const Request &request);
    void replace(int row, const Request &request);
    void remove(int row);
    /// Moves a request so that it stands at another place.
    void move(int from, int to);
    void clear();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(int row, int column) const;
    QString m_usual;
    QList<Request> m_requests;
};

/// What a request says beside who, what and where: "If-Match, 2 headers, body of 120 bytes".
QString enclosedText(const Request &request);

} // namespace instar
