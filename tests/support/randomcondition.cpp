// SPDX-License-Identifier: Apache-2.0
#include "tests/support/randomcondition.h"

#include <rapidcheck.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Condition of(Condition::Kind kind, const QString &text = {}, const QStringList &states = {},
    const QList<Condition> &parts = {})
{
    return { .kind = kind, .text = text, .states = states, .parts = parts };
}

QString relation()
{
    static const QStringList all { u"children"_s, u"parent"_s, u"ancestors"_s, u"descendants"_s,
        u"siblings"_s, u"references"_s, u"referrers"_s, u"self"_s };
    return all.at(pick(int(all.size())));
}

} // namespace

int pick(int below)
{
    return *rc::gen::inRange(0, below);
}

Condition related(
    const QString &relation, Condition::Match match, const QStringList &states, bool some)
{
    Condition condition;
    condition.kind = Condition::Kind::Related;
    condition.text = relation;
    condition.match = match;
    condition.some = some;
    condition.states = states;
    return condition;
}

Condition randomCondition(int depth)
{
    const int shape = pick(depth > 0 ? 12 : 10);
    switch (shape) {
    case 0:
        return of(Condition::Kind::Label, u"chance"_s);
    case 1:
        return of(Condition::Kind::Label, pick(2) ? u"has children"_s : u"ready around"_s);
    case 2:
        return of(Condition::Kind::Last, {}, { u"Ready"_s });
    case 3:
        return related(relation(), Condition::Match::In, { u"Ready"_s, u"Failed"_s }, pick(2) == 1);
    case 4:
        return related(relation(), pick(2) ? Condition::Match::Any : Condition::Match::None);
    case 5:
        return of(Condition::Kind::Id, {}, { u"a"_s, u"b"_s });
    case 6:
        return of(Condition::Kind::Required, pick(2) ? QString() : u"referrers"_s);
    case 7: {
        Condition elapsed = of(Condition::Kind::Elapsed, u"time"_s);
        elapsed.ms = 1000 * pick(5);
        return elapsed;
    }
    case 8: {
        Condition is = of(Condition::Kind::Property, u"mood"_s, { u"calm"_s, u"true"_s });
        if (pick(2))
            is.values = { QJsonValue(), true, 3 };
        return is;
    }
    case 9: {
        Condition above = of(Condition::Kind::Property, u"level"_s);
        above.bound = pick(3) - 1;
        return above;
    }
    case 10:
        return of(Condition::Kind::Not, {}, {}, { randomCondition(depth - 1) });
    default: {
        QList<Condition> parts;
        for (int i = pick(3); i >= 0; --i)
            parts.append(randomCondition(depth - 1));
        return of(Condition::Kind::All, {}, {}, parts);
    }
    }
}

} // namespace instar
