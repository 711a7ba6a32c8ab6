// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar {

/// Takes what is written at an arrow, "trigger [condition] / action", apart, as UML 2 writes it.
/// The
/// "/" is the first one between blanks, so that "PUT /x" stays whole. Where anything else follows
/// the brackets, the whole is the trigger. Line breaks are blanks in the parts; Arc::label keeps
/// the text where the parts do not give it back.
void setText(Arc &arc, const QString &text);

/// Nothing sets off the arrows that leave a choice: what their texts say instead of an event is the
/// condition, "else" or "otherwise" that no other one holds. Their labels keep the texts.
void askAtChoices(Statechart &chart);

/// Would a reader find the same event, condition and action in what is written at the arrow?
bool readsBack(const Arc &arc, Vertex::Kind from);

} // namespace instar
