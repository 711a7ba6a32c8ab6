// SPDX-License-Identifier: Apache-2.0
#include "views/panels/networkbar.h"

#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int RoomForAllWords = 1100, RoomForSomeWords = 760;

} // namespace

NetworkBar::NetworkBar(QWidget *parent)
    : QWidget(parent),
      m_row(new QHBoxLayout(this)),
      m_icon(new QLabel),
      m_word(new QLabel),
      m_where(new ElidedLabel(Qt::ElideMiddle)),
      m_progress(new QProgressBar),
      m_spread(new QLabel)
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(gap::small);
    m_icon->setFixedWidth(20);
    m_word->setObjectName(u"networkState"_s);
    QFont bold = m_word->font();
    bold.setBold(true);
    m_word->setFont(bold);
    m_where->setProperty("dim", true);
    m_where->setObjectName(u"networkWhere"_s);
    m_progress->setFixedSize(120, fontMetrics().height());
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_spread->setObjectName(u"spread"_s);
    m_spread->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_spread->setToolTip(tr("How closely the requests that were fired together left"));

    m_row->addWidget(m_icon);
    m_row->addWidget(m_word);
    m_row->addSpacing(gap::small);
    m_row->addWidget(m_where, 1);
    m_row->addWidget(m_progress);
    m_cancel = add(u"cancel"_s, tr("Cancel"), tr("Stop what is being done"), Words::First);
    m_row->addWidget(m_spread);
    m_row->addSpacing(gap::small);
    m_connect = add(u"plug"_s, tr("Connect…"), tr("Drive a real server"), Words::Last);
    m_serve = add(
        u"server"_s, tr("Serve…"), tr("Let other clients drive this world over HTTP"), Words::Last);
    m_readOnly = add(u"lock"_s, tr("Read only"), {}, Words::Last);
    m_readOnly->setCheckable(true);
    m_reconnect = add(
        u"reset"_s, tr("Reconnect"), tr("Connect again, and read the tree again"), Words::First);
    m_pause = add(u"pause"_s, tr("Pause polling"), {}, Words::Last);
    m_pause->setCheckable(true);
    m_clear =
        add(u"clear"_s, tr("Clear"), tr("Forget the exchanges that are listed"), Words::First);
    m_export = add(
        u"export"_s, tr("Export"), tr("Write the exchanges, or the tree, to a file"), Words::First);
    auto *menu = new QMenu(m_export);
    m_har = menu->addAction(tr("Exchanges as an HTTP archive (HAR)…"));
    m_ndjson = menu->addAction(tr("Exchanges as JSON lines (NDJSON)…"));
    menu->addSeparator();
    m_scenario = menu->addAction(tr("What happened as a scenario, to play offline…"));
    menu->addSeparator();
    m_recording = menu->addAction(tr("Record everything to a file…"));
    m_recording->setCheckable(true);
    m_export->setMenu(menu);
    m_export->setPopupMode(QToolButton::InstantPopup);

    m_clock.setInterval(500);
    connect(&m_clock, &QTimer::timeout, this, &NetworkBar::showText);
    connect(m_cancel, &QToolButton::clicked, this, &NetworkBar::cancelAsked);
    connect(m_connect, &QToolButton::clicked, this, &NetworkBar::connectAsked);
    connect(m_serve, &QToolButton::clicked, this, &NetworkBar::serveAsked);
    connect(m_readOnly, &QToolButton::clicked, this, [this](bool on) {
        emit readOnlyToggled(on);
        refresh(); // it shows how things are, not what was asked for
    });
    connect(m_reconnect, &QToolButton::clicked, this, &NetworkBar::reconnectAsked);
    connect(m_pause, &QToolButton::clicked, this, [this](bool on) { emit pollingToggled(!on); });
    connect(m_clear, &QToolButton::clicked, this, &NetworkBar::clearAsked);
    connect(m_har, &QAction::triggered, this, [this] { emit exportAsked(Export::Har); });
    connect(m_ndjson, &QAction::triggered, this, [this] { emit exportAsked(Export::Ndjson); });
    connect(m_scenario, &QAction::triggered, this, [this] { emit exportAsked(Export::Scenario); });
    connect(m_recording, &QAction::triggered, this, [this] {
        emit exportAsked(Export::Recording);
        refresh(); // it shows how things are, not what was asked for
    });
    setMinimumWidth(320); // the words go first
    refresh();
}

QToolButton *NetworkBar::add(
    const QString &name, const QString &text, const QString &hint, Words words)
{
    QToolButton *tool = wordButton(name, text, hint);
    m_row->addWidget(tool);
    m_tools.emplace_back(tool, words);
    return tool;
}

void NetworkBar::setTheme(const Theme &theme)
{
    m_theme = theme;
    refresh();
}

void NetworkBar::setState(const NetworkState &state)
{
    if (state == m_state)
        return;
    m_state = state;
    refresh();
}

void NetworkBar::setPolling(bool polls)
{
    m_state.polls = polls;
    refresh();
}

void NetworkBar::setSpread(const QString &text)
{
    m_spread->setText(text);
}

void NetworkBar::setHasExchanges(bool has)
{
    m_hasExchanges = has;
    refresh();
}

void NetworkBar::refresh()
{
    using Kind = NetworkState::Kind;
    const Kind kind = m_state.kind;
    const bool isBusy = kind == Kind::Connecting || kind == Kind::Loading;
    const bool isTrouble = m_state.isTrouble();
    const StatusCategory statusCategory = isTrouble  ? StatusCategory::Failed
        : isBusy                                     ? StatusCategory::Working
        : kind == Kind::None || kind == Kind::Closed ? StatusCategory::Absent
                                                     : StatusCategory::Rest;
    const QString symbol = isTrouble ? u"warn"_s
        : isBusy                     ? u"reset"_s
        : kind == Kind::None         ? u"network"_s
        : kind == Kind::Serving      ? u"server"_s
                                     : u"plug"_s;
    m_icon->setPixmap(
        tinted(symbol, m_theme.statusCategoryText(statusCategory), 16, devicePixelRatioF()));
    m_word->setText(stateWord(kind));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, isTrouble ? m_theme.warning : m_theme.text);
    m_word->setPalette(colours);

    m_progress->setVisible(m_state.done >= 0);
    m_progress->setRange(0, std::max(m_state.total, 0)); // 0 of 0: it moves to and fro
    m_progress->setValue(m_state.done);
    m_cancel->setVisible(m_state.done >= 0 || kind == Kind::Connecting);
    // Without exchanges the panel itself asks for one or the other.
    m_connect->setVisible(kind == Kind::None && m_hasExchanges);
    m_serve->setVisible(kind == Kind::None && m_hasExchanges);
    m_reconnect->setVisible(m_state.isRemote());
    m_reconnect->setEnabled(!isBusy);
    m_pause->setVisible(m_state.isRemote());
    m_pause->setChecked(!m_state.polls);
    m_pause->setText(m_state.polls ? tr("Pause polling") : tr("Polling is paused"));
    m_pause->setToolTip(m_state.polls
            ? tr("Ask no more how running operations stand, until switched on again")
            : tr("Ask again how running operations stand"));
    m_readOnly->setVisible(m_state.isRemote());
    m_readOnly->setChecked(m_state.readOnly);
    m_readOnly->setText(m_state.readOnly ? tr("Read only") : tr("Writing"));
    m_readOnly->setIcon(icon(m_state.readOnly ? u"lock"_s : u"unlock"_s));
    m_readOnly->setToolTip(m_state.readOnly
            ? tr("Nothing is changed on the server: switch off to fire operations")
            : tr("Operations change the server: switch on to only look at it"));
    m_clear->setEnabled(m_hasExchanges);
    m_har->setEnabled(m_hasExchanges);
    m_ndjson->setEnabled(m_hasExchanges);
    m_scenario->setEnabled(m_state.isRemote());
    m_recording->setChecked(!m_state.recording.isEmpty());
    m_export->setEnabled(
        m_hasExchanges || m_state.isRemote() || kind == Kind::Serving || m_recording->isChecked());
    if (m_state.retry.isValid())
        m_clock.start();
    else
        m_clock.stop();
    showText();
}

void NetworkBar::showText()
{
    QString text = stateText(m_state, QDateTime::currentDateTimeUtc());
    if (!m_state.recording.isEmpty())
        text +=
            (text.isEmpty() ? QString() : u" · "_s) + tr("recording to %1").arg(m_state.recording);
    m_where->setText(text);
    m_where->setToolTip(text);
}

void NetworkBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    for (const auto &[tool, words] : std::as_const(m_tools)) {
        const int room = words == Words::First ? RoomForAllWords : RoomForSomeWords;
        tool->setToolButtonStyle(
            width() >= room ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    }
}

} // namespace instar
