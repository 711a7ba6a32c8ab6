// SPDX-License-Identifier: Apache-2.0
#include "app/armedrows.h"

#include "model/formats/jsontext.h"
#include "model/formats/scenario.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace instar {

// Each row is a scenario of its own, beside it what a scenario has no place for.

QByteArray armedText(const QList<Request> &requests, const Rules &rules)
{
    QJsonArray rows;
    for (const Request &request : requests) {
        Scenario scenario { .pack = rules.pack().id };
        scenario.switches = rules.switches();
        scenario.steps += stepAsking(request);
        QJsonArray headers;
        for (const RequestHeader &header : request.headers)
            headers.append(QJsonArray { header.name, header.value });
        rows.append(QJsonObject { { u"scenario"_s, QString::fromUtf8(writeScenario(scenario)) },
            { u"id"_s, request.id }, { u"headers"_s, headers },
            { u"body"_s, QString::fromLatin1(request.body.toBase64()) } });
    }
    return rows.isEmpty() ? QByteArray() : QJsonDocument(rows).toJson(QJsonDocument::Compact);
}

ArmedRows armedRows(const QByteArray &text, const Rules &rules)
{
    ArmedRows found;
    const QJsonArray rows = QJsonDocument::fromJson(text).array();
    for (const QJsonValue row : rows) {
        const Result<JsonText> json = JsonText::parse(row[u"scenario"].toString().toUtf8(), {});
        const Result<Scenario> scenario =
            json ? readScenario(*json, rules.pack()) : Result<Scenario>(Error { json.error() });
        if (!scenario || scenario->steps.size() != 1) {
            found.problems += scenario ? QString() : scenario.error();
            continue;
        }
        Request request = scenario->steps.first().request;
        request.id =
            row[u"id"].toString(); // a scenario's step gets one, what is armed may have none
        request.body = QByteArray::fromBase64(row[u"body"].toString().toLatin1());
        const QJsonArray headers = row[u"headers"].toArray();
        for (const QJsonValue header : headers)
            request.headers += RequestHeader { header[0].toString(), header[1].toString() };
        found.requests += request;
    }
    return found;
}

} // namespace instar
