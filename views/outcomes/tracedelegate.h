// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/outcomesmodel.h"
#include "views/drawing/endpicture.h"

#include <QHash>
#include <QPixmap>
#include <QStyledItemDelegate>

namespace instar {

/// A trace as where it leads, small: the tree, the chart, and in words which operation and which
/// resource ends how.
class TraceDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    TraceDelegate(const Controller &controller, const OutcomesModel &model, QObject *parent);

    void setTheme(const Theme &theme);
    /// The chart that is painted; of no machine: none is. Whatever was painted is painted again.
    void setChart(const ChartLayout &layout);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

    // what is painted
    QList<EndRow> rowsOf(const Outcomes::Trace &trace) const;
    QMap<Rules::StateId, int> countsOf(const Outcomes::Trace &trace) const;
    /// A trace's title and note as there is room for them; no two traces look the same.
    std::pair<QString, QString> linesOf(int trace, const QStyleOptionViewItem &option) const;
    /// Whether the note, which tells how the operations stand, is above the title.
    bool beginsWithFates(int trace) const;

private:
    /// Where a trace's words are, and its number of orders beside the title.
    struct Room
    {
        QRect words;
        int title = 0; ///< pixels
        bool hasOrders = false;
    };
    Room roomFor(const QString &orders, const QStyleOptionViewItem &option) const;
    void tellLines(const QStyleOptionViewItem &option) const;
    void paintHeading(QPainter &painter, const QStyleOptionViewItem &option) const;
    QPixmap pictureOf(int trace, double ratio) const;

    const Controller &m_controller;
    const OutcomesModel &m_model;
    Theme m_theme = Theme::light();
    ChartLayout m_chart;
    mutable QHash<int, QPixmap> m_pictures; ///< trace ->
    mutable QStringList m_titles, m_notes;  ///< of each trace, in m_width pixels of m_font
    mutable int m_width = -1;
    bool m_fatesDiffer = false; ///< operations do not end alike in all endings
    mutable QFont m_font;
};

} // namespace instar
