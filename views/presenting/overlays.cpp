// SPDX-License-Identifier: Apache-2.0
#include "views/presenting/overlays.h"

#include "model/engine/controller.h"
#include "model/items/sentences.h"
#include "views/look.h"

#include <QGraphicsProxyWidget>
#include <QPainter>
#include <QRadialGradient>

#include <functional>

namespace instar {

namespace {

constexpr int letterSize = 24, hintSize = 15; ///< pixels

/// Caption of an event: client, operation and outcome; empty: none. `name` elides a resource's
/// name.
QString shortText(const Controller &controller, const Change &change,
    const std::function<QString(const QString &)> &name)
{
    const Operation *operation = controller.operations().find(change.operation);
    if (!operation)
        return changeText(controller.rules(), controller.operations(), change);
    const QString request = operation->op + u' ' + name(operation->path.section(u'/', -1));
    const QString text = operation->client.isEmpty()
        ? request
        //: a client, and its request
        : Caption::tr("%1: %2").arg(operation->client, request);
    using Kind = Change::Kind;
    return change.kind == Kind::Started ? Caption::tr("%1 begins").arg(text)
        : change.kind == Kind::Queued   ? Caption::tr("%1 waits").arg(text)
        : change.kind == Kind::Rejected ? Caption::tr("%1 is refused: %2").arg(text, change.code)
        : change.kind == Kind::Canceled ? Caption::tr("%1 is canceled").arg(text)
        : change.kind == Kind::Worked || change.kind == Kind::Closed
        ? Caption::tr("%1: %2").arg(text, controller.rules().triggerName(change.outcome))
        : QString();
}

constexpr double laserRadius = 9;
const QColor laserColour(0xff, 0x2d, 0x2d); ///< the same in every theme

} // namespace

Caption::Caption(const Controller &controller, QWidget *window)
    : QLabel(window), m_controller(controller)
{
    setObjectName(u"caption"_s);
    setAccessibleName(tr("The last event"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setMargin(gap::normal);
    refresh();
    whenThemed(this, [this] { refresh(); });
}

void Caption::refresh()
{
    QStringList sentences;
    const auto name = [this](const QString &full) {
        return fontMetrics().elidedText(full, Qt::ElideMiddle, greatestWidth() / 2);
    };
    const QList<Record> &records = m_controller.records();
    if (records.size() < m_hidden)
        m_hidden = 0; // the run shows a moment before the lesson's page began
    if (records.size() > m_hidden) {
        for (const Change &change : records.last().changes) {
            const QString sentence = shortText(m_controller, change, name);
            if (!sentence.isEmpty() && !sentences.contains(sentence))
                sentences += sentence;
        }
    }
    if (m_sentenceAt != records.size())
        m_sentence.clear();
    if (!m_sentence.isEmpty())
        sentences = { m_sentence };
    m_showsText = !sentences.isEmpty();
    const QString others = tr("L: spotlight · B: black screen · Esc: leave");
    QFont letters = font();
    letters.setPixelSize(m_showsText ? letterSize : hintSize);
    setFont(letters);
    setStyleSheet(m_showsText ? u"QLabel { background: %1; color: %2; border-radius: 8px; }"_s.arg(
                      theme().text.name(), theme().base.name())
                              : u"QLabel { color: %1; }"_s.arg(theme().dimText.name()));
    setText(m_showsText ? sentences.join(u" · "_s)
            : m_isLesson ? tr("Page Down: next · Page Up: back · 1, 2, 3: answer · %1").arg(others)
                         : tr("Page Down: next · Page Up: back · %1").arg(others));
    moveToLowerEdge();
    show();
}

void Caption::beginPage(qsizetype records)
{
    m_hidden = records;
    m_isLesson = true;
    m_sentence.clear();
    refresh();
}

void Caption::say(const QString &sentence)
{
    m_sentence = sentence;
    m_sentenceAt = m_controller.records().size();
    refresh();
}

int Caption::greatestWidth() const
{
    return std::min(parentWidget()->width() - 2 * gap::large, 1400);
}

void Caption::moveToLowerEdge()
{
    const QWidget *window = parentWidget();
    const int width = greatestWidth();
    const int height = std::max(heightForWidth(width), letterSize * 2);
    setGeometry(
        (window->width() - width) / 2, window->height() - height - gap::normal, width, height);
    raise();
}

Enlarged::Enlarged(QWidget *shown, double factor, QWidget *parent)
    : QGraphicsView(parent), m_shown(shown), m_factor(factor)
{
    setScene(new QGraphicsScene(this));
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    shown->setParent(nullptr);
    shown->move(0, 0); // its position in the old parent does not apply here
    scene()->addWidget(shown);
    shown->show();
    scale(factor, factor);
}

Enlarged::~Enlarged()
{
    if (m_shown && m_shown->graphicsProxyWidget())
        m_shown->graphicsProxyWidget()->setWidget(nullptr); // the caller owns the widget
}

void Enlarged::resizeEvent(QResizeEvent *event)
{
    QGraphicsView::resizeEvent(event);
    m_shown->resize((QSizeF(viewport()->size()) / m_factor).toSize());
    setSceneRect(m_shown->rect());
}

Laser::Laser(QWidget *window) : QWidget(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
}

void Laser::pointAt(const QPointF &point)
{
    m_spot = point;
    update();
}

void Laser::paintEvent(QPaintEvent *)
{
    if (!m_spot)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF spot = *m_spot;
    QRadialGradient glow(spot, laserRadius * 2);
    QColor edge = laserColour;
    edge.setAlpha(0);
    glow.setColorAt(0, edge); // transparent, so that the target stays visible
    glow.setColorAt(0.4, edge);
    glow.setColorAt(0.65, laserColour);
    glow.setColorAt(1, edge);
    painter.setPen(Qt::NoPen);
    painter.setBrush(glow);
    painter.drawEllipse(spot, laserRadius * 2, laserRadius * 2);
}

} // namespace instar
