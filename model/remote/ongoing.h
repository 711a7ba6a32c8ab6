// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/remotecontroller.h"

namespace instar {

/// An operation that was sent, up to its end.
struct RemoteController::Ongoing
{
    quint32 serial = 0;
    QSharedPointer<const Request> request;
    Connection::Errand errand; ///< the request as it was put together, and where it goes
    HttpRequest http;          ///< as it leaves
    quint64 exchange = 0;      ///< 0: not sent yet
    Admission predicted;
    quint32 canceledBy = 0;            ///< serial of the operation that is believed to cancel it
    Rules::StateId seen = Rules::None; ///< the target's, at work where it was ever seen so

    std::optional<Follow> follow; ///< nothing: not answered yet
    bool isSentAgain = false;     ///< as the last answer asked, and not answered yet
    bool isAsking = false;        ///< an answer is awaited
    std::optional<FollowEnd> end; ///< it has ended; a last look at its resources is awaited
    QByteArray lastBody;          ///< what its end was read from
    quint64 endedAt = 0;          ///< exchanges after this one know of the end

    const FollowRepeat *repeat() const
    {
        return follow && !isSentAgain ? std::get_if<FollowRepeat>(&follow->next()) : nullptr;
    }
    /// What the server makes of the request is known.
    bool isAnswered() const
    {
        return follow && !std::holds_alternative<FollowRepeat>(follow->next());
    }
    QString top() const { return Mirror::top(request->path); }
    const FollowQuestion *question() const
    {
        return follow && !end ? std::get_if<FollowQuestion>(&follow->next()) : nullptr;
    }
};

} // namespace instar
