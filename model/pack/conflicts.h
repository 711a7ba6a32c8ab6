// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/checking.h"
#include "model/pack/pack.h"

#include <QHash>

#include <tuple>
#include <vector>

namespace instar {

/// PlaceWords.
const QStringList &placeWords();
/// Of a word of PlaceWords: 1, 2, 4 ...; 0: it is none.
quint32 placeBit(QStringView place);

/// Which types' resources take which operations, and where they can stand to each other.
class Places
{
public:
    explicit Places(const Pack &pack);
    /// Whether an operation can come where another one runs at a place, seen from the new one's
    /// target.
    bool canMeet(const QString &on, const QString &running, const QString &at) const;
    /// Every place at which it can, as bits by PlaceWords.
    quint32 meeting(const QString &on, const QString &running) const;

private:
    quint32 seen(int ours, int theirs) const;

    QList<QStringList> m_lists;                         ///< type paths, each list once
    QHash<QString, int> m_listOf;                       ///< operation -> the types that take it
    bool m_isOpen = false;                              ///< a type of any name is among them
    mutable QHash<std::pair<int, int>, quint32> m_seen; ///< of two lists: bits by place
};

/// One operation comes in while another one runs at a place, a word of PlaceWords, seen from the
/// target of the one that comes.
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

/// What a pack's conflict rows say of a meeting.
struct ConflictCell
{
    bool canMeet = true;            ///< false: no two resources can stand so, or nothing ever runs
    QList<int> rows;                ///< of Pack::conflicts, that may speak, in the order of asking
    bool isSettled = false;         ///< the last of them asks nothing; else, where none holds, none
                                    ///< speaks, and both go on
    QList<Conflict::Then> verdicts; ///< each that may be, once, in that order; never empty

    bool depends() const { return verdicts.size() > 1; }
    bool says(Conflict::Then verdict) const { return verdicts == QList { verdict }; }
    bool operator==(const ConflictCell &) const = default;
};

/// What operations do to each other, under one setting of the pack's switches. A draft that cannot
/// run has one, too. Cells are worked out when they are asked for.
class ConflictMatrix
{
public:
    /// Switches that are not given have their defaults.
    explicit ConflictMatrix(const Pack &pack, const Setting &setting = {});
    /// The same where conflict rows alone are others.
    ConflictMatrix withConflicts(const Pack &pack) const;

    const QStringList &operations() const { return m_operations; }
    /// Self, ancestor, descendant, sibling, tree and unrelated; reference and referrer, both in
    /// another tree, where a row names one of them. A resource of the own tree that is referred to
    /// as well counts as what it is in the tree.
    const QStringList &places() const { return m_places; }
    /// Whether there can be such resources, with one that works and one to come.
    bool canMeet(const Meeting &meeting) const;
    ConflictCell cell(const Meeting &meeting) const;
    /// Whether a row of the pack may speak of some meeting under the setting, but for one.
    bool isHeard(int row, const Meeting &but = {}) const;
    const Setting &setting() const { return m_setting; }

private:
    struct Asked
    {
        int row = 0;
        std::vector<bool> on, running; ///< by operation; empty: any
        quint32 at = 0;                ///< bits by PlaceWords; 0: anywhere
        QStringList facts;
    };
    void take(const Pack &pack);
    bool canMeet(int running, int incoming, quint32 place) const;
    QList<int> speaking(int running, int incoming, quint32 place, bool *isSettled) const;
    void findWhatRuns(const Pack &pack);

    Setting m_setting;
    QStringList m_operations, m_places;
    QHash<QString, int> m_index; ///< operation -> where it is
    std::vector<Asked> m_rows;
    std::vector<Conflict::Then> m_verdicts; ///< by row of the pack
    bool m_mayWait = false;
    std::vector<bool> m_works, m_acts, m_comes; ///< by operation
    std::vector<quint32> m_meetings;            ///< by what runs and what comes: bits by PlaceWords
};

/// The pack in which a meeting ends as wished under the setting; the same pack where it does
/// already, or where the two cannot meet there.
///
/// What the first row that may speak of the meeting says of it changes wherever that row exists; no
/// other meeting ends otherwise, under any setting. A row about this meeting alone changes, or goes
/// where what comes behind it says what is wished; else one is put before it. Rows that have
/// nothing left to say go.
Pack withVerdict(
    const Pack &pack, const Setting &setting, const Meeting &meeting, Conflict::Then wish);

} // namespace instar
