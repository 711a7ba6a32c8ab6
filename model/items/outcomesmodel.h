// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/outcomes.h"

#include <QAbstractListModel>

namespace instar {

/// Texts of a trace in a list.
struct TraceText
{
    QString title; ///< the end of the trace; names only the first resources
    QString whole; ///< the title with up to 40 resources
    QString note;  ///< statuses of the operations then, and what waits for time
    bool operator==(const TraceText &) const = default;
};

/// List of possible outcomes, a row per trace, with a heading and a count above each kind. Text
/// only.
class OutcomesModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        TraceOf = Qt::UserRole, ///< int: index in Outcomes::traces; -1: a heading
        Whole,                  ///< QString: the unabridged title
        Note,                   ///< QString: secondary text beside the title
        Orders,                 ///< QString: number of orders that lead there
        Full,                   ///< QString: everything, for the clipboard and screen readers
    };
    using QAbstractListModel::QAbstractListModel;

    void show(const Outcomes &outcomes);
    /// Resets the model although nothing has changed.
    void resetRows();
    const Outcomes &outcomes() const { return m_outcomes; }
    /// The row of a trace; -1 if there is none.
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

/// Sorts endings by the failed resources that they leave, then by the operations that did not
/// succeed, most first; the sort is stable.
void sortByHarm(Outcomes *outcomes, const Rules &rules);

/// "A PUT Rack-1": client, operation and resource.
QString askedText(const Request &request);
/// Texts of the traces: what a trace changes ("Rack-1 and 2 below Failed, Transit gone"), and how
/// its operations stand then. Parts that few traces share come first.
QList<TraceText> traceTexts(const Outcomes &outcomes);
/// Resources whose timers would go on after a trace; empty if there are none.
QString waitsText(const Outcomes::Trace &trace);
/// One step of a trace, for display.
QString stepText(const Outcomes &outcomes, const Outcomes::Trace &trace, qsizetype step);
/// "24 orders", "about 1.2 × 10^9 orders".
QString ordersText(double orders);
/// Number of states that were searched, and if that was all of them.
QString searchedText(const Outcomes &outcomes);

} // namespace instar
