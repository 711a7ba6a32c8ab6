// SPDX-License-Identifier: Apache-2.0
#include "views/panels/servingstrip.h"

#include "views/icons.h"
#include "views/look.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

ServingStrip::ServingStrip(QWidget *parent)
    : QWidget(parent), m_icon(new QLabel), m_text(new QLabel)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, gap::normal, 0);
    row->setSpacing(gap::small);
    row->addWidget(m_icon);
    row->addWidget(m_text);
    m_text->setObjectName(u"servingText"_s);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const auto button = [&](const QString &name, const QString &hint) {
        auto *tool = new QToolButton;
        tool->setIcon(icon(name));
        tool->setToolTip(hint);
        tool->setAccessibleName(hint);
        tool->setAutoRaise(true);
        const int height = fontMetrics().height(); // a status bar is as high as what it may show
        tool->setFixedSize(height + gap::normal, height);
        tool->setIconSize({ height, height });
        tool->setStyleSheet(u"padding: 0"_s);
        tool->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(tool);
        return tool;
    };
    QToolButton *copy = button(u"copy"_s, tr("Copy the address"));
    m_copyToken = button(
        u"lock"_s, tr("Copy the token that POST requests below /_instar/ show as X-Instar-Token"));
    m_copyToken->setObjectName(u"copyToken"_s);
    QToolButton *faults = button(u"warn"_s, tr("Break a rule with the next operation"));
    faults->setObjectName(u"misbehave"_s);
    faults->setMenu(faultMenu());
    faults->setPopupMode(QToolButton::InstantPopup);
    faults->setStyleSheet(
        u"QToolButton { padding: 0 } QToolButton::menu-indicator { image: none }"_s);
    QToolButton *stop = button(u"close"_s, tr("Stop serving"));
    connect(copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_url); });
    connect(m_copyToken, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_token); });
    connect(stop, &QToolButton::clicked, this, &ServingStrip::stopAsked);
    setUrl({});
}

QMenu *ServingStrip::faultMenu()
{
    auto *menu = new QMenu(this);
    for (const FaultWords &row : instar::faults()) {
        QAction *action = menu->addAction(u"%1: %2"_s.arg(row.name, row.seen));
        connect(
            action, &QAction::triggered, this, [this, name = row.name] { emit faultAsked(name); });
    }
    return menu;
}

void ServingStrip::setTheme(const Theme &theme)
{
    m_icon->setPixmap(tinted(u"server"_s, theme.moodText(Mood::Rest), 16, devicePixelRatioF()));
}

void ServingStrip::setUrl(const QString &url, const QString &token)
{
    m_url = url;
    m_token = token;
    m_copyToken->setVisible(!token.isEmpty());
    m_text->setText(tr("Serving on %1").arg(url));
    setVisible(!url.isEmpty());
}

} // namespace instar
