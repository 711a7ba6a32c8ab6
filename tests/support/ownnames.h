// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/names.h"

namespace instar {

/// All names that a pack defines: states, operations, outcomes; without the engine's own names.
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

/// Unused new name for one of them; a type keeps its parent.
inline QString freshFor(const Mention &own)
{
    const QString above =
        own.what == Name::Type ? own.text.section(QLatin1Char('/'), 0, -2) : QString();
    return (above.isEmpty() ? above : above + QLatin1Char('/')) + QStringLiteral("fresh-name");
}

} // namespace instar
