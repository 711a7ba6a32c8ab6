// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/reading.h"
#include "model/machine/pack.h"
#include "model/result.h"

namespace instar {

/// What could be understood of a pack's file, and everything that could not. Every row of `pack`
/// stands where it stands in the file, so that a JSON pointer to one is a pointer to the other.
struct PackDraft
{
    Pack pack;
    QList<Finding> findings;
    QString error; ///< one sentence; empty where there are no findings
};

PackDraft packDraft(const JsonText &document);
/// The pack, or the first thing that is wrong with its shape. Whether its names make sense is
/// check()'s business.
Result<Pack> readPack(const JsonText &document);
/// What readPack() reads back as the same value.
QByteArray writePack(const Pack &pack);

} // namespace instar
