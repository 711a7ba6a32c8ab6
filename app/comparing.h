// SPDX-License-Identifier: Apache-2.0
#pragma once

class QString;

namespace instar {

class MainWindow;

/// Compares the edited pack in the background with a built-in pack, a file or, if `source` is
/// empty, with its saved version. Shows the differences as text, and the shortest scenario in which
/// the two behave differently.
void compareWith(MainWindow &window, const QString &source);
void compareWithFile(MainWindow &window); ///< asks for the file

} // namespace instar
