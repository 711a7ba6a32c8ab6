// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

class QWidget;

namespace instar {

/// Asks for a file to save to; suggests `name` and its suffix. Returns empty if canceled.
QString askedFile(
    QWidget *window, const QString &title, const QString &name, const QString &filter);

/// Writes a file, and shows errors in a message box. Returns false then, and if `file` is empty.
bool savedTo(
    QWidget *window, const QString &title, const QString &file, const Result<QByteArray> &bytes);

/// Prints lines to stderr; visible() escapes their control characters.
void printToStderr(const QString &lines);

/// Shows the diagnostics of a file, a line each, in a non-modal message box, and prints them to
/// stderr. Ignores an empty list.
void showDiagnostics(QWidget *window, const QString &file, const QStringList &lines);

} // namespace instar
