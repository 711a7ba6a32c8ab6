// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

#include <QHash>

namespace instar {

class Simulator;
struct World;

/// Timeline of a run: the resources that ever existed, as rows in the tree's order, and each
/// operation with its affected resources over time. Depends only on the initial world and the log's
/// events, so a run and its replay have equal timelines.
class Timeline
{
public:
    using Row = quint32; ///< stable number of a resource that ever existed or was a target
    static constexpr Row NoRow = ~Row(0);
    static constexpr qint64 NotYet = -1; ///< time of an event that has not happened

    struct Bar
    {
        quint32 serial = 0;
        QSharedPointer<const Request> request;
        QString path; ///< of the operation's target
        Row row = NoRow;
        Rules::StateId state = Rules::None; ///< current state of the target
        qint64 submitted = 0;               ///< virtual ms, as all times
        qint64 started = NotYet;            ///< stays NotYet if the operation was refused
        qint64 ended = NotYet;
        Status status = Status::InProgress;
        Rules::TriggerId outcome = Rules::None; ///< with which the operation ended
        quint32 canceledBy = 0, conflictsWith = 0, requirer = 0, replayOf = 0; ///< serials; 0: none
        QString code, message, rule;  ///< of an error, a refusal or a cancellation
        int transition = Rules::None; ///< transition that started the operation; None: unknown
        int http = 0;
        int attempts = 0;
        bool isOver() const { return ended != NotYet; }
        /// Returns true if the operation was refused, or failed at its start: it has no span.
        bool failedAtOnce() const
        {
            return status == Status::Rejected || (status == Status::Failed && ended == submitted);
        }
        /// Returns true if the operation ended at the moment when it started.
        bool isInstant() const { return isOver() && ended == started && !failedAtOnce(); }
    };
    /// Adjacent rows that an operation affects during a time interval.
    struct Span
    {
        quint32 bar = 0; ///< in bars()
        Row first = NoRow, last = NoRow;
        qint64 from = 0, to = NotYet;
        Rules::StateId state = Rules::None; ///< of the operation's target
    };
    /// Intermediate event of an operation: a retry, the end of a piece of work, the beginning of
    /// delayed work, or the firing of the timer that started the operation.
    struct Tick
    {
        enum class Kind { Retry, Work, Begin, Fire };
        Kind kind = Kind::Work;
        quint32 bar = 0;
        qint64 at = 0;
        Rules::StateId to = Rules::None;
        Rules::TriggerId outcome = Rules::None;
    };

    Timeline() = default;
    explicit Timeline(const World &beginning);

    void add(const Rules &rules, const Record &record);
    /// Number of records added.
    qsizetype moments() const { return m_moments; }

    qsizetype rowCount() const { return qsizetype(m_rows.size()); }
    int depth(Row row) const { return m_rows[row].depth; }
    Row parent(Row row) const { return m_rows[row].parent; }
    QString name(Row row) const;
    QString path(Row row) const;
    Row find(const QString &path) const;    ///< NoRow: unknown
    int levels() const { return m_levels; } ///< number of levels of the tree
    /// Returns the number of edges between two rows in the tree; NoRow: the parent of all trees.
    int distance(Row from, Row to) const;

    // A row's place is its index from the top.
    Row rowAt(qsizetype place) const { return arranged().rows[size_t(place)]; }
    qsizetype placeOf(Row row) const { return arranged().places[row]; }
    /// Returns the place after a row and its descendants.
    qsizetype endOf(Row row) const { return arranged().ends[row]; }

    const std::vector<Bar> &bars() const { return m_bars; }    ///< by serial
    const std::vector<Span> &spans() const { return m_spans; } ///< by begin
    const std::vector<Tick> &ticks() const { return m_ticks; } ///< by time
    const Bar *bar(quint32 serial) const;                      ///< null: there is none
    qint64 begin() const { return m_begin; }
    qint64 end() const { return m_end; } ///< time of the last record
    /// Returns place -> true if the row there was ever affected by an operation, or its target.
    std::vector<bool> touched() const;

    /// Sets the moment for resourceOf() and rowOf().
    void show(qsizetype moment) const;
    Resource resourceOf(Row row) const { return m_rows[row].resource; } ///< NoResource: absent
    Row rowOf(Resource resource) const;                                 ///< NoRow: none

private:
    struct Entry
    {
        Row parent = NoRow;
        Resource first = NoResource; ///< at the beginning; NoResource: created later
        mutable Resource resource = NoResource;
        quint16 depth = 0;
    };
    struct Created
    {
        QString segment, name;
    };
    struct ResourceChange
    {
        qsizetype moment;
        Row row;
        Resource before, after;
    };
    QString key(const QString &path) const;
    Row rowFor(const QString &path); ///< finds or creates a row
    void changeResource(Row row, Resource resource);
    void apply(const TreeChange &change);
    void updateSpans(qint64 time, const Holding &holding);
    void insert(Bar bar);
    /// Order of the rows from the top.
    struct Arrangement
    {
        std::vector<Row> rows;
        std::vector<quint32> places,
            ends; ///< row -> its index, and the index after its descendants
    };
    const Arrangement &arranged() const;
    void setResource(Row row, Resource resource) const;

    Tree m_first;
    std::vector<Entry> m_rows;
    std::vector<Row> m_firstRows; ///< resource of the beginning -> row
    QHash<Row, Created> m_created;
    QHash<Row, std::vector<Row>> m_createdChildren; ///< children in order of creation
    QHash<QString, Row> m_createdRows;              ///< by path
    int m_levels = 0;
    std::vector<ResourceChange> m_changes;
    mutable size_t m_changesShown = 0;
    mutable std::vector<Row> m_rowOf; ///< resource -> row, at the moment shown

    mutable Arrangement m_arrangement;
    mutable bool m_isArranged = false;

    std::vector<Bar> m_bars;
    std::vector<Span> m_spans;
    std::vector<Tick> m_ticks;
    QHash<quint32, std::vector<quint32>> m_open; ///< serial -> spans without an end
    qsizetype m_moments = 0;
    qint64 m_begin = 0, m_end = 0;
};

/// Returns the timeline of a whole run, including records after the moment shown.
Timeline timelineOf(const Simulator &simulator);

} // namespace instar
