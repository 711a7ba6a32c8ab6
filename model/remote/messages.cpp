// SPDX-License-Identifier: Apache-2.0
#include "model/remote/messages.h"

#include "model/engine/scenario.h"
#include "model/remote/writer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype UsualAnswerBytes = 480; ///< reserved for an answer's headers

/// Headers of a request row, as a client sends them.
HttpHeaders headersOfRow(
    const WireRules &book, const WireRequest &row, const Messages::About &about)
{
    HttpHeaders headers;
    WireWriter(book, about).addHeaders(WireRules::headersOf(row.with + row.headers), &headers);
    return headers;
}

/// Skips a byte order mark, as RFC 8259 allows: some servers and clients send one.
QByteArray withoutMark(const QByteArray &json)
{
    constexpr QByteArrayView mark("\xEF\xBB\xBF");
    return json.startsWith(mark) ? json.sliced(mark.size()) : json;
}

const WireRules::Answer *answerTo(
    const WireRules &book, const QString &to, const Messages::About &about)
{
    const QString &op = about.operation ? about.operation->op : about.op;
    const auto fits = [&](const WireRules::Answer *answer) {
        const WireAnswer &row = *answer->row;
        return (row.at.isEmpty() || row.at.contains(about.at) || row.at.contains(about.refusal))
            && (row.op.isEmpty() || row.op.contains(op))
            && (row.target == WireAnswer::Target::Any
                || (row.target == WireAnswer::Target::Created) == about.created);
    };
    const QList<const WireRules::Answer *> rows = book.answersTo(to);
    const auto found = std::ranges::find_if(rows, fits);
    return found == rows.end() ? nullptr : *found;
}

/// Writes the answer of a row, or without one (null) the bare error.
HttpResponse written(
    const WireRules &book, const WireRules::Answer *answer, const Messages::About &about)
{
    WireWriter writer(book, about);
    HttpResponse response;
    response.headers.reserve(UsualAnswerBytes);
    writer.addHeaders(book.headers, &response.headers);
    response.status = about.http ? about.http : 500;
    if (answer) {
        if (answer->row->code)
            response.status = answer->row->code;
        writer.addHeaders(answer->headers, &response.headers);
        if (const Template *body = book.findAt(answer->row->body, about.path))
            response.body = writer.document(*body);
    } else if (!about.code.isEmpty()) { // without a row the error is still reported
        const QJsonObject error { { u"code"_s, about.code }, { u"message"_s, about.message } };
        response.body = jsonOf(QJsonObject { { u"error"_s, error } });
    }
    if (!response.body.isEmpty())
        response.headers.append("Content-Type", "application/json; charset=UTF-8");
    return response;
}

/// Copies what a client may set from a resource's document, byte by byte, and lays new properties
/// over it.
class StoredBody
{
public:
    StoredBody(const WireRules &book, const Template &document, const TypeParts *type,
        QJsonObject laidOver, bool keepsReferences)
        : m_book(book),
          m_document(document),
          m_type(type),
          m_laidOver(std::move(laidOver)),
          m_replaced(m_laidOver.keys()),
          m_keepsReferences(keepsReferences)
    { }

    QByteArray text(Value root)
    {
        write(root, QStringList());
        return m_out;
    }

private:
    const Template::Part *storedAt(const QStringList &place) const
    {
        const auto found =
            std::ranges::find_if(m_document.parts(), [&](const Template::Part &part) {
                return part.kind == Template::Part::Kind::Stored && part.place == place;
            });
        return found == m_document.parts().end() ? nullptr : &*found;
    }

    static bool isBelow(const Place &place, const QStringList &above)
    {
        return place && place->first(std::min(place->size(), above.size())) == above;
    }

    /// Returns true if members of the client are somewhere below.
    bool leadsOn(const QStringList &place) const
    {
        return std::ranges::any_of(m_document.parts(), [&](const Template::Part &part) {
            return part.kind == Template::Part::Kind::Stored && isBelow(part.place, place);
        });
    }

    /// Returns true for a client's member that is not repeated: a collection of children, a list of
    /// referrers, or what is replaced.
    bool isLeftOut(Value key, const QStringList &place) const
    {
        const auto isReference = [&](const TypeParts::Reference &one) {
            return isNamed(key, keyOf(one.place.first()), m_book.names);
        };
        if (m_type && m_document.children() == place
            && isNamedOneOf(key, m_type->children, m_book.names))
            return true;
        if (m_document.properties() != place)
            return false;
        return isNamedOneOf(key, m_replaced, m_book.names)
            || (m_type
                && (isNamedOneOf(key, m_type->back, m_book.names)
                    || (!m_keepsReferences
                        && std::ranges::any_of(m_type->references, isReference))));
    }

    void member(QByteArrayView key)
    {
        if (!m_out.endsWith('{'))
            m_out += ',';
        m_out.append(key).append(':');
    }

    void copy(Member entry)
    {
        member(entry.key.raw());
        m_out += entry.value.raw();
    }

    void write(Value object, const QStringList &place)
    {
        m_out += '{';
        const Template::Part *stored = storedAt(place);
        QStringList seen;
        for (const Member entry : object.members()) {
            const auto isThis = [&](const QString &key) {
                return isNamed(entry.key, key, m_book.names);
            };
            const auto own =
                stored ? std::ranges::find_if(stored->own, isThis) : QStringList::const_iterator();
            if (stored && own == stored->own.end()) {
                if (isLeftOut(entry.key, place))
                    continue;
                copy(entry);
                continue;
            }
            const QStringList there = place + QStringList { stored ? *own : entry.key.string() };
            if (leadsOn(there) && entry.value.is(Value::Kind::Object)) {
                seen += there.last();
                member(entry.key.raw());
                write(entry.value, there);
            } else if (m_document.place(Hole::Name) == there) {
                copy(entry);
            }
        }
        layOver(place, seen);
        m_out += '}';
    }

    /// Writes the new properties, and the objects that lead there if the document has none.
    void layOver(const QStringList &place, const QStringList &seen)
    {
        const Place &properties = m_document.properties();
        if (m_laidOver.isEmpty() || !isBelow(properties, place))
            return;
        if (properties == place) {
            for (auto it = m_laidOver.constBegin(); it != m_laidOver.constEnd(); ++it) {
                member(jsonOf(it.key()));
                m_out += jsonOf(it.value());
            }
            return;
        }
        const QString &next = properties->at(place.size());
        if (seen.contains(next))
            return;
        member(jsonOf(next));
        write(Value(), place + QStringList { next });
    }

    const WireRules &m_book;
    const Template &m_document;
    const TypeParts *m_type; ///< null: the pack does not know it
    const QJsonObject m_laidOver;
    const QStringList m_replaced;
    bool m_keepsReferences;
    QByteArray m_out;
};

/// Returns true if a message has the text of a row, with anything in its holes.
bool hasWords(const QString &message, const QString &words)
{
    static const QRegularExpression hole(u"\\\\\\{[^}]*\\}"_s);
    const QString pattern = QRegularExpression::escape(words).replace(hole, u".*"_s);
    const QRegularExpression whole(QRegularExpression::anchoredPattern(pattern),
        QRegularExpression::DotMatchesEverythingOption);
    return !words.isEmpty() && whole.match(message).hasMatch();
}

/// Sets the code of an error without one: that of the row with its text and HTTP status.
void addCode(const Pack &pack, int http, OperationMessage *error)
{
    const auto is = [&](const auto &row, const QString &words) {
        return row.http == http && hasWords(error->message, words);
    };
    const auto refusal = std::ranges::find_if(
        pack.refusals, [&](const Refusal &row) { return is(row, row.message); });
    const auto outcome =
        std::ranges::find_if(pack.outcomes, [&](const Outcome &row) { return is(row, row.label); });
    if (refusal != pack.refusals.end()) {
        error->code = refusal->code.isEmpty() ? refusal->id : refusal->code;
        error->means = Status::Rejected;
    } else if (outcome != pack.outcomes.end()) {
        error->code = outcome->code;
        error->means = Status::Failed;
    }
}

} // namespace

Messages::Messages(const Rules &rules)
    : m_book(std::make_shared<const WireRules>(rules)), m_reader(*m_book)
{ }

Result<HttpRequest> Messages::requestOrQuestion(
    const Request &request, const QString &version, const World *seen) const
{
    Result<HttpRequest> asked = this->request(request, version, seen);
    if (asked)
        return asked;
    Result<HttpRequest> question = this->question(u"resource"_s, request.path, version);
    return question && question->method == request.op.toLatin1() ? question : asked;
}

Result<HttpRequest> Messages::request(
    const Request &request, const QString &version, const World *seen) const
{
    const WireRequest *row = m_book->rowFor(request.op, request.path);
    if (!row)
        return Error { u"the pack %1 has no HTTP request for %2"_s.arg(
            m_book->rules.pack().id, request.op) };
    const QString about =
        row->path.contains(u"{collection}") ? request.path.section(u'/', 0, -2) : request.path;
    HttpRequest http { .method = row->method.toLatin1(),
        .target = m_book->targetOf(*row, about, version) };
    if (!row->body.isEmpty()) {
        const WireClock clock { .zero = m_zero, .now = m_zero, .world = seen };
        const Result<QByteArray> body = requestBody(*m_book, *row, request, clock);
        if (!body)
            return Error { body.error() };
        http.body = m_book->wrapped(m_book->findAt(row->body, request.path), *body);
    }
    Messages::About told;
    told.path = request.path;
    told.op = request.op;
    told.requestId = request.requestId;
    told.version = m_book->version(version);
    const HttpHeaders rows = headersOfRow(*m_book, *row, told);
    const auto add = [&](const QByteArray &name, const QByteArray &value) {
        const auto same = [&](const RequestHeader &own) {
            return own.name.compare(QLatin1StringView(name), Qt::CaseInsensitive) == 0;
        };
        if (!value.isEmpty() && !hasHeader(http.headers, name)
            && std::ranges::none_of(request.headers, same))
            http.headers.append(name, value);
    };
    for (const HttpHeader &header : rows)
        add(header.name.toByteArray(), header.value.toByteArray());
    add("Accept", "application/json");
    if (!http.body.isEmpty())
        add("Content-Type", "application/json; charset=UTF-8");
    add("If-Match", request.ifMatch.toUtf8());
    add("If-None-Match", request.ifNoneMatch.toUtf8());
    if (!requestIdHeader().isEmpty())
        add(requestIdHeader(), request.requestId.toUtf8());
    for (const RequestHeader &own : request.headers)
        http.headers.append(own.name.toUtf8(), own.value.toUtf8());
    return http;
}

Result<HttpRequest> Messages::question(
    const QString &ask, const QString &about, const QString &version) const
{
    const WireRequest *row = m_book->rowFor(ask, about);
    if (!row)
        return Error { u"the pack %1 has no HTTP request for a %2"_s.arg(
            m_book->rules.pack().id, ask) };
    HttpRequest http { .method = row->method.toLatin1(),
        .target = m_book->targetOf(*row, about, version) };
    Messages::About told;
    told.path = about;
    told.version = m_book->version(version);
    http.headers = headersOfRow(*m_book, *row, told);
    if (!hasHeader(http.headers, "Accept"))
        http.headers.append("Accept", "application/json");
    return http;
}

bool Messages::isNamedThere(const Request &request) const
{
    const WireRequest *row = m_book->rowFor(request.op, request.path);
    const bool isCollection = row
        && (row->of.isEmpty() ? row->path.contains(u"{collection}") : Wire::isOfCollection(*row));
    if (!isCollection)
        return false;
    const Template *body = m_book->bodyOf(*row, request.path);
    return leavesName(request) || !body
        || (!body->place(Hole::Name) && body->nameParts().isEmpty());
}

bool Messages::isHeldBack(const QString &op) const
{
    const auto isGood = [](const QString &at) { return at == u"succeeded" || at == u"observed"; };
    return std::ranges::all_of(m_book->answersTo(op), [&](const WireRules::Answer *answer) {
        const WireAnswer &row = *answer->row;
        const bool isSuccess = row.code >= 200 && row.code < 300 && row.code != 202;
        return !isSuccess || (!row.at.isEmpty() && std::ranges::all_of(row.at, isGood));
    });
}

bool Messages::tellsOfWork(const QString &op, int status) const
{
    const QList<const WireRules::Answer *> rows = m_book->answersTo(op);
    const auto isNothing = [](const WireAnswer &row) { return row.at.contains(u"observed"_s); };
    const auto isThis = [&](const WireAnswer &row) { return row.code == status; };
    return std::ranges::any_of(rows, [&](const WireRules::Answer *one) {
        return isNothing(*one->row) && one->row->code / 100 == 2;
    }) && std::ranges::any_of(rows, [&](const WireRules::Answer *one) {
        return isThis(*one->row);
    }) && std::ranges::none_of(rows, [&](const WireRules::Answer *one) {
        return isThis(*one->row) && (one->row->at.isEmpty() || isNothing(*one->row));
    });
}

std::optional<HttpRequest> Messages::again(const Request &request, const HttpRequest &sent) const
{
    const QList<WireRequest> &rows = wire().requests;
    const WireRequest *first = m_book->rowFor(request.op, request.path);
    const auto row = std::ranges::find_if(rows, [&](const WireRequest &one) {
        return one.ask == u"again" && first && one.method == first->method
            && one.path == first->path;
    });
    if (row == rows.end())
        return {};
    About told;
    told.path = request.path;
    told.op = request.op;
    const HttpHeaders own = headersOfRow(*m_book, *row, told);
    HttpRequest http = sent;
    http.headers = own;
    for (const HttpHeader &header : sent.headers) {
        if (!hasHeader(own, header.name))
            http.headers.append(header.name, header.value);
    }
    return http;
}

QString Messages::madePath(
    const QString &collection, const HttpResponse &answer, const QUrl &asked) const
{
    if (const QByteArray place = header(answer.headers, "Location"); !place.isEmpty()) {
        const QString there = m_book->patterns.resourceAt(
            asked.resolved(QUrl::fromEncoded(place)).path(QUrl::FullyEncoded).toUtf8());
        if (!there.isEmpty())
            return there;
    }
    const Result<ResourceMessage> made = resource(answer.body, {}, typePathOf(collection));
    if (!made || (made->path.isEmpty() && made->name.isEmpty()))
        return {};
    return made->path.isEmpty() ? collection + u'/' + made->name : made->path;
}

QStringList Messages::topCollections() const
{
    QStringList collections;
    for (const Type &type : m_book->rules.pack().types) {
        const QString path = u'/' + type.path;
        if (!type.path.contains(u'/') && type.path != u"*" && m_book->rules.applies(type)
            && m_book->rowFor(u"collection"_s, path))
            collections += path;
    }
    return collections;
}

QStringList Messages::collectionsApart(const QString &path) const
{
    const TypeParts *type = m_book->typeAt(path);
    if (!type || !type->resource || type->resource->children())
        return {};
    QStringList collections;
    for (const QString &child : type->children) {
        const QString collection = path + u'/' + child;
        const WireRequest *row = m_book->rowFor(u"collection"_s, collection);
        if (row && !row->of.isEmpty())
            collections += collection;
    }
    return collections;
}

QString Messages::shownBy(const QString &path) const
{
    QString shownBy = path.section(u'/', 0, 2);
    for (int level = 4; level <= path.count(u'/'); level += 2) {
        const QString below = path.section(u'/', 0, level);
        const QString collection = below.section(u'/', 0, -2),
                      above = collection.section(u'/', 0, -2);
        const auto isOfIt = [&](const Template::Embedded &list) {
            return list.type.compare(collection.section(u'/', -1), names()) == 0;
        };
        const Template *holder = m_book->resourceAt(above);
        const bool isTold = !holder || holder->children()
            || std::ranges::any_of(holder->embedded(), isOfIt)
            || collectionsApart(above).contains(collection, names());
        if (!isTold && question(u"resource"_s, below))
            shownBy = below;
    }
    return shownBy;
}

bool Messages::isRequired(const QString &op, const QString &path, const QString &child) const
{
    const Rules &rules = m_book->rules;
    const int machine = rules.machineForType(typePathOf(path)),
              other = rules.machineForType(typePathOf(child));
    return machine != Rules::None && other != Rules::None
        && requiresAny(rules, machine, rules.trigger(op), other);
}

bool Messages::merges(const QString &op) const
{
    const Rules::TriggerId trigger = m_book->rules.trigger(op);
    return trigger != Rules::None && m_book->rules.merges(trigger);
}

Result<ResourceMessage> Messages::resource(
    const QByteArray &json, const QString &path, const QString &typePath) const
{
    const Result<JsonText> document = JsonText::parse(withoutMark(json), path);
    if (!document)
        return Error { document.error() };
    if (!document->root().is(Value::Kind::Object))
        return Error { u"%1: expected a resource, found %2"_s.arg(
            path, document->root().kindName()) };
    const ResourceReader::How how { .clock = { .zero = m_zero, .now = m_zero },
        .type = m_book->type(typePath.isEmpty() ? typePathOf(path) : typePath) };
    return m_reader.read(*document, m_reader.unwrapped(document->root(), how.type), path, how);
}

Result<Messages::Collection> Messages::collection(const QByteArray &json, const QString &path) const
{
    const Result<JsonText> document = JsonText::parse(withoutMark(json), path);
    if (!document)
        return Error { document.error() };
    const ResourceReader::How how { .clock = { .zero = m_zero, .now = m_zero },
        .type = m_book->typeAt(path) };
    const Template *row = m_book->find(u"collection"_s, how.type);
    Collection result;
    Value list = document->root();
    if (row && !row->listKey().isEmpty()) {
        list = member(document->root(), row->listKey(), m_book->names);
        result.next = member(document->root(), row->textKey(), m_book->names).string();
        if (!list) // unknown content is not an empty list
            return Error { u"%1: expected a list in \"%2\", found none"_s.arg(
                path, row->listKey()) };
    }
    if (list && !list.is(Value::Kind::Array))
        return Error { u"%1: expected a list of resources, found %2"_s.arg(path, list.kindName()) };
    for (const Value item : list.items()) {
        ResourceMessage told = m_reader.read(*document, item, {}, how);
        if (!told.name.isEmpty() && !told.path.startsWith(path + u'/', m_book->names))
            told = m_reader.read(*document, item, path + u'/' + told.name, how);
        if (told.path.startsWith(u'/'))
            result.resources += told;
    }
    return result;
}

Result<OperationMessage> Messages::operation(const QByteArray &json) const
{
    const Result<JsonText> document = JsonText::parse(withoutMark(json), u"the operation"_s);
    if (!document)
        return Error { document.error() };
    OperationMessage message = error(json);
    const Template *row = m_book->find(u"operation"_s);
    if (!row)
        return message;
    const Value word = valueAt(document->root(), row->place(Hole::Status), Qt::CaseInsensitive);
    if (!word.is(Value::Kind::String))
        return message;
    message.word = word.string();
    const WireFollow &follow = wire().follow;
    const auto is = [&](const QStringList &words) {
        return words.contains(message.word, Qt::CaseInsensitive);
    };
    message.status = is(follow.succeeded) ? Status::Succeeded
        : is(follow.failed)               ? Status::Failed
        : is(follow.canceled)             ? Status::Canceled
                                          : Status::InProgress;
    return message;
}

OperationMessage Messages::error(const QByteArray &json, int http) const
{
    OperationMessage message;
    const Template *row = m_book->find(u"error"_s);
    const Result<JsonText> document = JsonText::parse(withoutMark(json), QString());
    if (!row || !document || !document->root().is(Value::Kind::Object))
        return message;
    const auto read = [&](Hole hole) {
        return valueAt(document->root(), row->place(hole), Qt::CaseSensitive).string();
    };
    message.code = read(Hole::ErrorCode);
    message.message = read(Hole::ErrorMessage);
    if (http && message.code.isEmpty())
        addCode(m_book->rules.pack(), http, &message);
    else if (m_book->failures.contains(message.code))
        message.means = Status::Failed;
    return message;
}

int Messages::statusOf(const QString &errorCode) const
{
    const Pack &pack = m_book->rules.pack();
    const auto in = [&](const auto &rows) {
        const auto row = std::ranges::find_if(rows, [&](const auto &one) {
            return one.http && (one.code == errorCode || one.id == errorCode);
        });
        return row == rows.end() ? 0 : row->http;
    };
    const int http = in(pack.outcomes);
    return http ? http : in(pack.refusals);
}

HttpResponse Messages::answer(const QString &to, const About &about) const
{
    return written(*m_book, answerTo(*m_book, to, about), about);
}

QString Messages::operationUrl(const About &about) const
{
    static const HoleText url = HoleText::of(u"{operation url}"_s);
    const auto text = WireWriter(*m_book, about).text(url);
    return text ? QString::fromUtf8(*text) : QString();
}

std::optional<HttpResponse> Messages::ownAnswer(const QString &to, const About &about) const
{
    const WireRules::Answer *answer = answerTo(*m_book, to, about);
    if (!answer || !answer->row->to.contains(to))
        return {};
    return written(*m_book, answer, about);
}

std::optional<HttpResponse> Messages::answerOnTheWay(const QString &to, const About &about) const
{
    const WireRules::Answer *answer = answerTo(*m_book, to, about);
    if (!answer || !answer->row->to.contains(to) || !answer->row->at.contains(about.at))
        return {};
    return written(*m_book, answer, about);
}

QByteArray Messages::storedBodyWith(
    const World &world, Resource resource, const Request &request) const
{
    const WireRequest *row = m_book->rowFor(request.op, request.path);
    const Template *document = row ? m_book->bodyOf(*row, request.path) : nullptr;
    const Result<JsonText> stored = JsonText::parse(world.bodies.value(resource), QString());
    if (!document || !stored || !stored->root().is(Value::Kind::Object))
        return {};
    const QString typePath = typePathOf(request.path);
    const bool keepsReferences =
        request.references.isEmpty() || request.references == world.references.value(resource);
    const QJsonObject laidOver = keepsReferences
        ? request.properties.object()
        : m_book->withReferences(typePath, request.properties, request.references);
    return StoredBody(*m_book, *document, m_book->type(typePath), laidOver, keepsReferences)
        .text(stored->root());
}

// ---- Requests as a server reads them

namespace {

/// Reader of a request's body: of its target, and of resources below.
class BodyReader
{
public:
    BodyReader(const WireRules &book, const Messages &messages, const Asked &asked,
        const WireClock &clock, Incoming *read)
        : m_book(book),
          m_messages(messages),
          m_asked(asked),
          m_clock(clock),
          m_reader(book),
          m_read(read),
          m_request(read->request)
    { }

    void read(const QByteArray &bytes)
    {
        const Result<JsonText> body = JsonText::parse(withoutMark(bytes), u"body"_s);
        if (!body)
            return refuse(u"malformedBody"_s, body.error());
        const Value root = body->root();
        if (!root.is(Value::Kind::Object))
            return refuse(u"malformedBody"_s, u"expected an object, found "_s + root.kindName());
        const Template *whole = m_book.findAt(m_asked.row->body, m_asked.path);
        const auto wrapped = whole ? whole->wrapped() : std::nullopt;
        const Value inside = wrapped ? valueAt(root, wrapped->place, m_book.names) : root;
        const Template *document = m_book.inside(whole, m_asked.path);
        if (m_asked.isCollection && document)
            takeName(nameIn(inside, *document));
        if (!m_read->refusal.isEmpty())
            return;
        readConditions(root);
        if (wrapped && !inside.is(Value::Kind::Object))
            return refuse(u"malformedBody"_s, u"%1 must be an object"_s.arg(wrapped->place.last()));
        using Nulls = ResourceReader::Nulls;
        m_request.stores = !m_messages.merges(m_request.op);
        const Nulls nulls = m_request.stores ? Nulls::LeftOut : Nulls::Kept;
        take(m_reader.read(*body, inside, m_request.path,
                 { .nulls = nulls, .clock = m_clock, .as = document }),
            document && document == m_book.resourceAt(m_request.path));
    }

private:
    void refuse(const QString &refusal, const QString &text, bool isBadName = false)
    {
        if (!m_read->refusal.isEmpty())
            return;
        m_read->refusal = refusal;
        m_read->text = text;
        m_read->isBadName = isBadName;
    }

    /// Name that the body gives its target, if its document has a place for that; parts of it may
    /// come from the request's path.
    QString nameIn(Value inside, const Template &document) const
    {
        const QString &path = m_asked.path;
        if (&document == m_book.resourceAt(path))
            inside = m_reader.unwrapped(inside, m_book.typeAt(path));
        if (document.nameParts().isEmpty())
            return m_reader.text(inside, document, Hole::Name);
        PathTemplate::Filling parts = m_asked.part;
        parts.insert(m_reader.nameParts(inside, document));
        return m_book.nameOfParts(typePathOf(path), parts);
    }

    void takeName(const QString &name)
    {
        if (name.isEmpty())
            return;
        if (const QString problem = nameProblem(name); !problem.isEmpty())
            return refuse(u"wrongName"_s, problem);
        m_request.path = m_asked.path + u'/' + name;
        m_read->isNamedHere = false;
    }

    /// Reads the body's answers to conditions that the pack leaves open.
    void readConditions(Value root)
    {
        const QMap<QString, QStringList> &conditions = m_asked.row->conditions;
        for (auto it = conditions.cbegin(); it != conditions.cend(); ++it) {
            const bool holds = std::ranges::any_of(*it, [&](const QString &name) {
                return isSaid(member(root, name, m_book.names).json());
            });
            m_request.conditions.insert(it.key(), holds);
        }
    }

    /// `isWhole`: the body is written like the resource itself, wrapped or not, and is stored as
    /// received.
    void take(ResourceMessage message, bool isWhole)
    {
        const TypeParts *type = m_book.typeAt(m_request.path);
        const QString name = m_request.path.section(u'/', -1);
        const bool isNamedByPack = type && !type->type->names.isEmpty();
        if (message.problem.isEmpty() && !message.name.isEmpty() && !isNamedByPack
            && name.compare(message.name, m_book.names) != 0)
            refuse(u"wrongName"_s, message.name);
        if (!message.problem.isEmpty())
            refuse(message.problem, message.problemText);
        if (!m_read->refusal.isEmpty()) {
            m_request.stores = false;
            return;
        }
        m_request.body = m_request.stores && isWhole ? message.body : QByteArray();
        m_request.properties = std::move(message.properties);
        m_request.references = std::move(message.references);
        passOn(type, &message);
        addContents(message);
        if (!m_read->refusal.isEmpty()) {
            m_request.contents.clear();
            m_request.replaces.clear();
        }
    }

    /// Passes what the body says of resources below to the operations that are required of them;
    /// other children are changed with the target.
    void passOn(const TypeParts *type, ResourceMessage *message)
    {
        QList<ResourceMessage> own;
        for (ResourceMessage &child : message->children) {
            if (child.path.endsWith(u'/')) {
                child.path += freshId();
                m_read->hasUnnamed = true;
            }
            if (!m_messages.isRequired(m_request.op, m_request.path, child.path)) {
                own += child;
                continue;
            }
            m_request.requests.insert(child.path, { child.properties, child.references, {} });
            if (type && type->refersTo(typePathOf(child.path), m_book.names))
                m_request.references += child.path;
        }
        message->children = own;
        for (auto it = message->others.cbegin(); it != message->others.cend(); ++it) {
            Enclosed &enclosed = m_request.requests[it.key()];
            enclosed.properties = merged(enclosed.properties, it.value());
        }
    }

    /// Adds the resources that a document contains below its own, parents first.
    void addContents(const ResourceMessage &message)
    {
        m_request.replaces += message.collections;
        for (const ResourceMessage &child : message.children) {
            if (const QString problem = nameProblem(child.path.section(u'/', -1));
                !problem.isEmpty())
                refuse(u"wrongName"_s, problem, true);
            const qsizetype before = m_paths.size();
            m_paths.insert(
                m_book.names == Qt::CaseInsensitive ? child.path.toCaseFolded() : child.path);
            if (m_paths.size() == before)
                refuse(u"malformedBody"_s, u"%1 stands in it twice"_s.arg(child.path));
            if (!m_read->refusal.isEmpty())
                return;
            Request content;
            content.op = m_request.op;
            content.path = child.path;
            content.properties = child.properties;
            content.references = child.references;
            content.body = m_request.stores ? child.body : QByteArray();
            m_request.contents.push_back(std::move(content));
            addContents(child);
        }
    }

    const WireRules &m_book;
    const Messages &m_messages;
    const Asked &m_asked;
    const WireClock &m_clock;
    const ResourceReader m_reader;
    Incoming *const m_read;
    Request &m_request;
    QSet<QString> m_paths; ///< paths of the contents
};

} // namespace

QString freshId()
{
    quint32 words[4];
    QRandomGenerator::global()->fillRange(words);
    const quint64 high = quint64(words[0]) << 32 | (words[1] & 0xffff0fffu) | 0x4000u;
    const quint64 low = quint64((words[2] & 0x3fffffffu) | 0x80000000u) << 32 | words[3];
    const HexGroups groups = hexGroups(high, low);
    return QString::fromLatin1(groups.data(), qsizetype(groups.size()));
}

Incoming Messages::incoming(
    const Asked &asked, const HttpRequest &http, const WireClock &clock) const
{
    Incoming read;
    Request &request = read.request;
    request.op = asked.row->ask;
    request.path = asked.path;
    request.id = freshId();
    read.isNamedHere = asked.isCollection;
    if (asked.isCollection) { // a name of the requested parts, and of made-up ones
        PathTemplate::Filling parts = asked.part;
        for (const QString &hole : asked.names.holes()) {
            if (!parts.contains(hole))
                parts.insert(hole, request.id);
        }
        const QString name = asked.names.size() == 0
            ? QString()
            : m_book->nameOfParts(typePathOf(asked.path), parts);
        request.path += u'/' + (name.isEmpty() ? request.id : name);
    }
    request.ifMatch = QString::fromUtf8(header(http.headers, "If-Match"));
    request.ifNoneMatch = QString::fromUtf8(header(http.headers, "If-None-Match"));
    if (!asked.row->body.isEmpty())
        BodyReader(*m_book, *this, asked, clock, &read).read(http.body);
    return read;
}

} // namespace instar
