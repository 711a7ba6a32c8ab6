// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/search.h"
#include "model/engine/treegroups.h"

namespace instar {

/// An operation that no client asked for: another one required it, or the clock asked.
struct Derived
{
    QSharedPointer<const Request> request;
    QString requirer; ///< id of the operation that required it; empty: the clock asked
};

/// A way through the states of a scenario, and what is seen at its end.
struct Trace
{
    QStringList trace;                ///< one move each: "submit a", "succeeded a"
    QList<Event> schedule;            ///< the same as it can be played, timeless
    QMap<QString, Derived> derived;   ///< id -> of those that run at the beginning, or come
    QMap<QString, QString> resources; ///< path -> the word it shows
    QMap<QString, QString>
        operations; ///< the scenario's own, and those that ran before: id -> status
};

/// "submit r1", "begin r1", "end r1 succeeded", "time over for r1", "fire /a/b"; empty for what
/// nobody has to be told of. `before`: the world in which it happens.
QString eventWords(const Rules &rules, const World &before, const Event &event);
/// The same with what open conditions were answered: "begin r1 (paid, !sent)".
QString withAnswers(
    const Rules &rules, const QString &words, std::span<const std::pair<int, bool>> answers);

/// How an operation's running attempt may end, or its delayed work begin; nothing where it hangs or
/// waits. With `anyOutcome` in every way that leads on but the repeating one, else only as planned.
QList<Event> endsOf(
    const Rules &rules, const World &world, const Running &running, bool anyOutcome);

/// The clock's firings that may be admitted, whenever that is.
QList<Event> firingsOf(const Rules &rules, const World &world, const Scope &scope = {});

/// How operations end that run already when the first one of a scenario may come.
enum class Begun {
    AsPlanned, ///< those that wait to be ended by hand: in every way
    Anyhow,    ///< in every way
};

/// Whether the clock takes part in a search.
enum class Timers {
    Fire,  ///< what it does may come at any time
    Stand, ///< no timer fires, no work runs out of time, and nothing that waits for a time goes on;
           ///< work ends all the same, and begins again after its pauses
};

/// Whether rules ask the clock for anything.
bool needClock(const Rules &rules);

/// What a search takes for granted beside its scenario.
struct Premises
{
    Begun begun = Begun::AsPlanned;
    Timers timers = Timers::Fire;
    Scope scope {};
};

/// The clients of a scenario. Those of one client come in file order, an operation without client
/// is its own client; beyond that everything may come at any time. What a client chooses
/// (operation, path, outcome) is tried in full.
class Script : public Players
{
public:
    /// What tells situations apart, beside their worlds.
    enum class Memory {
        Positions, ///< how far each client is
        Statuses,  ///< and how each operation stands
    };
    /// What runs or waits in `beginning` already goes on, and its status is told with the others.
    Script(const Rules &rules, const Scenario &scenario, Memory memory, const World &beginning,
        Premises premises = {});

    /// Tells the writer which operations differ though their requests do not.
    void mark(WorldKeyWriter &writer) const;
    QByteArray memoryBefore(const World &world) const;
    QList<Event> moves(const SearchState &situation) const override;
    /// What the clock would do next, where it stands.
    QList<Event> heldBack(const SearchState &situation) const;
    std::optional<QByteArray> memoryAfter(const SearchState &before, const Event &event,
        const Record &record, const World &after) const override;

    qsizetype keySize(const QByteArray &memory) const override;

    /// Operation -> status, of those that were asked for, or ran before. One that is answered as an
    /// operation that was over before is not in it: nobody here knows that one's end.
    QMap<QString, QString> statuses(const SearchState &situation) const;
    /// One move in words: "submit a", "succeeded a", "begin a", "fire /path".
    QString words(const World &before, const Way &way) const;

private:
    struct Turn
    {
        QString id, requestId;
        int client = 0; ///< None: it runs already
        bool anyOutcome = false;
        std::vector<QSharedPointer<const Request>> choices; ///< operations x paths
    };
    static constexpr int None = -1;
    void addBegun(const World &beginning);
    QList<Event> everyMove(const SearchState &situation) const;
    quint16 get(const QByteArray &memory, qsizetype index) const;
    void put(QByteArray &memory, qsizetype index, quint16 value) const;
    void remember(QByteArray &memory, const SearchState &before, const Record &record) const;
    void writeStamps(QByteArray &memory, const World &world) const;
    qsizetype stampBytes() const;
    qsizetype firstStatus() const; ///< index for get() and put()
    int turnOf(const World &world, const Running *running) const;

    const Rules &m_rules;
    Memory m_memory;
    Premises m_premises;
    std::vector<Turn> m_turns; ///< the scenario's operations, then those that run already
    std::vector<std::vector<int>> m_clients; ///< client -> its turns
    QHash<const Request *, int> m_turnOf;
    QStringList m_stamped; ///< paths whose etag some request names
};

/// A scenario with the names that the engine makes up; fails where it cannot be explored.
Result<Scenario> explorable(const Scenario &scenario, const Stage &stage);

/// Everything that a scenario can lead to on its stage, in every order of its operations.
struct StateSpace
{
    StateSpace(const Scenario &scenario, const Stage &stage, const Premises &premises,
        Script::Memory memory = Script::Memory::Statuses);

    Trace told(const std::vector<Way> &ways) const;

    const Rules &rules;
    const Script script;
    WorldKeyWriter writer;
    Search search;
    const SearchState start;
};

} // namespace instar
