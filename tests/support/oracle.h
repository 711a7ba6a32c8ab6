// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

/// Second, naive implementation of the rules for concurrent PUT, DELETE and GET on trees of
/// resources: propagated states, cancellation, refusal, references, etags and preconditions,
/// retries. It is written from the rules' prose and shares nothing with the engine, so that each
/// checks the other.
namespace oracle {

struct Settings
{
    bool siblingsRunConcurrently = false;
    bool midLevelCancelsSubtree = false;
    bool etagOnCompletion = false;
    bool ancestorsRestored = false; ///< ancestorOutcome: restore
    enum class Orphans { Restore, Follow, Fail } orphans = Orphans::Restore;
};

struct Resource
{
    QString path;
    QString state;   ///< Succeeded, Failed, Updating, Deleting
    QString settled; ///< last settled state: Succeeded or Failed; empty: none yet
    QStringList references;
    int etag = 0;
};

/// An etag as a client may send it.
struct Match
{
    enum class Kind { Absent, Empty, Star, Etag } kind = Kind::Absent;
    int etag = 0; ///< Etag: the value; -1: one that never existed
};

struct Ask
{
    QString op, path;
    qint64 duration = 1000; ///< ms, of one attempt
    bool fails = false;
    int transientFailures = 0;
    bool hangs = false;
    Match ifMatch, ifNoneMatch;
    QString requestId;
    QStringList references; ///< of a resource being created
};

struct Operation
{
    Ask ask;
    QString status; ///< InProgress, Succeeded, Failed, Canceled, Rejected
    QString code;   ///< of an error
    int attempts = 0;
    int canceledBy = -1;
    QList<int> inTheWay; ///< all conflicting operations
    int replayOf = -1;
    qint64 ended = -1;

    // while it runs
    qint64 due = -1; ///< -1: never
    bool pausing = false;
    QStringList own; ///< the target and all below it, as keys
    QStringList ancestors;
    QStringList followers; ///< orphans of operations that it canceled
};

class Controller
{
public:
    Controller(Settings settings, const std::vector<Resource> &resources);

    int submit(const Ask &ask);
    void advanceTo(qint64 time);
    /// Time at which the next piece of work ends by itself; -1: never.
    qint64 nextTime() const;
    qint64 now() const { return m_now; }

    const std::vector<Resource> &resources() const { return m_resources; }
    const std::vector<Operation> &operations() const { return m_operations; }
    const Resource *find(const QString &path) const;

private:
    enum class Place { Self, Ancestor, Descendant, Sibling, SameTree, Elsewhere };
    enum class Verdict { Allow, Cancel, Reject };

    Resource *find(const QString &path);
    static QString keyOf(const QString &path) { return path.toLower(); }
    static QString parentOf(const QString &key);
    static bool isBelow(const QString &key, const QString &above)
    {
        return key.startsWith(above + u'/');
    }
    Place placeOf(const QString &running, const QString &target) const;
    Verdict verdict(const Ask &ask, const Operation &running) const;
    bool preconditionHolds(const Ask &ask) const;
    QString referenceProblem(const Ask &ask) const;
    QString inUse(const QString &key) const;
    bool isAnswered(const QString &key, int except) const;
    void settle(const QString &key, const QString &state);
    void backToSettled(const QString &key);
    void start(int index, const QList<int> &canceled);
    void leaveOrphans(int canceled, int by);
    void step(int index);
    void finish(int index, bool good);
    int refused(int index, const QString &code);

    Settings m_settings;
    std::vector<Resource> m_resources;
    std::vector<Operation> m_operations;
    QMap<QString, int> m_answered;
    int m_lastEtag = 0;
    qint64 m_now = 0;
};

} // namespace oracle
