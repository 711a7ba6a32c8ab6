// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// JSON pointers of a pack's rows and lists.
struct PackPointers
{
    QStringList rows, lists;
    QMap<quint32, QString> numbered; ///< identity -> row
};
PackPointers pointersIn(const Pack &pack);

/// Applies one random edit: adds, removes, moves or renames a row, or changes a member. The result
/// may be invalid, but can be written to a file. For use inside a property.
Pack randomlyEdited(const Pack &pack);

} // namespace instar
