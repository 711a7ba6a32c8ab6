// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/storydelegate.h"

#include "model/engine/controller.h"
#include "model/items/toldapart.h"
#include "views/drawing/text.h"
#include "views/look.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace instar {

namespace {

using Kind = Prospect::Story::Kind;

constexpr QSizeF treeSize { 104, 46 }, chartSize { 96, 46 };
constexpr double pictureWidth = treeSize.width() + gap::normal + chartSize.width();
constexpr int leastForTree = 340, leastForBoth = 480; ///< pixels: else the words have the room
constexpr int mostRounds = 4;                         ///< of telling rows apart

} // namespace

StoryDelegate::StoryDelegate(
    const Controller &controller, const ProspectModel &model, QObject *parent)
    : QStyledItemDelegate(parent), m_controller(controller), m_model(model)
{
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        m_width = -1;
        const QList<Prospect::Story> &stories = m_model.prospect().stories;
        const auto first = std::ranges::find(stories, Kind::Ending, &Prospect::Story::kind);
        m_fatesDiffer = std::any_of(first, stories.end(), // endings stand last
            [&](const Prospect::Story &story) { return story.operations != first->operations; });
    });
}

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
        const QString &word = story.end()[i];
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
        const QString &word = story.end()[i];
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

StoryDelegate::Room StoryDelegate::roomFor(
    const QString &orders, const QStyleOptionViewItem &option) const
{
    Room room { option.rect.adjusted(gap::normal, gap::small, -gap::normal, -gap::small) };
    const int width = option.rect.width();
    const double pictures = width >= leastForBoth ? pictureWidth : treeSize.width();
    if (width >= leastForTree)
        room.words.setLeft(room.words.left() + int(pictures) + gap::normal);
    const int aside = orders.isEmpty() ? 0 : QFontMetrics(option.font).horizontalAdvance(orders);
    room.hasOrders = aside && room.words.width() >= 2 * aside + gap::large;
    room.title = room.words.width() - (room.hasOrders ? aside + gap::large : 0);
    return room;
}

/// Where operations do not end alike everywhere, who got what is the first thing that is asked.
bool StoryDelegate::beginsWithFates(int story) const
{
    return m_fatesDiffer && m_model.prospect().stories[story].kind == Kind::Ending;
}

std::pair<QString, QString> StoryDelegate::linesOf(
    int story, const QStyleOptionViewItem &option) const
{
    if (m_width != option.rect.width() || m_font != option.font)
        tellLines(option);
    return { m_titles[story], m_notes[story] };
}

/// All at once: a story's words depend on what the others look like.
void StoryDelegate::tellLines(const QStyleOptionViewItem &option) const
{
    m_width = option.rect.width();
    m_font = option.font;
    m_titles.clear();
    m_notes.clear();
    const QFontMetrics metrics(option.font);
    const qsizetype count = m_model.prospect().stories.size();
    QStringList wholes, notes;
    QList<Room> rooms;
    const auto cutTitle = [&](qsizetype story, const QString &text) {
        return metrics.elidedText(text, Qt::ElideRight, rooms[story].title);
    };
    const auto cutNote = [&](qsizetype story, const QString &text) {
        return metrics.elidedText(text, Qt::ElideRight, rooms[story].words.width());
    };
    for (int story = 0; story < count; ++story) {
        const QModelIndex index = m_model.index(m_model.rowOf(story));
        wholes += index.data(ProspectModel::Whole).toString();
        notes += index.data(ProspectModel::Note).toString();
        rooms += roomFor(index.data(ProspectModel::Orders).toString(), option);
        m_titles += cutTitle(story, index.data().toString());
        m_notes += cutNote(story, notes.last());
    }
    // Those that look the same in both lines.
    const auto same = [&] {
        QHash<std::pair<QString, QString>, QList<qsizetype>> looks;
        for (qsizetype story = 0; story < count; ++story)
            looks[{ m_titles[story], m_notes[story] }] += story;
        looks.removeIf([](const auto &each) { return each.value().size() == 1; });
        return looks.values();
    };
    // What tells a row from some may make it look like others.
    for (int round = 0; round < mostRounds && !same().isEmpty(); ++round) {
        for (const QList<qsizetype> &stories : same())
            tellApart(wholes, stories, cutTitle, &m_titles);
        for (const QList<qsizetype> &stories : same())
            tellApart(notes, stories, cutNote, &m_notes);
    }
}

void StoryDelegate::paintHeading(QPainter &painter, const QStyleOptionViewItem &option) const
{
    QFont font = option.font;
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(m_theme.dimText);
    const QRect room = option.rect.adjusted(gap::normal, gap::small, -gap::normal, 0);
    drawText(painter, room, Qt::AlignLeft | Qt::AlignVCenter,
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
    option.text.clear();
    const QWidget *widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &option, painter, widget);
    if (const int width = option.rect.width(); width >= leastForTree) {
        const QRect inner = option.rect.adjusted(gap::normal, gap::small, 0, -gap::small);
        const double ratio = painter->device()->devicePixelRatioF();
        const QSizeF seen(
            width >= leastForBoth ? pictureWidth : treeSize.width(), treeSize.height());
        painter->drawPixmap(
            QRectF(QPointF(inner.x(), inner.center().y() - seen.height() / 2), seen),
            pictureOf(story, ratio), QRectF(QPointF(), seen * ratio));
    }
    const QFontMetrics metrics(option.font);
    const QString orders = index.data(ProspectModel::Orders).toString();
    const Room room = roomFor(orders, option);
    const auto [title, note] = linesOf(story, option);
    const int middle = room.words.center().y();
    QRect above = room.words, below = room.words;
    above.setRect(above.x(), middle - metrics.height() - 1, above.width(), metrics.height());
    below.setRect(below.x(), middle + 2, below.width(), metrics.height());
    const bool isByFates = beginsWithFates(story);
    const QRect &ofTitle = isByFates ? below : above, &ofNote = isByFates ? above : below;
    painter->setFont(option.font);
    painter->setPen(isByFates ? m_theme.dimText : m_theme.text);
    drawText(*painter, ofTitle, Qt::AlignLeft | Qt::AlignVCenter, title);
    painter->setPen(isByFates ? m_theme.text : m_theme.dimText);
    drawText(*painter, ofNote, Qt::AlignLeft | Qt::AlignVCenter, note);
    painter->setPen(m_theme.dimText);
    if (room.hasOrders)
        drawText(*painter, ofTitle, Qt::AlignRight | Qt::AlignVCenter, orders);
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
