// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/staging.h"

namespace instar {

/// Paths of a top-level resource with two children; the first has two children, the second one.
inline const QStringList networkTree {
    QStringLiteral("/logicalNetworks/ln"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn1"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn1/ipPools/p1"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn1/ipPools/p2"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn2"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn2/ipPools/p1"),
};

/// States of that tree's resources as letters: S, F, U, D, or - if absent.
inline QString letters(const Staging &staging)
{
    QString text;
    for (const QString &path : networkTree) {
        const QString state = staging.at(path);
        text += state == u"absent" ? u'-' : state[0];
    }
    return text;
}

} // namespace instar
