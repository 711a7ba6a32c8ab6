// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

class MainWindow;

/// Plays a small script on a window and saves a picture of it: how the documentation's pictures are
/// made. The script's steps are separated by ";": "PUT /a/b client B hang failures 2 duration 500
/// outcome Failed", "arm PUT /a/b client B", "together" (fires what is armed), "wait 200" (virtual
/// ms; real ones for a real server), "select /a/b", "back" (a step), "new /a/b" (describes a
/// resource below it), "more" (opens the fire bar's details), "write" (to a real server), "show
/// network" (a dock), "why /a/b" or "why 2" (an operation), "flip name value" (a switch),
/// "outcomes" or "order" (asks, and waits for the answer), "story 3 play" (a row of it), "next" and
/// "answer 1" (in a lesson), "present", "edit" (instead of exploring), "row /machines/a" (of the
/// pack). Returns what is wrong; empty: nothing.
QString takeShot(
    MainWindow &window, const QString &script, const QString &size, const QString &file);

} // namespace instar
