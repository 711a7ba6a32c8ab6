// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/check.h"

namespace instar {

/// What one click can do about a diagnostic.
struct Fix
{
    enum class Kind {
        Use,     ///< a name that there is, in place of one that there is not
        Declare, ///< a row of that name
        Take,    ///< transitions that take these ends of a state's work
        End      ///< the state of that name is one on purpose
    };
    Kind kind = Kind::Use;
    QString name;
    Pack pack; ///< then
};

/// The likelier first; empty: nothing is obvious.
QList<Fix> fixesFor(const Pack &pack, const Diagnostic &diagnostic);

} // namespace instar
