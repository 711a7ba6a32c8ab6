// SPDX-License-Identifier: Apache-2.0
#include "model/engine/examiner.h"

#include "model/engine/question.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// A property's value as JSON; that it is not there as null.
QString valueText(const QJsonValue &value)
{
    const QJsonArray list { value.isUndefined() ? QJsonValue() : value };
    return QString::fromUtf8(
        QJsonDocument(list).toJson(QJsonDocument::Compact).chopped(1).sliced(1));
}

} // namespace

Examiner::Examiner(const Scenario &scenario, const Controller &controller, Played &played)
    : m_controller(controller), m_played(played)
{
    for (const ScenarioStep &step : scenario.steps) {
        for (const QString &path : step.expectation.etagsChanged + step.expectation.etagsUnchanged)
            m_etags.insert(path, etagAt(path));
    }
    m_brokenBefore = violations();
}

QList<Failure> Examiner::failures(const ScenarioStep &step) const
{
    QList<Failure> failures;
    const auto compare = [&](const QString &what, const QString &expected, const QString &found) {
        if (expected == found)
            return;
        failures.append({ step.at, step.line,
            u"%1: expected %2, found %3"_s.arg(
                what, expected, found.isEmpty() ? u"nothing"_s : found) });
    };
    const Expectation &expected = step.expectation;
    const OperationLog &operations = m_controller.operations();
    for (auto it = expected.resources.cbegin(); it != expected.resources.cend(); ++it) {
        const QString found = shownAt(it.key());
        compare(it.key(), it.value().isEmpty() ? u"absent"_s : it.value(),
            found.isEmpty() ? u"absent"_s : found);
    }
    for (auto it = expected.properties.cbegin(); it != expected.properties.cend(); ++it) {
        for (auto each = it->begin(); each != it->end(); ++each)
            compare(each.key() + u" of "_s + it.key(), valueText(each.value()),
                valueText(propertyAt(it.key(), each.key())));
    }
    for (auto it = expected.operations.cbegin(); it != expected.operations.cend(); ++it) {
        const Operation *operation = operations.find(it.key());
        compare(u"operation "_s + it.key(), it.value(),
            statusName(operation ? operation->status : Status::Waiting));
    }
    for (auto it = expected.errors.cbegin(); it != expected.errors.cend(); ++it) {
        const Operation *operation = operations.find(it.key());
        compare(u"error of operation "_s + it.key(), it.value(),
            operation ? operation->errorCode : QString());
    }
    const auto compareEtag = [&](const QString &path, const QString &word) {
        compare(u"etag of "_s + path, word,
            etagAt(path) != m_etags.value(path) ? u"changed"_s : u"unchanged"_s);
    };
    for (const QString &path : expected.etagsChanged)
        compareEtag(path, u"changed"_s);
    for (const QString &path : expected.etagsUnchanged)
        compareEtag(path, u"unchanged"_s);
    if (expected.violations)
        compare(
            u"violations"_s, QString::number(*expected.violations), QString::number(violations()));
    return failures;
}

void Examiner::examine(const ScenarioStep &step)
{
    const QList<Failure> found = failures(step);
    ++(found.isEmpty() ? m_played.passed : m_played.failed);
    m_played.failures += found;
    for (const QString &path : step.expectation.etagsChanged + step.expectation.etagsUnchanged)
        m_etags.insert(path, {}); // a server may have called it otherwise meanwhile
    for (auto it = m_etags.begin(); it != m_etags.end(); ++it)
        *it = etagAt(it.key());
}

QString Examiner::shownAt(const QString &path) const
{
    const World &world = m_controller.world();
    const Resource resource = world.tree.find(path);
    if (resource == NoResource || !m_controller.rules().isShown(world.tree.code(resource)))
        return {};
    return shownWord(m_controller.rules(), world, resource);
}

QJsonValue Examiner::propertyAt(const QString &path, const QString &name) const
{
    const World &world = m_controller.world();
    return property(world.properties.value(world.tree.find(path)), name);
}

QString Examiner::etagAt(const QString &path) const
{
    const Resource resource = m_controller.world().tree.find(path);
    return resource == NoResource ? QString() : m_controller.etag(resource);
}

qsizetype Examiner::violations() const
{
    qsizetype count = -m_brokenBefore;
    for (const Record &record : m_controller.records())
        count += std::ranges::count(record.changes, Change::Kind::Violated, &Change::kind);
    return count;
}

SeenEtags::SeenEtags(const QList<ScenarioStep> &steps) : m_steps(steps)
{
    for (const ScenarioStep &step : steps) {
        if (step.seenAt)
            m_seen.insert({ *step.seenAt, step.request.path }, {});
    }
}

bool SeenEtags::isDemanded(const ScenarioStep &step) const
{
    const auto first = m_seen.lowerBound({ indexOf(step), {} });
    return first != m_seen.cend() && first.key().first == indexOf(step);
}

void SeenEtags::look(const ScenarioStep &step, const Controller &controller,
    const std::function<QString(const QString &)> &at)
{
    for (auto it = m_seen.begin(); it != m_seen.end(); ++it) {
        if (it.key().first != indexOf(step))
            continue;
        const QString &path = it.key().second;
        const Resource resource = controller.world().tree.find(at ? at(path) : path);
        *it = resource == NoResource ? QString() : controller.etag(resource);
    }
}

Request SeenEtags::demanding(const ScenarioStep &step, Request request) const
{
    if (!step.seenAt)
        return request;
    const QString seen = m_seen.value({ *step.seenAt, step.request.path });
    request.ifMatch = seen.isEmpty() ? u"\"none was seen\""_s : seen;
    return request;
}

} // namespace instar
