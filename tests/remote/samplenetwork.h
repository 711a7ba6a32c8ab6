// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/remote/reference.h"

/// A small network at the reference controller of the network packs, as its tests address it.
namespace instar::network {

inline const QString base = QStringLiteral("/networking/v1");
inline const QString net = base + QStringLiteral("/logicalNetworks/ln");
inline const QString subnet = net + QStringLiteral("/subnets/sn1");

inline QList<ResourceSpec> tree()
{
    return { { .path = QStringLiteral("/logicalNetworks/ln") },
        { .path = QStringLiteral("/logicalNetworks/ln/subnets/sn1") },
        { .path = QStringLiteral("/logicalNetworks/ln/subnets/sn1/ipPools/p1") },
        { .path = QStringLiteral("/logicalNetworks/ln/subnets/sn2") },
        { .path = QStringLiteral("/GatewayPools/gp") },
        { .path = QStringLiteral("/gateways/g"),
            .references = { QStringLiteral("/GatewayPools/gp") } } };
}

/// A document with these properties.
inline QByteArray body(const QByteArray &properties = "{}")
{
    return "{\"properties\": " + properties + "}";
}

} // namespace instar::network
