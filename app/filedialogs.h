// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

class QWidget;

namespace instar {

/// Asks for a file to save to; `name` is offered, and its suffix is the default. Empty: canceled.
QString askedFile(
    QWidget *window, const QString &title, const QString &name, const QString &filter);

/// Writes a file. False: its name is empty, or a message box has shown the error.
bool savedTo(
    QWidget *window, const QString &title, const QString &file, const Result<QByteArray> &bytes);

/// Lines on stderr, with visible().
void tellTerminal(const QString &lines);

enum class FileLines {
    Losses,  ///< parts of a file that are not in the window
    Guesses, ///< where a description is silent, and parts of it that are lost
    Errors   ///< of the pack that the window shows
};

/// Shows lines in a message box beside the window, and on stderr; none: does nothing.
void tellLines(QWidget *window, FileLines what, const QString &file, const QStringList &lines);

} // namespace instar
