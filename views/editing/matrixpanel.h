// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/conflicts.h"
#include "views/deferredrefresh.h"

#include <QAbstractTableModel>
#include <QFontMetrics>
#include <QWidget>

#include <optional>
#include <set>

class QComboBox;
class QLabel;
class QTableView;

namespace instar {

class HtmlView;
class Coverage;
class Document;

/// Verdict in one word: "cancels".
QString verdictWord(Conflict::Then verdict);
/// First letter of the verdict's command; no two verdicts share it.
QString verdictLetter(Conflict::Then verdict);

/// Conflict matrix as a table. Incoming operations are columns. Running operations are rows, in one
/// block for each relation of the two resources, below a row with the block's title ("On an
/// ancestor"). Operations without conflicts are left out.
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(const Pack &pack, const Setting &setting);

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_incoming.size());
    }
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

    bool isTitle(int row) const { return m_rows[row].running.isEmpty(); }
    /// The two operations of a cell, and their relation; absent for a title.
    std::optional<Meeting> meeting(const QModelIndex &index) const;
    QModelIndex indexOf(const Meeting &meeting) const; ///< invalid: the table has no such cell
    /// Contents of an index that has a meeting().
    const ConflictCell &cell(const QModelIndex &index) const;
    /// "PUT arrives while DELETE runs on an ancestor: refused".
    QString sentence(const QModelIndex &index) const;

private:
    struct Row
    {
        QString relation, running; ///< running: empty for the title of a block
        bool operator==(const Row &) const = default;
    };
    QStringList m_incoming; ///< operations, by column
    QList<Row> m_rows;
    std::vector<ConflictCell> m_cells; ///< by row and incoming operation
};

/// Texts of a cell's verdicts, which share its width equally: words if all fit, else letters.
QStringList verdictTexts(
    const QList<Conflict::Then> &verdicts, int width, const QFontMetrics &metrics);

/// Editor of a document's conflict matrix. Each cell holds the verdict for an operation that
/// arrives while another one runs.
class MatrixPanel : public QWidget
{
    Q_OBJECT
public:
    explicit MatrixPanel(Document &document, QWidget *parent = nullptr);

    QTableView &table() { return *m_table; }
    MatrixModel &model() { return *m_model; }
    HtmlView &details() { return *m_details; }
    void setEditable(bool editable); ///< on by default; off: cells only explain their verdicts
    /// Draws the cells faint that no run has exercised; null: draws all cells alike.
    void setExercised(const Coverage *coverage);
    bool isFaint(const Meeting &meeting) const;
    /// Changes the document's rows so that the current cell has this verdict.
    void wish(Conflict::Then verdict);

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void rowAsked(const QString &pointer);
    void said(const QString &sentence);

private:
    void refresh();
    void fillSettings();
    void layOut();
    void popUp();
    void showDetails();
    QString rowsText(const ConflictCell &cell) const;
    Setting setting() const;

    Document &m_document;
    MatrixModel *m_model;
    QTableView *m_table;
    HtmlView *m_details;
    QComboBox *m_switches;
    std::optional<std::set<Meeting>> m_unexercised; ///< absent: all cells are drawn alike
    QLabel *m_switchesLabel;
    DeferredRefresh m_refresh;
    bool m_isEditable = true;
};

} // namespace instar
