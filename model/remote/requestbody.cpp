// SPDX-License-Identifier: Apache-2.0
#include "model/remote/requestbody.h"

#include "model/engine/madenames.h"
#include "model/remote/momenttext.h"
#include "model/remote/wirerules.h"
#include "model/remote/writer.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isSaid(const QJsonValue &value)
{
    return !value.isUndefined() && !value.isNull() && !(value.isBool() && !value.toBool());
}

/// Writes bodies, and takes from the request what has found its place.
class BodyWriter
{
public:
    BodyWriter(const WireRules &book, const Request &request, const WireClock &clock)
        : m_book(book), m_request(request), m_clock(clock), m_left(request.requests)
    { }

    Result<QByteArray> written(const WireRequest &row)
    {
        const Template *document = insideOf(row);
        if (!document)
            return QByteArray();
        m_left.insert(m_request.path, { m_request.properties, m_request.references, {} });
        QJsonObject root = object(*document, m_request.path);
        m_left.remove(m_request.path);
        if (!m_left.isEmpty())
            refuse(u"\"requests\" says what %1 is asked with, for which a body of %2 has no place"_s
                       .arg(m_left.firstKey(), row.ask));
        answerConditions(row, *document, &root);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        return QJsonDocument(root).toJson(QJsonDocument::Compact);
    }

    /// To the digit as it was, but for what is new.
    Result<QByteArray> answered(const WireRequest &row, QByteArray body)
    {
        const Template *document = insideOf(row);
        const QJsonObject before = QJsonDocument::fromJson(body).object();
        QJsonObject root = before;
        if (document)
            answerConditions(row, *document, &root);
        if (!m_problem.isEmpty())
            return Error { m_problem };
        for (auto it = root.constBegin(); it != root.constEnd(); ++it) {
            if (before.contains(it.key()))
                continue;
            const QByteArray member = QJsonDocument(
                QJsonObject { { it.key(),
                    it.value() } }).toJson(QJsonDocument::Compact);
            const qsizetype end = body.lastIndexOf('}');
            const bool isFirst = body.first(end).trimmed() == "{";
            body.replace(end, 1, (isFirst ? QByteArray() : QByteArray(",")) + member.sliced(1));
        }
        return body;
    }

private:
    /// What stands in the row's document, where that only wraps it.
    const Template *insideOf(const WireRequest &row) const
    {
        return m_book.inside(m_book.findAt(row.body, m_request.path), m_request.path);
    }

    void refuse(const QString &problem)
    {
        if (m_problem.isEmpty())
            m_problem = problem;
    }

    QJsonObject object(const Template &document, const QString &path)
    {
        const Enclosed said = m_left.take(path);
        QJsonObject properties = document.embedded().empty()
            ? m_book.withReferences(typePathOf(path), said.properties, said.references)
            : said.properties;
        QJsonObject root;
        for (const Template::Saying &saying : document.sayings())
            say(saying, path, &properties, &root);
        for (const Template::Embedded &list : document.embedded())
            embed(list, path, said.references, &root);
        const QStringList place = document.properties().value_or(QStringList());
        if (place.isEmpty()) {
            for (auto it = properties.begin(); it != properties.end(); ++it)
                root.insert(it.key(), it.value());
        } else {
            root = put(root, place, properties).toObject();
        }
        const PathTemplate::Filling parts =
            document.nameParts().isEmpty() ? PathTemplate::Filling() : m_book.partsOfName(path);
        for (auto it = document.nameParts().cbegin(); it != document.nameParts().cend(); ++it)
            root = put(root, *it, parts.value(it.key())).toObject();
        const Place &name = document.place(Hole::Name);
        if (name && !name->isEmpty() && !(path == m_request.path && leavesName(m_request)))
            root = put(root, *name, path.section(u'/', -1)).toObject();
        return root;
    }

    /// A property's own member, if it is asked for.
    void say(const Template::Saying &saying, const QString &path, QJsonObject *properties,
        QJsonObject *root)
    {
        const auto other =
            saying.of.isEmpty() ? m_left.end() : m_left.find(path + u'/' + saying.of);
        if (!saying.of.isEmpty() && other == m_left.end())
            return;
        QJsonObject &from = saying.of.isEmpty() ? *properties : other->properties;
        if (!from.contains(saying.property)) {
            if (!saying.otherwise.isEmpty())
                *root = put(*root, saying.place, filled(saying.otherwise, path)).toObject();
            return;
        }
        *root = put(*root, saying.place, spelled(saying, from.take(saying.property))).toObject();
        if (other != m_left.end() && other->properties.isEmpty() && other->references.isEmpty())
            m_left.erase(other);
    }

    QString filled(const QString &text, const QString &path) const
    {
        Messages::About about;
        about.path = path;
        if (path == m_request.path && leavesName(m_request)) // called as the scenario calls it
            about.path = path.section(u'/', 0, -2) + u'/' + m_request.id;
        const HoleText withHoles = HoleText::of(text);
        WireWriter writer(m_book, about);
        const auto bytes = writer.text(withHoles);
        return bytes ? QString::fromUtf8(*bytes) : QString();
    }

    QJsonValue spelled(const Template::Saying &saying, const QJsonValue &value)
    {
        if (saying.times.isEmpty() || !value.isDouble())
            return value;
        const qint64 moment = m_clock.zero + value.toInteger();
        const QString text = momentText(moment, saying.times);
        if (momentOf(text, saying.times, m_clock.now) != moment)
            refuse(u"%1 is said as %2, which cannot say %3 ms"_s
                       .arg(saying.place.last(), saying.times.last())
                       .arg(value.toInteger()));
        return text;
    }

    void embed(const Template::Embedded &list, const QString &path, const QStringList &references,
        QJsonObject *root)
    {
        const QString collection = path + u'/' + list.type + u'/';
        const Template *document = m_book.findAt(list.document, path + u'/' + list.type);
        const auto isInside = [&](const QString &child) {
            return child.startsWith(collection, m_book.names)
                && child.indexOf(u'/', collection.size()) < 0;
        };
        QStringList children;
        for (const QString &child : references + m_left.keys()) {
            if (document && isInside(child) && !children.contains(child, m_book.names))
                children += child;
        }
        QJsonArray items;
        for (const QString &child : std::as_const(children))
            items.append(object(*document, child));
        if (!items.isEmpty())
            *root = put(*root, list.place, items).toObject();
    }

    void answerConditions(const WireRequest &row, const Template &document, QJsonObject *root)
    {
        for (auto it = m_request.conditions.cbegin(); it != m_request.conditions.cend(); ++it) {
            const QStringList members = row.conditions.value(it.key());
            const auto holds = [&] {
                return std::ranges::any_of(
                    members, [&](const QString &name) { return isSaid(root->value(name)); });
            };
            if (members.isEmpty())
                refuse(u"\"conditions\" decides what a server decides by itself"_s);
            else if (it.value() && !holds())
                sayAgain(members, document, root);
            if (!members.isEmpty() && holds() != it.value())
                refuse(u"\"conditions\" says that \"%1\" is %2, and the body would say otherwise"_s
                           .arg(it.key(), it.value() ? u"true"_s : u"false"_s));
        }
    }

    /// The first of the members whose moment is known; that is true, where it is none.
    void sayAgain(const QStringList &members, const Template &document, QJsonObject *root)
    {
        for (const QString &name : members) {
            const auto saying =
                std::ranges::find_if(document.sayings(), [&](const Template::Saying &one) {
                    return one.place.size() == 1 && one.place.last() == name;
                });
            if (saying == document.sayings().end()) {
                root->insert(name, true);
                return;
            }
            if (const auto moment = m_clock.stored(*saying, m_request.path)) {
                root->insert(name, spelled(*saying, QJsonValue(*moment - m_clock.zero)));
                return;
            }
        }
    }

    const WireRules &m_book;
    const Request &m_request;
    const WireClock m_clock;
    QMap<QString, Enclosed> m_left; ///< what has no place yet, by path
    QString m_problem;
};

} // namespace

Result<QByteArray> requestBody(
    const WireRules &book, const WireRequest &row, const Request &request, const WireClock &clock)
{
    return BodyWriter(book, request, clock).written(row);
}

Result<QByteArray> withConditions(const WireRules &book, const WireRequest &row,
    const Request &request, const WireClock &clock, const QByteArray &body)
{
    return BodyWriter(book, request, clock).answered(row, body);
}

} // namespace instar
