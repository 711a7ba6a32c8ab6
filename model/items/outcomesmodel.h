// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/outcomes.h"

#include <QAbstractListModel>

namespace instar {

/// A trace in a list, in words.
struct TraceText
{
    QString title; ///< where it leads; of many resources the first ones
    QString whole; ///< the same with all of them
    QString note;  ///< how the operations stand then, and what waits
    bool operator==(const TraceText &) const = default;
};

/// What can happen, a row a trace; above those of a kind a row that says how many there are. Text
/// only.
class OutcomesModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        TraceOf = Qt::UserRole, ///< int: of Outcomes::traces; -1: what stands above some
        Whole,                  ///< QString: the title with all that it leaves out
        Note,                   ///< QString: beside the title, what is said in passing
        Orders,                 ///< QString: how many orders lead there
        Full,                   ///< QString: all of it; for the clipboard and screen readers
    };
    using QAbstractListModel::QAbstractListModel;

    void show(const Outcomes &outcomes);
    /// Says that everything may be otherwise, though it is not.
    void retell();
    const Outcomes &outcomes() const { return m_outcomes; }
    /// The row of a trace; -1: there is none.
    int rowOf(int trace) const { return int(m_rows.indexOf(Entry { trace, {} })); }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Entry
    {
        int trace = -1;
        QString heading;
        bool operator==(const Entry &) const = default;
    };
    void addTraces(const QList<int> &traces, const QString &heading, qint64 count);
    void addOrders();

    Outcomes m_outcomes;
    QList<TraceText> m_texts; ///< of each trace
    QList<Entry> m_rows;
};

/// Endings that leave most resources failed come first, then those in which most operations did not
/// succeed; those that are alike stay in their order.
void sortByHarm(Outcomes *outcomes, const Rules &rules);

/// "A PUT Rack-1": who asks, for what, on which resource.
QString askedText(const Request &request);
/// The traces in words: what a trace leaves otherwise than it was ("Rack-1 and 2 below Failed,
/// Transit gone"), and how its operations stand then. What few of them share comes first.
QList<TraceText> traceTexts(const Outcomes &outcomes);
/// On what the clock would go on after a trace, if it did not stand; empty: on nothing.
QString waitsText(const Outcomes::Trace &trace);
/// One step of a trace, for people.
QString stepText(const Outcomes &outcomes, const Outcomes::Trace &trace, qsizetype step);
/// "24 orders lead there."
QString ordersText(double orders);
/// How much was looked at, and whether that was everything.
QString lookedAtText(const Outcomes &outcomes);

} // namespace instar
