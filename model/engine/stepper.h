// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/cover.h"
#include "model/engine/step.h"

#include <map>

namespace instar {

/// Interpreter that applies one event to a world, for step() only.
class Stepper
{
public:
    /// `exercised`, if not null, receives what is used of the rules.
    Stepper(const Rules &rules, World &world, Record &record, Exercised *exercised = nullptr)
        : r(rules), w(world), m_record(record), m_exercised(exercised)
    { }
    void happen(const Event &event);

private:
    using TriggerId = Rules::TriggerId;
    using SharedRequest = QSharedPointer<const Request>;

    // stepper.cpp: events, and the end of a step
    void fire(const Event &event);
    void begin(Running &running);
    void end(Running &running, TriggerId outcome);
    void expire(Running &running);
    void finishStep();
    void tellHoldings();
    bool askUntils();
    bool isOver(const Running &running, std::optional<qint64> clock = {});
    void wakeLater(const Running &running);
    bool callQueue();
    Change answerTo(const Request &request, const Admission &admitted, quint32 requirer) const;
    void closeQueued(const Queued &queued, const Admission &admitted);
    void noteAsked(const Admission &admitted);
    const Rules::Clock *timerOf(Resource resource) const;
    void trimAgenda();

    // stepperoperations.cpp: start, progress and end of operations
    void submit(const SharedRequest &request, quint32 requirer, const QMap<int, bool> &answers);
    void queue(quint32 serial, const SharedRequest &request, const Admission &admitted,
        quint32 requirer, const QMap<int, bool> &answers);
    void start(quint32 serial, const SharedRequest &request, const Admission &admitted,
        quint32 requirer, const QMap<int, bool> &answers);
    void enter(quint32 serial, Code code, const Rules::Transition *row);
    void outcome(quint32 serial, TriggerId name);
    void close(quint32 serial, TriggerId outcome, Rules::StateId from, qint64 movedBefore);
    /// Cancels a running or waiting operation.
    /// `conflict`: the conflict row that decided; None: none.
    void cancel(quint32 serial, quint32 by, int conflict = Rules::None);
    void cancelQueued(const Queued &queued, quint32 by, int conflict);
    void cancelRequired(quint32 serial, quint32 by);
    QSharedDataPointer<Running> taken(quint32 serial);

    // stepperwork.cpp: work in a transitional state
    void work(quint32 serial);
    void attempt(Running &running);
    void spend(Running &running);
    void require(quint32 serial);
    SharedRequest requestFor(Running &running, const Todo &todo) const;
    void countAttempts(const Running &required);
    void hear(quint32 requirer, TriggerId outcome, const QString &code, const QString &message);
    void send(quint32 serial, TriggerId event, const Rules::Relation &relation);
    void sendOne(quint32 serial, TriggerId event, Resource resource);
    void schedule(Running &running, qint64 due);
    void remind(qint64 time, quint32 serial);

    // stepperstates.cpp: resources that change state, are created, removed, or put to rest
    void setCode(Resource resource, Code code);
    void cover(Running &running, const Tree::Range &range);
    void hold(Running &running, const Tree::Range &range);
    void coverOne(quint32 serial, Resource resource);
    Resource made(Resource parent, const QString &typePath, const QString &name,
        QStringView segment, Code code);
    void store(Resource resource, const Request &request);
    void takeAnswer(const Running &running);
    void overlay(Resource resource, const QJsonObject &patch);
    void merge(Resource resource, const Request &request);
    void assign(Resource resource, const Rules::Transition &row);
    void setInPlace(const Admission &observed, Change *change);
    void forgetReferences(Resource resource);
    void storeContents(quint32 serial, const Request &request);
    void removeReplaced(quint32 serial, const SharedRequest &request);
    void cancelQueuedIn(const Tree::Range &range, quint32 by);
    void removeAll(Resource resource, quint32 by, quint32 spare = 0);
    void rested(Resource resource, quint32 except = 0);
    Code retreat(Code code) const;
    void touch(quint32 branch);
    void stir(quint32 branch);
    void retime(Resource resource);
    std::vector<Resource> swept(const Cover &cover, TriggerId outcome);
    bool sweep(quint32 serial, const Tree::Range &range, TriggerId event);
    void noteRow(int transition)
    {
        if (m_exercised && transition != Rules::None)
            m_exercised->rows.insert(transition);
    }
    void noteAnswer(const Admission &admitted);
    void noteRows(const Tree::Range &range, const std::vector<TriggerId> &chain);
    std::vector<TriggerId> chainOf(TriggerId outcome) const;
    std::vector<Resource> begunByOthers(const Running &running, TriggerId outcome);
    void tell(const Cover &cover, TriggerId outcome, const Asking &asking);
    bool tellOne(Resource resource, TriggerId outcome, const Asking &asking);
    enum class Which { Required, All };
    void settleOrphans(Which which = Which::All);
    void adopt(quint32 by, const std::vector<Resource> &resources, const Asking &asking);

    Asking asking(const Running &running);
    Subject target(const Running &running) const { return subjectOf(r, w, running.target); }
    static Tree::Range only(const Tree::Place &place)
    {
        return { place.branch, place.position, place.position + 1 };
    }

    struct Orphans
    {
        Cover cover;
        QSharedDataPointer<Running> canceled;
        quint32 by = 0;
        bool waitsForWork = false; ///< events sent by the work of `by` may still take these over
    };
    struct Heard
    {
        quint32 requirer = 0;
        TriggerId outcome = Rules::None;
        QString code, message;
    };

    const Rules &r;
    World &w;
    Record &m_record;
    Exercised *m_exercised;
    bool m_timeless = false, m_isTold = true;
    qint64 m_moved = 0; ///< number of state changes so far
    std::map<quint32, int>
        m_turns; ///< operation -> outcomes so far; limited, so that endless packs terminate
    std::vector<Orphans> m_orphans;
    std::vector<Heard> m_heard;
    std::vector<std::pair<quint32, TriggerId>> m_closed;
    std::vector<quint32> m_held;     ///< operations whose affected resources changed
    std::vector<quint32> m_touched;  ///< branches in which constraints must be checked
    std::vector<quint32> m_stirred;  ///< branches in which anything happened, for timers
    std::vector<Resource> m_retimed; ///< resources whose timer began or whose properties changed
};

} // namespace instar
