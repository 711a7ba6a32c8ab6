// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracleplan.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

rc::Gen<int> lessThan(int limit)
{
    return rc::gen::resize(100, rc::gen::inRange(0, limit));
}

/// Generates 0, but in one of `one_in` cases a number below `limit`.
rc::Gen<int> rarely(int one_in, int limit)
{
    return rc::gen::map(lessThan(one_in * limit), [limit](int n) { return n < limit ? n : 0; });
}

rc::Gen<Draft> draft()
{
    return rc::gen::build<Draft>(rc::gen::set(&Draft::op, lessThan(20)),
        rc::gen::set(&Draft::path, lessThan(60)), rc::gen::set(&Draft::spelling, rarely(5, 4)),
        rc::gen::set(&Draft::gap, lessThan(8)), rc::gen::set(&Draft::duration, lessThan(8)),
        rc::gen::set(&Draft::fails, lessThan(4)), rc::gen::set(&Draft::transients, rarely(2, 8)),
        rc::gen::set(&Draft::hang, lessThan(12)), rc::gen::set(&Draft::ifMatch, lessThan(16)),
        rc::gen::set(&Draft::ifNoneMatch, lessThan(16)),
        rc::gen::set(&Draft::requestId, lessThan(14)),
        rc::gen::set(&Draft::references, lessThan(4)));
}

} // namespace

const QStringList &planPaths()
{
    static const QStringList paths {
        u"/logicalNetworks/ln1"_s,
        u"/logicalNetworks/ln1/subnets/sn1"_s,
        u"/logicalNetworks/ln1/subnets/sn1/ipPools/p1"_s,
        u"/logicalNetworks/ln1/subnets/sn1/ipPools/p2"_s,
        u"/logicalNetworks/ln1/subnets/sn2"_s,
        u"/logicalNetworks/ln1/subnets/sn2/ipPools/p1"_s,
        u"/logicalNetworks/ln1/subnets/sn2/routes/r1"_s,
        u"/logicalNetworks/ln2"_s,
        u"/logicalNetworks/ln2/subnets/sn1"_s,
        u"/logicalNetworks/ln2/subnets/sn1/ipPools/p1"_s,
        u"/logicalNetworks/ln2/subnets/sn2"_s,
        u"/logicalNetworks/ln3"_s,
        u"/GatewayPools/gp1"_s,
        u"/GatewayPools/gp2"_s,
        u"/gateways/g1"_s,
        u"/gateways/g2"_s,
        u"/virtualNetworks/vn1"_s,
        u"/virtualNetworks/vn1/subnets/s1"_s,
        u"/accessControlLists/acl1"_s,
        u"/credentials/c1"_s,
        u"/servers/h1"_s,
        u"/loadBalancers/lb1"_s,
        u"/loadBalancers/lb1/probes/pr1"_s,
        u"/loadBalancers/lb1/loadBalancingRules/ru1"_s,
        u"/loadBalancerManager/config"_s,
    };
    return paths;
}

QStringList planReferences(const QString &path)
{
    static const QMap<QString, QStringList> table {
        { u"/gateways/g1"_s, { u"/GatewayPools/gp1"_s, u"/GatewayPools/gp2"_s } },
        { u"/gateways/g2"_s, { u"/GatewayPools/gp1"_s, u"/gatewaypools/GP2"_s } },
        { u"/GatewayPools/gp1"_s,
            { u"/logicalNetworks/ln1/subnets/sn1"_s, u"/logicalNetworks/ln2/subnets/sn1"_s } },
        { u"/virtualNetworks/vn1"_s, { u"/logicalNetworks/ln1"_s, u"/logicalNetworks/ln3"_s } },
        { u"/virtualNetworks/vn1/subnets/s1"_s, { u"/accessControlLists/acl1"_s } },
        { u"/servers/h1"_s, { u"/credentials/c1"_s } },
        { u"/loadBalancers/lb1/loadBalancingRules/ru1"_s, { u"/loadBalancers/lb1/probes/pr1"_s } },
        { u"/loadBalancerManager/config"_s,
            { u"/logicalNetworks/ln1/subnets/sn1/ipPools/p1"_s,
                u"/logicalNetworks/ln2/subnets/sn1/ipPools/p1"_s } },
    };
    return table.value(path);
}

rc::Gen<Plan> anyPlan(int operations)
{
    return rc::gen::build<Plan>(
        rc::gen::set(&Plan::switches, rc::gen::container<std::vector<int>>(5, lessThan(3))),
        rc::gen::set(
            &Plan::present, rc::gen::container<std::vector<int>>(planPaths().size(), lessThan(8))),
        rc::gen::set(&Plan::references,
            rc::gen::container<std::vector<int>>(planPaths().size(), lessThan(4))),
        rc::gen::set(&Plan::drafts,
            rc::gen::resize(operations, rc::gen::container<std::vector<Draft>>(draft()))));
}

} // namespace instar
