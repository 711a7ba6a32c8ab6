// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/operationpoller.h"

#include <QJsonDocument>
#include <QJsonObject>

// Conversations of OperationPoller with a server, as text.

namespace instar {

constexpr qint64 Now = 1'800'000'000'000; // ms since 1970

inline WireFollow rows()
{
    WireFollow rows;
    rows.order = { QStringLiteral("operation"), QStringLiteral("result"),
        QStringLiteral("resource") };
    rows.operationHeaders = { QStringLiteral("Azure-AsyncOperation"),
        QStringLiteral("Operation-Location") };
    rows.resultHeaders = { QStringLiteral("Location") };
    rows.delayHeaders = { QStringLiteral("Retry-After") };
    rows.running = { QStringLiteral("InProgress") };
    rows.succeeded = { QStringLiteral("Succeeded") };
    rows.failed = { QStringLiteral("Failed") };
    rows.canceled = { QStringLiteral("Canceled"), QStringLiteral("Cancelled") };
    return rows;
}

inline Result<QJsonObject> object(const QByteArray &json)
{
    QJsonParseError error {};
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        return Error { error.error ? error.errorString() : QStringLiteral("expected an object") };
    return document.object();
}

inline OperationMessage errorIn(const QJsonObject &document)
{
    const QJsonObject error = document.value(QStringLiteral("error")).toObject();
    return { .status = {},
        .word = {},
        .code = error.value(QStringLiteral("code")).toString(),
        .message = error.value(QStringLiteral("message")).toString() };
}

inline PollReader reader()
{
    PollReader reader;
    reader.operation = [](const QByteArray &json) -> Result<OperationMessage> {
        const Result<QJsonObject> document = object(json);
        if (!document)
            return Error { document.error() };
        OperationMessage message = errorIn(*document);
        message.word = document->value(QStringLiteral("status")).toString();
        return message;
    };
    reader.state = [](const QByteArray &json) -> Result<QString> {
        const Result<QJsonObject> document = object(json);
        if (!document)
            return Error { document.error() };
        return document->value(QStringLiteral("properties"))
            .toObject()
            .value(QStringLiteral("provisioningState"))
            .toString();
    };
    reader.error = [](const QByteArray &json, int) {
        const Result<QJsonObject> document = object(json);
        return document ? errorIn(*document) : OperationMessage();
    };
    return reader;
}

/// "201 Header: value; Header: value | body"; the body words Updating etc. stand for documents.
inline HttpResponse answer(const QString &line)
{
    HttpResponse response;
    const QString head = line.section(QStringLiteral(" | "), 0, 0);
    response.status = head.section(u' ', 0, 0).toInt();
    for (const QString &header :
        head.section(u' ', 1).split(QStringLiteral("; "), Qt::SkipEmptyParts))
        response.headers.append(header.section(QStringLiteral(": "), 0, 0).toUtf8(),
            header.section(QStringLiteral(": "), 1).toUtf8());
    QString body = line.section(QStringLiteral(" | "), 1);
    if (body.startsWith(QStringLiteral("resource ")))
        body = QStringLiteral("{\"properties\": {\"provisioningState\": \"%1\"}}")
                   .arg(body.section(u' ', 1));
    else if (body.startsWith(QStringLiteral("operation ")))
        body = QStringLiteral("{\"status\": \"%1\"}").arg(body.section(u' ', 1));
    else if (body.startsWith(QStringLiteral("error ")))
        body = QStringLiteral("{\"error\": {\"code\": \"%1\", \"message\": \"Why.\"}}")
                   .arg(body.section(u' ', 1));
    response.body = body.toUtf8();
    return response;
}

inline QString said(const OperationPoller::Next &next, qint64 now)
{
    if (const auto *question = std::get_if<OperationPoller::Question>(&next)) {
        return QStringLiteral("ask %1 in %2")
            .arg(question->url.toString(QUrl::RemoveScheme | QUrl::RemoveAuthority))
            .arg(question->notBefore - now);
    }
    if (const auto *end = std::get_if<OperationPoller::End>(&next)) {
        QString text = statusName(end->status);
        if (!end->code.isEmpty())
            text += u' ' + end->code;
        if (end->http)
            text += u' ' + QString::number(end->http);
        if (end->resource)
            text += QStringLiteral(" with document");
        return text;
    }
    if (const auto *repeat = std::get_if<OperationPoller::Repeat>(&next))
        return QStringLiteral("send again in %1").arg(repeat->notBefore - now);
    const auto &lost = std::get<OperationPoller::Lost>(next);
    return (lost.isForgotten ? QStringLiteral("forgotten: ") : QStringLiteral("lost: "))
        + lost.text;
}

/// Answers one after the other, each as early as it was allowed; what was said to each.
inline QStringList conversation(OperationPoller &follow, const QStringList &answers)
{
    QStringList lines;
    qint64 now = Now;
    for (const QString &line : answers) {
        const OperationPoller::Next &next = follow.take(answer(line), now);
        lines += said(next, now);
        if (const auto *question = std::get_if<OperationPoller::Question>(&next))
            now = question->notBefore;
        else if (const auto *repeat = std::get_if<OperationPoller::Repeat>(&next))
            now = repeat->notBefore;
        else
            break;
    }
    return lines;
}

inline OperationPoller following(const QByteArray &method,
    const OperationPoller::Options &options = {}, const WireFollow &wire = rows())
{
    return OperationPoller(wire, reader(),
        { method, QUrl(QStringLiteral("http://127.0.0.1:8080/v1/racks/r1")), {} }, options);
}

} // namespace instar
