// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/checking.h"
#include "model/pack/pack.h"

#include <QHash>

#include <tuple>
#include <vector>

namespace instar {

const QStringList &placeWords();
/// Returns the bit of a word of PlaceWords: 1, 2, 4 ...; 0 for any other word.
quint32 placeBit(QStringView place);

/// Table of the places (self, ancestor ...) at which two operations can meet, by their types.
class Places
{
public:
    explicit Places(const Pack &pack);
    /// Returns the places, as bits by PlaceWords, at which `running` can run when operation `on`
    /// arrives, relative to the target of `on`.
    quint32 meeting(const QString &on, const QString &running) const;

private:
    QList<QStringList> m_lists;   ///< lists of types, each list once
    QHash<QString, int> m_listOf; ///< operation -> index of the list of types that accept it
    bool m_isOpen = false;        ///< the pack has a type "*"
    mutable QHash<std::pair<int, int>, quint32> m_cache; ///< two indices of lists -> bits of places
};

/// Arrival of an operation while another one runs. `place`, a word of PlaceWords, says where the
/// other one runs, relative to the target of the incoming one.
struct Meeting
{
    QString running, incoming, place;
    bool operator==(const Meeting &) const = default;
    bool operator<(const Meeting &other) const
    {
        return std::tie(place, incoming, running)
            < std::tie(other.place, other.incoming, other.running);
    }
};

/// Verdicts of a pack's conflict rows on a meeting.
struct ConflictCell
{
    bool canMeet = true; ///< false: the operations cannot meet there; see canMeet() of the matrix
    QList<int> rows;     ///< matching rows of Pack::conflicts, in order of evaluation
    bool isSettled = false;         ///< some row applies in any case; false: Allow is possible, too
    QList<Conflict::Then> verdicts; ///< possible ones, each once, in order of `rows`; never empty
    bool removesRunning = false;    ///< an allowed incoming operation removes the resource of the
                                    ///< running one when it succeeds, and so cancels that one

    /// True if this is the only possible verdict.
    bool says(Conflict::Then verdict) const { return verdicts == QList { verdict }; }
    bool operator==(const ConflictCell &) const = default;
};

/// Matrix of the conflicts between operations, under one setting of the pack's switches. Accepts
/// drafts that cannot run. Computes cells on demand.
class ConflictMatrix
{
public:
    /// Switches without a value in `setting` have their defaults.
    explicit ConflictMatrix(const Pack &pack, const Setting &setting = {});
    /// Returns this matrix for another pack, which may differ only in its conflict rows.
    ConflictMatrix withConflicts(const Pack &pack) const;

    const QStringList &operations() const { return m_operations; }
    /// Returns self, ancestor, descendant, sibling, tree and unrelated; if a conflict row names
    /// reference or referrer, also these two. They stand for resources in another tree only: a
    /// referenced resource in the same tree counts as ancestor, sibling and so on.
    const QStringList &places() const { return m_places; }
    /// True if resources at the place can exist, `running` take time there, and `incoming` arrive.
    bool canMeet(const Meeting &meeting) const;
    ConflictCell cell(const Meeting &meeting) const;
    /// True if the conflict row with this index may decide a meeting other than `except`.
    bool canDecide(int row, const Meeting &except = {}) const;
    const Setting &setting() const { return m_setting; }

private:
    struct CompiledRow
    {
        int row = 0;                   ///< index in Pack::conflicts
        std::vector<bool> on, running; ///< by operation; empty: any
        quint32 at = 0;                ///< bits by PlaceWords; 0: anywhere
        QStringList facts;             ///< conjuncts of the row's condition, in canonical spelling
    };
    void compileRows(const Pack &pack);
    QList<int> decidingRows(int running, int incoming, quint32 place, bool *isSettled) const;
    void classifyOperations(const Pack &pack);

    Setting m_setting;
    QStringList m_operations, m_places;
    QHash<QString, int> m_index; ///< operation -> index
    std::vector<CompiledRow> m_rows;
    std::vector<Conflict::Then> m_verdicts; ///< by row of Pack::conflicts
    bool m_mayWait = false;                 ///< some row has the verdict Wait
    std::vector<bool> m_hasWork, m_hasTarget, m_canArrive, m_removes; ///< by operation
    std::vector<quint32> m_meetings; ///< by running * count + incoming: bits of places
};

/// Returns the pack with the verdict `wish` on a meeting under a setting; the unchanged pack if the
/// meeting cannot happen or already has this verdict.
///
/// Other meetings keep their verdicts; this meeting's verdict can also change under other settings
/// that turn on the same rows. A row that decides no other meeting is removed (if later rows give
/// the verdict) or changed; otherwise a new row is inserted before the first one.
Pack withVerdict(
    const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish);

} // namespace instar
