// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/scoresheet.h"

namespace instar {

/// The score of a run on pages of one size: as wide as the page, so many rows on each, every page
/// with the times above and its number below.
class ScorePages
{
public:
    /// `page` is what can be printed on, in points.
    ScorePages(const Controller &controller, World world, Score score, const QString &title,
        const QSizeF &page);

    int count() const;
    /// Paints a page, counted from 0, with its upper left corner at the origin.
    void paint(QPainter &painter, int page, const Theme &theme = Theme::light()) const;

private:
    qsizetype rowsOfPage() const;

    ScoreSheet m_sheet;
    QString m_title;
    QSizeF m_page;
};

} // namespace instar
