// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/pack/machine.h"

#include <QRectF>

namespace instar {

/// Parts of an SCXML file that a statechart has no word for, as they are written there
/// ("scxml.onentry" -> its XML).
using Particulars = QMap<QString, QString>;

/// How a file wants a vertex or an arrow to look, in SVG's terms. What is empty is left to whoever
/// draws it.
struct Look
{
    enum class Dash { None, Dashed, Dotted };
    QString fill;   ///< a colour: "#rrggbb", or a name such as "pink", in small letters
    QString stroke; ///< of an arrow, or of a vertex's border
    QString text;
    Dash dash = Dash::None; ///< of the stroke
    bool isBold = false;    ///< so is this
    bool operator==(const Look &) const = default;
};

/// Where an arrow's target is to lie, as seen from its source.
enum class Towards { Anywhere, Left, Right, Up, Down };

/// Which way a diagram grows.
enum class ChartDirection { Unsaid, Down, Right };

/// A vertex of a statechart, in the vocabulary of UML and of W3C SCXML.
struct Vertex
{
    enum class Kind {
        State,    ///< simple, or composite if others lie in it
        Parallel, ///< composite: those in it are its regions, all active together
        Initial,  ///< the dot; its arrow leads to where a region begins
        Final,
        ShallowHistory,
        DeepHistory,
        Choice, ///< left at once, by the first arrow whose condition holds
        Fork,   ///< left at once, by all its arrows
        Join,   ///< left when all its arrows have arrived
        Entry,  ///< on a composite's border
        Exit,
    };
    Kind kind = Kind::State;
    QString id;                  ///< unique in its statechart, never empty
    QString parent;              ///< the composite around it; empty: the statechart itself
    QString label;               ///< shown instead of the id; empty: none
    QStringList description;     ///< lines below the label
    bool isNamed = true;         ///< false: the id was made up by a reader
    std::optional<QRectF> place; ///< in points at zoom 1; where a file has it
    Look look;
    Particulars particulars;
    int line = 0; ///< of the file that it was read from; 0: unknown; no part of what it means

    bool operator==(const Vertex &other) const
    {
        return kind == other.kind && id == other.id && parent == other.parent
            && label == other.label && description == other.description && isNamed == other.isNamed
            && place == other.place && look == other.look && particulars == other.particulars;
    }
};

/// An arrow between vertices.
struct Arc
{
    QString from;
    QStringList to; ///< several: into the regions of a parallel state; none: nowhere
    QString event;  ///< what sets it off, spaces and all; of several, each on a line of its own;
                    ///< empty: at once
    QString condition;
    QString action;
    bool isInternal = false;
    QString
        label; ///< as the file writes it, where that says more than "event [condition] / action"
    QStringList note;
    Look look; ///< without fill
    Towards towards = Towards::Anywhere;
    Particulars particulars;
    int line = 0; ///< as in Vertex

    /// What is written at the arrow: the label, or "event [condition] / action".
    QString text() const;
    QStringList events() const; ///< the lines of `event`
    bool operator==(const Arc &other) const
    {
        return from == other.from && to == other.to && event == other.event
            && condition == other.condition && action == other.action
            && isInternal == other.isInternal && label == other.label && note == other.note
            && look == other.look && towards == other.towards && particulars == other.particulars;
    }
};

/// A text beside vertices.
struct Note
{
    QString of;   ///< a vertex; empty: free
    QString side; ///< "left", "right", "top", "bottom"; empty: wherever there is room
    QStringList lines;
    bool operator==(const Note &) const = default;
};

/// One state machine as the files of other programs hold it, with everything that UML and SCXML
/// have. A resource's machine in a pack (Machine) is less and more: no regions, but work and rules.
struct Statechart
{
    QString id;
    QString title;
    QList<Vertex> vertices; ///< in document order, parents before their children
    QList<Arc> arcs;        ///< in document order, which decides between those that fit
    QList<Note> notes;
    Particulars particulars;
    ChartDirection direction = ChartDirection::Unsaid;
    /// An arrow without event out of a composite with a final state waits for that, as UML has it.
    /// False: it is taken at once, as SCXML has it.
    bool waitsForFinals = true;
    /// Conditions are expressions of the file's own language, not names.
    bool hasExpressions = false;
    /// Losses that any writer has: what the file holds for people and its own program only, such as
    /// comments and links. No part of what the chart means.
    QList<Diagnostic> asides;

    bool operator==(const Statechart &other) const
    {
        return id == other.id && title == other.title && vertices == other.vertices
            && arcs == other.arcs && notes == other.notes && particulars == other.particulars
            && direction == other.direction && waitsForFinals == other.waitsForFinals
            && hasExpressions == other.hasExpressions;
    }

    const Vertex *vertex(const QString &wanted) const;
    /// What lies directly in a vertex ("": in the statechart itself), in document order.
    QList<const Vertex *> inside(const QString &parent) const;
};

/// The id of a vertex that has none in its file: "PARENT.final", "final" in the statechart itself;
/// the second such one is "PARENT.final.2".
QString madeUpId(const QString &parent, QStringView word, qsizetype number = 1);

/// The same for a state: "PARENT_region1", then "PARENT_region1_2". There is no dot behind the
/// parent, so that who waits for "done.state.PARENT" does not hear of what lies in it.
QString madeUpStateId(const QString &parent, QStringView word, qsizetype number = 1);

/// Takes what is written at an arrow, "trigger [condition] / action", apart, as UML 2 writes it.
/// The
/// "/" is the first one between blanks, so that "PUT /x" stays whole. Where anything else follows
/// the brackets, the whole is the trigger. Line breaks are blanks in the parts; Arc::label keeps
/// the text where the parts do not give it back.
void setText(Arc &arc, const QString &text);

/// Nothing sets off the arrows that leave a choice: what their texts say instead of an event is the
/// condition, "else" or "otherwise" that no other one holds. Their labels keep the texts.
void askAtChoices(Statechart &chart);

/// Would a reader find the same event, condition and action in what is written at the arrow?
bool readsBack(const Arc &arc, Vertex::Kind from);

} // namespace instar
