// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/drawing/chart.h"

namespace instar {

/// What a line of an arrow means to the selected resource at this moment.
struct ArrowMeaning
{
    enum class Kind {
        None,  ///< nothing: it leads out of another state, or waits for something that is not going
               ///< on
        Fires, ///< asking for `trigger` would be accepted, and would take it
        Ends,  ///< ending the work of operation `serial` in `trigger` would take it
        Refused, ///< asking for `trigger` would be refused
    };
    Kind kind = Kind::None;
    QString trigger = {};
    quint32 serial = 0;
    QString text = {}; ///< for a person: what would happen, who refuses by which rule, or what it
                       ///< waits for
    QString rule = {};
    bool isOpen() const { return kind == Kind::Fires || kind == Kind::Ends; }
    bool operator==(const ArrowMeaning &) const = default;
};

/// Per arrow and line. `path` names the resource, that may not be there; `probe` is what a click
/// would ask with. Costs one admission per operation that leads out of the state.
QList<QList<ArrowMeaning>> arrowMeanings(const Controller &controller, const ChartLayout &layout,
    const QString &path, const Request &probe);

/// What a row says of itself: why it is there, its limits, and where it is written.
QString rowText(const Rules &rules, int machine, int row);

} // namespace instar
