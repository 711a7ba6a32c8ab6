// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>

#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>

namespace instar {

/// What a resource says of itself, a JSON object. It may be given as a way to read it: most of what
/// clients store is never asked for. Copies share it, and it is read once.
class Properties
{
public:
    using Reader = std::function<QJsonObject()>;

    Properties() = default;
    Properties(const QJsonObject &object);
    Properties(std::initializer_list<std::pair<QString, QJsonValue>> members);
    /// `read` always gives the same object, which is not empty, on whatever thread.
    static Properties readBy(Reader read);

    bool isEmpty() const { return !d; }
    QJsonObject object() const;
    operator QJsonObject() const { return object(); }
    QJsonValue value(const QString &name) const { return object().value(name); }
    void insert(const QString &name, const QJsonValue &value);

    bool operator==(const Properties &other) const
    {
        return d == other.d || object() == other.object();
    }
    bool operator==(const QJsonObject &other) const { return object() == other; }

private:
    struct Shared;
    std::shared_ptr<const Shared> d; ///< null: empty
};

/// What becomes of an object where another one is laid over it as RFC 7396 says: null takes a
/// member away, objects are laid over objects, everything else replaces.
QJsonObject merged(QJsonObject object, const QJsonObject &patch);

} // namespace instar
