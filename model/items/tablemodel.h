// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/words.h"
#include "model/pack/describe.h"

#include <QAbstractTableModel>

#include <algorithm>
#include <functional>

namespace instar {

/// Table whose columns compute their cells from a row. `Found` is the result of a row's look-up: a
/// pointer or std::optional, empty if the row no longer exists.
template<typename Found>
class TableModel : public QAbstractTableModel
{
public:
    /// Role: all texts of a row, tab-separated; of a header, all titles.
    static constexpr int Full = Qt::UserRole + 100;

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : rows();
    }

    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(std::ranges::count(m_columns, false, &Cells::isExtra));
    }

    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override
    {
        const bool isRow = index.isValid() && index.row() < rows();
        const Found row = isRow ? find(index.row()) : Found();
        if (!row)
            return {};
        const Cells &cells = m_columns[index.column()];
        if (role == Qt::DisplayRole)
            return cells.text(*row);
        if (role == Qt::ToolTipRole)
            return cells.tip ? cells.tip(*row) : cells.text(*row);
        return role == Full ? fullText(*row) : value(*row, index.column(), role);
    }

    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override
    {
        if (orientation != Qt::Horizontal)
            return QAbstractTableModel::headerData(section, orientation, role);
        const auto titles = mapped<QStringList>(m_columns, &Cells::title);
        return role == Full           ? rowText(titles)
            : role == Qt::DisplayRole ? titles.value(section)
            : role == Qt::ToolTipRole ? m_columns.value(section).about
                                      : QVariant();
    }

protected:
    using Row = std::remove_cvref_t<decltype(*std::declval<const Found &>())>;
    using Text = std::function<QString(const Row &)>;
    struct Cells
    {
        QString title;
        Text text;
        Text tip;             ///< null: same as `text`
        QString about;        ///< tip of the title
        bool isExtra = false; ///< has no column, only a place in Full
    };

    TableModel(const QList<Cells> &columns, QObject *parent)
        : QAbstractTableModel(parent), m_columns(columns)
    { }

    virtual int rows() const = 0;
    virtual Found find(int row) const = 0; ///< row < rows()
    /// Returns the value of a row and column for a role that the table does not know itself.
    virtual QVariant value(const Row &, int, int) const { return {}; }
    void emitChanged(int first, int last)
    {
        if (first <= last)
            emit dataChanged(index(first, 0), index(last, columnCount() - 1));
    }
    QString cellText(const Row &row, int column) const { return m_columns[column].text(row); }

private:
    QString fullText(const Row &row) const
    {
        QStringList texts;
        for (const Cells &cells : m_columns) {
            if (const QString text = cells.text(row); !cells.isExtra || !text.isEmpty())
                texts += text;
        }
        return rowText(texts);
    }

    QList<Cells> m_columns;
};

} // namespace instar
