// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QByteArray>

namespace instar {

/// The text of a pack's file, which reads as `was`, with only what is otherwise in `now` written
/// anew: what was not touched keeps its layout, the order of its keys and the spelling of its
/// numbers, and what is new stands as its neighbours do. Rows of one identity are the same row,
/// wherever they stand and whatever they are called. It reads as `now`: where a text cannot be
/// mended so, it is what writePack() writes.
QByteArray patched(const QByteArray &text, const Pack &was, const Pack &now);

} // namespace instar
