// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/jsontext.h"

#include <QList>
#include <QStringList>

namespace instar::xstate {

/// A state as its file has it: with a key that no other one beside it has.
struct KeyedState
{
    int parent = -1; ///< an earlier state; -1: the machine itself
    QString key;
};

/// What each is called in a statechart, where no two states may have one name: its key, or where
/// several have that, the name of what is around it, a dot and its key.
QStringList uniqueNames(const QList<KeyedState> &states);

/// The keys of a path "a.b"; a delimiter behind a backslash belongs to a key.
QStringList keysOfPath(QStringView path, QChar delimiter);

/// A key that stands in a path, or behind "#", as it is.
bool isPlainKey(const QString &text);
/// The nearest such one.
QString plainKey(const QString &text);
/// The id of a state, by its unique name, to whose key no path can lead.
QString idForName(const QString &name);

/// One value, or the items of a list.
QList<Value> listed(Value value);
/// The name of an action that is a text or { "type": name }; "?": it has none.
QString actionName(Value action);
/// An action that is the same when its name is written for it.
bool isPlainAction(const QString &name);
/// What is invoked, and the id under which its end is told.
QString serviceName(Value invoke);
QString serviceId(Value invoke, const QString &state);

/// "after 500 ms": how a chart says that time passes; `milliseconds` may be any text of digits.
QString delayEvent(const QString &milliseconds);
/// The digits of such an event; empty: it is another one.
QString delayOf(const QString &event);

/// What stands before the name of an action that a state does: "entry / ".
inline constexpr QStringView EntryWord = u"entry / ", ExitWord = u"exit / ", DoWord = u"do / ";
/// Between the actions of one arrow.
inline constexpr QStringView ActionGap = u"; ";

// Keys of particulars that are no properties of XState's.
inline constexpr QStringView OwnKey = u"xstate.@";        ///< how all of them begin
inline constexpr QStringView VersionKey = u"xstate.@for"; ///< the version it was written for
inline constexpr QStringView StateKey = u"xstate.@key";   ///< a state's, where its id is another
inline constexpr QStringView IdKey = u"xstate.@id";       ///< that the file gives a state
inline constexpr QStringView RootKey = u"xstate.@root";   ///< the state is the machine itself
inline constexpr QStringView DelayKey = u"xstate.@delay"; ///< the name of an arrow's delay
// What a chart says only in part, as JSON.
inline constexpr QStringView EntryKey = u"xstate.@entry", ExitKey = u"xstate.@exit",
                             InvokeKey = u"xstate.@invoke", MetaKey = u"xstate.@meta",
                             GuardKey = u"xstate.@guard", InKey = u"xstate.@in",
                             ActionsKey = u"xstate.@actions";

} // namespace instar::xstate
