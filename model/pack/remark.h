// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

/// A line of a file that was not understood, or cannot be said in the format to be written.
struct Remark
{
    int line = 0;       ///< counted from 1; 0: the whole file
    QString text;       ///< one sentence; says what becomes of it
    bool isLoss = true; ///< something of the file is not in the result; else only worth knowing
    bool operator==(const Remark &) const = default;
};

} // namespace instar
