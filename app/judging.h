// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace instar {

class MainWindow;
struct History;
struct Recording;

/// Judges a recording of a server in the background, by the rules of the window's pack. Shows the
/// verdicts in a dialog, in which the user can set the switches and judge again.
void judge(MainWindow &window, const Recording &recording);
/// Asks for a file and judges it: a history, exchanges, or an HTTP archive (HAR).
void judgeFile(MainWindow &window);
/// Saves a history to a file that the user chooses.
void saveHistory(MainWindow &window, const History &history);

} // namespace instar
