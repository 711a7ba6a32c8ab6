// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

class MainWindow;
struct History;
struct Recording;

/// Judges a recording of a server in the background, by the rules of the window's pack. Shows the
/// verdicts in a dialog, where the user can change the pack's options (switches) and judge again.
void judge(MainWindow &window, const Recording &recording);
/// Returns true if the file's suffix says that it contains a history or HTTP exchanges.
bool isRecording(const QString &file);
/// Judges a file with a history or exchanges by the pack that its header names, or by the window's
/// pack if the header names none or an unknown one. Each file gets its own dialog.
void judgeFile(MainWindow &window, const QString &file);
/// Saves a history to a file that the user chooses. Suggests a name from `kind`, the server (for a
/// local run, the pack) and the time: "proof-example-org-2026-11-30-174501.ndjson".
void saveHistory(MainWindow &window, const QString &kind, const History &history);

} // namespace instar
