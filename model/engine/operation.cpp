// SPDX-License-Identifier: Apache-2.0
#include "model/engine/operation.h"

#include <mutex>

namespace instar {

struct Properties::Shared
{
    Reader read; ///< null: `object` is set
    mutable QJsonObject object;
    mutable std::once_flag once;
};

Properties::Properties(const QJsonObject &object)
{
    if (object.isEmpty())
        return;
    auto shared = std::make_shared<Shared>();
    shared->object = object;
    d = std::move(shared);
}

Properties::Properties(std::initializer_list<std::pair<QString, QJsonValue>> members)
{
    for (const auto &[name, value] : members)
        insert(name, value);
}

Properties Properties::readBy(Reader read)
{
    auto shared = std::make_shared<Shared>();
    shared->read = std::move(read);
    Properties properties;
    properties.d = std::move(shared);
    return properties;
}

QJsonObject Properties::object() const
{
    if (!d)
        return {};
    if (d->read)
        std::call_once(d->once, [this] { d->object = d->read(); });
    return d->object;
}

void Properties::insert(const QString &name, const QJsonValue &value)
{
    QJsonObject changed = object();
    changed.insert(name, value);
    *this = changed;
}

QJsonObject merged(QJsonObject object, const QJsonObject &patch)
{
    for (auto it = patch.begin(); it != patch.end(); ++it) {
        if (it->isNull())
            object.remove(it.key());
        else if (it->isObject())
            object.insert(it.key(), merged(object.value(it.key()).toObject(), it->toObject()));
        else
            object.insert(it.key(), it.value());
    }
    return object;
}

QMap<QString, WorkPlan>::const_iterator workPlanFor(const Request &request, const QString &state)
{
    const auto found = request.work.constFind(state);
    return found == request.work.constEnd() ? request.work.constFind(WholeWork) : found;
}

namespace {

const QStringList &statusNames()
{
    static const QStringList names = wordList(StatusWords);
    return names;
}

} // namespace

QString statusName(Status status)
{
    return statusNames()[qsizetype(status)];
}

std::optional<Status> statusNamed(const QString &name)
{
    const qsizetype status = statusNames().indexOf(name);
    return status < 0 ? std::nullopt : std::optional(Status(status));
}

QString statusAndCode(const Operation &operation)
{
    const QString status = statusName(operation.status);
    return operation.errorCode.isEmpty() || operation.errorCode == status
        ? status
        : status + u' ' + operation.errorCode;
}

} // namespace instar
