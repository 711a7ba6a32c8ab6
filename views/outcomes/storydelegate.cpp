// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/storydelegate.h"

#include "model/engine/controller.h"
#include "views/look.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace instar {

namespace {

constexpr QSizeF treeSize { 104, 46 }, chartSize { 96, 46 };
constexpr double pictureWidth = treeSize.width() + gap::normal + chartSize.width();
constexpr int leastForTree = 260, leastForBoth = 420; ///< pixels: else the words have the room

} // namespace

StoryDelegate::StoryDelegate(
    const Controller &controller, const ProspectModel &model, QObject *parent)
    : QStyledItemDelegate(parent), m_controller(controller), m_model(model)
{ }

void StoryDelegate::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_pictures.clear();
}

void StoryDelegate::setChart(const ChartLayout &layout)
{
    m_chart = layout;
    m_pictures.clear();
}

QList<EndRow> StoryDelegate::rowsOf(const Prospect::Story &story) const
{
    QList<EndRow> rows;
    const QList<Prospect::Row> &all = m_model.prospect().rows;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &word = story.words[i];
        rows += EndRow { all[i].depth,
            word.isEmpty() ? Mood::Absent : moodOfWord(m_controller.rules(), all[i].machine, word),
            word != all[i].before };
    }
    return rows;
}

QMap<Rules::StateId, int> StoryDelegate::countsOf(const Prospect::Story &story) const
{
    const Rules &rules = m_controller.rules();
    QMap<Rules::StateId, int> counts;
    const QList<Prospect::Row> &all = m_model.prospect().rows;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &word = story.words[i];
        if (all[i].machine != m_chart.machine || !all[i].isOther)
            continue;
        const Rules::StateId state = word.isEmpty()
            ? rules.machines()[size_t(m_chart.machine)].initial
            : rules.stateNamed(m_chart.machine, word);
        if (state != Rules::None)
            ++counts[state];
    }
    return counts;
}

QPixmap StoryDelegate::pictureOf(int story, double ratio) const
{
    if (const auto known = m_pictures.constFind(story); known != m_pictures.cend())
        return *known;
    QPixmap picture((QSizeF(pictureWidth, treeSize.height()) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    const Prospect::Story &told = m_model.prospect().stories[story];
    paintEndTree(painter, rowsOf(told), QRectF(QPointF(), treeSize), m_theme);
    if (m_chart.machine != Rules::None)
        paintEndChart(painter, m_chart, countsOf(told),
            QRectF(QPointF(treeSize.width() + gap::normal, 1), chartSize - QSizeF(2, 2)), m_theme);
    painter.end();
    m_pictures.insert(story, picture);
    return picture;
}

void StoryDelegate::paintHeading(QPainter &painter, const QStyleOptionViewItem &option) const
{
    QFont font = option.font;
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(m_theme.dimText);
    const QRect room = option.rect.adjusted(gap::normal, gap::small, -gap::normal, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(option.text, Qt::ElideRight, room.width()));
}

void StoryDelegate::paint(
    QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const int story = index.data(ProspectModel::StoryOf).toInt();
    painter->save();
    if (story < 0) {
        paintHeading(*painter, option);
        painter->restore();
        return;
    }
    const QString title = std::exchange(option.text, {});
    const QWidget *widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &option, painter, widget);
    QRect room = option.rect.adjusted(gap::normal, gap::small, -gap::normal, -gap::small);
    if (const int width = option.rect.width(); width >= leastForTree) {
        const double ratio = painter->device()->devicePixelRatioF();
        const QSizeF seen(
            width >= leastForBoth ? pictureWidth : treeSize.width(), treeSize.height());
        painter->drawPixmap(QRectF(QPointF(room.x(), room.center().y() - seen.height() / 2), seen),
            pictureOf(story, ratio), QRectF(QPointF(), seen * ratio));
        room.setLeft(room.left() + int(seen.width()) + gap::normal);
    }
    const QFontMetrics metrics(option.font);
    const QString orders = index.data(ProspectModel::Orders).toString();
    const int aside = orders.isEmpty() ? 0 : metrics.horizontalAdvance(orders);
    const int middle = room.center().y();
    const QRect above(room.x(), middle - metrics.height() - 1, room.width(), metrics.height());
    const QRect below(room.x(), middle + 2, room.width(), metrics.height());
    const bool isWide = room.width() >= 2 * aside + gap::large;
    painter->setFont(option.font);
    painter->setPen(m_theme.text);
    const int titleRoom = room.width() - (aside && isWide ? aside + gap::large : 0);
    painter->drawText(above, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(title, Qt::ElideRight, titleRoom));
    painter->setPen(m_theme.dimText);
    if (isWide)
        painter->drawText(above, Qt::AlignRight | Qt::AlignVCenter, orders);
    painter->drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(
            index.data(ProspectModel::Note).toString(), Qt::ElideRight, room.width()));
    painter->restore();
}

QSize StoryDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int line = option.fontMetrics.height();
    if (index.data(ProspectModel::StoryOf).toInt() < 0)
        return { 100, line + gap::normal };
    return { 100, std::max(int(treeSize.height()), 2 * line + 3) + 2 * gap::small };
}

} // namespace instar
