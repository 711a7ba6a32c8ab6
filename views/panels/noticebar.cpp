// SPDX-License-Identifier: Apache-2.0
#include "views/panels/noticebar.h"

#include <QAccessible>
#include <QLayout>
#include <QPushButton>

namespace instar {

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
