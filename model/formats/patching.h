// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QByteArray>

#include <optional>

namespace instar {

/// The text of a pack's file, which reads as `was`, with only what is otherwise in `now` written
/// anew: what was not touched keeps its layout, the order of its keys and the spelling of its
/// numbers, and what is new stands as its neighbours do. Rows of one identity are the same row,
/// wherever they stand and whatever they are called. It reads as `now`: where a text cannot be
/// mended so, it is what writePack() writes.
QByteArray patched(const QByteArray &text, const Pack &was, const Pack &now);

/// A JSON text with what leads from `was` to `now` done to it, object by object: what is the same
/// in both, or in neither, stays as it is. Of as many keys a new one is that in whose place it
/// stands, called otherwise. Nothing where one of the three is no JSON object.
std::optional<QByteArray> patchedJson(
    const QByteArray &text, const QByteArray &was, const QByteArray &now);

} // namespace instar
