// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

class MainWindow;

/// Plays a small script on a window and saves a screenshot of it, for the documentation. The
/// script's steps are separated by ";": "PUT /a/b client B hang failures 2 duration 500
/// outcome Failed", "arm PUT /a/b client B", "together" (fires the burst), "wait 200" (virtual
/// ms; real ones for a real server), "select /a/b", "back" (a step), "new /a/b" (describes a
/// new child), "more" (opens the fire bar's details), "write" (to a real server), "show
/// network" (a dock), "why /a/b" or "why 2" (an operation), "flip name value" (a switch),
/// "outcomes" or "order" (searches to the end), "story 3 play" (a column of the result), "next" and
/// "answer 1" (in a lesson), "present", "edit" (instead of exploring), "row /machines/a" (of the
/// pack). Returns an error; empty: none.
QString takeShot(
    MainWindow &window, const QString &script, const QString &size, const QString &file);

} // namespace instar
