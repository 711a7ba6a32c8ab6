// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/choicebutton.h"

#include "views/drawing/text.h"
#include "views/look.h"

#include <QEvent>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int wrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;
constexpr int usualWidth = 280;

} // namespace

QString breakable(QString words)
{
    for (qsizetype i = words.size() - 1; i > 0; --i) {
        if (words[i].isUpper() && words[i - 1].isLower())
            words.insert(i, QChar(0x200b));
    }
    return words;
}

ChoiceButton::ChoiceButton(const QString &letter, const QString &words, QWidget *parent)
    : QAbstractButton(parent), m_letter(letter)
{
    setText(words);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Answer %1: %2").arg(letter, words));
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceButton::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void ChoiceButton::setTruth(Truth truth)
{
    m_truth = truth;
    const QString says = truth == Truth::CameTrue ? tr("came true")
        : truth == Truth::DidNot                  ? tr("did not come true")
                                                  : QString();
    setAccessibleDescription(says);
    update();
}

/// A letter, or how it ended: never colour alone.
QString ChoiceButton::sign() const
{
    return m_truth == Truth::CameTrue ? u"✓"_s : m_truth == Truth::DidNot ? u"✗"_s : m_letter;
}

QRect ChoiceButton::wordsRect(int width) const
{
    const int badge = fontMetrics().height() + gap::small;
    const int left = gap::normal + badge + gap::normal;
    const QRect room(left, gap::normal, std::max(width - left - gap::normal, 40), 100'000);
    return fontMetrics().boundingRect(room, wrapped, breakable(text()));
}

int ChoiceButton::heightForWidth(int width) const
{
    return std::max(wordsRect(width).height(), fontMetrics().height() + gap::small)
        + 2 * gap::normal;
}

QSize ChoiceButton::sizeHint() const
{
    return { usualWidth, heightForWidth(usualWidth) };
}

QSize ChoiceButton::minimumSizeHint() const
{
    return { 120, fontMetrics().height() + 2 * gap::normal };
}

void ChoiceButton::changeEvent(QEvent *event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

void ChoiceButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme::Tone &good = m_theme.tones[size_t(StatusCategory::Rest)];
    const bool isTrue = m_truth == Truth::CameTrue, isFalse = m_truth == Truth::DidNot;
    const QColor line = isTrue ? good.line
        : isFalse              ? m_theme.line
        : isChecked()          ? m_theme.accent
                               : m_theme.line;
    const QColor fill = isTrue        ? good.fill
        : isChecked() && !isFalse     ? m_theme.accentFill
        : underMouse() && isEnabled() ? m_theme.alternate
                                      : m_theme.base;
    const bool isBold = isChecked() || hasFocus();
    painter.setPen(QPen(line, isBold ? 2 : 1, isFalse ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);

    const int badge = fontMetrics().height() + gap::small;
    const QRectF circle(gap::normal, gap::normal - gap::small / 2.0, badge, badge);
    const QColor ground = isTrue ? good.line : isChecked() ? m_theme.accent : m_theme.quietLine;
    painter.setPen(Qt::NoPen);
    painter.setBrush(isFalse ? m_theme.quietLine : ground);
    painter.drawEllipse(circle);
    painter.setPen(isTrue && !isFalse ? m_theme.base
            : isChecked() && !isFalse ? m_theme.accentText
                                      : m_theme.text);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    drawText(painter, circle, Qt::AlignCenter, sign());
    painter.setFont(font());
    painter.setPen(isTrue ? good.text : isFalse ? m_theme.dimText : m_theme.text);
    drawText(painter, wordsRect(width()), wrapped, breakable(text()));
}

} // namespace instar
