// SPDX-License-Identifier: Apache-2.0
#include "model/remote/remoteoperation.h"

#include "model/items/statuscategory.h"

#include <array>

namespace instar {

namespace {

constexpr qint64 LongUsualDelay = 30'000; ///< ms; limit of the default delay
/// Bounds (ms) of the least delay between two polls, which is a tenth of the elapsed time.
constexpr qint64 FirstLeastDelay = 100, LastLeastDelay = 1000;
constexpr int MostRepeats = 3;             ///< of a request, on demand of the server (Retry-After)
constexpr qint64 MostRepeatDelay = 60'000; ///< ms; the request is not repeated after a longer delay

bool isGone(int status)
{
    return status == 404 || status == 410;
}

OperationEnd lost(const QString &why, bool isForgotten = false)
{
    return { .status = Status::Failed,
        .code = isForgotten ? u"Forgotten"_s : u"Lost"_s,
        .message = why,
        .mayStillRun = !isForgotten };
}

/// State that a document shows.
struct ShownState
{
    bool isReadable = false;
    QString word {}; ///< empty: none
    Status status = Status::Succeeded;
    bool runs() const { return isReadable && status == Status::InProgress; }
};

/// State machine of an operation, with the event to apply.
class OperationMachine : public RemoteOperation
{
    Q_DECLARE_TR_FUNCTIONS(instar::RemoteOperation)

public:
    OperationMachine(const WireRules &wire, RemoteOperation operation, const OperationEvent &event)
        : RemoteOperation(std::move(operation)),
          m_wire(wire),
          m_follow(wire.rows.follow),
          m_event(event),
          m_response(event.response.value_or(HttpResponse())),
          m_status(m_response.status)
    { }

    /// Applies the event. Returns the change to report.
    std::optional<Change::Kind> take()
    {
        if (hasEnded())
            return {};
        const bool isFirst = stage == Stage::Sent || stage == Stage::Delayed;
        if (m_event.response && !m_event.isLast) {
            takeAnswer(isFirst);
            return isFirst ? report() : std::nullopt;
        }
        if (m_event.isLast) {
            endWith(lost(m_event.problem));
        } else if (!isFirst) {
            retry(m_event.problem);
        } else if (m_event.wasSent) {
            endWith(lost(m_event.problem));
            return Change::Kind::Closed;
        } else {
            endWith({ Status::Rejected, u"NotSent"_s, m_event.problem });
            return Change::Kind::Rejected;
        }
        return {};
    }

private:
    std::optional<Change::Kind> report() const
    {
        const bool isRefused = hasEnded() && end.status == Status::Rejected;
        const bool hasTriedAndFailed = hasEnded() && end.http != 0;
        if (isRefused)
            return Change::Kind::Rejected;
        if (stage == Stage::Delayed || hasTriedAndFailed)
            return {};
        if (m_event.replayed && *m_event.replayed == serverId())
            return Change::Kind::Replayed;
        const bool hadNothingToDo = isSafe(method) || (m_status == 204 && !m_event.targetExists);
        return hasEnded() && end.status == Status::Succeeded && hadNothingToDo
            ? Change::Kind::Observed
            : Change::Kind::Started;
    }

    bool changes() const { return method == "PUT" || method == "PATCH"; }
    bool removes() const { return method == "DELETE"; }

    void takeAnswer(bool isFirst)
    {
        http = m_status;
        if (isFirst)
            began = m_event.now;
        if (resource.isEmpty() && (changes() || removes()))
            resource = url; // later polls may change `url`
        m_wait = retryAfter(m_response.headers, m_follow.delayHeaders, m_event.now);
        const QByteArray location = header(m_response.headers, "Location");
        const bool isOfRequest = isFirst || stage == Stage::Called;
        if (isOfRequest && m_status == 303 && !location.isEmpty()) {
            redirect(location);
        } else {
            // A later answer may name new URLs to poll.
            readUrl(m_follow.operationHeaders, &operationUrl);
            readUrl(m_follow.resultHeaders, &resultUrl);
            takeByStage();
        }
        if (hasEnded())
            end.body = m_response.body;
    }

    void takeByStage()
    {
        using Self = OperationMachine;
        static constexpr std::array Handlers { &Self::takeFirst, &Self::takeFirst,
            &Self::takeCalled, &Self::takeOperation, &Self::takeResult, &Self::takeResource,
            &Self::takeRemoved, &Self::takeFinal };
        static_assert(Handlers.size() == size_t(Stage::Ended)); // in the order of Stage
        (this->*Handlers[size_t(stage)])();
    }

    void endWith(OperationEnd ending)
    {
        stage = Stage::Ended;
        end = std::move(ending);
    }

    void wait(Stage next, const QUrl &where, qint64 delay)
    {
        stage = next;
        url = where;
        notBefore = m_event.now + delay;
        hasDefaultDelay = !m_wait;
    }

    /// Polls the same URL again after a delay.
    void pollAgain()
    {
        failures = 0;
        const bool isResult = stage == Stage::PollsResult && !resultUrl.isEmpty();
        const QUrl polledUrl = stage == Stage::PollsOperation ? operationUrl
            : isResult                                        ? resultUrl
                                                              : url;
        wait(stage, polledUrl, std::max(delay(), leastDelay()));
    }

    /// Ends with success, after a last read of the resource or the result where that shows more.
    void succeed()
    {
        failures = 0;
        if (changes() && !resource.isEmpty())
            wait(Stage::PollsFinal, resource, 0);
        else if (!removes() && stage == Stage::PollsOperation && !resultUrl.isEmpty()
            && resultUrl != operationUrl)
            wait(Stage::PollsFinal, resultUrl, 0);
        else
            endWith({});
    }

    OperationEnd success() const
    {
        OperationEnd done;
        if (!m_response.body.trimmed().isEmpty())
            done.resource = m_response.body;
        return done;
    }

    /// Repeats the failed request later. After too many failures ends with `otherwise`, else with
    /// the end shown before, else as lost.
    void retry(
        const QString &text, bool isForgotten = false, std::optional<OperationEnd> otherwise = {})
    {
        if (++failures > options.mostFailures) {
            if (!otherwise && stage == Stage::PollsFinal)
                otherwise = OperationEnd();
            if (!otherwise)
                otherwise = shown;
            const QString why = tr(
                "The operation's outcome is unknown: %2 polls of %1 gave no result; the last time, "
                "%3.")
                                    .arg(url.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery),
                                        QString::number(failures),
                                        text.endsWith(u'.') ? text.chopped(1) : text);
            return endWith(otherwise.value_or(lost(why, isForgotten)));
        }
        const qint64 backoff = options.firstBackoff << std::min(failures - 1, 20);
        const qint64 delay = std::max(m_wait.value_or(backoff), std::min(backoff, leastDelay()));
        wait(stage, url, std::min(delay, options.mostDelay));
    }

    /// Waits for the result at the URL to which the answer to the request redirects.
    void redirect(const QByteArray &location)
    {
        if (const std::optional<QUrl> target = redirected(url, location))
            return wait(Stage::PollsResult, *target, 0);
        endWith(lost(tr("The server accepted the request and redirects to \"%1\". This program "
                        "does not follow that redirect.")
                         .arg(QString::fromUtf8(location.left(200)))));
    }

    qint64 usualDelay() const
    {
        return options.usualDelay.value_or(1000 * qint64(m_follow.usualDelay));
    }

    /// Without a delay from the server, polls slow down to a tenth of the elapsed time.
    qint64 delay() const
    {
        const qint64 usual = usualDelay();
        const qint64 slowed =
            std::clamp((m_event.now - began) / 10, usual, std::max(usual, LongUsualDelay));
        return std::clamp<qint64>(m_wait.value_or(slowed), 0, options.mostDelay);
    }

    qint64 leastDelay() const
    {
        const qint64 slowed =
            std::clamp((m_event.now - began) / 10, FirstLeastDelay, LastLeastDelay);
        return std::min(usualDelay(), slowed);
    }

    void readUrl(const QStringList &headers, QUrl *into)
    {
        for (const QString &name : headers) {
            const QByteArray text = header(m_response.headers, name.toUtf8()).trimmed();
            if (text.isEmpty())
                continue;
            const QUrl given = url.resolved(QUrl(QString::fromUtf8(text)));
            if (isWebAddress(given)) {
                *into = given;
                return;
            }
            m_badUrl = QString::fromUtf8(text.left(200));
        }
    }

    ShownState shownAs(const QString &word) const
    {
        return { .isReadable = true,
            .word = word,
            .status = word.isEmpty() ? Status::Succeeded : meaning(word) };
    }

    ShownState shownState() const
    {
        const Result<ResourceMessage> message = m_wire.resource(m_response.body, path);
        return message ? shownAs(message->state) : ShownState();
    }

    /// Status that a word stands for: by the rows, else by the pack's states; unknown: running.
    Status meaning(const QString &word) const
    {
        if (const std::optional<Status> status = statusOf(m_follow, word))
            return *status;
        const Rules &rules = m_wire.rules;
        const int machine = rules.machineForType(typePathOf(path));
        const Rules::StateId state = stateShown(rules, machine, word);
        if (state == Rules::None || rules.state(state).isTransitional())
            return Status::InProgress;
        return statusCategoryOf(rules, state) == StatusCategory::Failed ? Status::Failed
                                                                        : Status::Succeeded;
    }

    OperationMessage error() const { return m_wire.error(m_response.body, m_status); }

    OperationEnd failure(Status status) const
    {
        const OperationMessage reason = error();
        OperationEnd failed { .status = status, .code = reason.code, .message = reason.message };
        if (m_status >= 400)
            failed.http = m_status;
        if (statusOf(m_follow, failed.code) == Status::Canceled && status == Status::Failed)
            failed.status = Status::Canceled;
        if (failed.code.isEmpty())
            failed.code = failed.http ? u"Http%1"_s.arg(failed.http) : DefaultErrorCode.toString();
        if (failed.message.isEmpty())
            failed.message = failed.http
                ? tr("The server answered %1 and gave no reason.").arg(statusText())
                : tr("The server gave no reason.");
        return failed;
    }

    QString statusText() const
    {
        const QString reason = QString::fromUtf8(m_response.reason);
        return (QString::number(m_status) + u' ' + reason).trimmed();
    }

    /// "the server answered 409: In the way", to be put into a sentence.
    QString answerText() const
    {
        QString why = error().message.trimmed();
        while (why.endsWith(u'.'))
            why.chop(1);
        return tr("the server answered %1%2")
            .arg(statusText(), why.isEmpty() ? why : u": "_s + why);
    }

    QString unreadableText(const QString &why) const
    {
        return m_response.body.trimmed().isEmpty()
            ? tr("the answer was empty")
            : tr("the answer could not be read: %1").arg(why);
    }

    /// Returns true if the request is repeated after the delay that the server demands: on 429 (RFC
    /// 6585); on 503 only if it is idempotent, or has an id by which the server recognizes it.
    bool isRepeated() const
    {
        static const QList<QByteArray> idempotent { "GET", "HEAD", "OPTIONS", "PUT", "DELETE" };
        const bool isHarmless = hasRequestId || idempotent.contains(method);
        return (m_status == 429 || (m_status == 503 && isHarmless)) && m_wait
            && *m_wait <= MostRepeatDelay && repeats < MostRepeats;
    }

    void takeFirst()
    {
        if (isRepeated()) {
            const qint64 backoff = FirstLeastDelay << repeats++;
            return wait(Stage::Delayed, url, std::max(*m_wait, backoff));
        }
        if (m_status == 502 || m_status == 504)
            return endWith(
                lost(tr("A gateway answered %1; the request may or may not have taken effect.")
                         .arg(statusText())));
        if (m_status >= 400) { // a refusal, unless the server has tried and failed
            const Status usual = m_status == 500 ? Status::Failed : Status::Rejected;
            return endWith(failure(error().means.value_or(usual)));
        }
        if (m_status >= 300 || m_status < 200)
            return endWith({ .status = Status::Rejected,
                .code = u"Http%1"_s.arg(m_status),
                .message =
                    tr("The server answered %1; the request had no effect.").arg(statusText()),
                .http = m_status });
        const bool onlyReads = method == "GET" || method == "HEAD" || method == "OPTIONS";
        if (m_status == 204 || onlyReads || (answersAtEnd && m_status != 202))
            return endWith(success());
        takeAccepted();
    }

    /// Chooses the URL to poll for an accepted operation, unless its answer shows the end.
    void takeAccepted()
    {
        const ShownState current = shownState();
        const bool accepted = m_status == 202;
        if (changes() && !accepted && !current.word.isEmpty() && !current.runs()) {
            shown = current.status == Status::Succeeded ? success() : failure(current.status);
            shown->resource = m_response.body;
            if (operationUrl.isEmpty())
                return endWith(*shown);
        }
        const bool isEndUnknown = accepted || current.runs() || (changes() && !current.isReadable);
        static const QStringList usualOrder { u"operation"_s, u"result"_s, u"resource"_s };
        for (const QString &source : m_follow.order.isEmpty() ? usualOrder : m_follow.order) {
            if (source == u"again" && accepted)
                return wait(Stage::Called, url, 0); // the first time at once
            if (source == u"operation" && !operationUrl.isEmpty())
                return wait(Stage::PollsOperation, operationUrl, shown ? 0 : delay());
            if (source == u"result" && !resultUrl.isEmpty() && (accepted || m_status == 201))
                return wait(Stage::PollsResult, resultUrl, delay());
            if (source == u"resource" && !resource.isEmpty() && isEndUnknown)
                break;
        }
        if (shown)
            endWith(*shown);
        else if (!isEndUnknown)
            endWith(success());
        else if (!resource.isEmpty())
            wait(Stage::PollsResource, resource, delay());
        else if (!m_badUrl.isEmpty())
            endWith(lost(tr("The server accepted the request, but the status URL that it names, "
                            "\"%1\", is invalid.")
                             .arg(m_badUrl)));
        else
            endWith(lost(tr("The server accepted the request, but named no URL for its status.")));
    }

    /// Takes the answer to a repetition: the operation continues on 202, else it has ended.
    void takeCalled()
    {
        if (m_status == 202)
            pollAgain();
        else if (m_status >= 300 || m_status < 200)
            endWith(failure(Status::Failed));
        else
            endWith(success());
    }

    void takeOperation()
    {
        if (shown && isGone(m_status))
            return endWith(*shown);
        if (isGone(m_status))
            return takeUnknown();
        if (m_status >= 300)
            return retry(answerText());
        const Result<OperationMessage> message = m_wire.operation(m_response.body);
        if (!message && m_status != 202)
            return retry(unreadableText(message.error()));
        const std::optional<Status> status = message ? message->status : std::nullopt;
        if (!status && m_status != 202)
            return retry(tr("the answer did not contain the operation's status"));
        if (!status || *status == Status::Waiting || *status == Status::InProgress)
            return pollAgain();
        if (*status == Status::Succeeded)
            return succeed();
        endWith({ .status = *status, .code = message->code, .message = message->message });
        if (end.code.isEmpty())
            end.code = *status == Status::Canceled ? message->word : DefaultErrorCode.toString();
        if (end.message.isEmpty())
            end.message = tr("The server gave no reason.");
    }

    void takeResult()
    {
        if (m_status == 202)
            return pollAgain();
        if (isGone(m_status))
            return takeUnknown();
        const bool hasPollFailed = m_status == 401 || m_status == 403 || m_status == 408
            || m_status == 429 || m_status == 502 || m_status == 503 || m_status == 504;
        if (hasPollFailed) // the status says nothing about the operation
            return retry(answerText());
        if (m_status >= 300) {
            // An error with a code and no delay ends the operation; others may be temporary.
            const OperationEnd failed = failure(Status::Failed);
            return error().code.isEmpty() || m_wait ? retry(answerText(), false, failed)
                                                    : endWith(failed);
        }
        const ShownState ofResource = shownState();
        ShownState current = ofResource;
        if (ofResource.word.isEmpty()) { // the body may be an operation's document
            const Result<OperationMessage> message = m_wire.operation(m_response.body);
            current = message && !message->word.isEmpty() ? shownAs(message->word) : ShownState();
        }
        if (current.runs())
            return pollAgain();
        const bool isOfOperation = current.isReadable && ofResource.word.isEmpty();
        if (current.isReadable && current.status != Status::Succeeded) {
            endWith(failure(current.status));
            if (!isOfOperation)
                end.resource = m_response.body;
        } else if (changes() && (!ofResource.isReadable || isOfOperation)) {
            succeed();
        } else {
            endWith(success());
        }
    }

    void takeResource()
    {
        if (removes() && (isGone(m_status) || m_status == 204))
            return endWith({});
        if (m_status >= 300)
            return retry(isGone(m_status) ? tr("the resource does not exist (%1)").arg(statusText())
                                          : answerText());
        const ShownState current = shownState();
        if (current.runs() || (!current.isReadable && m_status == 202))
            return pollAgain();
        if (!current.isReadable)
            return retry(unreadableText(m_wire.resource(m_response.body, path).error()));
        if (removes() && current.status == Status::Succeeded)
            return retry(tr("the resource still exists, and no operation seems to remove it"));
        endWith(current.status == Status::Succeeded ? OperationEnd() : failure(current.status));
        end.resource = m_response.body;
    }

    /// The server does not know the polled URL. After a DELETE, reads the resource to learn more.
    void takeUnknown()
    {
        if (!removes() || resource.isEmpty())
            return retry(answerText(), true);
        unknownStage = stage;
        unknownUrl = url;
        unknownText = answerText();
        wait(Stage::PollsRemoved, resource, 0);
    }

    void takeRemoved()
    {
        if (isGone(m_status) || m_status == 204)
            return endWith({});
        if (m_status < 300 && shownState().runs()) {
            stage = Stage::PollsResource;
            return takeResource();
        }
        stage = unknownStage;
        url = unknownUrl;
        m_wait.reset();
        retry(unknownText, true);
    }

    void takeFinal()
    {
        if (isGone(m_status))
            endWith({});
        else if (m_status == 202 || m_status >= 300)
            retry(statusText());
        else
            endWith(success());
    }

    const WireRules &m_wire;
    const WireFollow &m_follow;
    const OperationEvent &m_event;
    const HttpResponse m_response;
    const int m_status;
    std::optional<qint64> m_wait {}; ///< ms; the delay in the answer
    QString m_badUrl {};             ///< unusable URL that the server offered
};

} // namespace

QString RemoteOperation::serverId() const
{
    const QUrl &own = operationUrl.isEmpty() ? resultUrl : operationUrl;
    return own.path().section(u'/', -1, -1, QString::SectionSkipEmpty);
}

OperationStep next(const WireRules &wire, RemoteOperation operation, const OperationEvent &event)
{
    OperationMachine machine(wire, std::move(operation), event);
    const std::optional<Change::Kind> report = machine.take();
    return { std::move(machine), report };
}

Rules::TriggerId outcomeOf(const Rules &rules, const OperationEnd &end)
{
    if (end.status == Status::Succeeded)
        return rules.succeeded;
    if (end.status == Status::Canceled)
        return rules.canceled;
    for (const Outcome &outcome : rules.pack().outcomes) {
        const Rules::TriggerId trigger = rules.trigger(outcome.id);
        const bool isBad = trigger != Rules::None && !rules.isGood(trigger);
        if (isBad && !end.code.isEmpty() && outcome.code == end.code)
            return rules.outcome(trigger).status == u"Failed" ? trigger : rules.failed;
    }
    return rules.failed;
}

} // namespace instar
