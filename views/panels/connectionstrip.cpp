// SPDX-License-Identifier: Apache-2.0
#include "views/panels/connectionstrip.h"

#include "views/icons.h"

#include <QLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace instar {

ConnectionStrip::ConnectionStrip(QWidget *parent)
    : Notice(parent), m_retry(new QPushButton(icon(u"reset"_s), tr("Retry")))
{
    m_retry->setToolTip(tr("Connect to the server again, now"));
    layout()->addWidget(m_retry);
    connect(m_retry, &QPushButton::clicked, this, &ConnectionStrip::retryAsked);
    m_clock.setInterval(500);
    connect(&m_clock, &QTimer::timeout, this, &ConnectionStrip::refresh);
    refresh();
}

void ConnectionStrip::setState(const NetworkState &state)
{
    m_state = state;
    refresh();
}

void ConnectionStrip::refresh()
{
    using Kind = NetworkState::Kind;
    const bool isReading = m_state.kind == Kind::Connecting || m_state.kind == Kind::Loading;
    const bool isFirst = isReading && !m_state.hasTree;
    const bool isShown = m_state.isTrouble() || m_state.kind == Kind::Closed || isFirst;
    setVisible(isShown);
    if (m_state.retry.isValid())
        m_clock.start();
    else
        m_clock.stop();
    if (!isShown)
        return;
    const QString sentence = troubleText(m_state, QDateTime::currentDateTimeUtc());
    if (sentence != text())
        say(m_state.isTrouble() ? Tone::Wrong : Tone::Hint, sentence);
    m_retry->setVisible(!isReading);
}

} // namespace instar
