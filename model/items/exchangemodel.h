// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/items/tablemodel.h"

#include <QSortFilterProxyModel>

#include <deque>

namespace instar {

/// Result category of an exchange.
enum class ExchangeCategory { Running, Ok, Redirect, ClientError, ServerError, NoAnswer };
ExchangeCategory categoryOf(const Exchange &exchange);

/// Returns "409 Conflict"; without a status, "waiting" or "no answer".
QString statusText(const Exchange &exchange);
/// Returns the path and query of an exchange's URL, as sent.
QString pathOf(const Exchange &exchange);
/// Returns real milliseconds for display: "0.84 ms", "12.3 ms", "1.250 s"; empty if unknown.
QString durationText(double ms);

/// Table of the newest exchanges, in order of sending. Views choose colours by the role CategoryOf.
class ExchangeModel : public TableModel<const Exchange *>
{
    Q_OBJECT
public:
    enum Column { Client, Method, Path, Answer, Time, Duration, ColumnCount };
    enum Role {
        Whole = Qt::UserRole, ///< Exchange
        CategoryOf,           ///< int: an ExchangeCategory
        SortKey,              ///< sort key of the column
    };

    /// Keeps the newest `capacity` exchanges.
    explicit ExchangeModel(int capacity = 10'000, QObject *parent = nullptr);

    /// Adds an exchange, or replaces the row with its number. A full table ignores older exchanges.
    void put(const Exchange &exchange);
    /// Limits the bytes of all bodies. Beyond the limit, drops old exchanges, never the newest one.
    void setMostBytes(qint64 most) { m_mostBytes = most; }
    QList<Exchange> exchanges() const;
    const Exchange &at(int row) const { return m_rows[size_t(row)]; }
    QModelIndex indexOf(quint64 number) const;
    int polls() const { return m_polls; } ///< number of reads that no user requested

private:
    int rows() const override { return int(m_rows.size()); }
    const Exchange *find(int row) const override { return &at(row); }
    QVariant value(const Exchange &exchange, int column, int role) const override;
    void count(const Exchange &exchange, int sign); ///< 1: adds to the counters; -1: removes
    void dropOldest(); ///< while the rows or the bodies exceed their limit

    int m_capacity, m_polls = 0;
    qint64 m_mostBytes = 256 * 1024 * 1024, m_bytes = 0;
    std::deque<Exchange> m_rows; ///< by number
};

/// Filter of exchanges by words, which hides polls by default.
class ExchangeFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit ExchangeFilter(ExchangeModel &model, QObject *parent = nullptr);

    /// Sets words that must all occur in an exchange's cells, URL or problem.
    void setText(const QString &text);
    void showPolls(bool shown);
    /// Lists one exchange regardless of the filter.
    void keep(quint64 number);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    const ExchangeModel &m_model;
    QStringList m_words;
    bool m_showsPolls = false;
    quint64 m_alwaysListed = 0; ///< number of an exchange; 0: none
};

} // namespace instar
