// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/scorepages.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double pageHead = 26, pageFoot = 22; ///< points
constexpr double mostPresent = 0.36;           ///< of a page's width
constexpr double leastTime = 120;

struct PageWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ScorePages)
};

QFont pageFont(bool isHead)
{
    QFont font;
    font.setPixelSize(isHead ? 14 : 10);
    font.setBold(isHead);
    return font;
}

} // namespace

ScorePages::ScorePages(const Controller &controller, World world, Score score, const QString &title,
    const QSizeF &page)
    : m_sheet(controller, std::move(world), std::move(score), leastTime),
      m_title(title),
      m_page(page)
{
    ScorePicture &picture = m_sheet.picture;
    m_sheet.blocks = std::min(m_sheet.blocks, page.width() * mostPresent);
    const double width = page.width() - m_sheet.blocks - 2 * scoreGap - picture.scale.lead;
    const qint64 length = std::max<qint64>(1, picture.end() - picture.scale.begin);
    picture.scale.pixelsPerMs = std::max(width, leastTime) / double(length);
}

qsizetype ScorePages::rowsOfPage() const
{
    const double height = m_page.height() - pageHead - pageFoot - scoreRuler;
    return std::max<qsizetype>(1, qsizetype(height / m_sheet.picture.scale.rowHeight));
}

int ScorePages::count() const
{
    const qsizetype lines = m_sheet.picture.lineCount(), rows = rowsOfPage();
    return int(std::max<qsizetype>(1, (lines + rows - 1) / rows));
}

void ScorePages::paint(QPainter &painter, int page, const Theme &colours) const
{
    Theme theme = colours;
    theme.window = theme.base; // paper
    const ScorePicture &picture = m_sheet.picture;
    const qsizetype first = page * rowsOfPage();
    const qsizetype last = std::min(first + rowsOfPage(), picture.lineCount());
    const double top = picture.scale.y(first), height = picture.scale.y(last) - top + 2;
    painter.setPen(theme.text);
    painter.setFont(pageFont(true));
    painter.drawText(QRectF(0, 0, m_page.width(), pageHead), Qt::AlignLeft | Qt::AlignTop, m_title);
    painter.setPen(theme.dimText);
    painter.setFont(pageFont(false));
    painter.drawText(QRectF(0, m_page.height() - pageFoot, m_page.width(), pageFoot),
        Qt::AlignRight | Qt::AlignBottom, PageWords::tr("%1 of %2").arg(page + 1).arg(count()));
    painter.save();
    painter.translate(0, pageHead);
    const double left = m_sheet.blocks + scoreGap;
    const QRectF time(left, scoreRuler, m_page.width() - left, height);
    painter.setClipRect(QRectF(0, 0, m_page.width(), scoreRuler + height));
    paintScoreTime(painter, picture, time, { 0, top }, theme);
    painter.setClipRect(QRectF(0, 0, m_page.width(), scoreRuler + height));
    paintScoreBlocks(painter, picture, { 0, scoreRuler, m_sheet.blocks, height }, top, theme);
    painter.setClipRect(QRectF(0, 0, m_page.width(), scoreRuler + height));
    paintScoreRuler(
        painter, picture, { left, 0, time.width(), scoreRuler }, 0, scoreRuler + height, theme);
    painter.restore();
}

} // namespace instar
