// SPDX-License-Identifier: Apache-2.0
#include "views/panels/transport.h"

#include "model/items/words.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QAction>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScopedValueRollback>
#include <QToolButton>

#include <algorithm>

namespace instar {

namespace {

constexpr qsizetype MostUntilQuiet = 100'000; ///< events of a run
constexpr double LongestIdleMs = 2000;        ///< real idle time that is not shortened

} // namespace

Transport::Transport(Simulator &simulator, QWidget *parent)
    : QWidget(parent), m_simulator(simulator), m_time(new ElidedLabel), m_hint(new ElidedLabel)
{
    setObjectName(u"transport"_s);
    QBoxLayout *layout = filled(new QHBoxLayout(this), {});
    const auto add = [&](const QString &name, const QString &text, const QKeySequence &keys,
                         auto act) {
        auto *action = new QAction(icon(name), text, this);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
        QToolButton *button = commandButton(action);
        button->setIconSize(QSize(20, 20));
        layout->addWidget(button);
        m_actions += action;
        return action;
    };
    m_reset = add(u"reset"_s, tr("Back to the beginning"), Qt::CTRL | Qt::Key_Home, [this] {
        toBeginning();
        m_simulator.jump(0);
        emit returned();
    });
    m_back = add(u"step-back"_s, tr("One event back"), Qt::CTRL | Qt::Key_Left, [this] {
        m_playsByItself = false;
        m_simulator.pause();
        m_simulator.stepBack();
    });
    m_play = add(u"play"_s, tr("Play"), Qt::Key_F5, [this] {
        m_playsByItself = !m_simulator.isPlaying();
        m_startedByItself = false;
        m_simulator.isPlaying() ? m_simulator.pause() : m_simulator.play();
    });
    add(u"step"_s, tr("Step"), Qt::CTRL | Qt::Key_Right, [this] {
        m_playsByItself = isResting();
        m_simulator.pause();
        m_simulator.step();
        wake();
    });
    m_quiet = add(u"quiet"_s, tr("Run until no event is pending"), Qt::CTRL | Qt::Key_End,
        [this] { runUntilQuiet(); });
    m_startOver = new QAction(tr("Start over, and discard the run"), this);
    connect(m_startOver, &QAction::triggered, this, [this] {
        toBeginning();
        m_simulator.reset();
    });
    m_actions += m_startOver; // in the menu only, because it cannot be undone

    auto *choice = new QComboBox;
    for (const double speed : speeds())
        choice->addItem(u"%1×"_s.arg(QLocale().toString(speed)), speed);
    choice->setCurrentIndex(int(speeds().indexOf(1.0)));
    choice->setToolTip(tr("Speed of virtual time, compared with real time. Time without events "
                          "passes faster. A document opens at a speed at which its first operation "
                          "can be seen"));
    choice->setAccessibleName(tr("Speed"));
    connect(choice, &QComboBox::activated, this,
        [this, choice] { m_simulator.setSpeed(choice->currentData().toDouble()); });
    connect(&simulator, &Simulator::speedChanged, choice, [choice](double speed) {
        if (const int index = choice->findData(speed); index >= 0)
            choice->setCurrentIndex(index);
    });

    m_time->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_time->setAccessibleName(tr("Virtual time"));
    m_time->setSeparator(u"\n"_s); // whole, or not at all: the timeline shows it, too
    m_time->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_time->setMinimumWidth(1);

    m_hint->setObjectName(u"pausedHint"_s);
    m_hint->setMinimumWidth(1); // so that a new hint moves nothing
    QLabel *speed = dimLabel(tr("Speed"));
    speed->setMinimumWidth(1); // with a stretch: goes before the time in a narrow window
    speed->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    layout->addWidget(speed, 100);
    layout->addWidget(choice);
    layout->addWidget(m_time);
    layout->addWidget(m_hint, 1);

    connect(&simulator, &Controller::recorded, this, &Transport::giveUpRun);
    connect(&simulator, &Controller::rewound, this, &Transport::giveUpRun);
    connect(&simulator, &Simulator::playingChanged, this, &Transport::giveUpRun);
    connect(&simulator.updates(), &Updates::changed, this, &Transport::refresh);
    m_run.callOnTimeout(this, &Transport::runOn);
    connect(&simulator, &Simulator::playingChanged, this, &Transport::refresh);
    connect(&simulator, &Simulator::playingChanged, this, [this] { m_sinceUpdate.start(); });
    connect(&simulator.updates(), &Updates::timePassed, this, [this] {
        showTime();
        restWhenQuiet();
        shortenIdle();
    });
    m_sinceUpdate.start();
    refresh();
}

const QList<double> &Transport::speeds()
{
    static const QList<double> all { 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50 };
    return all;
}

void Transport::wake()
{
    if (!m_playsByItself || m_simulator.isPlaying())
        return;
    m_startedByItself = true;
    m_simulator.play();
}

void Transport::runUntilQuiet()
{
    m_simulator.pause();
    m_left = MostUntilQuiet;
    m_quiet->setEnabled(false);
    m_run.start(0);
}

/// Runs events for some milliseconds.
void Transport::runOn()
{
    constexpr int sliceMs = 10;
    QElapsedTimer clock;
    clock.start();
    const QScopedValueRollback stepping(m_isStepping, true);
    bool goesOn = true;
    while (goesOn && clock.elapsed() < sliceMs)
        goesOn = m_left-- > 0 && m_simulator.step();
    if (goesOn)
        return;
    endRun();
    if (m_left < 0)
        emit said(tr("Stopped after %1 events; more are pending.")
                      .arg(QLocale().toString(MostUntilQuiet)));
}

void Transport::endRun()
{
    m_run.stop();
    m_quiet->setEnabled(true);
}

/// Ends runUntilQuiet() after a request, or when another moment is shown.
void Transport::giveUpRun()
{
    if (!m_run.isActive() || m_isStepping)
        return;
    endRun();
    emit said(tr("The simulation changed during the run, so the run was stopped."));
}

/// Pauses the clock; the next request starts it again.
void Transport::toBeginning()
{
    m_simulator.pause();
    m_playsByItself = true;
    m_startedByItself = false;
}

bool Transport::isHeld() const
{
    return !m_playsByItself && !m_simulator.isPlaying()
        && nextEvent(m_simulator.rules(), m_simulator.world()).kind != Event::Kind::Wait;
}

bool Transport::isQuiet() const
{
    const World &world = m_simulator.world();
    const Event next = nextEvent(m_simulator.rules(), world);
    const bool isFarTimer = m_shortensIdle && world.agenda.empty() && next.time > world.now;
    return m_simulator.later().isEmpty() && (next.kind == Event::Kind::Wait || isFarTimer);
}

bool Transport::isResting() const
{
    return m_playsByItself && m_startedByItself && !m_simulator.isPlaying() && isQuiet();
}

void Transport::restWhenQuiet()
{
    if (m_startedByItself && m_simulator.isPlaying() && isQuiet())
        m_simulator.pause();
}

double Transport::pace(const Simulator &simulator)
{
    const World &world = simulator.world();
    const Event next = simulator.later().isEmpty() ? nextEvent(simulator.rules(), world)
                                                   : simulator.later().first().event;
    const bool isUserAwaited =
        simulator.later().isEmpty() && std::ranges::any_of(world.running, [](const auto &one) {
            return one->phase == Running::Phase::Attempting && one->due < 0;
        });
    return next.kind == Event::Kind::Wait || isUserAwaited
        ? simulator.speed()
        : std::max(simulator.speed(), double(next.time - world.now) / LongestIdleMs);
}

/// Advances the clock by the difference between pace and speed since the last update, but never
/// past the next event.
void Transport::shortenIdle()
{
    const double elapsedMs = std::min(double(m_sinceUpdate.restart()), LongestIdleMs);
    const double more = pace(m_simulator) - m_simulator.speed();
    if (m_shortensIdle && m_simulator.isPlaying() && more > 0)
        m_simulator.advance(qint64(elapsedMs * more));
}

void Transport::showTime()
{
    m_time->setText(timeText(m_simulator.world().now));
}

void Transport::refresh()
{
    const qsizetype moment = m_simulator.moment(), last = m_simulator.lastMoment();
    m_reset->setEnabled(moment > 0);
    m_back->setEnabled(moment > 0);
    const bool playing = m_simulator.isPlaying();
    m_play->setText(playing ? tr("Pause") : tr("Play"));
    m_play->setIcon(icon(playing ? u"pause"_s : u"play"_s));
    m_play->setToolTip(textWithKeys(m_play->text(), m_play->shortcut()));
    const QLocale locale;
    m_time->setToolTip(
        //: events that have happened, events that are known
        tr("Virtual time; %1 of %2 events have happened")
            .arg(locale.toString(moment), locale.toString(last)));
    m_startOver->setEnabled(last > 0);
    const Event next = nextEvent(m_simulator.rules(), m_simulator.world());
    m_hint->setText(isHeld() ? tr("Paused: Play continues with %1")
                                   .arg(m_play->shortcut().toString(QKeySequence::NativeText))
            : isResting() && next.kind != Event::Kind::Wait
            ? tr("Next timer at %1: Step skips to it").arg(timeText(next.time))
            : QString());
    m_hint->setToolTip(m_hint->text());
    showTime();
}

} // namespace instar
