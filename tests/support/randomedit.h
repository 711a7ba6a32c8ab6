// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

namespace instar {

/// Where the rows and the lists of a pack are.
struct PackPointers
{
    QStringList rows, lists;
    QMap<quint32, QString> numbered; ///< identity -> row
};
PackPointers pointersIn(const Pack &pack);

/// The pack with something else in it: a row more or less, at another place or under another name,
/// another value of a member. It may make no sense, but a file can hold it. Within a property.
Pack randomlyEdited(const Pack &pack);

} // namespace instar
