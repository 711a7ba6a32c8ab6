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
/// those sent from here. Time is real ms since the tree was first read.
class RemoteController : public Controller
{
    Q_OBJECT
public:
    enum class State {
        Closed,
        Loading, ///< the tree is being read
        Ready,
        Lost, ///< the server is unreachable, or denies access
    };
    struct Options
    {
        Connection::Options connection;
        bool readOnly = true; ///< requests that could change something are refused here
        int refreshMs = 5000; ///< between two readings of the whole tree; 0: only on demand
        int motionMs = 1000;  ///< between two readings of transitional resources; 0: only with the
                              ///< polls of their operations
        int firstReconnectMs = 500, mostReconnectMs = 30'000; ///< doubled each time
        PollOptions follow;
        bool predicts = false; ///< runs the conformance monitor beside the server
        /// A PUT is sent although it is unknown if it would overwrite a resource.
        bool createsUnknown = false;
        /// Limits of the records, and of the operations beside those that run; at the limit the
        /// oldest quarter is forgotten. 0: no limit.
        qsizetype mostRecords = 0, mostOperations = 0;
    };

    RemoteController(Rules rules, Options options, QObject *parent = nullptr);
    ~RemoteController() override;

    const Rules &rules() const override { return m_rules; }
    const World &world() const override { return m_remoteWorld.world(); }
    const OperationLog &operations() const override { return m_operations; }
    const QList<Record> &records() const override { return m_records; }
    qsizetype forgotten() const override { return m_forgotten; }
    bool isOurs() const override { return false; }
    /// Conformance of the server to the rules; null without Options::predicts.
    const LiveConformance *conformance() const { return m_conformance.get(); }
    /// Existence of a resource at the server, as far as answers show.
    enum class Existence {
        Unknown,  ///< not read, or its reading failed
        There,    ///< an answer showed it
        NotThere, ///< it or an ancestor was answered 404 or 410, or a document or list lacks it
    };
    Existence existence(const QString &path) const;
    /// Why its existence is unknown, in one sentence; empty if it is known or was never read.
    QString readingProblem(const QString &path) const;
    /// Reads these resources one by one. isFinding() returns true until each has an answer.
    void find(const QStringList &paths);
    bool isFinding() const;
    /// The HTTP request that submit() would send; an error says why it would send none.
    Result<HttpRequest> wouldSend(const Request &request) const;
    QUrl url(const QByteArray &target) const { return m_connection->url(target); }

    /// Sends a request. One that cannot be sent is Rejected at once. A PUT to a resource that no
    /// answer has shown could overwrite it: it waits for a reading, and is Rejected if that fails.
    quint32 submit(Request request) override
    {
        return fireTogether({ std::move(request) }).first();
    }
    /// Not possible at a server: emits problem().
    void cancel(quint32 serial) override;
    void end(quint32 serial, Rules::TriggerId outcome) override;

    /// Sets the time (ms since 1970) from which times in documents count; open() sets the present.
    void setZero(qint64 zero) { m_wire.setZero(zero); }

    /// Sends requests in one burst. Returns their serials. If the server names the new resource,
    /// the operation keeps the requested path until the answer gives the name.
    QList<quint32> fireTogether(const QList<Request> &requests);

    /// Reads the tree; stateChanged() reports the result. Returns an error if the options or the
    /// pack cannot be used.
    Result<State> open();
    /// Aborts everything under way; the world stays as it was last seen.
    void close();
    /// Reads the whole tree now; after a loss also reconnects now.
    void reload();
    /// Polls every running operation now, whatever the delays.
    void pollNow();
    /// Polls every operation and reads the whole tree. isRefreshing() returns true until these have
    /// their answers, whatever is requested meanwhile.
    void refresh();
    bool isRefreshing() const;
    /// Earliest next reading after the server limited the rate (429, 503); ms since 1970.
    qint64 mayRefreshAt() const { return m_reader ? m_reader->notBeforeAll() : 0; }
    /// Opens connections for a burst of that size; not while closed. isReadyFor() returns true once
    /// all can send.
    void prepare(int requests) { m_burst->warm(requests); }
    bool isReadyFor(int requests) const { return m_burst->warmed() >= requests; }
    /// Returns true while a reading or poll is open or due.
    bool isAsking() const;
    bool isBusy() const; ///< isAsking(), or an operation has no answer yet

    State state() const { return m_state; }
    /// Reason for the state, if there is one: one sentence.
    const QString &stateText() const { return m_stateText; }
    /// Returns true once the tree was read; nothing is sent before that.
    bool knowsTree() const { return m_hasRead; }
    /// Returns true once an answer could be read by the pack's wire rows.
    bool isUnderstood() const { return m_isUnderstood; }
    const QDateTime &nextTry() const { return m_nextTry; } ///< Lost: UTC; invalid: no retry
    const Options &options() const { return m_options; }
    bool isReadOnly() const { return m_options.readOnly; }
    void setReadOnly(bool readOnly) { m_options.readOnly = readOnly; }
    /// Returns true if the operation's HTTP method is safe (RFC 9110, 9.2.1): then it changes
    /// nothing on the server.
    bool onlyReads(const QString &operation) const;
    /// Returns true if polls and readings are sent automatically.
    bool isPolling() const { return m_isPolling; }
    void setPolling(bool polls);

signals:
    void stateChanged();
    /// Pages of the tree that are read, and that are known.
    void progressed(int done, int known);
    /// A new exchange, or the end of an earlier one; by number.
    void exchanged(const instar::Exchange &exchange);
    void pollsChanged(); ///< isPolling() has changed
    void burstFinished(const instar::BurstReport &report);
    /// Reports in one sentence what concerns no single operation.
    void problem(const QString &sentence);

private:
    struct SentOperation;

    // The connection, requests, records
    void setState(State state, const QString &text = {});
    void lose(const QString &why, bool mayRetry = true);
    void tryAgain();
    qint64 now() const;
    qint64 momentOf(const QDateTime &moment) const;
    void note(std::vector<Change> changes, Event event = {});
    void forgetPast();
    void watch(const Exchange &exchange);
    void advanceMonitor();
    struct Prepared
    {
        std::optional<HttpRequest> http;
        QString code, problem; ///< why it is not sent
    };
    Prepared prepared(const Request &request) const;
    bool mayOverwrite(const SentOperation &one) const;
    QString readPath(const QString &path) const;
    QUrl resourceUrl(const QString &path) const;
    void sendKnown();
    std::optional<Change::Kind> take(SentOperation &one, OperationEvent event);
    void learnName(SentOperation &one, const HttpResponse &response);
    void readAt(QString shownBy);

    // Results of tree readings
    void takeCollection(const CollectionObservation &read);
    void takeResource(const ResourceObservation &read);
    void takeFailure(const QString &path, int status, const QString &problem);
    void readSingly(const QString &collection);
    void treeRead();
    void understand();
    void tick();
    void noteMoves(const QList<RemoteWorld::Moves> &moves);
    QList<RemoteWorld::Underway> underway() const;
    Admission refusalOf(const SentOperation &one, const OperationEnd &end);
    void pollRested();
    void reportUnknown();
    /// Ends the operations that only waited for a reading of their target.
    bool concludeAt(const QString &path, quint64 exchange, qint64 moved);

    // Operations from their first answer to their end
    void released(quint64 burst);
    void answered(quint64 burst, int index, const BurstShot &shot);
    void repeat(quint32 serial);
    void send(const QList<quint32> &serials);
    void release(const QList<quint32> &serials);
    void takeAnswer(SentOperation &one, const BurstShot &shot);
    void explainRefusal(const SentOperation &one, Change *change);
    void goOn(SentOperation &one);
    RemoteWorld::Moves showDocument(const SentOperation &one, const QByteArray &body);
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
    bool m_readsAgain = false; ///< the tree is to be read once more
    bool m_refreshes = false;  ///< the tree is being read for refresh()
    QSet<quint32> m_awaited;   ///< operations whose answer refresh() awaits
    bool m_isClosing = false;
    int m_tries = 0;
    /// What readings have shown, by the keys of paths.
    struct
    {
        QSet<QString> forbidden;        ///< collections that were answered 403
        QSet<QString> listed;           ///< collections that were read whole
        QSet<QString> notThere;         ///< resources that were answered 404 or 410
        QHash<QString, QString> unread; ///< resource -> why its last reading failed
    } m_known;
    QStringList m_found, m_singly;        ///< resources that find() and refresh() read one by one
    QList<QList<quint32>> m_unsent;       ///< bursts that wait for readings of their targets
    QList<CollectionObservation> m_first; ///< read before the tree was complete

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
    qint64 m_lastRefresh = 0, m_lastMotion = 0; ///< ms, as world().now
};

} // namespace instar
