// SPDX-License-Identifier: Apache-2.0
// What is made to happen from the window, and what is said of it.
#include "app/mainwindow.h"
#include "model/engine/step.h"
#include "model/items/words.h"
#include "views/diagram/statechart.h"
#include "views/panels/firebar.h"
#include "views/panels/queuepanel.h"
#include "views/panels/resourcepanel.h"
#include "views/panels/startstrip.h"
#include "views/panels/transport.h"

#include <QStatusBar>

#include <algorithm>
#include <limits>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

/// What was asked for is to be seen happening.
void MainWindow::wake()
{
    if (m_transport)
        m_transport->wake();
}

void MainWindow::playScenario()
{
    if (!m_scenario || m_scenario->steps.isEmpty())
        return;
    m_resources->openRows();
    QString text = tr("Played, and back at the beginning: press Play, or drag the slider.");
    if (m_played.failed > 0)
        text = tr("Line %1: %2")
                   .arg(m_played.failures.first().line)
                   .arg(m_played.failures.first().text);
    else if (m_played.passed > 0)
        text += u' ' + tr("Everything that it expects comes true.");
    statusBar()->showMessage(text);
    const auto clear = [this, text] {
        if (statusBar()->currentMessage() == text)
            statusBar()->clearMessage(); // it has been followed, or something else was done
    };
    connect(&m_simulator->updates(), &Updates::happened, this, clear);
    connect(&m_simulator->updates(), &Updates::rewound, this, clear);
    connect(m_simulator, &Simulator::playingChanged, this, clear);
    for (const ScenarioStep &step : std::as_const(m_scenario->steps)) {
        if (step.kind == ScenarioStep::Kind::Submit) {
            select(step.request.path);
            break;
        }
    }
}

void MainWindow::fire(const QString &operation)
{
    if (operation.isEmpty()) {
        m_fireBar->fire();
        return;
    }
    m_fireBar->setOperation(operation);
    m_fireBar->fire();
}

void MainWindow::end(quint32 serial, const QString &outcome)
{
    m_controller->end(serial, m_controller->rules().trigger(outcome));
    wake();
}

void MainWindow::cancel(quint32 serial)
{
    m_controller->cancel(serial);
    wake();
}

void MainWindow::showHint()
{
    const Rules &rules = m_controller->rules();
    const QStringList operations = rules.pack().operationNames();
    const QString path = m_resources->selectedPath();
    const auto asked = [&](const QString &operation) {
        return Request { .op = operation, .path = path };
    };
    const auto starts = [&](const QString &operation) {
        return m_controller->admission(asked(operation)).verdict == Admission::Verdict::Accepted;
    };
    const auto lit = path.isEmpty() ? operations.end() : std::ranges::find_if(operations, starts);
    if (lit == operations.end())
        return m_strip->setHint({}, {});
    const World before = m_controller->world();
    const World world = step(rules, before,
        Event { .kind = Event::Kind::Submit,
            .time = before.now,
            .request = QSharedPointer<const Request>::create(asked(*lit)) })
                            .world;
    const auto meets = [&](const QString &operation) {
        if (operation == *lit || world.running.empty())
            return false;
        const Admission then = admission(rules, world, asked(operation));
        return !then.cancels.empty() || (then.verdict == Admission::Verdict::Refused && then.other);
    };
    const auto rival = std::ranges::find_if(operations, meets);
    const QString label = m_chart->litText(*lit);
    m_strip->setHint(
        label.isEmpty() ? *lit : label, rival == operations.end() ? QString() : *rival);
}

void MainWindow::chooseSpeed()
{
    if (!m_simulator || !m_transport)
        return;
    constexpr double wantedMs = 3000, leastMs = 400; // of all of it, and of a piece
    constexpr int mostEvents = 2000;
    const Rules &rules = m_controller->rules();
    const QString path = m_resources->selectedPath();
    double speed = Transport::speeds().last();
    bool isKnown = false;
    for (const QString &operation : rules.pack().operationNames()) {
        World world = m_controller->world();
        const qint64 begin = world.now;
        qint64 before = begin, shortest = std::numeric_limits<qint64>::max();
        world = step(rules, world,
            Event { .kind = Event::Kind::Submit,
                .time = world.now,
                .request = QSharedPointer<const Request>::create(
                    Request { .op = operation, .path = path }) })
                    .world;
        for (int i = 0; i < mostEvents && !world.running.empty(); ++i) {
            const Event next = nextEvent(rules, world);
            if (next.kind == Event::Kind::Wait)
                break;
            world = step(rules, world, next).world;
            if (world.now > before)
                shortest = std::min(shortest, world.now - std::exchange(before, world.now));
        }
        if (before == begin)
            continue;
        isKnown = true;
        speed = std::min({ speed, double(before - begin) / wantedMs, double(shortest) / leastMs });
    }
    if (!isKnown)
        return;
    double chosen = Transport::speeds().first();
    for (const double offered : Transport::speeds()) {
        if (offered <= speed * 1.3) // the nearest one is near enough
            chosen = offered;
    }
    m_transport->setSpeed(chosen);
}

quint32 MainWindow::runningOperation() const
{
    const World &world = m_controller->world();
    if (world.find(m_queue->selectedSerial()))
        return m_queue->selectedSerial();
    return world.running.empty() ? 0 : world.running.back()->serial;
}

} // namespace instar
