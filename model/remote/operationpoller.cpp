// SPDX-License-Identifier: Apache-2.0
#include "model/remote/operationpoller.h"

#include "model/items/statuscategory.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostHops = 10;
constexpr qint64 LongUsualDelay = 30'000; ///< ms; limit of the default delay

QString statusText(const HttpResponse &response)
{
    QString text = QString::number(response.status);
    if (!response.reason.isEmpty())
        text += u' ' + QString::fromUtf8(response.reason);
    return text;
}

/// The error's message as ": text", to be put into a sentence.
QString inPassing(const OperationMessage &error)
{
    QString text = error.message.trimmed();
    while (text.endsWith(u'.'))
        text.chop(1);
    return text.isEmpty() ? text : u": "_s + text;
}

bool isGone(int status)
{
    return status == 404 || status == 410;
}

/// The end of an operation that succeeded, with the answer's document.
PollEnd success(const HttpResponse &response)
{
    PollEnd end;
    if (!response.body.trimmed().isEmpty())
        end.resource = response.body;
    return end;
}

/// Returns true if a status is about the poll, not its subject: not found, no access, not now.
bool isAboutAsking(int status)
{
    return isGone(status) || status == 401 || status == 403 || status == 408 || status == 429
        || status == 502 || status == 503 || status == 504;
}

} // namespace

OperationPoller::OperationPoller(const WireRules &wire, Sent sent, PollOptions options)
    : m_wire(&wire), m_sent(std::move(sent)), m_options(options), m_where(m_sent.url)
{
    setTarget(m_sent.path, m_sent.resource);
}

void OperationPoller::setTarget(const QString &path, const QUrl &resource)
{
    m_sent.path = path;
    m_sent.resource = resource.isEmpty() && (changes() || removes()) ? m_sent.url : resource;
}

PollEnd OperationPoller::lost(const QString &why, bool isForgotten)
{
    return { .status = Status::Failed,
        .code = isForgotten ? u"Forgotten"_s : u"Lost"_s,
        .message = why,
        .mayGoOn = !isForgotten };
}

const OperationPoller::Next &OperationPoller::take(const HttpResponse &response, qint64 now)
{
    if (std::holds_alternative<PollEnd>(m_next))
        return m_next;
    const auto *repeat = std::get_if<PollRepeat>(&m_next);
    if (std::holds_alternative<std::monostate>(m_next) || (repeat && !repeat->goesOn))
        m_began = now;
    m_now = now;
    m_last = response.status;
    m_wait = retryAfter(response.headers, m_wire->rows.follow.delayHeaders, now);
    const QByteArray target = header(response.headers, "Location");
    if (response.status >= 300 && response.status < 400 && !target.isEmpty()
        && (m_phase != &OperationPoller::first || response.status == 303)) {
        m_next = sentOn(target);
    } else {
        readHeaders(response);
        m_next = (this->*m_phase)(response);
    }
    if (auto *end = std::get_if<PollEnd>(&m_next))
        end->body = response.body;
    return m_next;
}

const OperationPoller::Next &OperationPoller::takeProblem(const QString &problem, qint64 now)
{
    m_now = now;
    m_wait.reset();
    const auto *repeat = std::get_if<PollRepeat>(&m_next);
    if (std::holds_alternative<std::monostate>(m_next) || (repeat && !repeat->goesOn))
        m_next = lost(problem);
    else if (!std::holds_alternative<PollEnd>(m_next))
        m_next = troubled(problem);
    return m_next;
}

qint64 OperationPoller::usualDelay() const
{
    return m_options.usualDelay.value_or(1000 * qint64(m_wire->rows.follow.usualDelay));
}

/// Without a delay from the server, polls slow down to a tenth of the elapsed time.
qint64 OperationPoller::delay() const
{
    const qint64 usual = usualDelay();
    const qint64 patient =
        std::clamp((m_now - m_began) / 10, usual, std::max(usual, LongUsualDelay));
    return std::clamp<qint64>(m_wait.value_or(patient), 0, m_options.mostDelay);
}

qint64 OperationPoller::leastDelay() const
{
    const qint64 patient = std::clamp<qint64>(
        (m_now - m_began) / 10, m_options.leastDelay, std::max<qint64>(m_options.leastDelay, 1000));
    return std::min(usualDelay(), patient);
}

OperationPoller::Next OperationPoller::sentOn(const QByteArray &location)
{
    const bool isFirst = m_phase == &OperationPoller::first;
    const std::optional<QUrl> there = redirected(m_where, location);
    if (!there && isFirst)
        return lost(
            tr("The server accepted the request and redirects to \"%1\", which is not followed.")
                .arg(QString::fromUtf8(location.left(200))));
    if (!there)
        return troubled(tr("it redirects to \"%1\", which is not followed")
                            .arg(QString::fromUtf8(location.left(200))));
    if (++m_hops > MostHops)
        return troubled(tr("it redirects in a loop"));
    return ask(isFirst ? &OperationPoller::ofResult : m_phase, *there, 0);
}

OperationPoller::Next OperationPoller::ask(Phase phase, const QUrl &url, qint64 delay)
{
    m_phase = phase;
    m_where = url;
    if (phase == &OperationPoller::ofAgain)
        return PollRepeat { m_now + delay, m_last, true };
    return PollQuestion { url, m_now + delay, !m_wait, phase == &OperationPoller::ofFinal };
}

OperationPoller::Next OperationPoller::again()
{
    m_failures = 0;
    m_hops = 0;
    const bool isOfResult = m_phase == &OperationPoller::ofResult && !m_result.isEmpty();
    const QUrl &there = isOfOperation() ? m_operation : isOfResult ? m_result : m_where;
    return ask(m_phase, there, std::max(delay(), leastDelay()));
}

/// Ends with success, after a last read of the resource or the result where that shows more.
OperationPoller::Next OperationPoller::finished()
{
    m_failures = 0;
    m_hops = 0;
    if (changes() && !m_sent.resource.isEmpty())
        return ask(&OperationPoller::ofFinal, m_sent.resource, 0);
    if (!removes() && isOfOperation() && !m_result.isEmpty() && m_result != m_operation)
        return ask(&OperationPoller::ofFinal, m_result, 0);
    return PollEnd();
}

OperationPoller::Next OperationPoller::troubled(
    const QString &text, std::optional<PollEnd> insteadOfLost, bool isForgotten)
{
    if (++m_failures > m_options.mostFailures) {
        if (!insteadOfLost && m_phase == &OperationPoller::ofFinal)
            insteadOfLost = PollEnd();
        if (!insteadOfLost)
            insteadOfLost = m_said;
        if (insteadOfLost)
            return *insteadOfLost;
        const QString why =
            tr("The operation's outcome is unknown: %1 was polled %2 times in vain; at last %3.")
                .arg(m_where.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery))
                .arg(m_failures)
                .arg(text.endsWith(u'.') ? text.chopped(1) : text);
        return lost(why, isForgotten);
    }
    const qint64 backoff = m_options.firstBackoff << std::min(m_failures - 1, 20);
    const qint64 said = std::max(m_wait.value_or(backoff), std::min(backoff, leastDelay()));
    return ask(m_phase, m_where, std::min(said, m_options.mostDelay));
}

// ---- What an answer says

std::optional<QUrl> OperationPoller::url(const HttpResponse &response, const QStringList &names)
{
    for (const QString &name : names) {
        const QByteArray text = header(response.headers, name.toUtf8()).trimmed();
        if (text.isEmpty())
            continue;
        const QUrl there = m_where.resolved(QUrl(QString::fromUtf8(text)));
        if (isWebAddress(there))
            return there;
        m_badUrl = QString::fromUtf8(text.left(200));
    }
    return {};
}

/// Updates the URLs: a later answer may move the operation.
void OperationPoller::readHeaders(const HttpResponse &response)
{
    if (const auto there = url(response, m_wire->rows.follow.operationHeaders))
        m_operation = *there;
    if (const auto there = url(response, m_wire->rows.follow.resultHeaders))
        m_result = *there;
}

OperationPoller::ShownState OperationPoller::shownBy(const QByteArray &body) const
{
    const Result<ResourceMessage> message = m_wire->resource(body, m_sent.path);
    if (!message)
        return {};
    if (message->state.isEmpty())
        return { .isReadable = true };
    return { .isReadable = true, .word = message->state, .status = meaning(message->state) };
}

/// Like shownBy(), for a body that may be an operation's document.
OperationPoller::ShownState OperationPoller::shownByOperation(const QByteArray &body) const
{
    const Result<OperationMessage> message = m_wire->operation(body);
    if (!message || message->word.isEmpty())
        return {};
    return { .isReadable = true, .word = message->word, .status = meaning(message->word) };
}

/// Status that a word of a resource or operation stands for: by the rows, else by the pack's
/// states; unknown words mean running.
Status OperationPoller::meaning(const QString &word) const
{
    if (const std::optional<Status> status = statusOf(m_wire->rows.follow, word))
        return *status;
    const Rules &rules = m_wire->rules;
    const int machine = rules.machineForType(typePathOf(m_sent.path));
    const Rules::StateId state = stateShown(rules, machine, word);
    if (state == Rules::None || rules.state(state).isTransitional())
        return Status::InProgress;
    return statusCategoryOf(rules, state) == StatusCategory::Failed ? Status::Failed
                                                                    : Status::Succeeded;
}

PollEnd OperationPoller::failure(Status status, const HttpResponse &response) const
{
    OperationMessage error = m_wire->error(response.body, response.status);
    PollEnd end { .status = status, .code = error.code, .message = error.message };
    if (response.status >= 400)
        end.http = response.status;
    if (statusOf(m_wire->rows.follow, end.code) == Status::Canceled && status == Status::Failed)
        end.status = Status::Canceled;
    if (end.code.isEmpty())
        end.code = end.http ? u"Http%1"_s.arg(end.http) : UsualErrorCode.toString();
    if (end.message.isEmpty())
        end.message = end.http
            ? tr("The server answered %1 and gave no reason.").arg(statusText(response))
            : tr("The server gave no reason.");
    return end;
}

// ---- The first answer

/// Repeats the request after the delay that the server asks for: after 429 (RFC 6585); after 503
/// only if it is idempotent, or has an id by which the server recognizes it.
std::optional<PollRepeat> OperationPoller::repeated(int status) const
{
    static const QList<QByteArray> idempotent { "GET", "HEAD", "OPTIONS", "PUT", "DELETE" };
    const bool isHarmless = m_sent.isNamed || idempotent.contains(m_sent.method);
    if (!(status == 429 || (status == 503 && isHarmless)) || !m_wait
        || *m_wait > m_options.mostRepeatDelay || m_repeats >= m_options.mostRepeats)
        return {};
    const qint64 backoff = m_options.leastDelay << m_repeats;
    return PollRepeat { m_now + std::max(*m_wait, backoff), status };
}

OperationPoller::Next OperationPoller::first(const HttpResponse &response)
{
    const int status = response.status;
    if (const auto repeat = repeated(status)) {
        ++m_repeats;
        return *repeat;
    }
    if (status == 502 || status == 504)
        return lost(tr("A gateway answered %1; the request may or may not have taken effect.")
                        .arg(statusText(response)));
    if (status >= 400) { // a refusal, unless the server has tried and failed
        const Status usual = status == 500 ? Status::Failed : Status::Rejected;
        return failure(m_wire->error(response.body, status).means.value_or(usual), response);
    }
    if (status >= 300 || status < 200) {
        return PollEnd { .status = Status::Rejected,
            .code = u"Http%1"_s.arg(status),
            .message =
                tr("The server answered %1; the request had no effect.").arg(statusText(response)),
            .http = status };
    }
    PollEnd done = success(response);
    const bool asksOnly =
        m_sent.method == "GET" || m_sent.method == "HEAD" || m_sent.method == "OPTIONS";
    if (status == 204 || asksOnly || (m_sent.isHeldBack && status != 202))
        return done;

    const ShownState seen = shownBy(response.body);
    const bool accepted = status == 202;
    if (changes() && !accepted && seen.isReadable && !seen.word.isEmpty() && !seen.runs()) {
        if (seen.status != Status::Succeeded) {
            const QByteArray document = response.body;
            done = failure(seen.status, response);
            done.resource = document;
        }
        if (m_operation.isEmpty())
            return done;
        m_said = done; // the end, unless a poll of the operation shows another one
    }
    const bool unclear = accepted || seen.runs() || (changes() && !seen.isReadable);
    static const QStringList usual { u"operation"_s, u"result"_s, u"resource"_s };
    const QStringList &order = m_wire->rows.follow.order;
    for (const QString &way : order.isEmpty() ? usual : order) {
        if (way == u"again" && accepted)
            return ask(&OperationPoller::ofAgain, m_sent.url, 0); // the first time at once
        if (way == u"operation" && !m_operation.isEmpty())
            return ask(&OperationPoller::ofOperation, m_operation, m_said ? 0 : delay());
        if (way == u"result" && !m_result.isEmpty() && (accepted || status == 201))
            return ask(&OperationPoller::ofResult, m_result, delay());
        if (way == u"resource" && !m_sent.resource.isEmpty() && unclear)
            return ask(&OperationPoller::ofResource, m_sent.resource, delay());
    }
    if (m_said)
        return *m_said;
    if (!unclear)
        return done;
    if (!m_sent.resource.isEmpty())
        return ask(&OperationPoller::ofResource, m_sent.resource, delay());
    if (!m_badUrl.isEmpty())
        return lost(tr("The server accepted the request, but the status URL that it names, "
                       "\"%1\", is invalid.")
                        .arg(m_badUrl));
    return lost(tr("The server accepted the request, but named no URL for its status."));
}

// ---- Later answers

OperationPoller::Next OperationPoller::ofOperation(const HttpResponse &response)
{
    if (response.status >= 300) {
        if (m_said && isGone(response.status))
            return *m_said;
        const QString text = tr("it was answered with %1%2")
                                 .arg(statusText(response),
                                     inPassing(m_wire->error(response.body, response.status)));
        return isGone(response.status) ? unknownThere(text) : troubled(text, m_said);
    }
    Result<OperationMessage> message = m_wire->operation(response.body);
    const bool accepted = response.status == 202;
    if (!message && !accepted) {
        return troubled(response.body.trimmed().isEmpty()
                ? tr("the answer was empty")
                : tr("the answer could not be read: %1").arg(message.error()),
            m_said);
    }
    std::optional<Status> status = message ? message->status : std::nullopt;
    if (!status && accepted)
        status = Status::InProgress;
    if (!status)
        return troubled(tr("the answer did not contain the operation's status"), m_said);
    switch (*status) {
    case Status::Succeeded:
        return finished();
    case Status::Failed:
    case Status::Canceled:
    case Status::Rejected: {
        PollEnd end { .status = *status, .code = message->code, .message = message->message };
        if (end.code.isEmpty())
            end.code = *status == Status::Canceled ? message->word : UsualErrorCode.toString();
        if (end.message.isEmpty())
            end.message = tr("The server gave no reason.");
        return end;
    }
    case Status::Waiting:
    case Status::InProgress:
        break;
    }
    return again();
}

OperationPoller::Next OperationPoller::ofResult(const HttpResponse &response)
{
    const int status = response.status;
    if (status == 202)
        return again();
    if (status >= 300) {
        const OperationMessage error = m_wire->error(response.body, response.status);
        const QString text =
            tr("it was answered with %1%2").arg(statusText(response), inPassing(error));
        if (isGone(status))
            return unknownThere(text);
        if (isAboutAsking(status))
            return troubled(text);
        const PollEnd failed = failure(Status::Failed, response);
        // An error code without a delay ends the operation; else the server may be in trouble.
        return error.code.isEmpty() || m_wait ? troubled(text, failed) : Next(failed);
    }
    const ShownState seen = shownBy(response.body);
    const ShownState told = seen.word.isEmpty() ? shownByOperation(response.body) : seen;
    if (told.runs())
        return again();
    const bool isOfOperation = told.isReadable && seen.word.isEmpty();
    if (told.isReadable && told.status != Status::Succeeded) {
        PollEnd end = failure(told.status, response);
        if (!isOfOperation)
            end.resource = response.body;
        return end;
    }
    if (changes() && (!seen.isReadable || isOfOperation))
        return finished();
    return success(response);
}

OperationPoller::Next OperationPoller::ofResource(const HttpResponse &response)
{
    const int status = response.status;
    if (removes() && (isGone(status) || status == 204))
        return PollEnd();
    if (status >= 300) {
        return troubled(isGone(status)
                ? tr("the resource is not there (%1)").arg(statusText(response))
                : tr("it was answered with %1").arg(statusText(response)));
    }
    const ShownState seen = shownBy(response.body);
    if (!seen.isReadable && status == 202)
        return again();
    if (!seen.isReadable) {
        return troubled(response.body.trimmed().isEmpty()
                ? tr("the answer was empty")
                : tr("the answer could not be read: %1")
                      .arg(m_wire->resource(response.body, m_sent.path).error()));
    }
    if (seen.runs())
        return again();
    if (removes() && seen.status == Status::Succeeded)
        return troubled(tr("the resource is still there, and nothing seems to remove it"));
    PollEnd end = seen.status == Status::Succeeded ? PollEnd() : failure(seen.status, response);
    end.resource = response.body;
    return end;
}

/// The server does not know the polled URL. After a DELETE, reads the resource to learn more.
OperationPoller::Next OperationPoller::unknownThere(const QString &text)
{
    if (!removes() || m_sent.resource.isEmpty())
        return troubled(text, {}, true);
    m_unknownUrl = m_where;
    m_unknownPhase = m_phase;
    m_unknownText = text;
    return ask(&OperationPoller::ofRemoved, m_sent.resource, 0);
}

OperationPoller::Next OperationPoller::ofRemoved(const HttpResponse &response)
{
    if (isGone(response.status) || response.status == 204)
        return PollEnd();
    if (response.status < 300 && shownBy(response.body).runs()) {
        m_phase = &OperationPoller::ofResource;
        return ofResource(response);
    }
    m_phase = m_unknownPhase;
    m_where = m_unknownUrl;
    m_wait.reset();
    return troubled(m_unknownText, {}, true);
}

/// The answer to a repeated request: 202 means that it goes on, anything else that it is over.
OperationPoller::Next OperationPoller::ofAgain(const HttpResponse &response)
{
    if (response.status == 202)
        return again();
    if (response.status >= 300 || response.status < 200)
        return failure(Status::Failed, response);
    return success(response);
}

OperationPoller::Next OperationPoller::ofFinal(const HttpResponse &response)
{
    if (response.status == 202)
        return troubled(tr("the result is not ready"), PollEnd());
    if (isGone(response.status))
        return PollEnd();
    if (response.status >= 300)
        return troubled(statusText(response), PollEnd());
    return success(response);
}

} // namespace instar
