// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

namespace instar {

/// Why something is as it is: what happened, by which row, and which resources that row looked at.
struct Explanation
{
    enum class Kind {
        Refused,  ///< an operation was
        Canceled, ///< one was, by another one or by hand
        Waits,    ///< one does, for another one
        Moved,    ///< a resource was, by an operation's start, work or end
    };
    Kind kind = Kind::Moved;
    qint64 time = 0;          ///< at which it happened; virtual ms
    quint32 operation = 0;    ///< serial: that was refused or canceled, or that moved the resource
    quint32 other = 0;        ///< that was in the way, or canceled it; 0: none
    QString path;             ///< of the resource, or of the operation's target
    QString before, after;    ///< Moved: the words that it showed; empty: it was not there
    QString code, message;    ///< of a refusal or an error
    QString rule;             ///< the row's words, or by which check, with its sources
    const Row *row = nullptr; ///< of the rules' pack, as long as they are these; null: no row spoke
    QStringList looked; ///< paths of other resources that decided: those that the row asks about,
                        ///< or that an operation in the way works on
};

/// Of an operation: why it was refused or canceled, or waits; else why its target was moved by it.
/// Nothing: nobody knows.
std::optional<Explanation> whyOperation(const Controller &controller, quint32 serial);
/// Of a resource: what moved it last, up to the moment shown. Nothing: nothing did.
std::optional<Explanation> whyResource(const Controller &controller, const QString &path);

/// The switches on which a row's being there depends.
QStringList switchesOf(const Row &row);

} // namespace instar
