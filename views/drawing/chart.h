// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"
#include "model/layout/layout.h"
#include "model/statecharts/statechart.h"
#include "views/drawing/theme.h"

#include <QFont>
#include <QHash>

#include <algorithm>

namespace instar {

/// Line of an arrow's label: the rows between two states that share its text.
struct LinkLine
{
    QList<int> rows; ///< in Machine::transitions
    QList<Rules::TriggerId> triggers;
    QString text;
    bool isMinor = false; ///< drawn dim: only events or cancellation trigger it, or from any state
    bool operator==(const LinkLine &) const = default;
};

/// Arrow of a chart: all rows that lead from one state to another.
struct Link
{
    static constexpr int Any = -1;     ///< as `from`: any state
    static constexpr int Last = -1;    ///< as `to`: the state in which the resource last rested
    static constexpr int Nowhere = -2; ///< as `to`: the operation is refused

    Rules::StateId from = Any;
    Rules::StateId to = Last;
    QList<LinkLine> lines;
    double bend = 0; ///< from the pack; 0: the layout chooses
    bool operator==(const Link &) const = default;

    bool isLoop() const { return from == to && from >= 0; }
    bool isMinor() const { return std::ranges::all_of(lines, &LinkLine::isMinor); }
};

/// Rows that refuse an operation in a named state are hidden, or drawn as arrows.
enum class Refusals { Hidden, Drawn };

/// Returns a machine's arrows in the order of its rows, refusals last. Omits rows that the switches
/// disable, rows that refuse in any state, and rows that neither lead to a state nor refuse.
QList<Link> chartLinks(const Rules &rules, int machine, Refusals refusals = Refusals::Hidden);

/// True if a link leaves a state, directly or from a composite around it.
bool leadsFrom(const Rules &rules, const Link &link, Rules::StateId state);

/// Fonts of a chart, in points at zoom 1.
struct ChartFonts
{
    QFont state, detail, label, quiet; ///< label: of arrows; quiet: of minor lines
    QFont title;                       ///< of composites
    static ChartFonts from(const QFont &base);
    bool operator==(const ChartFonts &) const = default;
};

/// Box of a state in a chart.
struct ChartBox
{
    Rules::StateId state = Rules::None;
    QString id;
    int parent = -1; ///< the box around it
    State::Kind kind = State::Kind::Stable;
    StatusCategory statusCategory = StatusCategory::Rest;
    bool isShownAsOther = false; ///< clients see another state, as `note` says; drawn small
    bool isRegion = false;       ///< a frame whose siblings are active together with it
    bool isNamed = true;         ///< false: an import invented the name; it is not drawn
    QStringList name;            ///< label, in lines
    QStringList details;         ///< of a statechart's state: lines below the name
    QString note;                ///< "shows as Updating"; empty unless isShownAsOther
    Outline outline;             ///< where arrows end
    QRectF nameArea;             ///< of an initial state: its name, beside the disc; else null
    QRectF area;                 ///< bounds of the outline and of a name beside it
    QPointF token;               ///< centre of the token of a resource in this state
    std::optional<Vertex::Kind> vertex = {}; ///< kind in a statechart; absent: in a machine
    ChartStyle style = {};                   ///< style from its file
    bool operator==(const ChartBox &) const = default;

    bool isFrame() const { return kind == State::Kind::Composite; }
    /// True for a vertex that is drawn as a symbol, such as a history.
    bool isSymbol() const
    {
        return vertex && vertex != Vertex::Kind::State && vertex != Vertex::Kind::Parallel;
    }
    /// The strip with a frame's name, at its top; null if the box is no frame.
    QRectF title() const;
};

/// Arrow of a chart, with its label.
struct ChartArrow
{
    Link link;
    QList<QStringList> texts; ///< by line of the link: its text, wrapped
    Curve curve;              ///< from border to border, or from or to the dot
    QRectF label;             ///< around all texts, whose wrapped lines all have the same height
    QRectF dot; ///< end of an arrow from "any state" or to "the last rested state"; else null
    ChartStyle style = {}; ///< style from its file
    bool operator==(const ChartArrow &) const = default;

    QRectF lineRect(int line) const; ///< part of `label` with a line of the link
};

/// Box of a note in a chart.
struct NoteBox
{
    int row = -1; ///< in the machine's list
    QStringList lines;
    QRectF rect;
    Curve line; ///< to the state that the note is about; empty: none
    bool operator==(const NoteBox &) const = default;
};

/// Geometry of one machine's statechart: see Layout.
struct ChartLayout
{
    int machine = Rules::None;
    QList<ChartBox> boxes; ///< parents before their children
    QList<ChartArrow> arrows;
    QList<NoteBox> notes;
    QString remark;                                  ///< why the layout is simplified; else empty
    QRectF remarkArea;                               ///< above everything
    QRectF bounds;                                   ///< of everything
    QHash<Rules::StateId, Rules::StateId> folded {}; ///< state -> composite drawn instead
    bool labelsOnHover = false; ///< labels have no room: they may lie over boxes and one another
    bool operator==(const ChartLayout &) const = default;

    /// Index of a state's box, or of the folded composite around it; -1: none.
    int boxOf(Rules::StateId state) const;
    /// Index of the arrow taken between two states on a trigger (None: any); -1: none.
    int arrowFor(
        const Rules &rules, Rules::StateId from, Rules::StateId to, Rules::TriggerId trigger) const;
};

/// Budget for laying out one chart; its time starts now.
Budget drawingBudget();

/// Lays out a machine's chart, in the direction and colours that its file sets. `folded`: result of
/// foldedStates(); unless empty, the positions in the pack are ignored. `labelsOnHover`: boxes are
/// closer together, without room for labels. `before`: the chart as drawn before an edit; arrows
/// between boxes that stay in place keep their routes.
ChartLayout chartLayout(const Rules &rules, int machine, const ChartFonts &fonts,
    const Budget &budget = drawingBudget(),
    const QHash<Rules::StateId, Rules::StateId> &folded = {}, bool labelsOnHover = false,
    Refusals refusals = Refusals::Hidden, const ChartLayout &before = {});
/// Lays out a statechart of a file; downwards unless the file sets another direction.
ChartLayout chartLayout(
    const Statechart &chart, const ChartFonts &fonts, const Budget &budget = drawingBudget());

/// Maps each state to the outermost composite around it. Omits states outside composites, and in
/// the outermost composite with the most states. Empty: there is nothing to fold.
QHash<Rules::StateId, Rules::StateId> foldedStates(const Rules &rules, int machine);
/// Size of a state's box: of an initial state, with its name; of a composite, only of its title.
QSizeF boxSize(const State &state, const ChartFonts &fonts);
/// Space between a frame's contents and border, and height of the title above; points.
inline constexpr double framePadding = 30, frameTitle = 34;

/// Height of the details at the bottom of a box, with the line above them.
double detailsHeight(const ChartBox &box, const ChartFonts &fonts);

/// Width at which the label of an arrow is wrapped; points.
inline constexpr double widestLabel = 210;

/// Wraps text at a width in points, between words or else within one, into lines of about equal
/// width.
QStringList linesOf(const QString &text, const QFont &font, double widest);

} // namespace instar
