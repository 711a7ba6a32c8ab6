// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/operationlog.h"
#include "model/engine/scenario.h"
#include "model/engine/step.h"
#include "model/engine/worldkey.h"

#include <QSet>

#include <span>

namespace instar {

/// What can be done to a system that is tried out; told in names, so that it is the same for
/// systems that number things otherwise.
struct TrialMove
{
    enum class Kind {
        Submit,
        End,
        Pass ///< until something happens by itself
    };
    Kind kind = Kind::Pass;
    Request request;   ///< Submit
    QString operation; ///< End: its id
    QString outcome;   ///< End: a name
};
/// The same as a step of a scenario; that time passes is an expectation of nothing.
ScenarioStep stepOf(const TrialMove &move, qint64 at);

/// A system that is tried out, as it is at some moment.
struct Tried
{
    World world;
    OperationLog log;
};

/// By operation: the conditions that were looked at on its way, and that requests may answer.
using OpenConditions = QHash<QString, QSet<QString>>;

/// A system and its rules, for searches that try what can be done to it.
class Trial
{
public:
    explicit Trial(const Rules &ownRules);

    /// A move, and everything that comes by itself at its time. What it uses of the rules is added
    /// to `exercised`, if there is one.
    void doMove(Tried &tried, const TrialMove &move, qint64 time, Exercised *exercised = nullptr);
    /// The names of the outcomes in which what runs may end.
    QStringList endsOf(const Tried &tried, const Running &running) const;
    /// When something happens by itself; nothing: never.
    std::optional<qint64> nextTime(const Tried &tried) const;
    /// What can still matter, and how far off that is which happens by itself.
    void writeKey(const Tried &tried, qint64 now, QByteArray &out);
    /// Path -> word, of everything that is shown.
    QMap<QString, QString> shown(const Tried &tried) const;

    const Rules &rules;
    OpenConditions asked;

private:
    void passTo(Tried &tried, qint64 time, Exercised *exercised);
    void happen(Tried &tried, const Event &event, Exercised *exercised);

    WorldKeyWriter m_writer;
};

/// An operation on a path, once for every condition that is known to be asked on its way.
QList<TrialMove> waysToAsk(
    const Request &request, const QString &operation, const QStringList &labels);

/// Resources that are not there: one of each type that all of these know, beside the first or below
/// the first parent, and whatever is referred to.
QList<Request> absentRequests(
    std::span<const Rules *const> all, const World &world, const QList<ResourceSpec> &resources);

/// So many of each type that have nothing left out above them, and what those refer to.
QList<ResourceSpec> someOf(const QList<ResourceSpec> &resources, int most);

} // namespace instar
