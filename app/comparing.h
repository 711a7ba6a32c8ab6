// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace instar {

class MainWindow;

/// Compares the edited pack with its saved version in the background. Shows the differences as
/// text, and offers the shortest scenario in which the two behave differently.
void compareWithSaved(MainWindow &window);

} // namespace instar
