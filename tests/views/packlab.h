// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/packfile.h"

namespace instar {

/// A small pack in which nothing is wrong, to be edited.
inline Pack labPack()
{
    const QByteArray text = R"({
 "id": "lab", "title": "Lab",
 "sources": {"book": {"document": "The book"}},
 "types": {"racks": {"machine": "rack", "source": "book"},
  "racks/servers": {"machine": "server", "source": "book"}},
 "operations": {"start": {"duration": 5000, "source": "book"}, "stop": {"duration": 1000, "source": "book"}},
 "machines": {
  "rack": {"rest": "up", "states": {"none": {"kind": "initial"}, "up": {}},
   "transitions": [{"from": "none", "on": "start", "to": "up", "source": "book"},
    {"from": "up", "on": "stop", "to": "none", "source": "book"}]},
  "server": {"rest": "on", "states": {"off": {"kind": "initial"}, "on": {},
    "going": {"kind": "transitional", "work": ["attempt"]}},
   "transitions": [{"from": "off", "on": "start", "to": "on", "source": "book"},
    {"from": "on", "on": "stop", "to": "going", "source": "book"},
    {"from": "going", "on": ["succeeded", "failed", "canceled"], "to": "off", "source": "book"}],
   "constraints": [{"in": "on", "holds": {"parent": ["up"]}, "source": "book"}]}
 },
 "conflicts": [{"then": "reject", "source": "book"}],
 "sample": {"resources": [{"path": "/racks/r1"}, {"path": "/racks/r1/servers/s1"}]}
})";
    const Result<JsonText> json = JsonText::parse(text, QStringLiteral("lab"));
    const Result<Pack> pack = json ? readPack(*json) : Result<Pack>(Error { json.error() });
    if (!pack)
        qFatal("%s", qPrintable(pack.error()));
    return *pack;
}

} // namespace instar
