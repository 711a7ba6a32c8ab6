// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/messages.h"

namespace instar {

/// An operation as a client asks for it.
struct Incoming
{
    Request request;
    QString refusal, text;    ///< what is wrong with the body; empty: nothing
    bool isBadName = false;   ///< a name in the body is none, and `text` says why in words of ours
    bool isNamedHere = false; ///< how the target is called was made up
    bool hasUnnamed = false;  ///< the body leaves it to the server how something is called
};

/// A request that asks for an operation, under an id of its own.
Incoming incoming(
    const Messages &messages, const Asked &asked, const HttpRequest &http, const WireClock &clock);

} // namespace instar
