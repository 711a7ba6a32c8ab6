// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/engine/event.h"
#include "model/engine/operationlog.h"

#include <QBasicTimer>
#include <QElapsedTimer>

#include <limits>

namespace instar {

/// A request as a record keeps it that nobody returns to.
inline QSharedPointer<const Request> withoutContents(const QSharedPointer<const Request> &request)
{
    constexpr qsizetype large = 4096; // bytes of a body
    if (!request
        || (request->contents.empty()
            && request->body.size() + request->ifMatch.size() + request->ifNoneMatch.size()
                <= large))
        return request;
    auto kept = QSharedPointer<Request>::create();
    kept->op = request->op;
    kept->path = request->path;
    kept->id = request->id;
    kept->client = request->client;
    kept->requestId = request->requestId;
    kept->outcome = request->outcome;
    kept->transientFailures = request->transientFailures;
    kept->duration = request->duration;
    kept->hang = request->hang;
    return kept;
}

/// How a run went: under which rules, from what, and everything that happened, in order.
struct Course
{
    Rules rules;
    World beginning;
    QList<Record> records;
};

class QuietRun;

/// The local Controller: a world, a clock and a past one can return to.
class Simulator : public Controller
{
    Q_OBJECT
public:
    Simulator(Rules rules, World world, QObject *parent = nullptr);
    /// At the beginning of a run that is known already: it can be gone through, and branched from.
    explicit Simulator(Course course, QObject *parent = nullptr);

    const Rules &rules() const override { return m_rules; }
    const World &world() const override { return m_world; }
    const OperationLog &operations() const override { return m_operations; }
    const QList<Record> &records() const override { return m_records; } ///< up to the moment shown
    const QList<Record> &later() const override { return m_later; }
    const OperationLog &everyOperation() const override;
    /// Another number whenever records() and later() together are others than before but for what
    /// was added at their end.
    quint64 history() const { return m_history; }
    quint32 submit(Request request) override;
    void cancel(quint32 serial) override;
    void end(quint32 serial, Rules::TriggerId outcome) override;
    /// Work of an operation that waits for its time begins now. Nothing happens where none does.
    void begin(quint32 serial);

    /// Keeps only so many records and operations that are over, and no past to return to but the
    /// beginning: for a world that is to live long. Of a large request a record then keeps who
    /// asked for what, not what was to be stored; and operations go sooner where all together take
    /// more than 256 MiB.
    void keepRecent(qsizetype records, qsizetype operations);
    qsizetype forgotten() const override { return m_forgotten; }

    /// Starts again with other rules and resources.
    void reset(Rules rules, World world);
    /// Back to the beginning; what happened since is forgotten.
    void reset();

    /// Rules that mean the same in other words, or are drawn elsewhere: all that has happened
    /// stays.
    void restate(Rules rules);

    /// The world of moment 0.
    const World &beginning() const { return m_past.front().world; }
    /// The world of any moment, without showing it.
    World worldAt(qsizetype moment) const;
    /// Another number whenever it was started over.
    quint64 run() const { return m_run; }

    /// Lets virtual time pass; whatever falls due happens at its time.
    void advance(qint64 ms);
    /// At most so many events; false: more fall due by then, and time stands at the last one.
    bool advanceTo(qint64 time, qint64 mostEvents = std::numeric_limits<qint64>::max());
    /// The next thing that happens by itself, or that was stepped back over. False: nothing is
    /// left.
    bool step();
    /// Runs until nothing is left that ends by itself, at most `limit` events. False: the limit was
    /// reached.
    bool runUntilQuiet(int limit = 1'000'000);
    /// Takes over what a run on a copy of this has found, as if it had happened here. False:
    /// something else has happened since the copy was made, and nothing changes.
    bool adopt(QuietRun &&run);

    /// The number of events that have happened, the moment shown; and the number that are known,
    /// later ones included.
    qsizetype moment() const { return m_records.size(); }
    qsizetype lastMoment() const { return m_records.size() + m_later.size(); }
    bool stepBack();
    /// Shows any moment from 0 to lastMoment(). What follows is kept until something else happens.
    void jump(qsizetype moment);
    qint64 timeOf(qsizetype moment) const; ///< virtual ms
    /// Shows what was at a time, as far as it is known: nothing happens by that.
    void showTime(qint64 time);

    /// One of the ways that things went: doing something at an earlier moment begins another, and
    /// the one that was left stays.
    struct Branch
    {
        quint32 id = 0;        ///< 0: the first
        quint32 trunk = 0;     ///< the branch that it left
        qsizetype fork = 0;    ///< the moment at which it did
        qsizetype shown = 0;   ///< the moment that was shown when it was left
        quint64 run = 0;       ///< of which it is; one that was started over is another
        QString name;          ///< that somebody gave it; empty: none
        QList<Record> records; ///< since the fork
    };
    /// Every one, in order of their beginning; of the one that is shown records and moment are
    /// those of now.
    QList<Branch> branches() const;
    quint32 branch() const { return m_branch; } ///< the one that is shown
    /// Lets events happen, one after another, on a branch of its own that begins at the moment
    /// shown, and shows its end. An event whose time is not later than now happens `pause` virtual
    /// ms later than the one before; work that it ends, or that begins by it, at its own time where
    /// that is later. Returns the branch; 0: no past is kept to branch from.
    quint32 follow(const QList<Event> &events, qint64 pause, const QString &name);
    /// Shows another branch at the moment at which it was left.
    void switchTo(quint32 branch);
    void renameBranch(quint32 branch, const QString &name);
    /// Forgets a branch, and those that began on it; if it is shown, its trunk is from then on.
    /// Returns what restoreBranches() takes back; nothing: the first one stays.
    QList<Branch> removeBranch(quint32 branch);
    /// Those of another run stay away.
    void restoreBranches(const QList<Branch> &branches);
    /// Whether earlier moments can be shown: not where only the newest records are kept.
    bool keepsPast() const { return m_mostRecords == 0; }
    /// Everything that is known of a branch since moment 0.
    QList<Record> recordsOf(quint32 branch) const;
    /// The same with what it began with. Only where the past is kept.
    Course course(quint32 branch) const;

    /// Lets virtual time pass by itself, `speed` virtual ms per real ms.
    void play();
    void pause();
    bool isPlaying() const { return m_ticker.isActive(); }
    void setSpeed(double speed);
    double speed() const { return m_speed; }

signals:
    void playingChanged(bool playing);
    void speedChanged(double speed);
    /// Something was done at an earlier moment: what followed it is on the branch that was left.
    void branched();
    /// There are others than before, or one is called otherwise.
    void branchesChanged();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    friend class QuietRun;
    struct Moment
    {
        qsizetype index = 0;
        World world;
        OperationLog operations;
        bool isNear = false; ///< to where somebody has stepped back, beside those kept anyway
    };
    quint32 happen(
        const Event &event); ///< returns the serial of what was asked for; 0: nothing was
    quint32 ask(const Event &event);
    const Branch *find(quint32 branch) const;
    void leave();
    void beginBranch(const QString &name = {});
    qint64 momentOf(const Event &event, qint64 pause) const;
    void forgetBranches();
    /// How far apart in events the worlds are that can be returned to.
    static qsizetype spacing(qsizetype events);
    static bool isNear(qsizetype distance);
    void forgetPast();
    void beginWith(World world);

    Rules m_rules;
    World m_world;
    OperationLog m_operations;
    QList<Record> m_records;
    QList<Record> m_later; ///< stepped back over, next first
    QList<Branch> m_branches { {} };
    quint32 m_branch = 0, m_lastBranch = 0;
    quint64 m_history = 0, m_run = 0;
    mutable OperationLog m_everyOperation;           ///< while something is later,
    mutable std::optional<quint64> m_everyOfHistory; ///< and for this history()
    std::vector<Moment> m_past; ///< worlds to return to; the first is that of moment 0
    quint64 m_turn = 0;         ///< grows with everything that changes the moment shown
    QBasicTimer m_ticker;
    QElapsedTimer m_clock;
    double m_speed = 1;
    double m_fraction = 0;                             ///< of a virtual ms not yet passed
    qsizetype m_mostRecords = 0, m_mostOperations = 0; ///< 0: everything is kept
    qsizetype m_mostBytes = 0;                         ///< of the operations
    qsizetype m_forgotten = 0;                         ///< records
};

/// What would happen by itself on a simulator, worked out on a copy: on another thread, and without
/// changing anything until the simulator takes it over.
class QuietRun
{
public:
    explicit QuietRun(const Simulator &simulator);

    /// The next thing that happens by itself, or that was stepped back over. False: nothing is
    /// left.
    bool step();
    /// Whether nothing is left.
    bool isQuiet() const;
    qsizetype events() const { return m_records.size(); } ///< so far
    qint64 now() const { return m_world.now; }            ///< virtual ms

private:
    friend class Simulator;

    Rules m_rules;
    World m_world;
    OperationLog m_operations;
    QList<Record> m_later; ///< stepped back over, next first
    qsizetype m_again = 0; ///< of them, happened again
    quint64 m_basis = 0;   ///< what the simulator was at
    qsizetype m_first = 0; ///< the moment that it begins at
    qsizetype m_kept = 0;  ///< the last moment that can be returned to
    bool m_keepsPast = true;
    QList<Record> m_records;
    std::vector<Simulator::Moment> m_past;
};

} // namespace instar
