// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/liveconformance.h"
#include "model/remote/burst.h"
#include "model/remote/connection.h"
#include "model/remote/monitorfeed.h"
#include "model/remote/remoteoperation.h"
#include "model/remote/remoteworld.h"
#include "model/remote/treereader.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <map>

namespace instar {

/// Controller of a real server. Its world is the server's last known state; its operations are
/// those that this program sent. Its time is real time, in ms since the tree was first read.
class RemoteController : public Controller
{
    Q_OBJECT
public:
    enum class State {
        Closed,
        Loading, ///< the tree is being read
        Ready,
        Lost, ///< the server cannot be reached, or denies access
    };
    struct Options
    {
        Connection::Options connection;
        bool readOnly = true;             ///< sends no request that could change something
        int refreshMs = 5000;             ///< period of reading the whole tree; 0: only on demand
        int transitionalRefreshMs = 1000; ///< period of reading resources in transitional states;
                                          ///< 0: they are read only with polls of their operations
        int firstReconnectMs = 500, mostReconnectMs = 30'000; ///< delay; doubles with each try
        PollOptions follow;                                   ///< for polls of running operations
        bool checksConformance = false;                       ///< runs the conformance monitor
        /// Sends a PUT even if it is unknown whether it would overwrite a resource.
        bool createsUnknown = false;
        /// Limits of records and of ended operations (0: none); then the oldest quarter is removed.
        qsizetype mostRecords = 0, mostOperations = 0;
    };

    RemoteController(Rules rules, Options options, QObject *parent = nullptr);
    ~RemoteController() override;

    const Rules &rules() const override { return m_rules; }
    const World &world() const override { return m_remoteWorld.world(); }
    const OperationLog &operations() const override { return m_operations; }
    const QList<Record> &records() const override { return m_records; }
    qsizetype forgotten() const override { return m_forgotten; }
    bool isLocal() const override { return false; }
    /// Conformance of the server; null without Options::checksConformance.
    const LiveConformance *conformance() const { return m_conformance.get(); }
    enum class Existence {
        Unknown,  ///< the resource was not read, or its reading failed
        There,    ///< an answer showed the resource
        NotThere, ///< 404 or 410 for it or an ancestor, or a complete document or list lacks it
    };
    Existence existence(const QString &path) const;
    /// Why reading a resource failed, in one sentence; empty: it did not fail, or was never tried.
    QString readingProblem(const QString &path) const;
    /// Reads these resources one by one. isFinding() returns true until each has an answer.
    void find(const QStringList &paths);
    bool isFinding() const;
    /// Returns the HTTP request that submit() would send, or an error that says why there is none.
    Result<HttpRequest> wouldSend(const Request &request) const;
    QUrl url(const QByteArray &target) const { return m_connection->url(target); }

    /// Sends a request; Rejected at once if it cannot be sent. Before a PUT that could overwrite an
    /// unknown resource, reads that resource; if the reading fails, the PUT is Rejected.
    quint32 submit(Request request) override
    {
        return fireTogether({ std::move(request) }).first();
    }
    /// A client cannot cancel or end a server's operation: both emit problem().
    void cancel(quint32 serial) override;
    void end(quint32 serial, Rules::TriggerId outcome) override;

    /// Sets virtual 0 for times in documents, in ms since 1970; open() sets it to the current time.
    void setEpoch(qint64 epoch) { m_wire.setEpoch(epoch); }

    /// Sends requests in one burst. Returns the serials of their operations. If the server chooses
    /// a new resource's name, the operation keeps the requested path until an answer names it.
    QList<quint32> fireTogether(const QList<Request> &requests);

    /// Connects, and reads the tree until stateChanged(). An error: bad options, or a bad pack.
    Result<State> open();
    /// Aborts all requests and readings; the world stays as it was last observed.
    void close();
    /// Reads the whole tree now; if the server is Lost, reconnects first.
    void reload();
    /// Polls every running operation now, without waiting for its delay.
    void pollNow();
    /// Polls every operation and reads the whole tree. isRefreshing() returns true until these
    /// polls and readings are answered; later ones do not count.
    void refresh();
    bool isRefreshing() const;
    /// Earliest next reading after a rate limit of the server (429, 503), in ms since 1970.
    qint64 mayRefreshAt() const { return m_reader ? m_reader->notBeforeAll() : 0; }
    /// Opens connections for a burst of that size. isReadyFor() returns true when all are open.
    /// Must not be called while the controller is closed.
    void prepare(int requests) { m_burst->warm(requests); }
    bool isReadyFor(int requests) const { return m_burst->warmed() >= requests; }
    /// Returns true while a read or poll is unanswered or due.
    bool isReading() const;
    bool isBusy() const; ///< true also while a request is unanswered

    State state() const { return m_state; }
    /// Reason for the state, one sentence; may be empty.
    const QString &stateText() const { return m_stateText; }
    /// Returns true once the tree was read; no requests are sent before that.
    bool knowsTree() const { return m_hasRead; }
    /// Returns true once an answer could be interpreted by the pack's wire rows.
    bool isUnderstood() const { return m_isUnderstood; }
    const QDateTime &nextTry() const { return m_nextTry; } ///< to reconnect, UTC; invalid: none
    const Options &options() const { return m_options; }
    bool isReadOnly() const { return m_options.readOnly; }
    void setReadOnly(bool readOnly) { m_options.readOnly = readOnly; }
    /// Returns true if the operation's HTTP method is safe (RFC 9110, 9.2.1): it changes nothing.
    bool onlyReads(const QString &operation) const;
    /// Returns true if polls and readings are sent automatically.
    bool isPolling() const { return m_isPolling; }
    void setPolling(bool polls);

signals:
    void stateChanged();
    /// Number of pages of the tree that were read, and of those known so far.
    void progressed(int done, int known);
    /// Reports an exchange when it begins, and again with the same number when it ends.
    void exchanged(const instar::Exchange &exchange);
    void pollsChanged(); ///< isPolling() has changed
    void burstFinished(const instar::BurstReport &report);
    /// Reports, in one sentence, a problem that does not belong to one operation.
    void problem(const QString &sentence);

private:
    struct SentOperation;

    void setState(State state, const QString &text = {});
    void lose(const QString &why, bool mayRetry = true);
    void tryAgain();
    qint64 now() const { return m_clock.isValid() ? m_clock.elapsed() : 0; }
    qint64 momentOf(const QDateTime &moment) const;
    void addRecord(std::vector<Change> changes, Event event = {});
    void forgetPast();
    void watch(const Exchange &exchange);
    void advanceMonitor();
    struct Prepared
    {
        Result<HttpRequest> http;
        QString code {}; ///< of the error
    };
    Prepared prepared(const Request &request) const;
    bool mayOverwrite(const SentOperation &one) const;
    QString readPath(const QString &path) const;
    QUrl resourceUrl(const QString &path) const;
    void sendChecked();
    std::optional<Change::Kind> take(SentOperation &one, OperationEvent event);
    void learnName(SentOperation &one, const HttpResponse &response);
    void readAt(QString shownBy);

    void takeCollection(const CollectionObservation &read);
    void takeResource(const ResourceObservation &read);
    void takeFailure(const QString &path, TreeReader::Failure failure, const QString &problem);
    void loseByCredential(int status);
    void readEachIn(const QString &collection);
    void treeRead();
    void setUnderstood();
    void tick();
    void recordChanges(const QList<RemoteWorld::Changes> &observed);
    QList<RemoteWorld::Underway> underway() const;
    Admission refusalOf(const SentOperation &one, const OperationEnd &end);
    void pollFinished(); ///< polls operations whose targets have come to rest
    void reportUnknown();
    /// Ends the operations on a target that waited only for its reading.
    bool endWaiting(const QString &path, quint64 exchange, qint64 moved);

    void released(quint64 burst, const QList<qint64> &sent);
    void answered(quint64 burst, int index, const BurstShot &shot);
    void repeat(quint32 serial);
    void send(const QList<quint32> &serials);
    void release(const QList<quint32> &serials);
    void takeAnswer(SentOperation &one, const BurstShot &shot);
    void explainRefusal(const SentOperation &one, Change *change);
    void takeNextStep(SentOperation &one);
    RemoteWorld::Changes showDocument(const SentOperation &one, const QByteArray &body);
    QList<quint32> serials(const std::function<bool(const SentOperation &)> &which) const;
    void poll(const std::function<bool(const SentOperation &)> &which);
    void poll(SentOperation &one);
    bool isAtWork(Rules::StateId state) const;
    void finish(SentOperation &one);
    void conclude(quint32 serial, qint64 moved = 0);
    Rules::StateId stateAt(const QString &path) const;
    quint32 otherIn(const QByteArray &body, quint32 self) const;
    SentOperation *sentOperation(quint32 serial);

    Rules m_rules;
    Options m_options;
    WireRules m_wire;
    RemoteWorld m_remoteWorld;
    OperationLog m_operations;
    QList<Record> m_records;
    qsizetype m_forgotten = 0; ///< records
    State m_state = State::Closed;
    QString m_stateText;
    QDateTime m_nextTry;
    bool m_isPolling = true, m_hasRead = false, m_isUnderstood = false;
    bool m_readsAgain = false; ///< read the tree once more after this reading
    bool m_refreshes = false;  ///< the tree is being read for refresh()
    QSet<quint32> m_awaited;   ///< operations whose answer refresh() awaits
    bool m_isClosing = false;
    int m_tries = 0;
    /// Last reading of a resource or a collection.
    struct Reading
    {
        enum Kind { Failed, Shown, NotThere, Forbidden }; ///< Forbidden: 403 for a collection
        Kind kind = Failed;
        QString problem {}; ///< why the reading failed; empty: it succeeded, or there was none
    };
    QHash<QString, Reading> m_known;             ///< by the keys of paths
    QStringList m_findTargets, m_refreshTargets; ///< read by find() and by refresh(), one by one
    QList<QList<quint32>> m_unsent;              ///< bursts whose targets are being read first
    QList<CollectionObservation> m_firstCollections; ///< of a first reading under way

    std::unique_ptr<MonitorFeed> m_monitor;
    std::unique_ptr<LiveConformance> m_conformance;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<TreeReader> m_reader;
    std::unique_ptr<Burst> m_burst;
    std::map<quint32, std::unique_ptr<SentOperation>> m_sentOperations; ///< by serial
    QHash<quint64, QList<quint32>> m_bursts; ///< burst -> serials, by request
    QHash<quint32, QString> m_serverIds;     ///< the server's id of an operation, by serial
    QSet<QString> m_reported;                ///< problems already reported
    QElapsedTimer m_clock;
    QTimer m_ticker, m_retry;
    qint64 m_lastRefresh = 0, m_lastTransitionalRefresh = 0; ///< when begun; ms, as world().now
};

} // namespace instar
