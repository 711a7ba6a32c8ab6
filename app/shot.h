// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

class MainWindow;

/// Plays a small script on a window and saves a screenshot of it, for the documentation. The
/// script's steps are separated by ";": "PUT /a/b client B hang failures 2 duration 500
/// outcome Failed", "arm PUT /a/b client B", "together" (fires the burst), "wait 200" (virtual
/// ms; real ones for a real server), "rest 200" (real ms), "select /a/b", "write" (to a real
/// server), "room Edit", "show operations" (a dock), "pick A B" (states on the chart),
/// "row /machines/a" (of the pack), "key Ctrl+N" (an action), "outcomes" (searches to the end),
/// "story 3 play" (a column of the result), "next" (in a lesson). Returns an error; empty: none.
QString takeShot(
    MainWindow &window, const QString &script, const QString &size, const QString &file);

} // namespace instar
