// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace instar {

/// Asks for a file to save to; suggests `name` and its suffix. Returns empty if canceled.
QString askedFile(
    QWidget *window, const QString &title, const QString &name, const QString &filter);

/// Asks for a file and writes `content(file)` to it, as savedTo() does. Returns empty if the user
/// cancels.
QString savedAs(QWidget *window, const QString &title, const QString &name, const QString &filter,
    const std::function<Result<QByteArray>(const QString &file)> &content);

/// Writes a file. Returns the message "Saved FILE", or empty after an error, which is shown in a
/// message box.
QString savedTo(
    QWidget *window, const QString &title, const QString &file, const Result<QByteArray> &bytes);

/// Prints lines to stderr, with their control characters escaped.
void printToStderr(const QString &lines);

/// Shows the diagnostics of a file, a line each, in a non-modal message box, and prints them to
/// stderr. Ignores an empty list.
void showDiagnostics(QWidget *window, const QString &file, const QStringList &lines);

} // namespace instar
