// SPDX-License-Identifier: Apache-2.0
#include "model/budget.h"

using namespace Qt::StringLiterals;

namespace instar {

QString limitName(Limit limit)
{
    static const QStringList names { {}, u"time"_s, u"memory"_s, u"states"_s, u"arrows"_s,
        u"canceled"_s };
    return names[qsizetype(limit)];
}

QString stoppedText(Limit limit)
{
    const QString reason =
        limit == Limit::Canceled ? u"Canceled"_s : u"Stopped at the limit of "_s + limitName(limit);
    return reason + u": the results are incomplete."_s;
}

Limit Budget::interruption() const
{
    if (isCanceled && isCanceled->load(std::memory_order_relaxed))
        return Limit::Canceled;
    return deadline.hasExpired() ? Limit::Time : Limit::None;
}

Limit Budget::interruption(qint64 statesNow) const
{
    const Limit limit = interruption();
    return limit == Limit::None && goesOn && !goesOn(statesNow) ? Limit::Canceled : limit;
}

Limit Budget::exceeded(qint64 statesNow, qint64 arrowsNow, qint64 bytesNow) const
{
    if (statesNow > states)
        return Limit::States;
    if (arrowsNow > arrows)
        return Limit::Arrows;
    return bytesNow > bytes ? Limit::Memory : interruption(statesNow);
}

} // namespace instar
