// SPDX-License-Identifier: Apache-2.0
#include "model/items/resourcefilter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

ResourceFilter ResourceFilter::parsed(const QString &text)
{
    static const QList<std::pair<QString, Place>> places { { u"name:"_s, Place::Name },
        { u"type:"_s, Place::Type }, { u"state:"_s, Place::State } };
    ResourceFilter filter;
    for (const QString &part : text.simplified().split(u' ', Qt::SkipEmptyParts)) {
        Word word { Place::Anywhere, part };
        for (const auto &[prefix, place] : places) {
            if (part.startsWith(prefix, Qt::CaseInsensitive))
                word = { place, part.sliced(prefix.size()) };
        }
        if (!word.text.isEmpty())
            filter.words += word;
    }
    return filter;
}

bool ResourceFilter::fits(const QString &name, const QString &typePath, const QString &state) const
{
    const QStringView type = QStringView(typePath).mid(typePath.lastIndexOf(u'/') + 1);
    return std::ranges::all_of(words, [&](const Word &word) {
        const auto has = [&](Place place, QStringView text) {
            return (word.place == Place::Anywhere || word.place == place)
                && text.contains(word.text, Qt::CaseInsensitive);
        };
        return has(Place::Name, name) || has(Place::Type, type) || has(Place::State, state);
    });
}

} // namespace instar
