// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>

namespace instar {

/// The font of everything that the programs show and draw: Inter, which they carry with them, in
/// the size of the font that is given; that one itself where they were built without Inter.
QFont typeface(QFont like);

} // namespace instar
