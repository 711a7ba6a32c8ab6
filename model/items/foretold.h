// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/forecast.h"

namespace instar {

// What the rules say beside what a server shows, in a person's words.

/// "Updating, Failed or absent"
QString allowedText(const Prediction::Allowed &allowed);
/// The words that a resource may show: "Updating, Failed or absent"; or, in brackets, why nobody
/// can say.
QString foretoldText(const Forecast &forecast, const QString &path);
/// The same beside the word that is seen: "same", "same, or Failed".
QString foretoldBeside(const Forecast &forecast, const QString &path, const QString &seen);

/// Whether a resource shows something that the rules do not allow.
bool isDeviating(const Forecast &forecast, const QString &path);

/// "/a/b was seen Failed, where the rules allow Succeeded."
QString deviationText(const Deviation &deviation);
/// Where something was wrong at a resource that is followed again: a sentence that says so.
QString followedAnewText(const Forecast &forecast, const QString &path);
/// The row that says otherwise, with its source; empty: not judged yet, or none is known.
QString brokenRuleText(const Deviation &deviation);
/// "With orphanPolicy=fail nothing would be wrong."; empty: under no setting of the switches, or it
/// is not known.
QString readingText(const Deviation &deviation, const Rules &rules);
/// The shortest history that shows it, a line each, in order of time: "12.0 ms  PUT /a/b: r1 was
/// accepted".
QStringList shortestStory(const Deviation &deviation);

} // namespace instar
