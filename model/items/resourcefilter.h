// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace instar {

/// Filter of resources: every word must be in the name, the type or the state.
///
/// "state:updating" and "type:subnet" search one place, a word without a place all three.
struct ResourceFilter
{
    enum class Place { Anywhere, Name, Type, State };
    struct Word
    {
        Place place = Place::Anywhere;
        QString text;
        bool operator==(const Word &) const = default;
    };
    QList<Word> words;
    bool operator==(const ResourceFilter &) const = default;

    static ResourceFilter parsed(const QString &text); ///< words separated by blanks
    bool isEmpty() const { return words.isEmpty(); }
    bool fits(const QString &name, const QString &typePath, const QString &state) const;
};

} // namespace instar
