// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print.h"

#include "app/cli/cli.h"
#include "model/engine/report.h"
#include "model/formats/reading.h"
#include "model/items/sentences.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString millis(qint64 time)
{
    return QString::number(time) + u" ms"_s;
}

/// `retry 3, state "running"`.
QString shownProperties(const QJsonObject &properties)
{
    QStringList texts;
    for (auto it = properties.begin(); it != properties.end(); ++it) {
        const QByteArray json =
            QJsonDocument(QJsonArray { it.value() }).toJson(QJsonDocument::Compact);
        texts += it.key() + u' ' + QString::fromUtf8(json.mid(1, json.size() - 2));
    }
    return oneLine(texts.join(u", "_s));
}

} // namespace

QString xmlText(const QString &text, Lines lines)
{
    QString result;
    for (const QChar c : text) {
        if ((c.unicode() >= 0x20 && c.unicode() < 0xfffe) || (c == u'\n' && lines == Lines::Kept))
            result += c;
    }
    return result.toHtmlEscaped();
}

ChangedProperties changedProperties(const World &before, const World &after)
{
    ChangedProperties changed;
    QSet<Resource> own; // that have some, or had
    for (auto it = after.properties.cbegin(); it != after.properties.cend(); ++it)
        own.insert(it.key());
    for (auto it = before.properties.cbegin(); it != before.properties.cend(); ++it)
        own.insert(after.tree.find(before.tree.path(it.key())));
    for (const Resource resource : std::as_const(own)) {
        if (resource == NoResource || !after.tree.exists(resource))
            continue;
        const Resource earlier = before.tree.find(after.tree.path(resource));
        const QJsonObject old =
            earlier == NoResource ? QJsonObject() : before.properties.value(earlier).object();
        const QJsonObject now = after.properties.value(resource).object();
        QJsonObject differing;
        for (auto entry = now.begin(); entry != now.end(); ++entry) {
            if (old.value(entry.key()) != entry.value())
                differing.insert(entry.key(), entry.value());
        }
        for (const QString &key : old.keys()) {
            if (!now.contains(key))
                differing.insert(key, QJsonValue::Null);
        }
        if (!differing.isEmpty())
            changed.insert(resource, differing);
    }
    return changed;
}

QString runLimitName(Limit limit)
{
    return limit == Limit::States ? u"events"_s : limitName(limit);
}

QString stoppedRun(const Scenario &scenario, const Simulator &simulator, const Played &played)
{
    const QString reason = played.stoppedBy == Limit::Canceled
        ? u"canceled"_s
        : u"stopped at the limit of "_s + runLimitName(played.stoppedBy);
    return u"%1: %2 after %3 events, at %4 ms, with %5 of %6 steps taken"_s
        .arg(scenario.file, reason)
        .arg(simulator.moment())
        .arg(simulator.world().now)
        .arg(played.steps)
        .arg(played.steps + played.left);
}

QByteArray playedJson(const Controller &controller, const Played &played, const QJsonObject &more,
    const ChangedProperties &properties)
{
    QJsonObject answer = worldJson(
        controller.rules(), controller.world(), controller.operations(), controller.records());
    QJsonArray failures;
    for (const Failure &failure : played.failures) {
        failures.append(QJsonObject {
            { u"time"_s, failure.at }, { u"line"_s, failure.line }, { u"text"_s, failure.text } });
    }
    answer.insert(u"quiescent"_s, played.quiescent);
    answer.insert(u"expectations"_s,
        QJsonObject { { u"passed"_s, played.passed }, { u"failed"_s, played.failed },
            { u"failures"_s, failures } });
    if (!properties.isEmpty()) {
        QJsonArray resources = answer.value(u"resources"_s).toArray();
        for (QJsonValueRef row : resources) {
            QJsonObject resource = row.toObject();
            const QString path = resource.value(u"path"_s).toString();
            const auto own = properties.constFind(controller.world().tree.find(path));
            if (own == properties.constEnd())
                continue;
            resource.insert(u"properties"_s, *own);
            row = resource;
        }
        answer.insert(u"resources"_s, resources);
    }
    for (auto it = more.begin(); it != more.end(); ++it)
        answer.insert(it.key(), it.value());
    return QJsonDocument(answer).toJson();
}

QByteArray playedText(const Controller &controller, const Played &played, const QString &file,
    const ChangedProperties &properties)
{
    const Rules &rules = controller.rules();
    QString text;
    QList<QStringList> rows;
    for (const ToldChange &told : toldChanges(controller.records())) {
        const QString more = told.repeated == 0
            ? QString()
            : u", and %1 times more until %2"_s.arg(told.repeated).arg(millis(told.until));
        rows += { millis(told.record->event.time),
            oneLine(changeText(rules, controller.operations(), *told.change)) + more };
    }
    text += table(rows);

    rows.clear();
    const World &world = controller.world();
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        if (rules.isShown(code))
            rows += { world.tree.path(resource), shownWord(rules, world, resource),
                shownProperties(properties.value(resource)) };
    }
    text += u"\nResources at %1%2\n"_s.arg(
                millis(world.now), played.quiescent ? QString() : u" (something still runs)"_s)
        + table(rows);

    rows.clear();
    for (const Operation &operation : controller.operations().all()) {
        QString why = operation.errorCode;
        if (!operation.errorMessage.isEmpty())
            why += u": "_s + operation.errorMessage;
        const QString ended = operation.ended && *operation.ended != operation.submitted
            ? u"–"_s + millis(*operation.ended)
            : u" ms"_s;
        rows += { operation.id, operation.op, operation.path, statusName(operation.status),
            QString::number(operation.submitted) + ended, oneLine(why) };
    }
    if (!rows.isEmpty())
        text += u"\nOperations\n"_s + table(rows);

    if (played.passed + played.failed > 0) {
        text += u"\n%1 of %2 expectations came true\n"_s.arg(played.passed)
                    .arg(played.passed + played.failed);
        for (const Failure &failure : played.failures)
            text += oneLine(u"%1:%2: at %3: %4"_s.arg(file)
                                .arg(failure.line)
                                .arg(millis(failure.at), failure.text))
                + u'\n';
    }
    return text.toUtf8();
}

/// The seconds are virtual where the controller's time is.
QByteArray playedJunit(const Scenario &scenario, const Played &played, std::optional<qint64> until,
    const QStringList &unknownEnds)
{
    QMap<std::pair<int, qint64>, QList<Failure>> failures; // (line, time) ->
    for (const Failure &failure : played.failures)
        failures[{ failure.line, failure.at }] += failure;
    QString cases;
    int count = 0;
    int failed = 0;
    const QString name = xmlText(scenario.file);
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind != ScenarioStep::Kind::Expect || (until && step.at > *until))
            continue;
        ++count;
        const QList<Failure> own = failures.take({ step.line, step.at });
        const QString seconds = QString::number(double(step.at) / 1000, 'f', 3);
        cases += u"    <testcase name=\"line %1, at %2 ms\" classname=\"%3\" time=\"%4\""_s
                     .arg(step.line)
                     .arg(step.at)
                     .arg(name, seconds);
        if (own.isEmpty()) {
            cases += u"/>\n"_s;
            continue;
        }
        ++failed;
        QStringList texts;
        for (const Failure &failure : own)
            texts += xmlText(failure.text);
        cases += u">\n      <failure message=\"%1\">%2</failure>\n    </testcase>\n"_s.arg(
            texts.first(), texts.join(u'\n'));
    }
    for (const QString &end : unknownEnds) {
        ++count;
        ++failed;
        cases +=
            u"    <testcase name=\"end of operation %1\" classname=\"%2\">\n      <failure message=\"%3\">%3</failure>\n    </testcase>\n"_s
                .arg(xmlText(end.section(u':', 0, 0)), name, xmlText(end));
    }
    const QString suite =
        u"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"%1\" tests=\"%2\" failures=\"%3\" errors=\"0\" skipped=\"0\">\n"_s;
    return (suite.arg(name).arg(count).arg(failed) + cases + u"  </testsuite>\n</testsuites>\n"_s)
        .toUtf8();
}

} // namespace instar
