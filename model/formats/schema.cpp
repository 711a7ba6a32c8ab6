// SPDX-License-Identifier: Apache-2.0
#include "model/formats/schema.h"

#include "model/formats/library.h"
#include "model/machine/nearest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

// The adapter asks QJsonValue for an int and loses every whole number beyond 2^31 - 1.
#define toInt toInteger
#include <valijson/adapters/qtjson_adapter.hpp>
#undef toInt
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <exception>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The part of a schema that speaks of a value.
class Part
{
public:
    Part(const QJsonObject &schema, const QJsonObject &part)
        : m_schema(schema), m_part(resolved(part))
    { }

    /// The parts for a member or item of that name: one for each alternative that knows it.
    QList<Part> inside(const QString &segment, Value::Kind container) const
    {
        QList<Part> found;
        for (const Part &alternative : alternatives())
            found.append(alternative.inside(segment, container));
        if (container == Value::Kind::Array) {
            if (m_part.value("items"_L1).isObject())
                found.append(Part(m_schema, m_part.value("items"_L1).toObject()));
            return found;
        }
        const QJsonObject properties = m_part.value("properties"_L1).toObject();
        const QJsonObject patterns = m_part.value("patternProperties"_L1).toObject();
        if (properties.contains(segment)) {
            found.append(Part(m_schema, properties.value(segment).toObject()));
            return found;
        }
        bool isMatched = false;
        for (auto it = patterns.begin(); it != patterns.end(); ++it) {
            isMatched = isMatched || QRegularExpression(it.key()).match(segment).hasMatch();
            if (isMatched && it.value().isObject())
                found.append(Part(m_schema, it.value().toObject()));
        }
        if (!isMatched && m_part.value("additionalProperties"_L1).isObject())
            found.append(Part(m_schema, m_part.value("additionalProperties"_L1).toObject()));
        return found;
    }

    QStringList keys() const
    {
        QStringList keys = m_part.value("properties"_L1).toObject().keys();
        for (const Part &alternative : alternatives())
            keys.append(alternative.keys());
        return keys;
    }

    QString title() const
    {
        if (m_part.contains("title"_L1))
            return m_part.value("title"_L1).toString();
        QStringList words;
        if (m_part.contains("const"_L1))
            words.append(spelled(m_part.value("const"_L1)));
        for (const QJsonValue word : m_part.value("enum"_L1).toArray())
            words.append(spelled(word));
        for (const Part &alternative : alternatives())
            words.append(alternative.title());
        if (words.isEmpty())
            words.append(typeTitle());
        return words.join(u" or "_s);
    }

private:
    QList<Part> alternatives() const
    {
        QList<Part> parts;
        for (const QLatin1StringView word : { "anyOf"_L1, "oneOf"_L1, "allOf"_L1 }) {
            for (const QJsonValue part : m_part.value(word).toArray())
                parts.append(Part(m_schema, part.toObject()));
        }
        return parts;
    }

    static QString spelled(const QJsonValue &word)
    {
        return word.isString() ? u'"' + word.toString() + u'"' : word.toVariant().toString();
    }

    static QString wholeNumber(const QJsonValue &value)
    {
        constexpr qint64 most = qint64(1) << 53;
        const qint64 number = value.toInteger();
        return number == most ? u"2^53"_s : number == -most ? u"-2^53"_s : QString::number(number);
    }

    QString typeTitle() const
    {
        const QString type = m_part.value("type"_L1).toString();
        if (type == "integer"_L1 && m_part.contains("minimum"_L1)) {
            const QString least = wholeNumber(m_part.value("minimum"_L1));
            return m_part.contains("maximum"_L1) ? u"a whole number from %1 to %2"_s.arg(
                       least, wholeNumber(m_part.value("maximum"_L1)))
                                                 : u"a whole number from %1"_s.arg(least);
        }
        static const QMap<QString, QString> titles {
            { u"string"_s, u"a string"_s },
            { u"integer"_s, u"a whole number"_s },
            { u"number"_s, u"a number"_s },
            { u"boolean"_s, u"true or false"_s },
            { u"array"_s, u"a list"_s },
            { u"object"_s, u"an object"_s },
        };
        return titles.value(type, u"something else"_s);
    }

    QJsonObject resolved(const QJsonObject &part) const
    {
        const QString reference = part.value("$ref"_L1).toString();
        const QString name = reference.section(u'/', -1);
        return reference.isEmpty()
            ? part
            : m_schema.value("definitions"_L1).toObject().value(name).toObject();
    }

    QJsonObject m_schema, m_part;
};

QStringList segmentsOf(const QString &pointer)
{
    QStringList segments = pointer.isEmpty() ? QStringList() : pointer.sliced(1).split(u'/');
    for (QString &segment : segments)
        segment.replace("~1"_L1, "/"_L1).replace("~0"_L1, "~"_L1);
    return segments;
}

QString escaped(QString segment)
{
    return segment.replace(u'~', "~0"_L1).replace(u'/', "~1"_L1);
}

/// The validator's path, such as <root>["a"][0], as a JSON pointer.
QString pointerOf(const std::vector<std::string> &context)
{
    QString pointer;
    for (const std::string &step : context) {
        QString segment = QString::fromStdString(step);
        if (!segment.startsWith(u'['))
            continue;
        segment = segment.sliced(1, segment.size() - 2);
        if (segment.startsWith(u'"'))
            segment = segment.sliced(1, segment.size() - 2);
        pointer += u'/' + escaped(segment);
    }
    return pointer;
}

struct Complaint
{
    QString pointer, text;
};

/// The validator also complains of whatever holds something that it has complained of.
bool isEcho(const QString &text)
{
    return text.startsWith("Failed to validate item"_L1)
        || text.startsWith("Failed to validate against schema"_L1)
        || text.startsWith("Failed to validate against additional"_L1)
        || text.startsWith("Failed to validate against child schema"_L1);
}

bool isChoice(const QString &text)
{
    return text.contains("anyOf"_L1) || text.contains("oneOf"_L1)
        || text.contains("exactly one child"_L1);
}

bool isBelow(const QString &pointer, const QString &top)
{
    return pointer == top || pointer.startsWith(top + u'/');
}

/// Of the alternatives' complaints the deepest one alone tells what was meant; where all are at the
/// top, none does.
void settle(QList<Complaint> *complaints, const Complaint &choice)
{
    Complaint deepest = choice;
    while (!complaints->isEmpty() && isBelow(complaints->last().pointer, choice.pointer)) {
        const Complaint inner = complaints->takeLast();
        if (inner.pointer.count(u'/') >= deepest.pointer.count(u'/')
            && inner.pointer != choice.pointer)
            deepest = inner;
    }
    complaints->append(deepest);
}

QString quotedIn(const QString &text)
{
    return text.section(u'\'', -2, -2);
}

Finding translated(const Document &document, const QJsonObject &schema, const Complaint &complaint)
{
    QList<Part> parts { Part(schema, schema) };
    QString container;
    for (const QString &segment : segmentsOf(complaint.pointer)) {
        QList<Part> inner;
        for (const Part &part : parts)
            inner.append(part.inside(segment, document.at(container).kind()));
        parts = inner;
        container += u'/' + escaped(segment);
    }
    const Value value = document.at(complaint.pointer);
    Issue issue { Issue::Severity::Error, complaint.pointer, {}, u"schema"_s };
    Position position = document.position(complaint.pointer);
    if (complaint.text.startsWith("Missing required property"_L1)) {
        issue.text = u"expected the key \"%1\", which is missing"_s.arg(quotedIn(complaint.text));
    } else if (complaint.text.startsWith("Object contains a property"_L1)) {
        const QString key = complaint.text.section(u": '"_s, 1).chopped(2);
        QStringList keys;
        for (const Part &part : parts)
            keys.append(part.keys());
        issue.text = u"unknown key \"%1\"%2"_s.arg(key, suggestion(key, keys));
        issue.pointer += u'/' + escaped(key);
        position = document.position(issue.pointer);
    } else {
        QStringList titles;
        for (const Part &part : parts)
            titles.append(part.title());
        titles.removeDuplicates();
        issue.text = u"expected %1, found %2"_s.arg(
            titles.isEmpty() ? u"something else"_s : titles.join(u" or "_s), shown(value));
    }
    return { issue, position };
}

/// Keys that are there twice: the validator sees the last one only.
void findDuplicates(Value value, QList<Finding> *findings)
{
    if (const Value twice = value.duplicateKey())
        findings->append({ { Issue::Severity::Error, twice.pointer(),
                               u"expected each key once, found \"%1\" again"_s.arg(twice.string()),
                               u"duplicate-key"_s },
            twice.position() });
    for (const Value item : value.items())
        findDuplicates(item, findings);
    for (const Member member : value.members())
        findDuplicates(member.value, findings);
}

} // namespace

Result<QJsonObject> loadSchema(const QString &path)
{
    const Result<Document> document = loadDocument(path); // for its messages
    if (!document)
        return Error { document.error() };
    return QJsonDocument::fromJson(document->bytes()).object();
}

QList<Finding> schemaFindings(const Document &document, const QJsonObject &schema)
{
    const QJsonDocument json = QJsonDocument::fromJson(document.bytes());
    const QJsonValue target = json.isArray() ? QJsonValue(json.array())
        : json.isObject()                    ? QJsonValue(json.object())
                                             : QJsonValue();
    QList<Complaint> complaints;
    try { // the one library here that throws; only a broken schema makes it
        valijson::Schema rules;
        const QJsonValue source(schema);
        valijson::SchemaParser().populateSchema(valijson::adapters::QtJsonAdapter(source), rules);
        valijson::ValidationResults results;
        valijson::Validator().validate(rules, valijson::adapters::QtJsonAdapter(target), &results);
        for (const auto &error : results) {
            const Complaint complaint { pointerOf(error.context),
                QString::fromStdString(error.description) };
            if (isChoice(complaint.text))
                settle(&complaints, complaint);
            else if (!isEcho(complaint.text))
                complaints.append(complaint);
        }
    } catch (const std::exception &broken) {
        return { { { Issue::Severity::Error, {},
                       u"the schema cannot be used: %1"_s.arg(QLatin1StringView(broken.what())),
                       u"schema"_s },
            {} } };
    }
    QList<Finding> findings;
    findDuplicates(document.root(), &findings);
    for (const Complaint &complaint : std::as_const(complaints)) {
        const Finding finding = translated(document, schema, complaint);
        if (!findings.contains(finding))
            findings.append(finding);
    }
    std::stable_sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
        return std::pair(a.position.line, a.position.column)
            < std::pair(b.position.line, b.position.column);
    });
    return findings;
}

} // namespace instar
