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
    enum Column { Client, Kind, Target, Ends, Answer, With, ColumnCount };
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
    /// As which operation a request was fired last; 0: not yet, or it was changed since.
    quint32 serial(int row) const { return m_fired[row].serial; }
    void setSerial(int row, quint32 serial);
    /// What became of it, as a person reads it.
    void setAnswer(int row, const QString &answer);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(int row, int column) const;
    QString m_usual;
    struct Fired
    {
        quint32 serial = 0;
        QString answer;
    };
    QList<Request> m_requests;
    QList<Fired> m_fired; ///< of each request
};

/// What a request says beside who, what and where: "If-Match, 2 headers, body of 120 bytes".
QString enclosedText(const Request &request);

} // namespace instar
