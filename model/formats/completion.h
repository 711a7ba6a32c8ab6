// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

namespace instar {

/// What may stand at a place in a pack's text.
struct Completion
{
    struct Proposal
    {
        QString text; ///< as JSON: a key, a value
        QString help; ///< empty: the name says it
        bool operator==(const Proposal &) const = default;
    };
    qsizetype from = 0, to = 0; ///< what it stands in the place of, in characters
    bool isKey = false;         ///< a colon follows
    QString about;              ///< what stands there: "a state", or the key's help
    QList<Proposal> proposals;  ///< the likelier first
};

/// The text need not be JSON yet; names are the pack's that was read from it last. Keys that the
/// row has already are left out.
Completion completionAt(QStringView text, qsizetype place, const Pack &pack);

} // namespace instar
