// SPDX-License-Identifier: Apache-2.0
#include "model/remote/follow.h"

#include "model/remote/retryafter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostHops = 10;

} // namespace

Follow::Follow(const WireFollow &rows, FollowReader reader, Asked asked, Options options)
    : m_rows(rows),
      m_reader(std::move(reader)),
      m_asked(std::move(asked)),
      m_options(options),
      m_where(m_asked.url)
{
    if (m_asked.resource.isEmpty() && (changes() || removes()))
        m_asked.resource = m_asked.url;
    if (m_rows.order.isEmpty())
        m_rows.order = QStringList { u"operation"_s, u"result"_s, u"resource"_s };
}

const Follow::Next &Follow::take(const HttpResponse &response, qint64 now)
{
    if (m_isAnswered && !std::holds_alternative<Question>(m_next))
        return m_next;
    m_isAnswered = true;
    m_now = now;
    m_wait = retryAfter(response.headers, m_rows.delayHeaders, now);
    const QByteArray target = header(response.headers, "Location");
    if (response.status >= 300 && response.status < 400 && !target.isEmpty()
        && (m_phase != Phase::First || response.status == 303)) {
        const QUrl there = m_where.resolved(QUrl(QString::fromUtf8(target)));
        const bool stays = m_phase != Phase::First;
        m_next = ++m_hops > MostHops ? troubled(tr("it leads in circles"))
                                     : ask(stays ? m_phase : Phase::OfResult, there, 0);
        return m_next;
    }
    readHeaders(response);
    switch (m_phase) {
    case Phase::First:
        m_next = first(response);
        break;
    case Phase::OfOperation:
        m_next = ofOperation(response);
        break;
    case Phase::OfResult:
        m_next = ofResult(response);
        break;
    case Phase::OfResource:
        m_next = ofResource(response);
        break;
    case Phase::Final:
        m_next = ofFinal(response);
        break;
    }
    return m_next;
}

const Follow::Next &Follow::takeProblem(const QString &problem, qint64 now)
{
    m_now = now;
    m_wait.reset();
    if (!std::exchange(m_isAnswered, true))
        m_next = Lost { problem };
    else if (std::holds_alternative<Question>(m_next))
        m_next = troubled(problem);
    return m_next;
}

qint64 Follow::delay() const
{
    const qint64 usual = m_options.usualDelay.value_or(1000 * qint64(m_rows.usualDelay));
    return std::clamp<qint64>(m_wait.value_or(usual), 0, m_options.mostDelay);
}

Follow::Next Follow::ask(Phase phase, const QUrl &url, qint64 delay)
{
    m_phase = phase;
    m_where = url;
    return Question { url, m_now + delay, !m_wait };
}

Follow::Next Follow::again(const QString &word)
{
    m_troubles = 0;
    m_hops = 0;
    m_same = word == m_lastWord ? m_same + 1 : 1;
    m_lastWord = word;
    if (m_options.mostSame > 0 && m_same >= m_options.mostSame)
        return Lost { tr("The operation does not come to an end: the server said \"%1\" %2 times.")
                          .arg(word)
                          .arg(m_same) };
    const QUrl &there = m_phase == Phase::OfOperation       ? m_operation
        : m_phase == Phase::OfResult && !m_result.isEmpty() ? m_result
                                                            : m_where;
    return ask(m_phase, there, delay());
}

/// It has succeeded: what has become of the resource is worth a last question.
Follow::Next Follow::finished()
{
    m_troubles = 0;
    m_hops = 0;
    if (changes() && !m_asked.resource.isEmpty())
        return ask(Phase::Final, m_asked.resource, 0);
    if (!removes() && m_phase == Phase::OfOperation && !m_result.isEmpty()
        && m_result != m_operation)
        return ask(Phase::Final, m_result, 0);
    return End();
}

Follow::Next Follow::troubled(const QString &text, std::optional<End> insteadOfLost)
{
    if (++m_troubles > m_options.mostTroubles) {
        if (!insteadOfLost && m_phase == Phase::Final)
            insteadOfLost = End();
        if (insteadOfLost)
            return *insteadOfLost;
        return Lost { tr(
            "It is not known how the operation ended: %1 was asked %2 times in vain; at last %3.")
                          .arg(m_where.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery))
                          .arg(m_troubles)
                          .arg(text) };
    }
    const qint64 backoff = m_options.firstBackoff << std::min(m_troubles - 1, 20);
    return ask(m_phase, m_where, std::min(m_wait.value_or(backoff), m_options.mostDelay));
}

} // namespace instar
