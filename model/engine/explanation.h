// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

namespace instar {

/// Cause of a refusal, cancellation, wait or move: the row, and the resources that it examined.
struct Explanation
{
    enum class Kind {
        Refused,  ///< an operation was refused
        Canceled, ///< an operation was canceled, by another one or by hand
        Waits,    ///< an operation waits for another one
        Moved,    ///< a resource changed state by an operation's start, work or end
    };
    Kind kind = Kind::Moved;
    qint64 time = 0;          ///< of the event; virtual ms
    quint32 operation = 0;    ///< serial of the refused or canceled operation, or of the mover
    quint32 other = 0;        ///< serial of the operation in the way, or that canceled it; 0: none
    QString path;             ///< of the resource, or of the operation's target
    QString before, after;    ///< Moved: the words that it showed; empty: it did not exist
    QString code, message;    ///< of a refusal or an error
    QString rule;             ///< text of the row or of the check that decided, with its sources
    const Row *row = nullptr; ///< in the pack; dangles when the rules change; null: no row decided
    QStringList looked; ///< paths of other resources concerned: examined by the row, or target
                        ///< of the other operation
};

/// Explains why an operation was refused or canceled, or waits; otherwise, why it moved its target.
/// Nothing: the reason is unknown.
std::optional<Explanation> whyOperation(const Controller &controller, quint32 serial);
/// Explains the last move of a resource up to the moment shown; nothing if it never moved.
std::optional<Explanation> whyResource(const Controller &controller, const QString &path);

} // namespace instar
