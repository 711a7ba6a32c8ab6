// SPDX-License-Identifier: Apache-2.0
#include "model/remote/wirerules.h"

#include "model/engine/admission.h"
#include "model/engine/scenario.h"
#include "model/remote/writer.h"

#include <QRegularExpression>

namespace instar {

namespace {

std::map<QString, DocumentLayout> layoutsOf(const Wire &wire)
{
    std::map<QString, DocumentLayout> layouts;
    for (const WireDocument &row : wire.documents)
        layouts.emplace(row.id, DocumentLayout(row));
    return layouts;
}

WireRules::Headers compiled(const QList<WireHeader> &rows)
{
    WireRules::Headers headers;
    for (const WireHeader &row : rows)
        headers.append({ row.name.toLatin1(), HoleText::of(row.text) });
    return headers;
}

/// Returns true if a message matches the text of a row, with any texts in its holes.
bool fitsText(const QString &message, const QString &text)
{
    static const QRegularExpression hole(u"\\\\\\{[^}]*\\}"_s);
    const QString pattern = QRegularExpression::escape(text).replace(hole, u".*"_s);
    const QRegularExpression whole(QRegularExpression::anchoredPattern(pattern),
        QRegularExpression::DotMatchesEverythingOption);
    return !text.isEmpty() && whole.match(message).hasMatch();
}

/// Sets the code of an error without one: that of the refusal or outcome with its text and status.
void setCodeByText(const Pack &pack, int http, OperationMessage *error)
{
    const auto fits = [&](const auto &row, const QString &text) {
        return row.http == http && fitsText(error->message, text);
    };
    const auto refusal = std::ranges::find_if(
        pack.refusals, [&](const Refusal &row) { return fits(row, row.message); });
    const auto outcome = std::ranges::find_if(
        pack.outcomes, [&](const Outcome &row) { return fits(row, row.label); });
    if (refusal != pack.refusals.end()) {
        error->code = refusal->code.isEmpty() ? refusal->id : refusal->code;
        error->means = Status::Rejected;
    } else if (outcome != pack.outcomes.end()) {
        error->code = outcome->code;
        error->means = Status::Failed;
    }
}

/// The first answer that fits; null if there is none.
const WireRules::Answer *answerTo(
    const WireRules &rules, const QString &to, const WireValues &values)
{
    const QString &op = values.operation ? values.operation->op : values.op;
    const auto fits = [&](const WireRules::Answer &answer) {
        const WireAnswer &row = *answer.row;
        return (row.to.isEmpty() || row.to.contains(to))
            && (row.at.isEmpty() || row.at.contains(values.at) || row.at.contains(values.refusal))
            && (row.op.isEmpty() || row.op.contains(op))
            && (row.target == WireAnswer::Target::Any
                || (row.target == WireAnswer::Target::Created) == values.created);
    };
    const auto found = std::ranges::find_if(rules.answers, fits);
    return found == rules.answers.end() ? nullptr : &*found;
}

HttpHeaders headersOf(const WireRules &rules, const WireRequest &row, WireValues values)
{
    values.version = rules.rows.versions.value(0);
    HttpHeaders headers;
    for (const WireHeader &header : row.with + row.headers) {
        if (const auto text = filledText(rules, HoleText::of(header.text), values))
            headers.append(header.name.toLatin1(), *text);
    }
    return headers;
}

} // namespace

const TypeParts::Reference *TypeParts::referenceTo(
    const QString &typePath, Qt::CaseSensitivity nameCase) const
{
    const auto found = std::ranges::find_if(references, [&](const Reference &reference) {
        return reference.rule->types.contains(typePath, nameCase);
    });
    return found == references.end() ? nullptr : &*found;
}

WireRules::WireRules(const Rules &pack)
    : rules(pack),
      rows(pack.pack().wire),
      nameCase(pack.pack().caseSensitivity()),
      requests(pack),
      layouts(layoutsOf(rows)),
      headers(compiled(rows.headers)),
      requestIdHeader(rows.requestIdHeader.toLatin1()),
      echoHeader(rows.echoHeader.toLatin1()),
      failures(outcomeCodes(pack.pack()) - refusalCodes(pack.pack()))
{
    for (const auto &[id, document] : layouts) {
        if (const auto *wrapped = document.wrapped(); wrapped && wrapped->document == u"resource")
            wraps += *wrapped->keyPath;
    }
    QSet<QString> documentsOfTypes;
    for (const Type &type : rules.pack().types) {
        for (const QString &document : type.documents)
            documentsOfTypes.insert(document);
    }
    for (const Type &type : rules.pack().types) {
        if (rules.typeRow(type.path) == &type)
            addType(type, documentsOfTypes);
    }
    for (const Type &type : rules.pack().types)
        addToOthers(type);
    for (const WireAnswer &row : rows.answers) {
        if (rules.applies(row))
            answers.push_back({ &row, compiled(row.headers) });
    }
}

/// Adds the parts of a type. Its own documents, or those of no type, can wrap its resources.
void WireRules::addType(const Type &type, const QSet<QString> &documentsOfTypes)
{
    const QString id = type.documents.value(u"resource"_s, u"resource"_s);
    const QStringList ownDocuments = type.documents.values();
    const DocumentLayout *resource = find(id);
    TypeParts parts { .type = &type,
        .specialProperties = resource ? resource->ownProperties : QStringList() };
    for (const auto &[name, document] : layouts) {
        const DocumentLayout::Part *wrapped = document.wrapped();
        const bool mayWrap = ownDocuments.contains(name)
            || (!documentsOfTypes.contains(name) && !type.documents.contains(name));
        if (wrapped && mayWrap && (wrapped->document == u"resource" || wrapped->document == id))
            parts.wraps += *wrapped->keyPath;
    }
    for (const ReferenceRule &rule : type.references) {
        const QStringList keyPath = rule.property.split(u'.');
        parts.specialProperties += keyOf(keyPath.first());
        if (!rules.applies(rule))
            continue;
        // Without a document, a reference's value is the path itself.
        const DocumentLayout *document =
            find(rule.document.isEmpty() ? u"reference"_s : rule.document);
        parts.references +=
            { &rule, keyPath, document ? document->keyPath(Hole::Path) : KeyPath() };
    }
    types.push_back(std::move(parts));
}

/// Adds a type to the parts of other types: as a child of its parent type, and its property `back`
/// to every type to which it can refer.
void WireRules::addToOthers(const Type &type)
{
    const qsizetype cut = type.path.lastIndexOf(u'/');
    for (TypeParts &other : types) {
        if (cut > 0 && other.type->path.compare(QStringView(type.path).first(cut), nameCase) == 0) {
            const QString segment = type.path.sliced(cut + 1);
            if (rules.typeRow(type.path) == &type)
                other.children += segment;
            const DocumentLayout *resource = find(u"resource"_s, &other);
            if (resource && resource->children == resource->properties)
                other.specialProperties += segment;
        }
        for (const ReferenceRule &rule : type.references) {
            if (!rule.back.isEmpty() && rule.types.contains(other.type->path, nameCase))
                other.back += rule.back;
        }
    }
}

const DocumentLayout *WireRules::find(const QString &document) const
{
    const auto found = layouts.find(document);
    return found == layouts.end() ? nullptr : &found->second;
}

const DocumentLayout *WireRules::find(const QString &document, const TypeParts *type) const
{
    return find(type ? type->type->documents.value(document, document) : document);
}

const DocumentLayout *WireRules::inside(const DocumentLayout *document, const QString &path) const
{
    const DocumentLayout::Part *wrapped = document ? document->wrapped() : nullptr;
    return wrapped ? findAt(wrapped->document, path) : document;
}

const TypeParts *WireRules::type(const QString &typePath) const
{
    const auto found = std::ranges::find_if(types,
        [&](const TypeParts &parts) { return parts.type->path.compare(typePath, nameCase) == 0; });
    return found == types.end() ? nullptr : &*found;
}

Result<HttpRequest> WireRules::request(const Request &request, const World *known) const
{
    const RequestRow *found = requests.find(request.op, request.path);
    if (!found) {
        const Result<HttpRequest> read = requestToRead(u"resource"_s, request.path);
        return read && read->method == request.op.toLatin1()
            ? read
            : Error { u"the pack %1 has no HTTP request for %2"_s.arg(
                rules.pack().id, request.op) };
    }
    const WireRequest *row = found->row;
    HttpRequest http { .method = row->method.toLatin1(), .target = found->target(request.path) };
    if (!row->body.isEmpty()) {
        const WireClock clock { .epoch = m_epoch, .now = m_epoch, .world = known };
        const Result<QByteArray> body = writeBody(*this, *row, request, clock);
        if (!body)
            return Error { body.error() };
        http.body = *body;
    }
    const auto addHeader = [&](const QByteArray &name, const QByteArray &value) {
        const auto hasName = [&](const RequestHeader &chosen) {
            return chosen.name.compare(QLatin1StringView(name), Qt::CaseInsensitive) == 0;
        };
        if (!value.isEmpty() && !hasHeader(http.headers, name)
            && std::ranges::none_of(request.headers, hasName))
            http.headers.append(name, value);
    };
    const HttpHeaders own = headersOf(
        *this, *row, { .path = request.path, .op = request.op, .requestId = request.requestId });
    for (const HttpHeader &header : own)
        addHeader(header.name, header.value);
    addHeader("Accept", "application/json");
    if (!http.body.isEmpty())
        addHeader("Content-Type", "application/json; charset=UTF-8");
    addHeader("If-Match", request.ifMatch.toUtf8());
    addHeader("If-None-Match", request.ifNoneMatch.toUtf8());
    if (!requestIdHeader.isEmpty())
        addHeader(requestIdHeader, request.requestId.toUtf8());
    for (const RequestHeader &chosen : request.headers)
        http.headers.append(chosen.name.toUtf8(), chosen.value.toUtf8());
    return http;
}

Result<HttpRequest> WireRules::requestToRead(const QString &ask, const QString &about) const
{
    const RequestRow *row = requests.find(ask, about);
    if (!row)
        return Error { u"the pack %1 has no HTTP request for a %2"_s.arg(rules.pack().id, ask) };
    HttpRequest http { .method = row->row->method.toLatin1(),
        .target = row->target(about),
        .headers = headersOf(*this, *row->row, { .path = about }) };
    if (!hasHeader(http.headers, "Accept"))
        http.headers.append("Accept", "application/json");
    return http;
}

std::optional<HttpRequest> WireRules::again(const Request &request, const HttpRequest &sent) const
{
    const RequestRow *first = requests.find(request.op, request.path);
    const auto repeatRow = std::ranges::find_if(requests.all(), [&](const RequestRow &one) {
        return one.row->ask == u"again" && first && one.row->method == first->row->method
            && one.row->path == first->row->path;
    });
    if (repeatRow == requests.all().end())
        return {};
    const HttpHeaders own =
        headersOf(*this, *repeatRow->row, { .path = request.path, .op = request.op });
    HttpRequest http = sent;
    http.headers = own;
    for (const HttpHeader &header : sent.headers) {
        if (!hasHeader(own, header.name))
            http.headers.append(header.name, header.value);
    }
    return http;
}

bool WireRules::serverChoosesName(const Request &request) const
{
    const RequestRow *row = requests.find(request.op, request.path);
    if (!row || !row->isOfCollection())
        return false;
    const DocumentLayout *body = bodyOf(*row->row, request.path);
    return hasGeneratedName(request) || !body
        || (!body->keyPath(Hole::Name) && body->nameParts.isEmpty());
}

static QList<const WireAnswer *> answersTo(const WireRules &rules, const QString &to)
{
    QList<const WireAnswer *> answersForRequest;
    for (const WireRules::Answer &answer : rules.answers) {
        if (answer.row->to.isEmpty() || answer.row->to.contains(to))
            answersForRequest += answer.row;
    }
    return answersForRequest;
}

bool WireRules::answersAtEnd(const QString &op) const
{
    const auto isGood = [](const QString &at) { return at == u"succeeded" || at == u"observed"; };
    return std::ranges::all_of(answersTo(*this, op), [&](const WireAnswer *row) {
        const bool isSuccess = row->code >= 200 && row->code < 300 && row->code != 202;
        return !isSuccess || (!row->at.isEmpty() && std::ranges::all_of(row->at, isGood));
    });
}

bool WireRules::provesWork(const QString &op, int status) const
{
    const auto lacksWork = [](const WireAnswer *row) { return row->at.contains(u"observed"_s); };
    bool hasAnswerForNoWork = false, hasStatus = false;
    for (const WireAnswer *row : answersTo(*this, op)) {
        hasAnswerForNoWork = hasAnswerForNoWork || (lacksWork(row) && row->code / 100 == 2);
        hasStatus = hasStatus || row->code == status;
        if (row->code == status && (row->at.isEmpty() || lacksWork(row)))
            return false;
    }
    return hasAnswerForNoWork && hasStatus;
}

QString WireRules::madePath(
    const QString &collection, const HttpResponse &answer, const QUrl &requestUrl) const
{
    if (const QByteArray location = header(answer.headers, "Location"); !location.isEmpty()) {
        const QString path = requests.resourceAt(
            requestUrl.resolved(QUrl::fromEncoded(location)).path(QUrl::FullyEncoded).toUtf8());
        if (!path.isEmpty())
            return path;
    }
    const Result<ResourceMessage> made = resource(answer.body, {}, typePathOf(collection));
    if (!made || (made->path.isEmpty() && made->name.isEmpty()))
        return {};
    return made->path.isEmpty() ? collection + u'/' + made->name : made->path;
}

QStringList WireRules::topCollections() const
{
    QStringList collections;
    for (const Type &type : rules.pack().types) {
        const QString path = u'/' + type.path;
        const bool isTop = !type.path.contains(u'/') && type.path != u"*";
        if (isTop && rules.applies(type) && requests.find(u"collection"_s, path))
            collections += path;
    }
    return collections;
}

QStringList WireRules::separateCollections(const QString &path) const
{
    const TypeParts *type = typeAt(path);
    const DocumentLayout *resource = find(u"resource"_s, type);
    if (!type || !resource || resource->children)
        return {};
    QStringList collections;
    for (const QString &child : type->children) {
        const QString collection = path + u'/' + child;
        const RequestRow *row = requests.find(u"collection"_s, collection);
        if (row && !row->row->of.isEmpty())
            collections += collection;
    }
    return collections;
}

QStringList WireRules::separateCollections(const ResourceMessage &message) const
{
    QStringList collections = separateCollections(message.path);
    collections.removeIf(
        [&](const QString &collection) { return message.collections.contains(collection); });
    return collections;
}

QString WireRules::shownBy(const QString &path) const
{
    QString shownBy = path.section(u'/', 0, 2);
    for (int level = 4; level <= path.count(u'/'); level += 2) {
        const QString below = path.section(u'/', 0, level);
        const QString collection = below.section(u'/', 0, -2),
                      above = collection.section(u'/', 0, -2);
        const auto listsCollection = [&](const DocumentLayout::Part &list) {
            return list.of.compare(collection.section(u'/', -1), nameCase) == 0;
        };
        const DocumentLayout *holder = resourceAt(above);
        const bool isShown = !holder || holder->children
            || std::ranges::any_of(holder->lists(), listsCollection)
            || separateCollections(above).contains(collection, nameCase);
        if (!isShown && requestToRead(u"resource"_s, below))
            shownBy = below;
    }
    return shownBy;
}

bool WireRules::isRequired(const QString &op, const QString &path, const QString &child) const
{
    const int machine = rules.machineForType(typePathOf(path)),
              other = rules.machineForType(typePathOf(child));
    return machine != Rules::None && other != Rules::None
        && requiresAny(rules, machine, rules.trigger(op), other);
}

bool WireRules::merges(const QString &op) const
{
    const Rules::TriggerId trigger = rules.trigger(op);
    return trigger != Rules::None && rules.merges(trigger);
}

std::optional<Status> statusOf(const WireFollow &follow, const QString &word)
{
    const auto isOneOf = [&](const QStringList &words) {
        return words.contains(word, Qt::CaseInsensitive);
    };
    return isOneOf(follow.succeeded) ? std::optional(Status::Succeeded)
        : isOneOf(follow.failed)     ? std::optional(Status::Failed)
        : isOneOf(follow.canceled)   ? std::optional(Status::Canceled)
        : isOneOf(follow.running)    ? std::optional(Status::InProgress)
                                     : std::nullopt;
}

Result<OperationMessage> WireRules::operation(const QByteArray &json) const
{
    const Result<JsonText> document = parsed(json, u"the operation"_s);
    if (!document)
        return Error { document.error() };
    OperationMessage message = error(json);
    const DocumentLayout *row = find(u"operation"_s);
    if (!row)
        return message;
    message.word =
        valueAt(document->root(), row->keyPath(Hole::Status), Qt::CaseInsensitive).string();
    if (message.word.isEmpty())
        return message;
    message.status = instar::statusOf(rows.follow, message.word).value_or(Status::InProgress);
    return message;
}

OperationMessage WireRules::error(const QByteArray &json, int http) const
{
    OperationMessage message;
    const DocumentLayout *row = find(u"error"_s);
    const Result<JsonText> document = parsed(json, QString());
    if (!row || !document || !document->root().is(Value::Kind::Object))
        return message;
    const auto read = [&](Hole hole) {
        return valueAt(document->root(), row->keyPath(hole), Qt::CaseSensitive).string();
    };
    message.code = read(Hole::ErrorCode);
    message.message = read(Hole::ErrorMessage);
    if (http && message.code.isEmpty())
        setCodeByText(rules.pack(), http, &message);
    else if (failures.contains(message.code))
        message.means = Status::Failed;
    return message;
}

int WireRules::statusOf(const QString &errorCode) const
{
    const Pack &pack = rules.pack();
    const auto statusIn = [&](const auto &list) {
        const auto row = std::ranges::find_if(list, [&](const auto &one) {
            return one.http && (one.code == errorCode || one.id == errorCode);
        });
        return row == list.end() ? 0 : row->http;
    };
    const int http = statusIn(pack.outcomes);
    return http ? http : statusIn(pack.refusals);
}

HttpResponse WireRules::answer(const QString &to, const WireValues &values) const
{
    return writeAnswer(*this, answerTo(*this, to, values), values);
}

std::optional<HttpResponse> WireRules::ownAnswer(const QString &to, const WireValues &values) const
{
    const Answer *answer = answerTo(*this, to, values);
    const bool isOwn = answer && answer->row->to.contains(to);
    return isOwn ? std::optional(writeAnswer(*this, answer, values)) : std::nullopt;
}

std::optional<HttpResponse> WireRules::interimAnswer(
    const QString &to, const WireValues &values) const
{
    const Answer *answer = answerTo(*this, to, values);
    return answer && answer->row->at.contains(values.at) ? ownAnswer(to, values) : std::nullopt;
}

QString WireRules::operationUrl(const WireValues &values) const
{
    static const HoleText url = HoleText::of(u"{operation url}"_s);
    return QString::fromUtf8(filledText(*this, url, values).value_or(QByteArray()));
}

} // namespace instar
