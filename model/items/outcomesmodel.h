// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/outcomes.h"

#include <QAbstractTableModel>

namespace instar {

/// Table of possible outcomes: a column per trace (dead ends, broken constraints, then endings,
/// the worst first); a row per operation, per resource that some trace changes, and for the number
/// of orders. A resource that always ends like its parent has no row of its own.
class OutcomesModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role {
        Category = Qt::UserRole, ///< int: the StatusCategory of a cell's word; none: plain text
        Full,                    ///< QString: the whole column, for clipboard and screen readers
    };
    using QAbstractTableModel::QAbstractTableModel;

    void show(const Outcomes &outcomes, const Rules &rules);
    void clear();
    const Outcomes &outcomes() const { return m_outcomes; }
    /// Returns the title of a trace, the rarest results first: "A Canceled, Rack-1 Failed".
    QString title(int trace) const { return m_titles.value(trace); }
    /// Returns what a trace is: "Ending 1:", "✕ Dead end:".
    QString head(int trace) const;
    /// "2 dead ends, 7 endings, the first 500 of each are shown".
    QString countsText() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        enum Kind { Operation, Resource, Orders };
        Kind kind = Operation;
        QString name;
        QString client;         ///< client that sent this operation and no other; empty: none
        QString operation;      ///< id
        qsizetype resource = 0; ///< index in Outcomes::rows
        bool hasCategory() const { return kind == Operation || kind == Resource; }
    };
    QString word(const Row &row, int trace) const;
    QStringList parts(int trace) const;
    void makeRows();
    void makeTitles();

    Outcomes m_outcomes;
    QList<Row> m_rows;
    QStringList m_titles;           ///< by trace
    QList<QStringList> m_fullTexts; ///< by trace
    QList<QList<int>> m_categories; ///< row -> trace -> StatusCategory
};

/// Sorts endings by the failed resources that they leave, then by the operations that did not
/// succeed, most first; the sort is stable.
void sortByHarm(Outcomes *outcomes, const Rules &rules);

/// Returns the answers to a refused operation, in all orders if the trace leads to an ending.
QList<Outcomes::Trace::Refusal> refusalsOf(const Outcomes::Trace &trace, const QString &id);
/// "A PUT Rack-1": client, operation and resource.
QString requestText(const Request &request);
/// Returns a step of a trace as text: "A PUT Rack-1", "B DELETE Rack-1: work succeeded".
QString stepText(const Outcomes &outcomes, const Outcomes::Trace &trace, qsizetype step);
qsizetype commonSteps(const QStringList &one, const QStringList &other);
QString firstDifferenceText(const OutcomesModel &model, int one, int other);
/// "24 orders", "about 1.2 × 10^9 orders".
QString ordersText(double orders);
/// Returns the number of searched states, and if the search was complete, as sentences.
QString searchedText(const Outcomes &outcomes);

} // namespace instar
