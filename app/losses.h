// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

class QWidget;

namespace instar {

/// Lines on stderr, with visible().
void tellTerminal(const QString &lines);

/// Tells beside a window what of its file is not in it, line by line; the window can be used
/// meanwhile.
void tellLosses(QWidget *window, const QString &file, const QStringList &losses);

/// Likewise, what was guessed of what a description does not say, and what is lost of it.
void tellGuesses(QWidget *window, const QString &file, const QStringList &guesses);

/// Likewise, what is wrong in the pack that the window shows.
void tellErrors(QWidget *window, const QString &file, const QStringList &errors);

} // namespace instar
