// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/check.h"

namespace instar {

/// One-click fix of a diagnostic.
struct Fix
{
    enum class Kind {
        Use,     ///< replaces an unknown name by a known one, `name`
        Declare, ///< adds a row for the unknown name, `name`
        Take,    ///< adds transitions for the outcomes `name` ("a, b") of a state's work
        End      ///< marks state `name` as final (State::isEnd)
    };
    Kind kind = Kind::Use;
    QString name; ///< see Kind
    Pack pack;    ///< with the fix applied
};

/// Returns the fixes for a diagnostic, the likeliest first; empty: there is none.
QList<Fix> fixesFor(const Pack &pack, const Diagnostic &diagnostic);

} // namespace instar
