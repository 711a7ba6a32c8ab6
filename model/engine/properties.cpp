// SPDX-License-Identifier: Apache-2.0
#include "model/engine/properties.h"

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

} // namespace instar
