// SPDX-License-Identifier: Apache-2.0
#include "views/panels/notice.h"

#include "model/task.h"
#include "views/icons.h"
#include "views/look.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace instar {

namespace {

constexpr int PatienceMs = 500;    ///< shorter tasks are not shown
constexpr qint64 leastSilence = 1; ///< shortest wait for an answer that is shown, in seconds
constexpr int BarWidth = 160, BarSteps = 1000;

struct NetworkWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::NetworkPanel)
};

/// Returns "retrying in 3 s": the time until the next attempt; empty if none is planned.
QString retryText(const NetworkState &state, const QDateTime &now)
{
    if (!state.retry.isValid())
        return {};
    const qint64 seconds = (std::max<qint64>(now.msecsTo(state.retry), 0) + 999) / 1000;
    return seconds == 0 ? NetworkWords::tr("retrying now")
                        : NetworkWords::tr("retrying in %1 s").arg(seconds);
}

/// Texts of a kind of connection.
struct KindWords
{
    QString name;
    QString blocked;   ///< why requests cannot be sent; empty: they can
    QString emptyTree; ///< why no resource is known
};

KindWords wordsOf(NetworkState::Kind kind)
{
    const QString reading = NetworkWords::tr("Reading the resource tree from the server.");
    switch (kind) {
    case NetworkState::Kind::None:
        return { NetworkWords::tr("Not connected"), {}, {} };
    case NetworkState::Kind::Connecting:
        return { NetworkWords::tr("Connecting"), {}, reading };
    case NetworkState::Kind::Loading:
        return { NetworkWords::tr("Reading the resource tree"), {}, reading };
    case NetworkState::Kind::Connected:
        return { NetworkWords::tr("Connected"), {}, {} };
    case NetworkState::Kind::Unrecognized:
        return { NetworkWords::tr("Answers do not fit the system"), {},
            NetworkWords::tr("None of the server's answers fit the chosen system. Check the URL "
                             "and the system.") };
    case NetworkState::Kind::Unreachable:
        return { NetworkWords::tr("No connection"),
            NetworkWords::tr("cannot be sent: there is no connection to the server"),
            NetworkWords::tr("No resources to show, because there is no connection to the "
                             "server.") };
    case NetworkState::Kind::Lost:
        return { NetworkWords::tr("Connection lost"),
            NetworkWords::tr("cannot be sent: the connection is lost"),
            NetworkWords::tr("The connection broke before any resource was read.") };
    case NetworkState::Kind::Closed:
        return { NetworkWords::tr("Disconnected"),
            NetworkWords::tr("cannot be sent: the server is not connected"),
            NetworkWords::tr("Not connected to the server.") };
    case NetworkState::Kind::Serving:
        return { NetworkWords::tr("Serving"), {}, {} };
    }
    return {};
}

} // namespace

QString stateWord(NetworkState::Kind kind)
{
    return wordsOf(kind).name;
}

QString blockedText(const NetworkState &state, Intent intent)
{
    if (!state.isRemote())
        return {};
    if (const QString blocked = wordsOf(state.kind).blocked; !blocked.isEmpty())
        return blocked;
    if (!state.hasTree)
        return NetworkWords::tr("cannot be sent yet: the resource tree is being read");
    if (state.readOnly && intent == Intent::Writes)
        return NetworkWords::tr(
            "read-only connection: switch off Read Only in the Network menu to send changes");
    return {};
}

QString emptyTreeText(const NetworkState &state)
{
    return state.isReading() && state.hasTree ? QString() : wordsOf(state.kind).emptyTree;
}

QString failureText(const NetworkState &state, const QDateTime &now)
{
    QString sentence = state.detail.isEmpty() ? state.url : state.detail;
    while (sentence.endsWith(u'.'))
        sentence.chop(1);
    if (state.kind != NetworkState::Kind::Unrecognized)
        sentence = u"%1: %2"_s.arg(stateWord(state.kind), sentence);
    const QString retry = retryText(state, now);
    return retry.isEmpty() ? sentence : u"%1 · %2"_s.arg(sentence, retry);
}

QString stateText(const NetworkState &state)
{
    QStringList parts;
    for (const QString &part : { state.url, state.detail }) {
        if (!part.isEmpty())
            parts += part;
    }
    if (state.kind == NetworkState::Kind::Connected && !state.polls)
        parts += NetworkWords::tr("polling is paused");
    return parts.join(u" · "_s);
}

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
    whenThemed(this, [this] { showIcon(); });
}

QString Notice::text() const
{
    return m_text->text();
}

void Notice::say(Tone tone, const QString &sentence)
{
    m_tone = tone;
    m_text->setText(sentence);
    m_text->setToolTip(m_text->wordWrap() ? QString() : sentence);
    setTone(this, m_text,
        sentence.isEmpty()        ? u"none"_s
            : tone == Tone::Wrong ? u"refused"_s
            : tone == Tone::Hint  ? u"cancels"_s
                                  : u"accepted"_s);
    showIcon();
}

void Notice::setOneLine()
{
    m_text->setWordWrap(false);
    m_text->setMinimumWidth(1); // a long sentence must not widen the window
    layout()->setContentsMargins(gap::normal, 0, gap::small, 0);
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
    const QColor &colour = m_tone == Tone::Wrong ? theme().warning
        : m_tone == Tone::Hint                   ? theme().accent
                                                 : theme().dimText;
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

NoticeArea::NoticeArea(QWidget &toolBar, QWidget &window) : QWidget(&window), m_toolBar(toolBar)
{
    setAutoFillBackground(true);
    filled(new QVBoxLayout(this), {}, 0);
    toolBar.installEventFilter(this);
}

void NoticeArea::add(QWidget *notice)
{
    layout()->addWidget(notice);
}

bool NoticeArea::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        moveBelowToolBar();
    return QWidget::event(event);
}

bool NoticeArea::eventFilter(QObject *watched, QEvent *event)
{
    const QList<QEvent::Type> moves { QEvent::Resize, QEvent::Move, QEvent::ShowToParent,
        QEvent::HideToParent };
    if (moves.contains(event->type()))
        moveBelowToolBar();
    return QWidget::eventFilter(watched, event);
}

void NoticeArea::moveBelowToolBar()
{
    const QRect bar = m_toolBar.geometry();
    layout()->activate();
    const int height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(bar.width())
                                                     : layout()->totalSizeHint().height();
    setGeometry(bar.left(), bar.bottom() + 1, bar.width(), height);
    setVisible(!m_toolBar.isHidden());
    raise();
}

ConnectionStrip::ConnectionStrip(QWidget *parent)
    : Notice(parent), m_retry(new QPushButton(icon(u"reset"_s), tr("Retry")))
{
    setOneLine();
    m_retry->setFlat(true);
    m_retry->setFixedHeight(fontMetrics().height()); // a higher one would raise the status bar
    m_retry->setStyleSheet(u"padding: 0"_s);
    m_retry->setToolTip(tr("Reconnect to the server now"));
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

void ConnectionStrip::put(const Exchange &exchange)
{
    if (exchange.isOver())
        m_unanswered.remove(exchange.number);
    else if (!m_unanswered.contains(exchange.number))
        m_unanswered.insert(exchange.number, QDateTime::currentDateTimeUtc());
    refresh();
}

void ConnectionStrip::refresh()
{
    const bool isClosed = m_state.isFailure() || m_state.kind == NetworkState::Kind::Closed;
    const bool isFirst = m_state.isReading() && !m_state.hasTree;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const qint64 silent = m_unanswered.isEmpty() ? 0 : std::ranges::min(m_unanswered).secsTo(now);
    QString sentence;
    if (m_state.isRemote() && !isClosed && silent >= leastSilence)
        sentence = tr("No answer for %1 s").arg(silent);
    else if (isClosed || isFirst)
        sentence = failureText(m_state, now);
    else if (m_state.isRemote() && !m_state.readOnly)
        sentence = tr("Writing is on: requests change the server");
    setVisible(!sentence.isEmpty());
    if (m_state.retry.isValid() || !m_unanswered.isEmpty())
        m_clock.start();
    else
        m_clock.stop();
    if (sentence != text())
        say(m_state.isFailure() ? Tone::Wrong : Tone::Hint, sentence);
    m_retry->setVisible(isClosed);
}

ServingStrip::ServingStrip(QWidget *parent) : QWidget(parent), m_text(new QLabel)
{
    auto *row = filled(new QHBoxLayout(this), { m_text }, gap::small, { 0, 0, gap::normal, 0 });
    m_text->setObjectName(u"servingText"_s);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const auto button = [&](const QString &name, const QString &hint) {
        QToolButton *tool = iconButton(name, hint);
        tool->setAutoRaise(true);
        const int height = fontMetrics().height(); // taller buttons would raise the status bar
        tool->setFixedSize(height + gap::normal, height);
        tool->setIconSize({ height, height });
        tool->setStyleSheet(u"padding: 0"_s);
        tool->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(tool);
        return tool;
    };
    QToolButton *copy = button(u"copy"_s, tr("Copy the address"));
    m_copyToken = button(u"lock"_s,
        tr("Copy the token that POST requests below /_instar/ must send as X-Instar-Token"));
    m_copyToken->setObjectName(u"copyToken"_s);
    QToolButton *faults = button(u"warn"_s,
        tr("Make this server break a rule in its next operation, to test a "
           "client or the judge"));
    faults->setObjectName(u"misbehave"_s);
    auto *menu = new QMenu(this);
    for (const FaultWords &fault : instar::faults())
        menu->addAction(u"%1: %2"_s.arg(fault.name, fault.effect), this,
            [this, name = fault.name] { emit faultAsked(name); });
    faults->setMenu(menu);
    faults->setPopupMode(QToolButton::InstantPopup);
    QToolButton *stop = button(u"close"_s, tr("Stop serving"));
    connect(copy, &QToolButton::clicked, this, [this] { copyText(m_url); });
    connect(m_copyToken, &QToolButton::clicked, this, [this] { copyText(m_token); });
    connect(stop, &QToolButton::clicked, this, &ServingStrip::stopAsked);
    setUrl({});
}

void ServingStrip::setUrl(const QString &url, const QString &token)
{
    m_url = url;
    m_token = token;
    m_copyToken->setVisible(!token.isEmpty());
    m_text->setText(tr("Serving on %1").arg(url));
    setVisible(!url.isEmpty());
}

TaskStrip::TaskStrip(QWidget *parent)
    : QFrame(parent),
      m_title(new QLabel),
      m_bar(new QProgressBar),
      m_cancel(new QPushButton(icon(u"cancel"_s), tr("Cancel")))
{
    setObjectName(u"tasks"_s);
    m_bar->setMaximumWidth(BarWidth);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setToolTip(tr("Cancel the task; nothing is changed"));
    filled(new QHBoxLayout(this), { m_title, m_bar, Part::rest(1), m_cancel }, gap::normal,
        { gap::normal, gap::small, gap::small, gap::small });
    m_patience.setSingleShot(true);
    m_patience.setInterval(PatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        refresh();
        setVisible(shown() != nullptr);
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (Task *task = shown())
            task->cancel();
    });
    hide();
}

void TaskStrip::follow(Task *task)
{
    m_tasks += task;
    connect(task, &Task::progressed, this, &TaskStrip::refresh);
    connect(task, &Task::ended, this, [this, task] {
        m_tasks.removeOne(task);
        if (shown())
            refresh();
        else
            hide();
    });
    if (!isVisible() && !m_patience.isActive())
        m_patience.start();
}

Task *TaskStrip::shown() const
{
    for (const QPointer<Task> &task : m_tasks) {
        if (task)
            return task;
    }
    return nullptr;
}

void TaskStrip::refresh()
{
    const Task *task = shown();
    if (!task)
        return;
    const qint64 done = task->progress().done(), all = task->progress().all();
    const bool isKnown = all > 0;
    m_bar->setRange(0, isKnown ? BarSteps : 0);
    m_bar->setValue(isKnown ? int(double(done) / double(all) * BarSteps) : 0);
    //: %1: title of a task, %2: number of items done so far
    m_title->setText(isKnown || done == 0
            ? task->title()
            : tr("%1 (%2)").arg(task->title(), QLocale().toString(done)));
}

} // namespace instar
