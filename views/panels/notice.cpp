// SPDX-License-Identifier: Apache-2.0
#include "views/panels/notice.h"

#include "views/icons.h"
#include "views/look.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace instar {

Notice::Notice(QWidget *parent) : QFrame(parent), m_icon(new QLabel), m_text(new QLabel)
{
    setObjectName(u"verdict"_s);
    m_text->setObjectName(u"verdictText"_s);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_icon->setFixedWidth(16);
    filled(new QHBoxLayout(this), { { m_icon, 0, Qt::AlignVCenter }, { m_text, 1 } }, gap::normal,
        { gap::normal, gap::small, gap::normal, gap::small });
    say(Tone::Good, {});
}

QString Notice::text() const
{
    return m_text->text();
}

void Notice::say(Tone tone, const QString &sentence)
{
    m_tone = tone;
    m_text->setText(sentence);
    setTone(this, m_text,
        sentence.isEmpty()        ? u"none"_s
            : tone == Tone::Wrong ? u"refused"_s
            : tone == Tone::Hint  ? u"cancels"_s
                                  : u"accepted"_s);
    showIcon();
}

void Notice::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showIcon();
}

void Notice::showIcon()
{
    if (text().isEmpty()) {
        m_icon->clear();
        return;
    }
    const QString name = m_tone == Tone::Wrong ? u"cancel"_s
        : m_tone == Tone::Hint                 ? u"warn"_s
                                               : u"good"_s;
    const QColor colour = palette().color(m_tone == Tone::Wrong ? QPalette::BrightText
            : m_tone == Tone::Hint                              ? QPalette::Link
                                                                : QPalette::PlaceholderText);
    m_icon->setPixmap(tinted(name, colour, 16, devicePixelRatioF()));
}

NoticeBar::NoticeBar(QWidget *parent) : Notice(parent)
{
    hide();
}

void NoticeBar::ask(Tone tone, const QString &sentence, const QList<Answer> &answers)
{
    settle();
    say(tone, sentence);
    setAccessibleName(sentence);
    for (const Answer &answer : answers) {
        auto *button = new QPushButton(answer.text);
        button->setToolTip(answer.tip);
        button->setAccessibleDescription(answer.tip);
        layout()->addWidget(button);
        setFocusProxy(focusProxy() ? focusProxy() : button);
        connect(button, &QPushButton::clicked, this, [this, act = answer.act] {
            settle();
            act();
        });
    }
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void NoticeBar::settle()
{
    setFocusProxy(nullptr);
    const QList<QPushButton *> buttons = findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        button->setParent(nullptr);
        button->deleteLater();
    }
    say(Tone::Good, {});
    hide();
}

} // namespace instar
