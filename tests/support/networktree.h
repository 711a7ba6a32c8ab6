// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/staging.h"

namespace instar {

/// A top-level resource with two children, of which the first has two below it and the second has
/// one.
inline const QStringList networkTree {
    QStringLiteral("/logicalNetworks/ln"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn1"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn1/ipPools/p1"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn1/ipPools/p2"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn2"),
    QStringLiteral("/logicalNetworks/ln/subnets/sn2/ipPools/p1"),
};

/// One letter for each resource of that tree: S, F, U, D, or - where it is not there.
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
