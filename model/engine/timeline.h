// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

#include <QCollator>
#include <QHash>

#include <span>

namespace instar {

class Simulator;

/// A run as one picture: who was there at any moment of it, in the tree's order, and for whom each
/// operation answered, from when until when. Made of the beginning and the records alone, so that a
/// run that is recorded, replayed, or watched at a server has the same one.
class Timeline
{
public:
    using Row = quint32; ///< a resource that was ever there, or was asked for; keeps its number
    static constexpr Row NoRow = ~Row(0);
    static constexpr qint64 GoesOn = -1;
    /// How siblings follow each other: as in the tree, by their names, or those first that were
    /// asked for first. What is below a row stays with it.
    enum class Order { Tree, Names, Asked };

    /// An operation.
    struct Bar
    {
        quint32 serial = 0;
        QSharedPointer<const Request> request;
        QString path; ///< of its target
        Row row = NoRow;
        Rules::StateId state = Rules::None; ///< where its target went with its start
        qint64 submitted = 0;               ///< virtual ms, as all times
        qint64 started = GoesOn;            ///< GoesOn: not yet, or never
        qint64 ended = GoesOn;
        qint64 seenAtWork =
            GoesOn; ///< for the last time, before its end was seen; GoesOn: the end is exact
        Status status = Status::InProgress;
        Rules::TriggerId outcome = Rules::None;                           ///< that it was closed in
        quint32 canceledBy = 0, inTheWay = 0, requirer = 0, replayOf = 0; ///< serials; 0: none
        QString code, message, rule;  ///< of an error, a refusal or a cancellation
        int transition = Rules::None; ///< the row by which it started, where that is known
        int http = 0;
        int attempts = 0;
        bool isOver() const { return ended != GoesOn; }
    };
    /// Neighbours that one operation answered for.
    struct Span
    {
        quint32 bar = 0; ///< in bars()
        Row first = NoRow, last = NoRow;
        qint64 from = 0, to = GoesOn;
        Rules::StateId state = Rules::None; ///< of the operation's target
    };
    /// Something that an operation came through.
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

    /// What happened next.
    void add(const Rules &rules, const Record &record);
    /// How many records were added.
    qsizetype moments() const { return m_moments; }

    qsizetype rowCount() const { return qsizetype(m_rows.size()); }
    int depth(Row row) const { return m_rows[row].depth; }
    Row parent(Row row) const { return m_rows[row].parent; }
    QString name(Row row) const;
    QString path(Row row) const;
    Row find(const QString &path) const; ///< NoRow: never heard of
    int levels() const { return m_levels; }
    /// How many steps along the tree, from parent to child or back; trees have one parent in
    /// common.
    int distance(Row from, Row to) const;

    void setOrder(Order order);
    Row rowAt(qsizetype place) const { return arranged().rows[size_t(place)]; }
    qsizetype placeOf(Row row) const { return arranged().places[row]; }
    /// The place after a row and all below it.
    qsizetype endOf(Row row) const { return arranged().ends[row]; }

    const std::vector<Bar> &bars() const { return m_bars; } ///< by serial
    /// By begin; in another order than the tree's, each as many as it takes to be neighbours there.
    const std::vector<Span> &spans() const;
    const std::vector<Tick> &ticks() const { return m_ticks; } ///< by time
    const Bar *bar(quint32 serial) const;                      ///< null: there is none
    /// How many steps along the tree an operation reaches from its target, at most.
    int reach(const Bar &bar) const;
    qint64 begin() const { return m_begin; }
    qint64 end() const { return m_end; } ///< of what happened last
    /// By place: whether an operation ever moved a row, or asked for it.
    std::vector<bool> touched() const;

    /// The resource of each row at a moment: NoResource where it is not there.
    void show(qsizetype moment) const;
    Resource resourceOf(Row row) const { return m_rows[row].resource; }
    Row rowOf(Resource resource) const; ///< at the moment that is shown; NoRow: none

private:
    struct Entry
    {
        Row parent = NoRow;
        Resource first = NoResource; ///< in the beginning; NoResource: named in m_made
        mutable Resource resource = NoResource;
        quint16 depth = 0;
    };
    struct Made
    {
        QString segment, name;
    };
    /// A row's resource became another one.
    struct Life
    {
        qsizetype moment;
        Row row;
        Resource before, after;
    };
    QString key(const QString &path) const;
    Row made(Row parent, const QString &segment, const QString &name, const QString &path);
    Row rowFor(const QString &path); ///< made where it is new
    void live(Row row, Resource resource);
    void apply(const TreeChange &change);
    void hold(const Record &record, const Holding &holding);
    void insert(Bar bar);
    void close(quint32 serial, qint64 time);
    Bar *change(quint32 serial);
    /// The rows one below the other, and where each is.
    struct Arrangement
    {
        std::vector<Row> rows;
        std::vector<quint32> places, ends; ///< row ->
    };
    const Arrangement &arranged() const; ///< in the order that was chosen
    const Arrangement &inTree() const;
    Arrangement sorted() const;
    void put(Row row, Resource resource) const;

    Tree m_first;
    std::vector<Entry> m_rows;
    std::vector<Row> m_firstRows; ///< resource of the beginning -> row
    QHash<Row, Made> m_made;
    QHash<Row, std::vector<Row>> m_madeBelow; ///< in the order of their making
    std::vector<Row> m_madeTops;
    QHash<QString, Row> m_madeRows; ///< by path
    qsizetype m_firstCount = 0;
    int m_levels = 0;
    std::vector<Life> m_lives;
    mutable size_t m_livesShown = 0;
    mutable std::vector<Row> m_rowOf; ///< resource -> row, at the moment that is shown

    Order m_order = Order::Tree;
    mutable Arrangement m_inTree, m_sorted;
    mutable bool m_isInTree = false, m_isSorted = false;
    mutable std::vector<QCollatorSortKey> m_nameKeys; ///< row ->, as far as they were wanted
    mutable std::vector<Span> m_sortedSpans;
    mutable bool m_areSpansSorted = false;

    std::vector<Bar> m_bars;
    std::vector<Span> m_spans;
    std::vector<Tick> m_ticks;
    QHash<quint32, std::vector<quint32>> m_open; ///< serial -> spans that go on
    qsizetype m_moments = 0;
    qint64 m_begin = 0, m_end = 0;
};

/// Of all that is known of a run.
Timeline timelineOf(const Simulator &simulator);

} // namespace instar
