// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/engine/event.h"

namespace instar {

/// Fault in a server's responses, described by faults(). Breaks a rule of every lifecycle system.
enum class Fault {
    LostUpdate,
    StuckTransitional,
    WrongFinalState,
    PrematureSucceeded,
    ZombieAfterDelete,
    SiblingMoved,
    MissingConflict,
    WrongCanceled,
    EtagUnchanged,
    EtagLate,
};

/// Name of a fault, and its visible effect in one sentence.
struct FaultWords
{
    Fault fault;
    QString name, effect;
};
const QList<FaultWords> &faults();
std::optional<Fault> faultNamed(const QString &name);

/// Fault injection for a simulated server: falsifies its responses, never its state. A fault
/// belongs to one operation and ends when another operation changes the same target. The rules
/// must outlive this object.
class Misbehaviour
{
public:
    static constexpr qint64 Lateness = 1000; ///< virtual ms by which EtagLate delays an etag

    explicit Misbehaviour(const Rules &rules) : m_rules(rules) { }

    /// Returns true if a fault would be visible in the responses about this request.
    bool isPossible(
        Fault fault, const World &world, const Request &request, const Admission &admitted) const;
    /// Starts a fault for the request that operation `serial` submitted between both worlds.
    void begin(Fault fault, quint32 serial, const Request &request, const World &before,
        const World &after);
    /// Updates the active faults after an event; removes the faults that are over.
    void follow(const Record &record, const World &after);
    bool isEmpty() const { return m_active.isEmpty(); }
    void clear() { m_active.clear(); }

    World falsified(const World &world) const;
    Operation falsified(const Operation &operation, const World &world) const;

private:
    struct ActiveFault
    {
        Fault fault = Fault::LostUpdate;
        quint32 serial = 0;
        QString path;
        World before;     ///< before the submission
        Code working = 0; ///< state code of the target during the operation
        Resource sibling = NoResource;
        qint64 began = 0, duration = 0; ///< MissingConflict: times of the operation shown
        std::optional<qint64> over;     ///< end of the operation, virtual ms
        quint64 stamp = 0;              ///< etag stamp of the target at that end
    };

    Resource siblingAtRest(const World &world, const QString &path) const;
    bool removes(const Admission &admitted) const;
    std::optional<Code> otherRest(Code code) const;
    bool isUntouched(const ActiveFault &one, const World &world) const;
    void falsify(const ActiveFault &one, World &world) const;
    static void restore(const ActiveFault &one, World &world, std::optional<Code> code = {});

    const Rules &m_rules;
    QList<ActiveFault> m_active;
};

} // namespace instar
