// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/statecharts.h"
#include "model/formats/jsontext.h"

namespace instar {

/// A machine's configuration for XState, as JSON: the shapes of its versions 4 and 5, and what
/// JSON.stringify gives for a machine. Keys that only one state has are ids; others get the id of
/// the state around them before a dot. Where the machine itself has transitions, actions or
/// regions, a state of its name lies around all others; such a machine goes on when it has come to
/// its end, which XState does not.
///
/// What is to be done on entry and exit stands in the states' descriptions as UML writes it
/// ("entry / beep"); a delay is the event "after 500 ms", and the end of an invoked service
/// "done.invoke.ID". All that a chart has no place for is kept as its JSON ("xstate.context" ...).
Result<StatechartsRead> readXState(const QByteArray &bytes, const QString &file);

/// One machine, for version 5 unless it was read from a file for version 4. What a chart has
/// beyond XState is kept in "meta", so that reading gives the same chart again.
StatechartsWritten writeXState(const QList<Statechart> &charts);

/// Whether a JSON document is a machine for XState rather than a file of ours.
bool isXState(const JsonText &document);

} // namespace instar
