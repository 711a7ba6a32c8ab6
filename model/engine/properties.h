// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>

#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>

namespace instar {

/// Properties of a resource as a JSON object, parsed lazily: most stored documents are never read.
/// Copies share the object, which is parsed only once.
class Properties
{
public:
    using Reader = std::function<QJsonObject()>;

    Properties() = default;
    Properties(const QJsonObject &object);
    Properties(std::initializer_list<std::pair<QString, QJsonValue>> members);
    /// `read` must return the same non-empty object on every call, on any thread.
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

/// Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged recursively,
/// any other value replaces.
QJsonObject merged(QJsonObject object, const QJsonObject &patch);

} // namespace instar
