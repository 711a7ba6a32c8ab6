// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/filebytes.h"
#include "model/json/jsontext.h"
#include "model/pack/pack.h"

#include <QStringList>

namespace instar {

constexpr qsizetype packBytes = 16 * 1024 * 1024; ///< size of the largest pack that is read

/// Returns the ids of the built-in packs, in display order.
QStringList builtInPacks();

Result<JsonText> loadDocument(const QString &path, qsizetype limit = Limits().bytes);

/// Loads a built-in pack, or a file: a relative path is resolved against `folder`, if given.
Result<JsonText> loadPackDocument(const QString &idOrFile, const QString &folder = {});
Result<Pack> loadPack(const QString &idOrFile, const QString &folder = {});

} // namespace instar
