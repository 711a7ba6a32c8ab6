// SPDX-License-Identifier: Apache-2.0
#include "app/network.h"

#include "app/filedialogs.h"
#include "model/freshtoken.h"
#include "model/items/liveconformance.h"
#include "model/items/words.h"
#include "model/json/exchanges.h"
#include "model/json/filebytes.h"
#include "model/json/scenariofile.h"
#include "views/panels/burstpanel.h"
#include "views/panels/notice.h"
#include "views/panels/roundsdialog.h"

#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

constexpr qsizetype MostRecords = 20'000;             ///< kept of a remote server
constexpr qsizetype MostOperations = MostRecords / 5; ///< an operation has three records or more

NetworkState::Kind kindOf(const RemoteController &remote)
{
    using Kind = NetworkState::Kind;
    switch (remote.state()) {
    case RemoteController::State::Loading:
        return Kind::Loading;
    case RemoteController::State::Ready:
        return remote.isUnderstood() ? Kind::Connected : Kind::Unrecognized;
    case RemoteController::State::Closed:
        return Kind::Closed;
    case RemoteController::State::Lost:
        break;
    }
    return remote.knowsTree() ? Kind::Lost : Kind::Unreachable;
}

} // namespace

RemoteController::Options optionsOf(const ConnectChoice &choice)
{
    RemoteController::Options options;
    options.readOnly = choice.readOnly;
    options.connection.server = QUrl(choice.url);
    options.checksConformance = true;
    options.mostRecords = MostRecords;
    options.mostOperations = MostOperations;
    options.connection.credential = { choice.credentials, choice.user, choice.secret };
    return options;
}

Network::Network(Simulator *simulator, RemoteController *remote, QString pack, QWidget *window)
    : QObject(window),
      m_simulator(simulator),
      m_remote(remote),
      m_pack(std::move(pack)),
      m_window(window),
      m_panel(new NetworkPanel),
      m_burst(new BurstPanel(remote ? static_cast<Controller &>(*remote) : *simulator)),
      m_strip(new ConnectionStrip(window)),
      m_serving(new ServingStrip(window))
{
    connect(m_strip, &ConnectionStrip::retryAsked, this, &Network::reconnect);
    connect(m_serving, &ServingStrip::stopAsked, this, &Network::stopServing);
    connect(m_serving, &ServingStrip::faultAsked, this, [this](const QString &name) {
        if (!m_server)
            return;
        m_server->plan({ .fault = name });
        emit said(
            tr("The fault %1 will appear in the next operation that it can affect.").arg(name));
    });
    connect(m_panel, &NetworkPanel::serveAsked, this, &Network::serve);
    connect(m_panel, &NetworkPanel::reconnectAsked, this, &Network::reconnect);
    connect(m_panel, &NetworkPanel::readOnlyToggled, this, &Network::setReadOnly);
    connect(m_burst, &BurstPanel::fireAsked, this, &Network::fireTogether);
    if (m_remote) {
        connect(m_panel, &NetworkPanel::cancelAsked, m_remote, &RemoteController::close);
        connect(m_remote, &RemoteController::exchanged, m_panel, &NetworkPanel::put);
        connect(m_remote, &RemoteController::exchanged, m_strip, &ConnectionStrip::put);
        connect(m_remote, &RemoteController::pollsChanged, this, [this] {
            if (m_panel->state().polls != m_remote->isPolling())
                show();
        });
        if (const LiveConformance *conformance = m_remote->conformance())
            connect(conformance, &LiveConformance::violated, this, [this, conformance] {
                const QString &path = conformance->judgedViolations().last().unexplained.path;
                emit said(tr("The server may have broken a rule on %1. See Details.")
                              .arg(path.section(u'/', -1)));
                show();
            });
        connect(m_remote, &RemoteController::problem, this, &Network::said);
        connect(m_remote, &RemoteController::stateChanged, this, [this] {
            m_pagesRead = m_pagesKnown = -1;
            show();
        });
        connect(m_remote, &RemoteController::progressed, this, [this](int done, int known) {
            m_pagesRead = done;
            m_pagesKnown = known;
            show();
        });
        connect(
            m_remote, &RemoteController::burstFinished, this, [this](const BurstReport &report) {
                if (report.shots.size() > 1)
                    m_burst->say(
                        spreadText(int(report.shots.size()), double(report.spreadNs) / 1000));
            });
    }
    show();
}

NetworkState Network::state() const
{
    NetworkState state;
    if (m_remote) {
        state.kind = kindOf(*m_remote);
        state.url = m_remote->options().connection.server.toString(QUrl::RemoveUserInfo);
        state.detail = m_remote->stateText();
        state.retry = m_remote->nextTry();
        state.readOnly = m_remote->isReadOnly();
        state.hasTree = m_remote->knowsTree();
        state.polls = m_remote->isPolling();
        if (const LiveConformance *conformance = m_remote->conformance())
            state.violations = int(conformance->judgedViolations().size());
        if (m_remote->state() == RemoteController::State::Loading) {
            state.done = m_pagesRead;
            state.total = m_pagesKnown;
        }
    } else if (m_server) {
        state.kind = NetworkState::Kind::Serving;
        state.url = m_server->origin();
    }
    return state;
}

void Network::show()
{
    const NetworkState state = this->state();
    m_panel->setState(state);
    m_strip->setState(state);
    m_serving->setUrl(m_server ? state.url : QString(), m_testToken);
    emit shown(state);
}

Intent Network::intentOf(const QList<Request> &requests) const
{
    const auto onlyReads = [this](const Request &request) {
        return m_remote && m_remote->onlyReads(request.op);
    };
    return std::ranges::all_of(requests, onlyReads) ? Intent::Reads : Intent::Writes;
}

QString Network::blocked(const QList<Request> &requests) const
{
    return blockedText(state(), intentOf(requests));
}

bool Network::allows(const QList<Request> &requests)
{
    if (!m_remote)
        return true;
    if (const QString why = blocked(requests); !why.isEmpty()) {
        emit said(tr("Not fired: %1.").arg(why));
        return false;
    }
    const QUrl url = m_remote->options().connection.server;
    if (m_confirmed || isLoopback(url.host()) || intentOf(requests) == Intent::Reads)
        return true;
    QMessageBox box(QMessageBox::Warning, tr("Write to %1?").arg(url.host()),
        tr("This is the first request that changes something on %1, which is another computer. "
           "Send it? Later requests will then be sent without this question.")
            .arg(url.toString()),
        QMessageBox::NoButton, m_window);
    QPushButton *send = box.addButton(tr("Send"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    m_confirmed = box.clickedButton() == send;
    return m_confirmed;
}

void Network::fireTogether(const QList<Request> &requests)
{
    if (requests.isEmpty() || !allows(requests))
        return;
    QList<quint32> serials;
    if (m_remote) {
        serials = m_remote->fireTogether(requests);
    } else {
        for (const Request &request : requests)
            serials += m_simulator->submit(request);
        m_burst->say(spreadText(int(requests.size()), {}));
    }
    m_burst->setFired(serials);
    emit fired(serials.last(), requests.last().path);
}

void Network::fireManyTimes()
{
    if (!m_roundsDialog) {
        m_roundsDialog = new RoundsDialog(m_window);
        connect(m_burst, &BurstPanel::changed, m_roundsDialog, [this] {
            if (!m_roundsDialog->isGoingOn())
                m_roundsDialog->setRequests(m_burst->requests());
        });
        connect(m_roundsDialog, &RoundsDialog::startAsked, this, &Network::startRounds);
        connect(m_roundsDialog, &RoundsDialog::stopAsked, this, [this] { m_rounds->stop(); });
        connect(m_roundsDialog, &RoundsDialog::saveAsked, this, [this](const Round &round) {
            emit said(savedAs(m_window, tr("Save the Round"),
                u"round-%1.ndjson"_s.arg(round.number), tr("One JSON object per line (*.ndjson)"),
                [&](const QString &) { return exchangesNdjson(round.exchanges); }));
        });
        m_roundsDialog->setRequests(m_burst->requests());
    }
    m_roundsDialog->show();
    m_roundsDialog->raise();
    m_roundsDialog->activateWindow();
}

void Network::startRounds(RoundsPlan plan)
{
    if (const QString why = blocked(plan.requests); !why.isEmpty())
        return m_roundsDialog->say(tr("Not fired: %1.").arg(why));
    if (!allows(plan.requests))
        return;
    plan.restores = intentOf(plan.requests) == Intent::Writes;
    m_rounds = std::make_unique<Rounds>(*m_remote, plan);
    connect(m_rounds.get(), &Rounds::roundEnded, m_roundsDialog, &RoundsDialog::add);
    connect(m_rounds.get(), &Rounds::finished, m_roundsDialog, [this] {
        m_roundsDialog->setGoingOn(false);
        m_roundsDialog->setRequests(m_burst->requests());
    });
    m_roundsDialog->setGoingOn(true);
    m_rounds->start();
}

void Network::serve()
{
    if (m_server)
        return emit said(tr("This simulation is already served on %1.").arg(m_server->origin()));
    Server::Options options;
    options.speed = 0; // the window's playback controls advance the time
    options.testToken = freshToken();
    options.http.limits.bodyBytes = 1024 * 1024;
    m_server = std::make_unique<Server>(*m_simulator, options);
    if (const Result<quint16> port = m_server->listen(); !port) {
        m_server.reset();
        QMessageBox::warning(m_window, tr("Cannot serve"), port.error());
    } else {
        connect(m_server.get(), &Server::served, this, &Network::served);
        const QList<Exchange> before = m_panel->exchanges();
        const quint64 last = before.isEmpty() ? 0 : before.last().number;
        connect(m_server.get(), &Server::exchanged, this, [this, last](Exchange exchange) {
            exchange.number += last; // continues the numbering of an earlier server's exchanges
            m_panel->put(exchange);
        });
        m_testToken = QString::fromLatin1(options.testToken);
        emit said(tr("Other programs on this computer can connect to %1").arg(m_server->origin()));
    }
    show();
    emit servingChanged();
}

void Network::stopServing()
{
    m_server.reset();
    show();
    emit servingChanged();
}

void Network::reconnect()
{
    if (m_remote->state() == RemoteController::State::Closed) {
        if (const auto opened = m_remote->open(); !opened)
            emit said(opened.error());
    } else {
        m_remote->reload();
    }
}

void Network::setReadOnly(bool readOnly)
{
    m_remote->setReadOnly(readOnly);
    show();
}

void Network::saveExchanges()
{
    const QList<Exchange> listed = m_panel->listed();
    const QString title = listed.size() == m_panel->exchanges().size()
        ? tr("Export Exchanges")
        : tr("Export the Exchanges That the Filter Shows");
    emit said(
        savedAs(m_window, title, u"exchanges.ndjson"_s, tr("One JSON object per line (*.ndjson)"),
            [&](const QString &) { return exchangesNdjson(listed); }));
}

Recording Network::recording() const
{
    Recording recording { .name = tr("the recorded exchanges"), .exchanges = {}, .plain = {} };
    for (const Exchange &exchange : m_panel->exchanges()) {
        if (exchange.isOver())
            recording.exchanges +=
                RecordedExchange { exchange, int(recording.exchanges.size()) + 1 };
    }
    return recording;
}

void Network::saveScenario()
{
    emit said(savedAs(m_window, tr("Save as Scenario"), u"run.scenario.json"_s,
        tr("Scenarios (*.scenario.json)"),
        [this](const QString &file) { return writeScenario(scenarioFor(file)); }));
}

/// Returns a scenario that begins with the server's tree before this window's first request and
/// repeats all its requests. Without requests, it contains only the current tree.
Scenario Network::scenarioOfServer() const
{
    Scenario scenario = traceOf(historyOf(recording(), m_remote->rules()).history);
    // Drops expectations: the durations at the server are unknown, so the times would not fit.
    scenario.steps.removeIf(
        [](const ScenarioStep &step) { return step.kind != ScenarioStep::Kind::Submit; });
    return scenario.steps.isEmpty() ? scenarioOf(m_remote->rules(), m_remote->world()) : scenario;
}

Scenario Network::scenarioFor(const QString &file) const
{
    Scenario scenario =
        m_simulator ? scenarioOf(*m_simulator, m_simulator->records()) : scenarioOfServer();
    scenario.pack = packReference(file, m_pack);
    return scenario;
}

} // namespace instar
