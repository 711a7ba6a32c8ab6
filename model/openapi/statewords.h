// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace instar {

/// Category of a state, guessed from the form of its name.
enum class WordMeaning {
    Resting, ///< stable: "Active", "Succeeded"
    Failed,
    Canceled,
    Working, ///< transitional: "Creating", "Pending"
    Gone,    ///< the resource is deleted: "Deleted"
};
WordMeaning meaningOfWord(const QString &word);

/// True if a property of that name holds a state: "status", "lifecycleState".
bool isStateName(const QString &name);

/// State names of one kind of resource, by meaning; empty: it has none.
struct StateWords
{
    QStringList resting, working, gone;
    QString rest; ///< the state after success
    QString failed, canceled, creating, updating, deleting;

    /// Classifies names. If one means success at the end of work, all others but failure and
    /// cancellation are transitional.
    static StateWords of(const QStringList &words);
    /// State after an action ("stop": "Stopped"), and state during it ("Stopping"); empty: there is
    /// none.
    QString after(const QString &action) const;
    QString during(const QString &action) const;
};

} // namespace instar
