// SPDX-License-Identifier: Apache-2.0
#include "model/json/output.h"
#include "model/openapi/description.h"
#include "model/openapi/resourcekinds.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>
#include <QUrl>

#include <algorithm>
#include <functional>

namespace instar {

namespace {

constexpr qsizetype MostSamples = 200; ///< resources of the sample tree

/// Returns the object with a value set at a key path.
QJsonObject with(QJsonObject object, const QStringList &keyPath, const QJsonValue &value)
{
    if (keyPath.size() == 1) {
        object[keyPath.first()] = value;
    } else if (!keyPath.isEmpty()) {
        object[keyPath.first()] = with(object[keyPath.first()].toObject(), keyPath.mid(1), value);
    }
    return object;
}

/// Returns the description with other ids for operations whose ids have a meaning in packs.
ApiDescription withoutReservedIds(ApiDescription description)
{
    const QStringList reserved = Pack().outcomeNames()
        + QStringList { u"resource"_s, u"collection"_s, u"operation"_s, u"result"_s, u"error"_s,
              u"failed operation"_s, u"answer"_s };
    for (ApiOperation &operation : description.operations) {
        if (reserved.contains(operation.id))
            operation.id = operation.method + u' ' + operation.path;
    }
    return description;
}

class PackMaker
{
public:
    PackMaker(const ApiDescription &description, const QString &origin)
        : m_description(withoutReservedIds(description)), m_found(resourceKinds(m_description))
    {
        m_pack.origin = origin;
        for (const ResourceKind &kind : std::as_const(m_found.kinds))
            m_documents += documentsOf(m_description, kind, &m_remarks);
    }

    DescribedPack made()
    {
        m_remarks += m_found.remarks;
        m_pack.id = idOf(m_description.title);
        m_pack.title = m_description.title.isEmpty() ? m_pack.id : m_description.title;
        const QString source = QString::fromLatin1(DescriptionSource);
        m_pack.sources = { source };
        m_pack.sourceList = { { .id = source,
                                  .document = m_pack.title,
                                  .section = m_description.format,
                                  .about = u"The imported API description."_s,
                                  .extras = {} },
            { .id = QString::fromLatin1(GuessSource),
                .document = u"Instar"_s,
                .section = u"import"_s,
                .about = u"Not in the API description; the import assumed this."_s,
                .extras = { { u"x-ours"_s, "true" } } } };
        addKinds();
        nameDocuments();
        addPolicy();
        addRequests();
        addAnswers();
        addDocuments();
        addFollow();
        addSample();
        std::ranges::stable_sort(m_remarks, {}, &Diagnostic::line);
        return { m_pack, m_remarks };
    }

private:
    static QString idOf(const QString &title)
    {
        static const QRegularExpression others(u"[^a-z0-9]+"_s);
        const QString id = title.toLower().split(others, Qt::SkipEmptyParts).join(u'-');
        return id.isEmpty() ? u"api"_s : id.left(60);
    }

    void guess(int line, const QString &text)
    {
        m_remarks += { line, text, Diagnostic::Severity::Note };
    }

    const ApiOperation &operation(const KindOperation &one) const
    {
        return m_description.operations[one.operation];
    }

    void addKinds()
    {
        for (qsizetype i = 0; i < m_found.kinds.size(); ++i) {
            const ResourceKind &kind = m_found.kinds[i];
            Type type { .path = kind.type, .machine = kind.type };
            if (kind.isSingleton)
                type.names = { kind.path.section(u'/', -1) };
            m_pack.types += sourced(type, DescriptionSource);
            const KindMachine made = machineOf(m_description, kind, m_documents[i].words);
            m_pack.machines += made.machine;
            const int line = operation(kind.operations.first()).line;
            for (const QString &text : made.guesses)
                guess(line, u"%1: %2"_s.arg(kind.type, text));
            for (const State &state : made.machine.states) {
                if (state.kind == State::Kind::Transitional && !m_workingWords.contains(state.id))
                    m_workingWords += state.id;
            }
            for (const KindOperation &one : kind.operations)
                addOperation(kind, one);
        }
    }

    void addOperation(const ResourceKind &kind, const KindOperation &one)
    {
        const ApiOperation &described = operation(one);
        if (one.role == ApiRole::Read || one.role == ApiRole::List)
            return;
        m_isAsynchronous = m_isAsynchronous || described.isAsynchronous();
        OperationKind row { .id = described.id, .merge = one.role == ApiRole::Change };
        row.about = described.about;
        m_pack.operations += sourced(row, DescriptionSource);
        if (!described.isLongRunning && described.answer(202))
            guess(described.line,
                u"%1 answers 202, so the import assumes that its work continues after the answer"_s
                    .arg(described.id));
        if (one.role == ApiRole::Act && described.takesBody)
            guess(described.line,
                u"%1 takes a body other than the resource's; the pack neither sends nor requires that body"_s
                    .arg(described.id));
        if (one.role == ApiRole::Replace && !kind.has(ApiRole::Make) && !described.answer(201)
            && !kind.isSingleton)
            guess(described.line,
                u"the import assumes that %1 creates the resource, because no other operation creates %2"_s
                    .arg(described.id, kind.type));
    }

    void addPolicy()
    {
        m_pack.outcomes +=
            sourced(Outcome { .id = u"failed"_s, .code = u"InternalServerError"_s, .http = 500 },
                GuessSource);
        m_pack.stamps += sourced(Stamp(), GuessSource);
        const auto makes = [](const ResourceKind &kind) { return kind.has(ApiRole::Make); };
        if (std::ranges::any_of(m_found.kinds, makes))
            addRefusal(QString::fromLatin1(TakenRefusal), u"{path} exists already."_s);
        if (!m_isAsynchronous)
            return;
        const Conflict conflict { .at = { u"self"_s, u"ancestor"_s },
            .then = Conflict::Then::Reject,
            .code = u"Conflict"_s };
        m_pack.conflicts += sourced(conflict, GuessSource);
        addRefusal(conflict.code, u"Another operation is running on {path}."_s);
        guess(0,
            u"the description does not say what happens to a request while another operation runs; the import assumes a refusal with 409"_s);
    }

    void addRefusal(const QString &id, const QString &message)
    {
        m_pack.refusals +=
            sourced(Refusal { .id = id, .http = 409, .message = message }, GuessSource);
    }

    static bool isOfResource(const KindOperation &one)
    {
        return one.role == ApiRole::Make || one.role == ApiRole::Replace
            || one.role == ApiRole::Change;
    }

    /// Returns the id of the document for a body that contains one resource, maybe in a wrapper.
    QString bodyOf(const KindDocuments &documents, const ApiShape *shape) const
    {
        const bool isPlain =
            !documents.wrapper.isEmpty() && shape && !isWrapped(*shape, documents.wrapper);
        return m_areWrapped && !isPlain ? u"answer"_s : u"resource"_s;
    }

    QString queryOf(const ApiOperation &operation)
    {
        QStringList items;
        for (const ApiQuery &one : operation.query) {
            const QString name = QString::fromLatin1(QUrl::toPercentEncoding(one.name));
            const QString letters = QString(one.name).remove(u'-').remove(u'_').toLower();
            const bool isOwnVersion = one.value.isEmpty() || one.value == m_description.version;
            if (letters == u"apiversion" && isOwnVersion && !m_description.version.isEmpty()) {
                m_pack.wire.versions = { m_description.version };
                items += name + u"={version}"_s;
            } else if (!one.value.isEmpty()) {
                items += name + u'=' + QString::fromLatin1(QUrl::toPercentEncoding(one.value));
            } else {
                m_remarks += { operation.line,
                    u"%1 needs %2 in its query, but the description gives no value, so the operation is left out"_s
                        .arg(operation.id, one.name) };
            }
        }
        return items.isEmpty() ? QString() : u'?' + items.join(u'&');
    }

    /// Adds values for holes (placeholders) with one value everywhere; users edit them in the pack.
    void addValues()
    {
        for (const QString &hole : std::as_const(m_found.values)) {
            const QString value = sampleName(u'{' + hole + u'}');
            m_pack.wire.values.insert(hole, value);
            guess(0,
                u"{%1} in paths has the same value for all resources, %2; change the value in wire.values"_s
                    .arg(hole, value));
        }
    }

    /// Sort order of requests: words before holes, so that "/users/me" is not read as user "me".
    static bool precedes(const WireRequest &a, const WireRequest &b)
    {
        const QStringList first = a.path.section(u'?', 0, 0).split(u'/'),
                          second = b.path.section(u'?', 0, 0).split(u'/');
        for (qsizetype i = 0; i < std::min(first.size(), second.size()); ++i) {
            const bool isHole = first[i].contains(u'{'), otherIsHole = second[i].contains(u'{');
            if (isHole != otherIsHole)
                return otherIsHole;
            // "{pet}:stop" comes before "{pet}", so that "x:stop" is not read as a pet.
            if (isHole && second[i].startsWith(first[i]) != first[i].startsWith(second[i]))
                return first[i].startsWith(second[i]);
            if (first[i] != second[i])
                return first[i] < second[i];
        }
        return first.size() < second.size();
    }

    void addRequests()
    {
        m_pack.wire.sources = { QString::fromLatin1(DescriptionSource) };
        m_pack.wire.base = m_found.base;
        m_pack.wire.requestIdHeader = {};
        for (qsizetype i = 0; i < m_found.kinds.size(); ++i) {
            const KindDocuments &documents = m_documents[i];
            for (const KindOperation &one : m_found.kinds[i].operations) {
                WireRequest row { .ask = one.role == ApiRole::Read ? u"resource"_s
                        : one.role == ApiRole::List                ? u"collection"_s
                                                                   : operation(one).id,
                    .method = operation(one).method,
                    .path = u"{base}"_s + one.path + queryOf(operation(one)),
                    .of = one.of };
                if (isOfResource(one) && operation(one).takesBody)
                    row.body = bodyOf(documents, m_description.bodyShape(operation(one)));
                m_pack.wire.requests += sourced(row, DescriptionSource);
            }
        }
        addValues();
        std::ranges::stable_sort(m_pack.wire.requests, precedes);
        if (!m_isAsynchronous)
            return;
        const auto taken = mapped<QSet<QString>>(m_pack.wire.requests,
            [](const WireRequest &row) { return row.path.section(u'/', 1, 1); });
        const QString word = freshName(u"operations"_s, taken);
        for (const auto &[ask, path] :
            { std::pair(u"operation"_s, word), std::pair(u"result"_s, word + u"-results"_s) }) {
            m_pack.wire.requests.prepend(sourced(
                WireRequest {
                    .ask = ask, .method = u"GET"_s, .path = u"{base}/%1/{operation}"_s.arg(path) },
                GuessSource));
        }
        guess(0,
            u"the description does not say where to poll an operation; a served simulation uses %1/%2/ID"_s
                .arg(m_pack.wire.base, word));
    }

    /// Returns the first preferred status that an operation answers, else its success status.
    static int codeOf(const ApiOperation &operation, const QList<int> &preferred)
    {
        for (const int code : preferred) {
            if (operation.answer(code))
                return code;
        }
        const ApiAnswer *success = operation.success();
        return success ? success->code : 200;
    }

    WireAnswer answerRow(const KindDocuments &documents, const KindOperation &one,
        const QStringList &at, int code) const
    {
        WireAnswer row { .to = { operation(one).id }, .at = at, .code = code };
        const ApiShape *shape = m_description.shape(operation(one).answer(code));
        if (isOfResource(one) && shape && !shape->isList && code != 204)
            row.body = bodyOf(documents, shape);
        return sourced(row, DescriptionSource);
    }

    void addOperationAnswers(const KindDocuments &documents, const KindOperation &one)
    {
        const ApiOperation &described = operation(one);
        const bool isLong = described.isAsynchronous();
        const QStringList at { isLong ? u"started"_s : u"succeeded"_s };
        const auto answer = [&](const QList<int> &later, const QList<int> &atOnce) {
            return answerRow(documents, one, at, codeOf(described, isLong ? later : atOnce));
        };
        QList<WireAnswer> rows;
        switch (one.role) {
        case ApiRole::Read:
        case ApiRole::List:
            return;
        case ApiRole::Make:
            rows = { answer({ 202, 200, 201, 204 }, { 201, 200, 204 }) };
            break;
        case ApiRole::Replace:
            rows = { answer({ 201, 202, 200 }, { 201, 200, 204 }),
                answer({ 200, 202, 201 }, { 200, 204, 201 }) };
            if (rows[0].code == rows[1].code) {
                rows.removeLast();
                break;
            }
            rows[0].target = WireAnswer::Target::Created;
            rows[1].target = WireAnswer::Target::Existing;
            break;
        case ApiRole::Change:
        case ApiRole::Act:
            rows = { answer({ 202, 200, 201, 204 }, { 200, 204, 201 }) };
            break;
        case ApiRole::Remove:
            if (described.showsAbsence())
                rows += answerRow(documents, one, { u"observed"_s }, 204);
            rows += answer({ 202, 200, 201, 204 }, { 204, 200 });
            break;
        }
        for (WireAnswer &row : rows) {
            if (isLong && row.at.contains(u"started"_s))
                row.headers = headersOf(described);
            addAnswer(row);
        }
    }

    QList<WireHeader> headersOf(const ApiOperation &described)
    {
        QList<WireHeader> headers;
        const auto add = [&](const QString &name, const QString &text) {
            const bool isThere = std::ranges::any_of(headers, [&](const WireHeader &one) {
                return one.name.compare(name, Qt::CaseInsensitive) == 0;
            });
            if (!isThere)
                headers += { name, text };
        };
        for (const ApiAnswer &answer : described.answers) {
            for (const QString &name : answer.code < 300 ? answer.headers : QStringList()) {
                const QString key = name.toLower();
                const bool isOperation = key.contains(u"operation") && !key.contains(u"id");
                if (isOperation || key == u"location")
                    add(name, isOperation ? u"{operation url}"_s : u"{result url}"_s);
                if (isOperation && !m_operationHeaders.contains(name, Qt::CaseInsensitive))
                    m_operationHeaders += name;
            }
        }
        const QString &via = described.finalStateVia;
        if (via == u"azure-async-operation")
            add(u"Azure-AsyncOperation"_s, u"{operation url}"_s);
        else if (via == u"operation-location")
            add(u"Operation-Location"_s, u"{operation url}"_s);
        else if (via == u"location")
            add(u"Location"_s, u"{result url}"_s);
        if (headers.isEmpty() && via != u"original-uri") { // original-uri: the resource is polled
            add(u"Operation-Location"_s, u"{operation url}"_s);
            guess(described.line,
                u"the description does not say which header of %1 contains the URL to poll; a served simulation uses %2"_s
                    .arg(described.id, headers.first().name));
        }
        headers += { u"Retry-After"_s, u"{retry after}"_s };
        return headers;
    }

    /// Adds an answer; merges rows that differ only in their operations.
    void addAnswer(const WireAnswer &row)
    {
        const auto same = std::ranges::find_if(m_pack.wire.answers, [&](const WireAnswer &other) {
            WireAnswer alike = other;
            alike.to = row.to;
            return alike == row;
        });
        if (same == m_pack.wire.answers.end())
            m_pack.wire.answers += row;
        else
            same->to += row.to;
    }

    void addReadAnswer(const QString &to, const QStringList &at, int code, const QString &body,
        QList<WireHeader> headers = {})
    {
        m_pack.wire.answers +=
            sourced(WireAnswer { .to = to.isEmpty() ? QStringList() : QStringList(to),
                        .at = at,
                        .code = code,
                        .headers = std::move(headers),
                        .body = body },
                GuessSource);
    }

    void addAnswers()
    {
        for (qsizetype i = 0; i < m_found.kinds.size(); ++i) {
            for (const KindOperation &one : m_found.kinds[i].operations)
                addOperationAnswers(m_documents[i], one);
        }
        const auto asks = [&](const QString &ask) {
            return std::ranges::find(m_pack.wire.requests, ask, &WireRequest::ask)
                != m_pack.wire.requests.end();
        };
        const QList<WireHeader> etag { { u"ETag"_s, u"{etag}"_s } };
        if (asks(u"resource"_s))
            addReadAnswer(u"resource"_s, { u"found"_s }, 200,
                m_areWrapped ? u"answer"_s : u"resource"_s, etag);
        if (asks(u"collection"_s))
            addReadAnswer(u"collection"_s, { u"found"_s }, 200, u"collection"_s);
        if (m_isAsynchronous) {
            const QList<WireHeader> wait { { u"Retry-After"_s, u"{retry after}"_s } };
            addReadAnswer(u"operation"_s, { u"failed"_s, u"canceled"_s, u"superseded"_s }, 200,
                u"failed operation"_s);
            addReadAnswer(
                u"operation"_s, { u"running"_s, u"succeeded"_s }, 200, u"operation"_s, wait);
            addReadAnswer(u"result"_s, { u"running"_s }, 202, {}, wait);
            addReadAnswer(u"result"_s, { u"succeeded"_s }, 200, u"operation"_s);
            addReadAnswer(u"result"_s, { u"canceled"_s, u"superseded"_s }, 409, u"error"_s);
        }
        addReadAnswer({}, { u"missing"_s }, 404, u"error"_s);
        addReadAnswer({}, {}, 0, u"error"_s);
    }

    void addDocument(const QString &id, const QByteArray &text, const char *source)
    {
        WireDocument row;
        row.id = id;
        const Result<JsonText> document = JsonText::parse(text, id);
        row.json = Output::copy(document->root()).oneLine(); // the form that readPack() gives
        m_pack.wire.documents += sourced(row, source);
    }

    static QJsonObject resourceOf(const KindDocuments &documents)
    {
        QJsonObject resource;
        // Each object of the resource also contains the members that a client stored there.
        const auto add = [&](const QStringList &keyPath, const QString &text) {
            resource = with(resource, keyPath, text);
            if (keyPath.size() > 1)
                resource = with(resource,
                    keyPath.mid(0, keyPath.size() - 1) + QStringList { u"{body}"_s }, true);
        };
        if (documents.name)
            add(*documents.name, u"{name}"_s);
        for (auto it = documents.nameParts.cbegin(); it != documents.nameParts.cend(); ++it)
            add(*it, u"{name %1}"_s.arg(it.key()));
        if (documents.url)
            add(*documents.url, u"{url}"_s);
        if (documents.etag)
            add(*documents.etag, u"{etag}"_s);
        if (documents.state)
            resource = with(resource, *documents.state, u"{state}"_s);
        // A client's members go beside the state: into "properties", if the state is in there.
        const bool isInside = documents.state && documents.state->size() == 2
            && documents.state->first() == u"properties";
        resource[u"{body}"_s] = isInside ? QJsonValue(true) : QJsonValue(u"properties"_s);
        return isInside ? with(resource, { u"properties"_s, u"{body}"_s }, u"properties"_s)
                        : resource;
    }

    static QJsonValue answerOf(const KindDocuments &documents)
    {
        const QJsonObject inside { { u"{document}"_s, u"resource"_s } };
        return documents.wrapper.isEmpty() ? inside : QJsonObject { { documents.wrapper, inside } };
    }

    static QJsonValue collectionOf(const KindDocuments &documents)
    {
        const QJsonArray resources { u"{resources}"_s };
        if (documents.listKey.isEmpty())
            return resources;
        QJsonObject collection { { documents.listKey, resources } };
        if (!documents.nextKey.isEmpty())
            collection[documents.nextKey] = QString();
        return collection;
    }

    /// Adds the JSON documents of all resource kinds with `isKnown`, equal documents only once.
    /// The first document gets the id `id`, each other one "ID of TYPE".
    void nameDocument(const QString &id, const std::function<bool(qsizetype)> &isKnown,
        const std::function<QJsonValue(const KindDocuments &)> &json)
    {
        QHash<QByteArray, QString> ids;
        for (qsizetype i = 0; i < m_documents.size(); ++i) {
            if (!isKnown(i))
                continue;
            const QByteArray text = jsonOf(json(m_documents[i]));
            QString &own = ids[text];
            if (own.isEmpty()) {
                own = ids.size() == 1 ? id : u"%1 of %2"_s.arg(id, m_found.kinds[i].type);
                addDocument(own, text, DescriptionSource);
            }
            if (own != id)
                m_pack.types[i].documents.insert(id, own);
        }
        if (ids.isEmpty())
            addDocument(id, jsonOf(json({})), DescriptionSource);
    }

    void nameDocuments()
    {
        const auto hasSchema = [&](qsizetype i) { return m_documents[i].hasSchema; };
        m_areWrapped = std::ranges::any_of(m_documents,
            [](const KindDocuments &documents) { return !documents.wrapper.isEmpty(); });
        nameDocument(u"resource"_s, hasSchema, resourceOf);
        if (m_areWrapped)
            nameDocument(
                u"answer"_s, [](qsizetype) { return true; }, answerOf);
        const auto lists = [](const ResourceKind &kind) { return kind.has(ApiRole::List); };
        if (std::ranges::any_of(m_found.kinds, lists))
            nameDocument(
                u"collection"_s, [&](qsizetype i) { return m_documents[i].isListed; },
                collectionOf);
    }

    void addDocuments()
    {
        const auto [code, message] = errorKeyPaths();
        const QJsonObject error = with(with({}, code, u"{code}"_s), message, u"{message}"_s);
        addDocument(u"error"_s, jsonOf(error), GuessSource);
        if (!m_isAsynchronous)
            return;
        addDocument(
            u"operation"_s, jsonOf(QJsonObject { { u"status"_s, u"{status}"_s } }), GuessSource);
        QJsonObject failed = error;
        failed[u"status"_s] = u"{status}"_s;
        addDocument(u"failed operation"_s, jsonOf(failed), GuessSource);
    }

    /// Returns the key paths of code and message in the first error that the description defines.
    std::pair<QStringList, QStringList> errorKeyPaths() const
    {
        for (const ApiOperation &one : m_description.operations) {
            for (const ApiAnswer &answer : one.answers) {
                const ApiShape *shape = m_description.shape(&answer);
                if (!shape || (answer.code != 0 && answer.code < 400))
                    continue;
                QStringList codeAt, messageAt;
                for (const ApiProperty &property : shape->properties) {
                    const QString name = property.keyPath.last().toLower();
                    const bool isNear = property.keyPath.size() <= 2;
                    if (isNear && codeAt.isEmpty() && (name == u"code" || name == u"type"))
                        codeAt = property.keyPath;
                    if (isNear && messageAt.isEmpty()
                        && (name == u"message" || name == u"detail" || name == u"description"))
                        messageAt = property.keyPath;
                }
                if (!codeAt.isEmpty() && !messageAt.isEmpty())
                    return { codeAt, messageAt };
            }
        }
        return { { u"error"_s, u"code"_s }, { u"error"_s, u"message"_s } };
    }

    void addFollow()
    {
        WireFollow &follow = m_pack.wire.follow;
        follow.order = { u"operation"_s, u"result"_s, u"resource"_s };
        for (const QString &name : { u"Operation-Location"_s, u"Azure-AsyncOperation"_s }) {
            if (!m_operationHeaders.contains(name, Qt::CaseInsensitive))
                m_operationHeaders += name;
        }
        follow.operationHeaders = m_operationHeaders;
        follow.resultHeaders = { u"Location"_s };
        follow.delayHeaders = { u"Retry-After"_s };
        follow.running = m_workingWords;
        follow.succeeded = { u"Succeeded"_s, u"Completed"_s, u"Success"_s, u"Done"_s };
        follow.failed = { u"Failed"_s, u"Failure"_s, u"Error"_s };
        follow.canceled = { u"Canceled"_s, u"Cancelled"_s, u"Aborted"_s };
        for (const QString &word : follow.succeeded + follow.failed + follow.canceled)
            follow.running.removeIf(
                [&](const QString &one) { return one.compare(word, Qt::CaseInsensitive) == 0; });
        follow.usualDelay = 2;
        follow.sources = { QString::fromLatin1(GuessSource) };
    }

    /// Returns a name with its holes filled: "pet-1" for "{petId}".
    static QString sampleName(QString name)
    {
        static const QRegularExpression others(u"[^A-Za-z0-9_-]"_s), hole(u"\\{([^{}]*)\\}"_s);
        static const QRegularExpression ending(
            u"[-_ ]?(id|uuid|name|key)$"_s, QRegularExpression::CaseInsensitiveOption);
        for (auto match = hole.match(name); match.hasMatch(); match = hole.match(name)) {
            const QString word = match.captured(1).remove(others).remove(ending).left(40);
            name.replace(match.capturedStart(), match.capturedLength(),
                (word.isEmpty() ? u"example"_s : word) + u"-1"_s);
        }
        return name;
    }

    void addSample()
    {
        QHash<int, QString> paths; // kind -> its sample's path
        for (int i = 0; i < m_found.kinds.size() && m_pack.sample.size() < MostSamples; ++i) {
            const ResourceKind &kind = m_found.kinds[i];
            const QString name = sampleName(kind.path.section(u'/', -1));
            const QString parent = kind.parent < 0 ? QString() : paths.value(kind.parent);
            const QString path = parent + u'/' + kind.type.section(u'/', -1) + u'/' + name;
            paths.insert(i, path);
            m_pack.sample +=
                ResourceSpec { .path = path, .state = {}, .references = {}, .properties = {} };
        }
    }

    const ApiDescription m_description;
    const ResourceKinds m_found;
    Pack m_pack;
    QList<Diagnostic> m_remarks;
    QList<KindDocuments> m_documents; ///< by kind
    bool m_areWrapped = false;        ///< answers contain resources of some kind under a key
    bool m_isAsynchronous = false;    ///< some operation is answered before the work ends
    QStringList m_operationHeaders;   ///< headers with the URL of an operation
    QStringList m_workingWords;       ///< transitional states of all kinds
};

} // namespace

DescribedPack packOf(const ApiDescription &description, const QString &origin)
{
    return PackMaker(description, origin).made();
}

} // namespace instar
