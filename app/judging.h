// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/historyrecorder.h"

namespace instar {

class MainWindow;

/// Judges a server's recording in the background by the rules of the window, and shows the verdicts
/// in a dialog, which can change the values of the switches.
void judge(MainWindow &window, const Recording &recording);
/// Asks for a file with a history, exchanges or an HTTP archive, and judges it.
void judgeFile(MainWindow &window);
/// Asks for a file, and saves a history there.
void saveHistory(MainWindow &window, const History &history);

} // namespace instar
