// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/engine/step.h"

#include <QElapsedTimer>
#include <QTimer>

#include <limits>

namespace instar {

/// Returns a small request itself; for a large one, returns a copy without body, contents and
/// preconditions. For records that are never replayed.
inline QSharedPointer<const Request> withoutContents(const QSharedPointer<const Request> &request)
{
    constexpr qsizetype mostBytes = 4096;
    if (!request
        || (request->contents.empty()
            && request->body.size() + request->ifMatch.size() + request->ifNoneMatch.size()
                <= mostBytes))
        return request;
    return QSharedPointer<Request>::create(Request { .op = request->op,
        .path = request->path,
        .id = request->id,
        .client = request->client,
        .outcome = request->outcome,
        .transientFailures = request->transientFailures,
        .duration = request->duration,
        .hang = request->hang,
        .requestId = request->requestId });
}

/// Local Controller with a clock and a history that can be stepped through.
class Simulator : public Controller
{
    Q_OBJECT
public:
    Simulator(Rules rules, World world, QObject *parent = nullptr);

    const Rules &rules() const override { return m_rules; }
    const World &world() const override { return m_world; }
    const OperationLog &operations() const override { return m_operations; }
    const QList<Record> &records() const override { return m_records; } ///< up to the moment shown
    const QList<Record> &later() const override { return m_later; }
    const OperationLog &everyOperation() const override;
    /// Version of records() and later() together; an appended record does not change the version.
    quint64 history() const { return m_history; }
    quint32 submit(Request request) override;
    void cancel(quint32 serial) override;
    void end(quint32 serial, Rules::TriggerId outcome) override;
    /// Begins an operation's delayed work now; does nothing if there is none.
    void begin(quint32 serial);

    /// Limits memory for long runs: keeps about this many records and ended operations, and no past
    /// except the beginning. Large requests in records lose their contents.
    void keepRecent(qsizetype records, qsizetype operations);
    qsizetype forgotten() const override { return m_forgotten; }

    /// Restarts with other rules and resources.
    void reset(Rules rules, World world);
    /// Restarts at the beginning; all records are dropped.
    void reset();

    /// Replaces the rules by rules that behave alike, for instance with other texts; keeps the run.
    void restate(Rules rules);

    /// Returns the world of moment 0.
    const World &beginning() const { return m_past.front().world; }
    /// Returns the world of any moment, without showing the moment.
    World worldAt(qsizetype moment) const;
    /// Returns the number of the run, which changes with every restart.
    quint64 run() const { return m_run; }

    /// Lets virtual time pass and due events happen.
    void advance(qint64 ms) { advanceTo(m_world.now + ms); }
    /// Advances to a time. Returns false if more than `mostEvents` events are due until then; time
    /// then stands at the last one that happened.
    bool advanceTo(qint64 time, qint64 mostEvents = std::numeric_limits<qint64>::max());
    /// Lets the next event happen (also one stepped back over). Returns false if there is none.
    bool step();
    /// Steps until no event is left, at most `limit` times. Returns false if the limit was reached.
    bool runUntilQuiet(int limit = 1'000'000);

    /// The moment shown, as the number of events before it; lastMoment() counts later events, too.
    qsizetype moment() const { return m_records.size(); }
    qsizetype lastMoment() const { return m_records.size() + m_later.size(); }
    bool stepBack();
    /// Shows any moment from 0 to lastMoment(). Later records are kept.
    void jump(qsizetype moment);
    qint64 timeOf(qsizetype moment) const; ///< virtual ms
    /// Shows a time of the known run; no new events happen.
    void showTime(qint64 time);

    /// Branch of the run. An action at an earlier moment begins a new branch; the old one is kept.
    struct Branch
    {
        quint32 id = 0;        ///< 0: the first
        quint32 trunk = 0;     ///< the branch from which this one forked
        qsizetype fork = 0;    ///< the moment of the fork
        qsizetype shown = 0;   ///< the moment that was shown when the branch was left
        quint64 run = 0;       ///< the run() that the branch belongs to
        QString name;          ///< empty: none
        QList<Record> records; ///< since the fork
    };
    /// Returns all branches in order of creation; records of the branch shown are up to date.
    QList<Branch> branches() const;
    quint32 branch() const { return m_branch; } ///< the branch shown
    /// Plays events on a new branch from the moment shown, and shows the branch's end. Delays an
    /// event until its work or timer is due, and until `pause` virtual ms after the previous event.
    /// Returns the branch; 0: there are no events, or no past is kept.
    quint32 playOnNewBranch(const QList<Event> &events, qint64 pause, const QString &name);
    /// Shows another branch, at the moment at which the branch was left.
    void switchTo(quint32 branch);
    void renameBranch(quint32 branch, const QString &name);
    /// Removes a branch and those forked from it; if one of these is shown, shows the branch's
    /// trunk. Returns the removed branches for restoreBranches(). The first branch cannot be
    /// removed.
    QList<Branch> removeBranch(quint32 branch);
    /// Restores branches that removeBranch() returned, if they are of the current run.
    void restoreBranches(const QList<Branch> &branches);
    /// Returns true if earlier moments can be shown: false after keepRecent().
    bool keepsPast() const { return m_mostRecords == 0; }
    /// Returns all records of a branch since moment 0.
    QList<Record> recordsOf(quint32 branch) const;

    /// Lets virtual time pass at `speed` virtual ms per real ms.
    void play();
    void pause();
    bool isPlaying() const { return m_ticker.isActive(); }
    void setSpeed(double speed);
    double speed() const { return m_speed; }

signals:
    void playingChanged(bool playing);
    void speedChanged(double speed);
    /// An action at an earlier moment began a new branch.
    void branched();
    /// Branches were added, removed, renamed or switched.
    void branchesChanged();

private:
    struct Moment
    {
        qsizetype index = 0;
        World world;
        OperationLog operations;
        bool isNear = false; ///< true: an extra snapshot that makes further steps back cheap
    };
    quint32 apply(const Event &event); ///< returns the serial of the submitted operation; 0: none
    quint32 act(const Event &event);   ///< apply(); on a new branch if the moment is not the last
    const Branch *find(quint32 branch) const;
    void beginBranch(const QString &name = {});
    qint64 timeToPlay(const Event &event, qint64 pause) const;
    void forgetBranches();
    /// Distance between snapshots, in events. Grows with their number, so that the snapshots of a
    /// long run take no more memory than its records.
    static qsizetype spacing(qsizetype events) { return std::max<qsizetype>(64, events / 8); }
    static bool isNear(qsizetype distance);
    void forgetPast();
    void tick();
    void beginWith(World world);

    Rules m_rules;
    World m_world;
    OperationLog m_operations;
    QList<Record> m_records;
    QList<Record> m_later; ///< records after the moment shown, next first
    QList<Branch> m_branches { {} };
    quint32 m_branch = 0, m_lastBranch = 0;
    quint64 m_history = 0, m_run = 0;
    mutable OperationLog m_everyOperation;                  ///< cache for everyOperation()
    mutable std::optional<quint64> m_everyOperationHistory; ///< the cache's history()
    std::vector<Moment> m_past; ///< snapshots to return to; the first is that of moment 0
    QTimer m_ticker { this };   // a child, so that moveToThread() moves the timer, too
    QElapsedTimer m_clock;
    double m_speed = 1;
    double m_fraction = 0;                             ///< of a virtual ms not yet passed
    qsizetype m_mostRecords = 0, m_mostOperations = 0; ///< 0: no limit
    qsizetype m_forgotten = 0;                         ///< number of records dropped
};

} // namespace instar
