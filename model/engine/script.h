// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/scenario.h"
#include "model/engine/search.h"

namespace instar {

/// How an operation's running attempt may end, or its delayed work begin; nothing where it hangs or
/// waits. With `anyOutcome` in every way that leads on but the repeating one, else only as planned.
QList<Event> endsOf(
    const Rules &rules, const World &world, const Running &running, bool anyOutcome);

/// The clock's firings that may be admitted, whenever that is.
QList<Event> firingsOf(const Rules &rules, const World &world);

/// The clients of a scenario. Those of one client come in file order, an operation without client
/// is its own client; beyond that everything may come at any time. What a client chooses
/// (operation, path, outcome) is tried in full.
class Script : public Players
{
public:
    enum class Memory {
        Positions, ///< how far each client is
        Statuses,  ///< and how each operation stands
    };
    Script(const Rules &rules, const Scenario &scenario, Memory memory);

    /// Why a scenario cannot be explored; empty: it can.
    static QString problem(const Scenario &scenario);

    /// Tells the writer which operations differ though their requests do not.
    void mark(WorldKeyWriter &writer) const;
    QByteArray memoryBefore(const World &world) const;
    QList<Event> moves(const SearchState &situation) const override;
    std::optional<QByteArray> memoryAfter(const SearchState &before, const Event &event,
        const Record &record, const World &after) const override;

    /// Operation -> status, of those that were asked for; only with Memory::Statuses.
    QMap<QString, QString> statuses(const SearchState &situation) const;
    /// One move in words: "submit a", "succeeded a", "begin a", "fire /path".
    QString words(const World &before, const Way &way) const;

private:
    struct Turn
    {
        QString id, requestId;
        int client = 0;
        bool anyOutcome = false;
        std::vector<QSharedPointer<const Request>> choices; ///< operations x paths
    };
    quint16 get(const QByteArray &memory, qsizetype index) const;
    void put(QByteArray &memory, qsizetype index, quint16 value) const;
    void remember(QByteArray &memory, const SearchState &before, const Record &record) const;
    void writeStamps(QByteArray &memory, const World &world) const;
    int turnOf(const World &world, const Running *running) const;

    const Rules &m_rules;
    Memory m_memory;
    std::vector<Turn> m_turns;               ///< the scenario's operations
    std::vector<std::vector<int>> m_clients; ///< client -> its turns
    QHash<const Request *, int> m_turnOf;
    QStringList m_stamped; ///< paths whose etag some request names
};

} // namespace instar
