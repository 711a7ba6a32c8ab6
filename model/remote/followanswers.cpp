// SPDX-License-Identifier: Apache-2.0
// What an answer means to the operation that is followed.
#include "model/remote/follow.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString statusText(const HttpResponse &response)
{
    QString text = QString::number(response.status);
    if (!response.reason.isEmpty())
        text += u' ' + QString::fromUtf8(response.reason);
    return text;
}

/// ": what the error says", to be put into a sentence.
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

/// Says nothing of what was asked about, only that it cannot be told now, or not to us.
bool isAboutAsking(int status)
{
    return isGone(status) || status == 401 || status == 403 || status == 408 || status == 429
        || status == 502 || status == 503 || status == 504;
}

} // namespace

// ---- What an answer says

std::optional<QUrl> Follow::url(const HttpResponse &response, const QStringList &names)
{
    for (const QString &name : names) {
        const QByteArray text = header(response.headers, name.toUtf8()).trimmed();
        if (text.isEmpty())
            continue;
        const QUrl there = m_where.resolved(QUrl(QString::fromUtf8(text)));
        if (there.isValid() && !there.host().isEmpty()
            && (there.scheme() == u"http" || there.scheme() == u"https"))
            return there;
        m_badUrl = QString::fromUtf8(text.left(200));
    }
    return {};
}

/// A later answer may move the operation to other places.
void Follow::readHeaders(const HttpResponse &response)
{
    if (const auto there = url(response, m_rows.operationHeaders))
        m_operation = *there;
    if (const auto there = url(response, m_rows.resultHeaders))
        m_result = *there;
}

std::optional<Status> Follow::standing(const QString &word) const
{
    const auto isOneOf = [&](const QStringList &words) {
        return words.contains(word, Qt::CaseInsensitive);
    };
    if (isOneOf(m_rows.succeeded))
        return Status::Succeeded;
    if (isOneOf(m_rows.failed))
        return Status::Failed;
    if (isOneOf(m_rows.canceled))
        return Status::Canceled;
    if (isOneOf(m_rows.running))
        return Status::InProgress;
    return {};
}

Follow::Sight Follow::sight(const QByteArray &body) const
{
    if (body.trimmed().isEmpty())
        return {};
    const Result<QString> word = m_reader.state(body);
    if (!word)
        return {};
    if (word->isEmpty())
        return { .isReadable = true, .word = {}, .status = Status::Succeeded };
    Status status =
        standing(*word).value_or(m_reader.standing ? m_reader.standing(*word) : Status::InProgress);
    if (status == Status::Waiting)
        status = Status::InProgress;
    return { .isReadable = true, .word = *word, .status = status };
}

Follow::End Follow::failure(Status status, const HttpResponse &response) const
{
    OperationMessage error = m_reader.error(response.body);
    End end {
        .status = status, .code = error.code, .message = error.message, .http = 0, .resource = {}
    };
    if (response.status >= 400)
        end.http = response.status;
    if (standing(end.code) == Status::Canceled && status == Status::Failed)
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

Follow::Next Follow::first(const HttpResponse &response)
{
    const int status = response.status;
    if (status == 502 || status == 504)
        return Lost { tr("Something between here and the server answered %1; whether the request "
                         "took effect is not known.")
                          .arg(statusText(response)) };
    if (status >= 400) // a refusal; but for a server that has tried and failed
        return failure(status == 500 ? Status::Failed : Status::Rejected, response);
    if (status >= 300 || status < 200) {
        return End { .status = Status::Rejected,
            .code = u"Http%1"_s.arg(status),
            .message = tr("The server answered %1, which leaves the request undone.")
                           .arg(statusText(response)),
            .http = status,
            .resource = {} };
    }
    End done;
    if (!response.body.trimmed().isEmpty())
        done.resource = response.body;
    const bool asksOnly =
        m_asked.method == "GET" || m_asked.method == "HEAD" || m_asked.method == "OPTIONS";
    if (status == 204 || asksOnly)
        return done;

    const Sight seen = sight(response.body);
    const bool accepted = status == 202;
    if (changes() && !accepted && seen.isReadable && !seen.word.isEmpty() && !seen.runs()) {
        if (seen.status != Status::Succeeded) {
            const QByteArray document = response.body;
            done = failure(seen.status, response);
            done.resource = document;
        }
        if (m_operation.isEmpty())
            return done;
        m_said = done; // it was done at once, unless the operation knows better
    }
    const bool unclear = accepted || seen.runs() || (changes() && !seen.isReadable);
    for (const QString &way : std::as_const(m_rows.order)) {
        if (way == u"operation" && !m_operation.isEmpty())
            return ask(Phase::OfOperation, m_operation, m_said ? 0 : delay());
        if (way == u"result" && !m_result.isEmpty() && (accepted || status == 201))
            return ask(Phase::OfResult, m_result, delay());
        if (way == u"resource" && !m_asked.resource.isEmpty() && unclear)
            return ask(Phase::OfResource, m_asked.resource, delay());
    }
    if (m_said)
        return *m_said;
    if (!unclear)
        return done;
    if (!m_asked.resource.isEmpty())
        return ask(Phase::OfResource, m_asked.resource, delay());
    if (!m_badUrl.isEmpty())
        return Lost { tr("The server accepted the request, but the place it names for questions, "
                         "\"%1\", is no address.")
                          .arg(m_badUrl) };
    return Lost { tr(
        "The server accepted the request, but did not say where its progress can be asked for.") };
}

// ---- Later answers

Follow::Next Follow::ofOperation(const HttpResponse &response)
{
    if (response.status >= 300) {
        if (m_said && isGone(response.status))
            return *m_said;
        return troubled(tr("it was answered with %1%2")
                            .arg(statusText(response), inPassing(m_reader.error(response.body))),
            m_said);
    }
    Result<OperationMessage> message = m_reader.operation(response.body);
    const bool accepted = response.status == 202;
    if (!message && !accepted) {
        return troubled(response.body.trimmed().isEmpty()
                ? tr("the answer was empty")
                : tr("the answer could not be read: %1").arg(message.error()),
            m_said);
    }
    std::optional<Status> status;
    if (message && !message->word.isEmpty())
        status = standing(message->word).value_or(Status::InProgress);
    else if (message)
        status = message->status;
    if (!status && accepted)
        status = Status::InProgress;
    if (!status)
        return troubled(tr("the answer did not say how the operation stands"), m_said);
    switch (*status) {
    case Status::Succeeded:
        return finished();
    case Status::Failed:
    case Status::Canceled:
    case Status::Rejected: {
        End end { .status = *status,
            .code = message->code,
            .message = message->message,
            .http = 0,
            .resource = {} };
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
    return again(message ? message->word : QString());
}

Follow::Next Follow::ofResult(const HttpResponse &response)
{
    const int status = response.status;
    if (status == 202)
        return again(QString());
    if (status >= 300) {
        const OperationMessage error = m_reader.error(response.body);
        const QString text =
            tr("it was answered with %1%2").arg(statusText(response), inPassing(error));
        if (isAboutAsking(status))
            return troubled(text);
        const End failed = failure(Status::Failed, response);
        // A failed operation answers like this for good; a server in trouble says when to come
        // back.
        return error.code.isEmpty() || m_wait ? troubled(text, failed) : Next(failed);
    }
    if (changes()) {
        const Sight seen = sight(response.body);
        if (!seen.isReadable)
            return finished();
        if (seen.runs())
            return again(seen.word);
        End end = seen.status == Status::Succeeded ? End() : failure(seen.status, response);
        end.resource = response.body;
        return end;
    }
    End end;
    if (!response.body.trimmed().isEmpty())
        end.resource = response.body;
    return end;
}

Follow::Next Follow::ofResource(const HttpResponse &response)
{
    const int status = response.status;
    if (removes() && (isGone(status) || status == 204))
        return End();
    if (status >= 300) {
        return troubled(isGone(status)
                ? tr("the resource is not there (%1)").arg(statusText(response))
                : tr("it was answered with %1").arg(statusText(response)));
    }
    const Sight seen = sight(response.body);
    if (!seen.isReadable && status == 202)
        return again(QString());
    if (!seen.isReadable) {
        const Result<QString> word = m_reader.state(response.body);
        return troubled(response.body.trimmed().isEmpty()
                ? tr("the answer was empty")
                : tr("the answer could not be read: %1").arg(word ? QString() : word.error()));
    }
    if (seen.runs())
        return again(seen.word);
    if (removes() && seen.status == Status::Succeeded)
        return troubled(tr("the resource is still there, and nothing seems to remove it"));
    End end = seen.status == Status::Succeeded ? End() : failure(seen.status, response);
    end.resource = response.body;
    return end;
}

Follow::Next Follow::ofFinal(const HttpResponse &response)
{
    if (response.status == 202)
        return troubled(tr("the result is not ready"), End());
    if (isGone(response.status))
        return End();
    if (response.status >= 300)
        return troubled(statusText(response), End());
    End end;
    if (!response.body.trimmed().isEmpty())
        end.resource = response.body;
    return end;
}

} // namespace instar
