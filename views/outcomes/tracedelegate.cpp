// SPDX-License-Identifier: Apache-2.0
#include "views/outcomes/tracedelegate.h"

#include "model/engine/controller.h"
#include "model/items/toldapart.h"
#include "views/drawing/text.h"
#include "views/look.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace instar {

namespace {

using Kind = Outcomes::Trace::Kind;

constexpr QSizeF treeSize { 104, 46 }, chartSize { 96, 46 };
constexpr double pictureWidth = treeSize.width() + gap::normal + chartSize.width();
constexpr int leastForTree = 340, leastForBoth = 480; ///< pixels: else the words have the room
constexpr int mostRounds = 4;                         ///< of telling rows apart

} // namespace

TraceDelegate::TraceDelegate(
    const Controller &controller, const OutcomesModel &model, QObject *parent)
    : QStyledItemDelegate(parent), m_controller(controller), m_model(model)
{
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        m_width = -1;
        const QList<Outcomes::Trace> &traces = m_model.outcomes().traces;
        const auto first = std::ranges::find(traces, Kind::Ending, &Outcomes::Trace::kind);
        m_fatesDiffer = std::any_of(first, traces.end(), // endings stand last
            [&](const Outcomes::Trace &trace) { return trace.operations != first->operations; });
    });
}

void TraceDelegate::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_pictures.clear();
}

void TraceDelegate::setChart(const ChartLayout &layout)
{
    m_chart = layout;
    m_pictures.clear();
}

QList<EndRow> TraceDelegate::rowsOf(const Outcomes::Trace &trace) const
{
    QList<EndRow> rows;
    const QList<Outcomes::Row> &all = m_model.outcomes().rows;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &word = trace.end()[i];
        rows += EndRow { all[i].depth,
            word.isEmpty() ? StatusCategory::Absent
                           : statusCategoryOfWord(m_controller.rules(), all[i].machine, word),
            word != all[i].before };
    }
    return rows;
}

QMap<Rules::StateId, int> TraceDelegate::countsOf(const Outcomes::Trace &trace) const
{
    const Rules &rules = m_controller.rules();
    QMap<Rules::StateId, int> counts;
    const QList<Outcomes::Row> &all = m_model.outcomes().rows;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString &word = trace.end()[i];
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

QPixmap TraceDelegate::pictureOf(int trace, double ratio) const
{
    if (const auto known = m_pictures.constFind(trace); known != m_pictures.cend())
        return *known;
    QPixmap picture((QSizeF(pictureWidth, treeSize.height()) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    const Outcomes::Trace &told = m_model.outcomes().traces[trace];
    paintEndTree(painter, rowsOf(told), QRectF(QPointF(), treeSize), m_theme);
    if (m_chart.machine != Rules::None)
        paintEndChart(painter, m_chart, countsOf(told),
            QRectF(QPointF(treeSize.width() + gap::normal, 1), chartSize - QSizeF(2, 2)), m_theme);
    painter.end();
    m_pictures.insert(trace, picture);
    return picture;
}

TraceDelegate::Room TraceDelegate::roomFor(
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
bool TraceDelegate::beginsWithFates(int trace) const
{
    return m_fatesDiffer && m_model.outcomes().traces[trace].kind == Kind::Ending;
}

std::pair<QString, QString> TraceDelegate::linesOf(
    int trace, const QStyleOptionViewItem &option) const
{
    if (m_width != option.rect.width() || m_font != option.font)
        tellLines(option);
    return { m_titles[trace], m_notes[trace] };
}

/// All at once: a trace's words depend on what the others look like.
void TraceDelegate::tellLines(const QStyleOptionViewItem &option) const
{
    m_width = option.rect.width();
    m_font = option.font;
    m_titles.clear();
    m_notes.clear();
    const QFontMetrics metrics(option.font);
    const qsizetype count = m_model.outcomes().traces.size();
    QStringList wholes, notes;
    QList<Room> rooms;
    const auto cutTitle = [&](qsizetype trace, const QString &text) {
        return metrics.elidedText(text, Qt::ElideRight, rooms[trace].title);
    };
    const auto cutNote = [&](qsizetype trace, const QString &text) {
        return metrics.elidedText(text, Qt::ElideRight, rooms[trace].words.width());
    };
    for (int trace = 0; trace < count; ++trace) {
        const QModelIndex index = m_model.index(m_model.rowOf(trace));
        wholes += index.data(OutcomesModel::Whole).toString();
        notes += index.data(OutcomesModel::Note).toString();
        rooms += roomFor(index.data(OutcomesModel::Orders).toString(), option);
        m_titles += cutTitle(trace, index.data().toString());
        m_notes += cutNote(trace, notes.last());
    }
    // Those that look the same in both lines.
    const auto same = [&] {
        QHash<std::pair<QString, QString>, QList<qsizetype>> looks;
        for (qsizetype trace = 0; trace < count; ++trace)
            looks[{ m_titles[trace], m_notes[trace] }] += trace;
        looks.removeIf([](const auto &each) { return each.value().size() == 1; });
        return looks.values();
    };
    // What tells a row from some may make it look like others.
    for (int round = 0; round < mostRounds && !same().isEmpty(); ++round) {
        for (const QList<qsizetype> &traces : same())
            tellApart(wholes, traces, cutTitle, &m_titles);
        for (const QList<qsizetype> &traces : same())
            tellApart(notes, traces, cutNote, &m_notes);
    }
}

void TraceDelegate::paintHeading(QPainter &painter, const QStyleOptionViewItem &option) const
{
    QFont font = option.font;
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(m_theme.dimText);
    const QRect room = option.rect.adjusted(gap::normal, gap::small, -gap::normal, 0);
    drawText(painter, room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(option.text, Qt::ElideRight, room.width()));
}

void TraceDelegate::paint(
    QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const int trace = index.data(OutcomesModel::TraceOf).toInt();
    painter->save();
    if (trace < 0) {
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
            pictureOf(trace, ratio), QRectF(QPointF(), seen * ratio));
    }
    const QFontMetrics metrics(option.font);
    const QString orders = index.data(OutcomesModel::Orders).toString();
    const Room room = roomFor(orders, option);
    const auto [title, note] = linesOf(trace, option);
    const int middle = room.words.center().y();
    QRect above = room.words, below = room.words;
    above.setRect(above.x(), middle - metrics.height() - 1, above.width(), metrics.height());
    below.setRect(below.x(), middle + 2, below.width(), metrics.height());
    const bool isByFates = beginsWithFates(trace);
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

QSize TraceDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int line = option.fontMetrics.height();
    if (index.data(OutcomesModel::TraceOf).toInt() < 0)
        return { 100, line + gap::normal };
    return { 100, std::max(int(treeSize.height()), 2 * line + 3) + 2 * gap::small };
}

} // namespace instar
