// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace instar {

/// What a word of a state most likely means, by the way such words are formed: a guess.
enum class WordMeaning {
    Resting, ///< it is there and nothing happens: "Active", "Succeeded"
    Failed,
    Canceled,
    Working, ///< somebody is at work on it: "Creating", "Pending"
    Gone,    ///< it was there: "Deleted"
};
WordMeaning meaningOfWord(const QString &word);

/// Whether a text of that name tells the state of what it is about: "status", "lifecycleState".
bool isStateName(const QString &name);

/// What the words of one kind of resource stand for; what there is no word for is empty.
struct StateWords
{
    QStringList resting, working, gone;
    QString rest; ///< where it is when all went well
    QString failed, canceled, creating, updating, deleting;

    /// Once there is a word for success at the end of work, whatever is neither that, failure nor
    /// cancellation is on the way there.
    static StateWords of(const QStringList &words);
    /// The word in which such an action leaves it ("stop": "Stopped"), and that of being at it
    /// ("Stopping"); empty: none.
    QString after(const QString &action) const;
    QString during(const QString &action) const;
};

} // namespace instar
