// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/resourcekinds.h"
#include "model/pack/machine.h"

namespace instar {

// The sources of a described pack's rows: what the description says, and what is made up.
inline constexpr const char *SaidSource = "description", *GuessSource = "guess";
/// The refusal of making what is there.
inline constexpr const char *TakenRefusal = "AlreadyExists";

/// A row with its source.
template<typename T>
T sourced(T row, const char *source)
{
    row.sources = { QString::fromLatin1(source) };
    return row;
}

struct KindMachine
{
    Machine machine;
    QStringList guesses;         ///< sentences
    bool isAsynchronous = false; ///< some operation is answered before it ends
};

/// The machine of one kind of resource, under the name of its type: it is made, rests, is changed
/// and removed by the kind's operations. `words` is what the description calls its states; where it
/// names none they are made up. Words of work that no operation leads to are the server's own.
KindMachine machineOf(
    const ApiDescription &description, const ResourceKind &kind, const QStringList &words);

} // namespace instar
