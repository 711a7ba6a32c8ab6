// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

namespace instar {

/// Everything in a pack that has an id of its own: states, operations, outcomes; without what the
/// engine knows by name.
inline QList<Mention> ownNames(const Pack &pack)
{
    QList<Mention> all;
    visitNames(pack, [&](const Mention &mention) {
        const bool isEngines =
            (mention.what == Name::Outcome && Pack().outcomeNames().contains(mention.text))
            || (mention.what == Name::Refusal && knownRefusals().contains(mention.text));
        if (mention.isOwn && mention.what != Name::Property && mention.text != u"*" && !isEngines)
            all.append(mention);
    });
    return all;
}

/// Another name for one of them, which is not taken; a type stays where it is.
inline QString freshFor(const Mention &own)
{
    const QString above =
        own.what == Name::Type ? own.text.section(QLatin1Char('/'), 0, -2) : QString();
    return (above.isEmpty() ? above : above + QLatin1Char('/')) + QStringLiteral("fresh-name");
}

} // namespace instar
