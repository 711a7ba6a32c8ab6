// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/items/forecast.h"
#include "model/remote/burst.h"
#include "model/remote/connection.h"
#include "model/remote/liveprediction.h"
#include "model/remote/operationpoller.h"
#include "model/remote/remoteworld.h"
#include "model/remote/treereader.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <map>

namespace instar {

/// The Controller of a real server. Its world is what the server told last; its operations are
/// those that were asked for here. Time is real ms since the tree was first read.
class RemoteController : public Controller
{
    Q_OBJECT
public:
    enum class State {
        Closed,
        Loading, ///< the tree is being read
        Ready,
        Lost, ///< the server does not answer, or not to us
    };
    struct Options
    {
        Connection::Options connection;
        QString version;      ///< of the protocol; empty: the pack's usual one
        bool readOnly = true; ///< requests that could change something are refused here
        int refreshMs = 5000; ///< between two readings of the whole tree; 0: only when asked
        int motionMs = 1000; ///< between two looks at what is in motion; 0: only when its operation
                             ///< is asked about
        int connectMs = 10'000, answerMs = 120'000; ///< what a client's operation may take
        int firstReconnectMs = 500, mostReconnectMs = 30'000; ///< doubled each time
        PollOptions follow;
        bool predicts = false; ///< the rules run beside the server
        /// A PUT is sent although it is not known whether it would overwrite a resource.
        bool createsUnknown = false;
        /// So many records, and operations beside those that run, are kept at most; of more the
        /// oldest quarter is forgotten. 0: all are kept.
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
    /// The rules running beside what the server shows. Null where nobody asked for that.
    const Forecast *forecast() const { return m_forecast.get(); }
    /// Whether a resource is at the server, as far as answers tell.
    enum class Existence {
        Unknown,  ///< not read, or its reading failed
        There,    ///< an answer showed it
        NotThere, ///< its reading, or that of a resource above it, was answered 404 or 410
    };
    Existence existence(const QString &path) const;
    /// Why its existence is unknown: one sentence; empty where it is known or was never read.
    QString readingProblem(const QString &path) const;
    /// Reads these resources one by one. isFinding() while one of them has no answer.
    void find(const QStringList &paths);
    bool isFinding() const;
    /// The HTTP request that submit() would send; an error says why it would send none.
    Result<HttpRequest> wouldSend(const Request &request) const;
    QUrl url(const QByteArray &target) const { return m_connection->url(target); }

    /// Sends it. What cannot be sent is Rejected at once. A PUT to a resource that no answer has
    /// shown is sent when its reading says whether it is there, and Rejected where that fails: it
    /// could overwrite what is there.
    quint32 submit(Request request) override
    {
        return fireTogether({ std::move(request) }).first();
    }
    /// Servers offer no such thing: problem() says so.
    void cancel(quint32 serial) override;
    void end(quint32 serial, Rules::TriggerId outcome) override;

    /// What documents say of times counts from this moment (ms since 1970); from open() on it is
    /// the moment of that. What was read is read again.
    void setZero(qint64 zero);

    /// Sends requests in one burst. Returns their serials. Where the server makes up the name of
    /// what is made, the operation's path is where it was asked for until the answer says it.
    QList<quint32> fireTogether(const QList<Request> &requests);

    /// Reads the tree; stateChanged() tells how that ends. An error says what is wrong with the
    /// options or the pack.
    Result<State> open();
    /// What is under way is given up; the world stays as it was last seen.
    void close();
    /// Reads the whole tree again, now; after a loss also tries to connect now.
    void reload();
    /// Asks about every running operation, whatever the delays.
    void askNow();
    /// The same, and reads everything that is there. isLooking() ends when all that was there to be
    /// told when it began is told, however much is asked meanwhile.
    void look();
    bool isLooking() const;
    /// When the server, which was asked too often, wants to be asked again; ms since 1970.
    qint64 mayLookAt() const { return m_reader ? m_reader->notBeforeAll() : 0; }
    /// Opens connections for so many requests that will be fired together; isReadyFor() once they
    /// could leave at once.
    void prepare(int requests);
    bool isReadyFor(int requests) const;
    /// A question is open, or due.
    bool isAsking() const;
    bool isBusy() const; ///< that, or a client's operation has no answer yet

    State state() const { return m_state; }
    /// Why it is as it is, where that needs words: one sentence.
    const QString &stateText() const { return m_stateText; }
    /// The tree was read once; until then nothing is sent.
    bool knowsTree() const { return m_hasRead; }
    /// What answers there has said something of the tree that the pack's wire rows understand.
    bool isUnderstood() const { return m_isUnderstood; }
    const QDateTime &nextTry() const { return m_nextTry; } ///< Lost: UTC; invalid: not by itself
    const Options &options() const { return m_options; }
    bool isReadOnly() const { return m_options.readOnly; }
    void setReadOnly(bool readOnly) { m_options.readOnly = readOnly; }
    /// Whether asking for an operation changes nothing on the server, whatever it answers: its HTTP
    /// method is safe (RFC 9110, 9.2.1).
    bool onlyReads(const QString &operation) const;
    /// Whether questions are asked by themselves.
    bool isPolling() const { return m_isPolling; }
    void setPolling(bool polls);
    QList<PolledOperation> polls() const;
    /// The id that the server has given an operation; empty: not known.
    QString serverId(quint32 serial) const { return m_serverIds.value(serial); }

signals:
    void stateChanged();
    /// Pages of the tree that were read, and that are known of.
    void progressed(int done, int known);
    /// A new exchange, or one that was told before and has ended; by number.
    void exchanged(const instar::Exchange &exchange);
    void pollsChanged();
    void volleyed(const instar::BurstReport &report);
    /// Something worth a sentence that concerns no single operation.
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
    void foretell();
    void forget(quint32 serial);
    struct Outgoing
    {
        std::optional<HttpRequest> http;
        QString code, problem; ///< where it does not go out
    };
    Outgoing outgoing(const Request &request) const;
    bool mayOverwrite(const SentOperation &one) const;
    QString readPath(const QString &path) const;
    void sendKnown();
    void takeCall(SentOperation &one, const BurstShot &shot);
    qint64 sendLater(const SentOperation &one, const PollRepeat &later);
    void learnName(SentOperation &one, const HttpResponse &response);
    void lookAt(const SentOperation &one);
    void readAt(const QString &teller);

    // What the tree readings tell
    void takeCollection(const CollectionSighting &read);
    void takeResource(const Sighting &read);
    void takeSame(const QString &path, const AnswerInterval &when);
    void takeFailure(const QString &path, int status, const QString &problem);
    void readSingly(const QString &collection);
    void treeRead();
    void understand();
    QString doubt() const;
    void tick();
    void noteMoves(const QList<RemoteWorld::Moves> &moves);
    void updateUnderway();
    void setUnderway(const std::function<bool(const SentOperation &)> &which);
    Admission refusalOf(const SentOperation &one, const PollEnd &end);
    void askRested();
    void tellUnknown();
    /// What has ended there, and was awaited to be seen so.
    bool concludeAt(const QString &path, quint64 exchange, qint64 moved);

    // Operations from their first answer to their end
    void released(quint64 burst);
    void answered(quint64 burst, int index, const BurstShot &shot);
    void takeFirst(SentOperation &one, const HttpResponse &response);
    void repeat(quint32 serial);
    void send(const QList<quint32> &serials);
    void release(const QList<quint32> &serials);
    void notSignedIn(const QList<quint32> &serials, const SignIn &signIn);
    void takeAnswer(SentOperation &one, const BurstShot &shot);
    void takeNext(SentOperation &one, const QByteArray &body);
    RemoteWorld::Moves showDocument(const SentOperation &one, const QByteArray &body);
    PollReader reader(const QString &path) const;
    void ask(SentOperation &one);
    void schedule();
    void askDue();
    void finish(SentOperation &one, const PollEnd &end, const QByteArray &body);
    void conclude(quint32 serial, qint64 moved = 0);
    Rules::StateId stateAt(const QString &path) const;
    quint32 otherIn(const QByteArray &body, quint32 self) const;
    SentOperation *sentOperation(quint32 serial);

    Rules m_rules;
    Options m_options;
    Messages m_messages;
    RemoteWorld m_remoteWorld;
    OperationLog m_operations;
    QList<Record> m_records;
    qsizetype m_forgotten = 0; ///< records
    State m_state = State::Closed;
    QString m_stateText;
    QDateTime m_nextTry;
    bool m_isPolling = true, m_hasRead = false, m_isUnderstood = false;
    bool m_looksAgain = false; ///< everything is to be read once more
    bool m_looks = false;      ///< everything is being read for a look
    QSet<quint32> m_lookedAt;  ///< operations that the look has asked about, and not heard of
    bool m_isClosing = false;
    int m_tries = 0;
    QSet<QString> m_forbidden;         ///< keys of collections that were answered 403
    QSet<QString> m_listed;            ///< keys of collections that were read whole
    QSet<QString> m_notThere;          ///< keys of resources that were answered 404 or 410
    QHash<QString, QString> m_unread;  ///< key of a resource -> why its last reading failed
    QStringList m_found, m_singly;     ///< resources that find() and a look read one by one
    QList<QList<quint32>> m_unsent;    ///< serials that wait until it is known what they overwrite
    QList<CollectionSighting> m_first; ///< before the tree was read

    std::unique_ptr<LivePrediction> m_prediction;
    std::unique_ptr<Forecast> m_forecast;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<TreeReader> m_reader;
    std::unique_ptr<Burst> m_burst;
    std::map<quint32, std::unique_ptr<SentOperation>> m_sentOperations; ///< by serial
    QHash<quint64, QList<quint32>> m_bursts; ///< burst -> serials, by request
    QHash<quint32, QString> m_serverIds;
    QSet<QString> m_told; ///< problems that were told already
    QElapsedTimer m_clock;
    QTimer m_ticker, m_polls, m_retry;
    qint64 m_lastRefresh = 0, m_lastMotion = 0; ///< ms, as world().now
};

} // namespace instar
