// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/runanimation.h"

#include "model/engine/step.h"
#include "views/drawing/apng.h"
#include "views/drawing/scoresheet.h"

#include <QImage>
#include <QPainter>

#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr double filmWidth = 700, filmMargin = 16, filmTitle = 30;
constexpr double mostFilmPixels = 4e6; ///< of one picture
constexpr int pictures = 100, pictureMs = 80, lastMs = 2000;
constexpr int wavePictures = 5; ///< that a wave takes

QFont filmFont()
{
    QFont font;
    font.setPixelSize(15);
    font.setBold(true);
    return font;
}

/// Plays what is known of a run once more.
class Film
{
public:
    Film(const Simulator &simulator, const QString &title, const Theme &theme)
        : m_sheet(simulator, filmWidth),
          m_records(simulator.records() + simulator.later()),
          m_world(simulator.beginning()),
          m_title(title),
          m_theme(theme)
    {
        m_theme.window = m_theme.base;
    }

    QSize size() const
    {
        const QSizeF score = scoreSize(m_sheet.picture, m_sheet.blocks);
        return QSizeF(score.width() + 2 * filmMargin, score.height() + 2 * filmMargin + filmTitle)
            .toSize();
    }
    qint64 begin() const { return m_sheet.picture.score->begin(); }
    qint64 end() const { return m_sheet.picture.end(); }
    QImage at(qint64 time, qint64 wave);

private:
    ScoreSheet m_sheet;
    QList<Record> m_records;
    World m_world; ///< after the moment
    qsizetype m_moment = 0;
    QString m_title;
    Theme m_theme;
};

QImage Film::at(qint64 time, qint64 wave)
{
    while (m_moment < m_records.size() && m_records[m_moment].event.time <= time)
        m_world = step(m_sheet.rules, std::move(m_world), m_records[m_moment++].event).world;
    m_sheet.show(m_moment, m_world, time);
    ScorePicture &picture = m_sheet.picture;
    picture.showsCursor = true;
    picture.waves.clear();
    for (const Score::Bar &bar : picture.score->bars()) {
        if (bar.started != Score::GoesOn && bar.started <= time && time < bar.started + wave)
            picture.waves += { bar.serial, std::max(1, picture.score->reach(bar)),
                double(time - bar.started) / double(wave), false };
    }
    QImage image(size(), QImage::Format_RGB32);
    image.fill(m_theme.window);
    QPainter painter(&image);
    painter.setFont(filmFont());
    painter.setPen(m_theme.text);
    painter.drawText(QPointF(filmMargin, filmMargin + 16), m_title);
    painter.translate(filmMargin, filmMargin + filmTitle);
    paintScore(painter, picture, m_sheet.blocks, m_theme);
    return image;
}

} // namespace

Result<QByteArray> animatedRun(const Simulator &simulator, const QString &title, const Theme &theme)
{
    Film film(simulator, title, theme);
    const QSize size = film.size();
    if (double(size.width()) * size.height() > mostFilmPixels)
        return Error {
            u"the animation would be %1 x %2 pixels large; write a page (.html) or a picture (.svg) of the run instead"_s
                .arg(size.width())
                .arg(size.height())
        };
    AnimatedPng file;
    const double step = double(film.end() - film.begin()) / pictures;
    const auto wave = qint64(std::max(1.0, step * wavePictures));
    for (int i = 0; i <= pictures; ++i)
        file.add(film.at(film.begin() + std::llround(step * i), wave),
            i < pictures ? pictureMs : lastMs);
    return file.bytes();
}

} // namespace instar
