// SPDX-License-Identifier: Apache-2.0
#include "model/json/jsontext.h"
#include "model/json/library.h"
#include "model/openapi/description.h"
#include "model/openapi/yamltext.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QUrl>

#include <algorithm>
#include <map>
#include <memory>

namespace instar {

namespace {

constexpr int MostNesting = 48;                    ///< depth of nested schemas (allOf, properties)
constexpr int MostSchemas = 4000;                  ///< most schemas visited for one body
constexpr qsizetype MostProperties = 300;          ///< most properties recorded for one body
constexpr qsizetype MostFiles = 2000;              ///< most files of one description
constexpr qsizetype MostBytes = 256 * 1024 * 1024; ///< largest file
constexpr qsizetype MostRecordedDepth = 3;         ///< greatest depth of a recorded property

/// Parsed file of an API description.
struct SourceText
{
    SourceText(JsonText read, QString from) : text(std::move(read)), path(std::move(from)) { }
    Q_DISABLE_COPY_MOVE(SourceText)

    JsonText text;
    QString path; ///< base of the text's relative references
};

/// JSON value and the file that contains it.
struct LocatedValue
{
    SourceText *source = nullptr;
    Value value;

    explicit operator bool() const { return bool(value); }
    LocatedValue find(const char *key) const { return { source, value.find(key) }; }
    using Key = std::pair<SourceText *, quint32>;
    Key key() const { return { source, value.index() }; }
};

QString oneLineOf(const QString &text)
{
    return text.simplified().left(300);
}

bool isYamlName(const QString &name)
{
    return name.endsWith(u".yaml"_s, Qt::CaseInsensitive)
        || name.endsWith(u".yml"_s, Qt::CaseInsensitive);
}

/// Parses JSON or YAML: by the suffix of the name, else by the first character.
Result<JsonText> documentOf(const QByteArray &bytes, const QString &name)
{
    const QByteArray text = withoutByteOrderMark(bytes);
    const QByteArray begin = text.left(64 * 1024).trimmed();
    const bool isJson = begin.startsWith('{') || begin.startsWith('[');
    return isYamlName(name) || (!isJson && !name.endsWith(u".json"_s, Qt::CaseInsensitive))
        ? yamlText(text, name)
        : JsonText::parse(text, name);
}

/// Reader of one description and of the files that it refers to.
class DescriptionReader
{
public:
    DescriptionReader(QString name, const NeighbourFiles &neighbours)
        : m_name(std::move(name)), m_neighbours(neighbours)
    { }

    Result<DescriptionRead> read(const QByteArray &bytes)
    {
        Result<JsonText> text = documentOf(bytes, m_name);
        if (!text)
            return Error { text.error() };
        m_main = add(std::move(*text), m_name);
        const Value root = m_main->text.root();
        if (const QString problem = kindProblem(root); !problem.isEmpty())
            return Error { u"%1:%2: %3"_s.arg(m_name, QString::number(root.line()), problem) };
        const LocatedValue info = LocatedValue { m_main, root }.find("info");
        m_result.description.title = oneLineOf(info.find("title").value.string());
        m_result.description.version = scalar(info.find("version").value);
        m_result.description.base = baseOf(root);
        reportDuplicates(root, u"the description"_s);
        readPaths(LocatedValue { m_main, root }.find("paths"));
        if (const Value more = root.find("x-ms-paths"))
            report(more,
                u"x-ms-paths are left out: the importer does not distinguish paths by their queries"_s);
        if (m_result.description.operations.isEmpty())
            return Error {
                u"%1:%2: the description has no operations, so there is nothing to import"_s.arg(
                    m_name, QString::number(root.line()))
            };
        return std::move(m_result);
    }

private:
    /// Returns the text of a string, or the JSON of any other value.
    static QString scalar(Value value)
    {
        return value.is(Value::Kind::String) ? value.string()
                                             : QString::fromUtf8(value.raw().toByteArray());
    }

    /// Returns why a document is no supported description; empty if it is one.
    QString kindProblem(Value root)
    {
        if (!root.is(Value::Kind::Object))
            return u"expected an OpenAPI 3 or Swagger 2 description, found "_s + root.kindName();
        const Value openApi = root.find("openapi"), swagger = root.find("swagger");
        if (!openApi && !swagger)
            return u"expected an OpenAPI 3 or Swagger 2 description, found neither the key "
                   u"\"openapi\" nor \"swagger\""_s;
        const QString version = scalar(openApi ? openApi : swagger);
        m_isSwagger = !openApi;
        m_result.description.format =
            (m_isSwagger ? u"Swagger "_s : u"OpenAPI "_s) + version.left(20);
        if (!version.startsWith(m_isSwagger ? u'2' : u'3'))
            return u"expected OpenAPI 3 or Swagger 2, found "_s + m_result.description.format;
        return {};
    }

    /// Returns the path that all operations begin with, from the server's URL.
    QString baseOf(Value root)
    {
        QString url = m_isSwagger ? root.find("basePath").string() : QString();
        if (!m_isSwagger) {
            const Value servers = root.find("servers");
            const Value server = servers.size() > 0 ? *servers.items().begin() : Value();
            url = server.find("url").string();
            for (const Member variable : server.find("variables").members())
                url.replace(
                    u'{' + variable.key.string() + u'}', scalar(variable.value.find("default")));
        }
        QString path = url;
        if (const qsizetype host = path.indexOf(u"://"); host >= 0)
            path = path.indexOf(u'/', host + 3) < 0 ? QString()
                                                    : path.sliced(path.indexOf(u'/', host + 3));
        if (const qsizetype end = path.indexOf(QRegularExpression(u"[{?#]"_s)); end >= 0) {
            report(root,
                u"the server's URL %1 is cut off before the first \"{\", \"?\" or \"#\""_s.arg(
                    url.left(200)));
            path.truncate(end);
        }
        const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
        return parts.isEmpty() ? QString() : u'/' + parts.join(u'/');
    }

    SourceText *add(JsonText text, const QString &path)
    {
        auto &source = m_sources[path];
        source = std::make_unique<SourceText>(std::move(text), path);
        return source.get();
    }

    /// Returns the file at a path, read once; null if it cannot be read.
    SourceText *neighbour(const QString &path)
    {
        if (const auto known = m_sources.find(path); known != m_sources.end())
            return known->second.get();
        m_sources[path]; // null until the file is read: an unreadable file is tried only once
        if (qsizetype(m_sources.size()) > MostFiles)
            return nullptr;
        const Result<QByteArray> bytes =
            m_neighbours ? m_neighbours(path) : Result<QByteArray>(Error { path });
        if (!bytes) {
            report({},
                u"a reference points to the file %1, which cannot be read: %2"_s.arg(
                    path, bytes.error()));
            return nullptr;
        }
        Result<JsonText> text = documentOf(*bytes, path);
        if (!text) {
            report({}, u"a reference points to a file that cannot be read: "_s + text.error());
            return nullptr;
        }
        return add(std::move(*text), path);
    }

    /// Follows the chain of `$ref`s that begins at a value, and returns its end: the value itself
    /// if it has no `$ref`; absent, with a remark, if the chain is a cycle or leads nowhere.
    /// Follows each `$ref` only once.
    LocatedValue resolved(LocatedValue current)
    {
        QList<LocatedValue::Key> chain;
        QStringList references; // of the chain
        while (current.value.is(Value::Kind::Object)) {
            const Value ref = current.value.find("$ref");
            if (!ref.is(Value::Kind::String))
                break;
            if (const auto known = m_ends.constFind(current.key()); known != m_ends.constEnd()) {
                if (const qsizetype begin = chain.indexOf(current.key()); begin >= 0)
                    reportBadReference(current, ref,
                        u"refers to itself in a cycle (%1)"_s.arg(
                            oneLineOf(references.mid(begin).join(u", "_s))));
                current = *known;
                break;
            }
            m_ends.insert(current.key(), LocatedValue());
            chain += current.key();
            references += ref.string();
            const LocatedValue next = target(current, ref);
            if (!next)
                reportBadReference(current, ref, u"has no target"_s);
            current = next;
        }
        for (const LocatedValue::Key &key : std::as_const(chain))
            m_ends.insert(key, current);
        return current;
    }

    /// Returns the value that a `$ref` in `from` points to, which may be another `$ref`.
    LocatedValue target(const LocatedValue &from, Value ref)
    {
        const QString text = ref.string();
        const qsizetype hash = text.indexOf(u'#');
        const QString file = hash < 0 ? text : text.left(hash);
        SourceText *source = from.source;
        if (!file.isEmpty()) {
            const QString decoded = QUrl::fromPercentEncoding(file.toUtf8());
            if (decoded.contains(u"://") || QDir::isAbsolutePath(decoded))
                source = nullptr; // URLs and absolute paths are never read
            else
                source = neighbour(
                    QDir::cleanPath(QFileInfo(from.source->path).path() + u'/' + decoded));
        }
        const QString fragment =
            QUrl::fromPercentEncoding((hash < 0 ? QString() : text.sliced(hash + 1)).toUtf8());
        const qsizetype slash = fragment.indexOf(u'/');
        LocatedValue found { source, source ? source->text.root() : Value() };
        for (const QString &key : slash < 0 ? QStringList() : keysOf(fragment.sliced(slash)))
            found.value = found ? childrenOf(found).value(key) : Value();
        return found;
    }

    /// Returns the members of an object by key, or the items of an array by number. Each container
    /// is read only once, because many references may point into it.
    const QHash<QString, Value> &childrenOf(const LocatedValue &container)
    {
        const auto known = m_children.constFind(container.key());
        if (known != m_children.constEnd())
            return *known;
        QHash<QString, Value> children;
        for (const Member member : container.value.members()) {
            if (const QString key = member.key.string(); !children.contains(key))
                children.insert(key, member.value);
        }
        for (const Value item : container.value.items())
            children.insert(QString::number(children.size()), item);
        return *m_children.insert(container.key(), children);
    }

    void reportBadReference(const LocatedValue &holder, Value ref, const QString &problem)
    {
        const QString text = ref.string();
        if (m_reportedReferences.contains(text))
            return;
        m_reportedReferences.insert(text);
        report(holder.source == m_main ? ref : Value(),
            u"the reference %1 %2 and is left out"_s.arg(text.left(200), problem));
    }

    /// Adds a remark with the line of a value in the main file, or without a line if it is absent.
    void report(Value value, const QString &text)
    {
        m_result.remarks += { value ? value.line() : 0, text };
    }

    void reportDuplicates(Value object, const QString &name)
    {
        if (const Value key = object.duplicateKey())
            report(key,
                u"%1 has \"%2\" twice; the second is ignored"_s.arg(name, key.string().left(100)));
    }

    void readPaths(const LocatedValue &paths)
    {
        if (paths.source == m_main)
            reportDuplicates(paths.value, u"\"paths\""_s);
        QSet<QString> known;
        for (const Member member : paths.value.members()) {
            const QString path = member.key.string();
            if (!path.startsWith(u'/')) {
                if (!path.startsWith(u"x-"))
                    report(member.key,
                        u"the path \"%1\" does not begin with a slash and is left out"_s.arg(
                            path.left(200)));
                continue;
            }
            if (known.contains(path))
                continue;
            known.insert(path);
            readPath(path, resolved({ paths.source, member.value }), member.key);
        }
    }

    void readPath(const QString &written, const LocatedValue &item, Value key)
    {
        static const QHash<QByteArray, QString> methods { { "put", u"PUT"_s },
            { "post", u"POST"_s }, { "patch", u"PATCH"_s }, { "delete", u"DELETE"_s },
            { "get", u"GET"_s } };
        const QString path = written.section(QRegularExpression(u"[?#]"_s), 0, 0);
        if (item.source == m_main)
            reportDuplicates(item.value, u"the path "_s + written.left(200));
        for (const Member member : item.value.members()) {
            const auto method = methods.constFind(member.key.string().toUtf8());
            if (method == methods.constEnd() || !member.value.is(Value::Kind::Object))
                continue;
            if (m_knownOperations.contains(*method + u' ' + path)) {
                report(item.source == m_main ? member.key : key,
                    u"%1 %2 is left out: it differs from another operation only in its query"_s.arg(
                        *method, written.left(200)));
                continue;
            }
            m_knownOperations.insert(*method + u' ' + path);
            readOperation(path, *method, item, resolved({ item.source, member.value }),
                (item.source == m_main ? member.key : key).line());
        }
    }

    void readOperation(const QString &path, const QString &method, const LocatedValue &item,
        const LocatedValue &node, int line)
    {
        ApiOperation operation { .method = method, .path = path };
        operation.line = line;
        operation.id = uniqueId(node.value.find("operationId").string().trimmed(), method, path);
        const QString summary = node.value.find("summary").string();
        operation.about =
            oneLineOf(summary.isEmpty() ? node.value.find("description").string() : summary);
        if (const LocatedValue body = node.find("requestBody")) {
            operation.takesBody = true;
            operation.bodyShape = shapeOf(contentOf(resolved(body)));
        }
        readParameters(node, &operation);
        readParameters(item, &operation);
        const Value mark = node.value.find("x-ms-long-running-operation");
        operation.isLongRunning = mark.boolean();
        operation.finalStateVia =
            node.value.find("x-ms-long-running-operation-options").find("final-state-via").string();
        readAnswers(resolved(node.find("responses")), &operation);
        m_result.description.operations += operation;
    }

    QString uniqueId(const QString &given, const QString &method, const QString &path)
    {
        const bool isUsable = !given.isEmpty() && given.size() <= 200;
        const QString fallback = method + u' ' + path;
        return *m_usedIds.insert(
            isUsable && !m_usedIds.contains(given) ? given : freshName(fallback, m_usedIds, " "));
    }

    /// Reads body and required query parameters of an operation or of its path. Parameters of the
    /// operation, which are read first, override those of the path.
    void readParameters(const LocatedValue &node, ApiOperation *operation)
    {
        for (const Value one : node.value.find("parameters").items()) {
            const LocatedValue parameter = resolved({ node.source, one });
            const QString in = parameter.value.find("in").string(),
                          name = parameter.value.find("name").string();
            if (m_isSwagger && (in == u"body" || in == u"formData")) {
                operation->takesBody = true;
                if (in == u"body" && operation->bodyShape < 0)
                    operation->bodyShape = shapeOf(parameter.find("schema"));
            }
            const auto isKnown = [&](const ApiQuery &query) { return query.name == name; };
            if (in == u"query" && !name.isEmpty() && parameter.value.find("required").boolean()
                && std::ranges::none_of(operation->query, isKnown))
                operation->query += { name, valueOf(parameter) };
        }
    }

    /// Returns the value of a parameter: its constant, default or only choice; empty: none.
    QString valueOf(const LocatedValue &parameter)
    {
        const LocatedValue schema = m_isSwagger ? parameter : resolved(parameter.find("schema"));
        for (const char *key : { "const", "default" }) {
            if (const Value value = schema.value.find(key))
                return scalar(value);
        }
        const Value words = schema.value.find("enum");
        return words.size() == 1 ? scalar(*words.items().begin()) : QString();
    }

    void readAnswers(const LocatedValue &responses, ApiOperation *operation)
    {
        for (const Member member : responses.value.members()) {
            const QString code = member.key.string();
            ApiAnswer answer;
            if (code != u"default") {
                bool isNumber = false;
                answer.code =
                    QString(code).replace(u"XX"_s, u"00"_s, Qt::CaseInsensitive).toInt(&isNumber);
                if (!isNumber || answer.code < 100 || answer.code > 599)
                    continue;
            }
            if (operation->answer(answer.code))
                continue;
            const LocatedValue response = resolved({ responses.source, member.value });
            for (const Member header : response.value.find("headers").members())
                answer.headers += header.key.string();
            answer.shape = shapeOf(m_isSwagger ? response.find("schema") : contentOf(response));
            operation->answers += answer;
        }
        std::ranges::stable_sort(operation->answers, {},
            [](const ApiAnswer &answer) { return answer.code ? answer.code : 1000; });
    }

    /// Returns the schema of a message's JSON content, else that of its first content type.
    static LocatedValue contentOf(const LocatedValue &response)
    {
        LocatedValue first;
        for (const Member member : response.value.find("content").members()) {
            const LocatedValue schema { response.source, member.value.find("schema") };
            if (member.key.string().contains(u"json", Qt::CaseInsensitive))
                return schema;
            if (!first)
                first = schema;
        }
        return first;
    }

    /// Returns the index of a schema's shape (keys, list, properties); -1 without a schema.
    int shapeOf(const LocatedValue &schema)
    {
        const LocatedValue node = resolved(schema);
        if (!node.value.is(Value::Kind::Object))
            return -1;
        const auto known = m_shapes.constFind(node.key());
        if (known != m_shapes.constEnd())
            return *known;
        ApiShape shape;
        m_visited = 0;
        addSchema(node, {}, 0, &shape);
        const int index = int(m_result.description.shapes.size());
        m_result.description.shapes += shape;
        m_shapes.insert(node.key(), index);
        return index;
    }

    /// Adds to a shape the lists and properties of a schema. `keyPath`: keys that lead to the
    /// schema's value in the request or response body.
    void addSchema(
        const LocatedValue &schema, const QStringList &keyPath, int nesting, ApiShape *shape)
    {
        const LocatedValue node = resolved(schema);
        if (!node.value.is(Value::Kind::Object) || nesting > MostNesting
            || ++m_visited > MostSchemas)
            return;
        for (const char *part : { "allOf", "oneOf", "anyOf" }) {
            for (const Value one : node.value.find(part).items())
                addSchema({ node.source, one }, keyPath, nesting + 1, shape);
        }
        const QString type = typeOf(node.value);
        if (type == u"array" || (type.isEmpty() && node.value.find("items")))
            addList(node, keyPath, shape);
        else if (keyPath.isEmpty() || type == u"object" || type.isEmpty())
            addProperties(node, keyPath, nesting, shape);
        if (!keyPath.isEmpty())
            addScalar(node, type, keyPath, shape);
    }

    void addProperties(
        const LocatedValue &node, const QStringList &keyPath, int nesting, ApiShape *shape)
    {
        if (keyPath.size() >= MostRecordedDepth)
            return;
        for (const Member member : node.value.find("properties").members()) {
            if (const QString key = member.key.string();
                keyPath.isEmpty() && !shape->keys.contains(key))
                shape->keys += key;
            addSchema({ node.source, member.value }, keyPath + QStringList { member.key.string() },
                nesting + 1, shape);
        }
    }

    void addList(const LocatedValue &node, const QStringList &keyPath, ApiShape *shape)
    {
        if (keyPath.size() > 1 || shape->isList || !shape->listKey.isEmpty())
            return;
        shape->isList = keyPath.isEmpty();
        if (!keyPath.isEmpty())
            shape->listKey = keyPath.first();
        const LocatedValue items = resolved(node.find("items"));
        const QString type = typeOf(items.value);
        shape->holdsObjects = type == u"object" || items.value.find("properties")
            || items.value.find("allOf") || items.value.find("oneOf") || items.value.find("anyOf");
    }

    void addScalar(
        const LocatedValue &node, const QString &type, const QStringList &keyPath, ApiShape *shape)
    {
        QStringList words;
        for (const char *key : { "enum", "x-extensible-enum" }) {
            for (const Value word : node.value.find(key).items()) {
                if (word.is(Value::Kind::String) && !words.contains(word.string()))
                    words += word.string();
            }
        }
        const bool isScalar = type == u"string" || type == u"integer" || type == u"number";
        if (!isScalar && words.isEmpty())
            return;
        const auto known = std::ranges::find(shape->properties, keyPath, &ApiProperty::keyPath);
        if (known != shape->properties.end()) {
            if (known->words.isEmpty())
                known->words = words;
            return;
        }
        if (shape->properties.size() < MostProperties)
            shape->properties += ApiProperty { keyPath, type.isEmpty() ? u"string"_s : type, words,
                node.value.find("readOnly").boolean() };
    }

    /// Returns the type of a schema; of several types, the first that is not "null".
    static QString typeOf(Value schema)
    {
        const Value type = schema.find("type");
        for (const Value one : type.items()) {
            if (!one.isString("null"))
                return one.string();
        }
        return type.string();
    }

    const QString m_name;
    const NeighbourFiles &m_neighbours;
    std::map<QString, std::unique_ptr<SourceText>> m_sources; ///< by path; null: cannot be read
    SourceText *m_main = nullptr;
    bool m_isSwagger = false;
    QHash<LocatedValue::Key, int> m_shapes;
    QHash<LocatedValue::Key, LocatedValue> m_ends; ///< of chains of `$ref`s, by their members
    QHash<LocatedValue::Key, QHash<QString, Value>> m_children; ///< by container
    QSet<QString> m_reportedReferences, m_usedIds, m_knownOperations;
    int m_visited = 0; ///< schemas of the current shape
    DescriptionRead m_result;
};

} // namespace

Result<DescriptionRead> readDescription(
    const QByteArray &bytes, const QString &name, const NeighbourFiles &neighbours)
{
    return DescriptionReader(name, neighbours).read(bytes);
}

bool isDescription(const QString &file)
{
    if (isYamlName(file))
        return true;
    const Result<QByteArray> bytes = fileBytes(file, MostBytes);
    const Result<JsonText> text = bytes ? JsonText::parse(withoutByteOrderMark(*bytes), file)
                                        : Result<JsonText>(Error { file });
    return text && (text->root().find("openapi") || text->root().find("swagger"));
}

Result<DescriptionRead> loadDescription(const QString &file, OutsideFiles outside)
{
    const QString folder = QFileInfo(QFileInfo(file).absolutePath()).canonicalFilePath();
    const auto bytesOf = [&](const QString &path) -> Result<QByteArray> {
        const QString real = QFileInfo(path).canonicalFilePath(); // empty: no such file
        if (outside == OutsideFiles::Refused && !real.isEmpty()
            && !real.startsWith(folder == u"/" ? folder : folder + u'/'))
            return Error { u"the file is outside the description's folder; instar-cli import "
                           u"--allow-outside reads it"_s };
        return fileBytes(path, MostBytes);
    };
    const Result<QByteArray> bytes = fileBytes(file, MostBytes);
    if (!bytes)
        return Error { bytes.error() };
    return readDescription(*bytes, file, bytesOf);
}

} // namespace instar
