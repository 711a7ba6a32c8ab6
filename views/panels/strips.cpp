// SPDX-License-Identifier: Apache-2.0
#include "views/panels/strips.h"

#include "model/task.h"
#include "views/icons.h"
#include "views/look.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int PatienceMs = 500; ///< what is over sooner needs no words
constexpr int BarWidth = 160, BarSteps = 1000;

} // namespace

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
    const bool isShown = m_state.isFailure() || m_state.kind == Kind::Closed || isFirst;
    setVisible(isShown);
    if (m_state.retry.isValid())
        m_clock.start();
    else
        m_clock.stop();
    if (!isShown)
        return;
    const QString sentence = failureText(m_state, QDateTime::currentDateTimeUtc());
    if (sentence != text())
        say(m_state.isFailure() ? Tone::Wrong : Tone::Hint, sentence);
    m_retry->setVisible(!isReading);
}

ServingStrip::ServingStrip(QWidget *parent)
    : QWidget(parent), m_icon(new QLabel), m_text(new QLabel)
{
    auto *row =
        filled(new QHBoxLayout(this), { m_icon, m_text }, gap::small, { 0, 0, gap::normal, 0 });
    m_text->setObjectName(u"servingText"_s);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const auto button = [&](const QString &name, const QString &hint) {
        QToolButton *tool = iconButton(name, hint);
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
    m_icon->setPixmap(tinted(
        u"server"_s, theme.statusCategoryText(StatusCategory::Rest), 16, devicePixelRatioF()));
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
    m_title->setTextFormat(Qt::PlainText);
    m_bar->setMaximumWidth(BarWidth);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setToolTip(tr("Cancel it; everything stays as it was"));
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
    //: what is done, and how much of it so far
    m_title->setText(isKnown || done == 0
            ? task->title()
            : tr("%1 (%2)").arg(task->title(), QLocale().toString(done)));
}

} // namespace instar
