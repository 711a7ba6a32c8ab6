// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

class QWidget;

namespace instar {

/// Lines on stderr, with visible().
void tellTerminal(const QString &lines);

enum class FileLines {
    Losses,  ///< what of a file is not in the window
    Guesses, ///< what was guessed of what a description does not say, and what is lost of it
    Errors   ///< what is wrong in the pack that the window shows
};

/// Tells such lines, if there are any, beside a window, which can be used meanwhile.
void tellLines(QWidget *window, FileLines what, const QString &file, const QStringList &lines);

} // namespace instar
