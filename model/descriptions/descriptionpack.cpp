// SPDX-License-Identifier: Apache-2.0
#include "model/descriptions/descriptionpack.h"

#include "model/descriptions/resourcekinds.h"
#include "model/descriptions/statewords.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostSamples = 200; ///< resources of the sample tree

// The pack's sources: what the description says, and what is made up here.
const QString Said = u"description"_s, Guessed = u"guess"_s;

template<typename T>
T sourced(T row, const QString &source)
{
    row.sources = { source };
    return row;
}

Transition arrow(
    const QStringList &from, const QStringList &on, const QString &to, const QString &source)
{
    Transition row;
    row.from = from;
    row.on = on;
    if (!to.isEmpty())
        row.to = { to };
    return sourced(row, source);
}

/// The machine of one kind of resource.
class Lifecycle
{
public:
    Lifecycle(const ApiDescription &description, const ResourceKind &kind, QStringList words)
        : d(description), m_kind(kind), m_named(std::move(words)), m_words(StateWords::of(m_named))
    { }

    Machine machine(const QString &id)
    {
        m_machine.id = id;
        m_machine.sources = { Said };
        m_absent = freeName(u"absent"_s);
        addState(m_absent, State::Kind::Initial);
        m_rest = m_words.rest.isEmpty() ? freeName(u"present"_s) : m_words.rest;
        for (const QString &word : std::as_const(m_named))
            addState(word, kindOf(word));
        if (!m_named.contains(m_rest))
            addState(m_rest, State::Kind::Stable);
        m_machine.rest = m_rest;
        for (const State &state : std::as_const(m_machine.states)) {
            if (state.kind == State::Kind::Stable && !m_words.gone.contains(state.id))
                m_stable += state.id;
        }
        for (const KindOperation &one : m_kind.operations)
            addOperation(one);
        addOutcomes();
        finish();
        return m_machine;
    }

    QStringList guesses; ///< sentences
    bool isAsynchronous() const { return m_isAsynchronous; }

private:
    QString freeName(const QString &wish) const
    {
        QString name = wish;
        while (m_named.contains(name))
            name = u'(' + name + u')';
        return name;
    }

    State::Kind kindOf(const QString &word) const
    {
        return m_words.working.contains(word) ? State::Kind::Transitional : State::Kind::Stable;
    }

    void addState(const QString &id, State::Kind kind, const QString &as = {})
    {
        State state;
        state.id = id;
        state.kind = kind;
        state.as = as;
        m_machine.states += sourced(state, m_named.contains(id) ? Said : Guessed);
    }

    /// The state of being at it: the word for it, else one that clients do not see.
    QString working(const QString &word, const QString &made, bool isThere)
    {
        if (!word.isEmpty())
            return word;
        const QString id = freeName(made);
        if (!m_made.contains(id)) {
            m_made += id;
            const bool shows = m_named.isEmpty();
            addState(id, State::Kind::Transitional,
                shows         ? QString()
                    : isThere ? u"(last)"_s
                              : m_rest);
        }
        return id;
    }

    void addOperation(const KindOperation &one)
    {
        const ApiOperation &operation = d.operations[one.operation];
        const bool isLong = endsLater(operation);
        const QStringList on { operation.id };
        m_isAsynchronous =
            m_isAsynchronous || (isLong && one.role != ApiRole::Read && one.role != ApiRole::List);
        switch (one.role) {
        case ApiRole::Read:
        case ApiRole::List:
            return;
        case ApiRole::Make:
            add(arrow({ m_absent }, on, isLong ? creating() : m_rest, Said));
            return;
        case ApiRole::Replace: {
            const bool makes = !m_kind.has(ApiRole::Make) || operation.answer(201);
            if (makes)
                add(arrow({ m_absent }, on, isLong ? creating() : m_rest, Said));
            add(arrow(m_stable, on, isLong ? updating() : m_rest, Said));
            return;
        }
        case ApiRole::Change:
            add(arrow(m_stable, on, isLong ? updating() : u"(same)"_s, Said));
            return;
        case ApiRole::Remove:
            if (operation.answer(204) && (operation.answer(200) || operation.answer(202)))
                add(arrow({ m_absent }, on, m_absent, Said));
            add(arrow(m_stable, on, isLong ? deleting() : m_absent, Said));
            return;
        case ApiRole::Act:
            addAction(one, on, isLong);
            return;
        }
    }

    void addAction(const KindOperation &one, const QStringList &on, bool isLong)
    {
        const QString after = m_words.after(one.name), during = m_words.during(one.name);
        if (!after.isEmpty() || !during.isEmpty())
            guesses += u"%1 leads %2%3, by its name"_s.arg(on.first(),
                after.isEmpty() ? u"back"_s : u"to "_s + after,
                during.isEmpty() ? QString() : u" by way of "_s + during);
        if (!isLong) {
            add(arrow(m_stable, on, after.isEmpty() ? u"(same)"_s : after, Guessed));
            return;
        }
        const QString at = working(during, u"at "_s + one.name, true);
        if (!m_outcomes.contains(at))
            m_outcomes.insert(at, after.isEmpty() ? u"(last)"_s : after);
        add(arrow(m_stable, on, at, Said));
    }

    QString creating()
    {
        const QString state = working(m_words.creating, u"creating"_s, false);
        m_isMade = true;
        m_creating = state;
        return state;
    }
    QString updating()
    {
        const QString state = working(m_words.updating, u"updating"_s, true);
        m_outcomes.insert(state, m_rest);
        return state;
    }
    QString deleting()
    {
        const QString state = working(m_words.deleting, u"deleting"_s, true);
        m_outcomes.insert(state, m_absent);
        return state;
    }

    void add(const Transition &row)
    {
        if (!row.from.isEmpty())
            m_machine.transitions += row;
    }

    /// Every state of work ends well or badly, those that only a server shows, too.
    void addOutcomes()
    {
        const QList<State> states = m_machine.states;
        for (const State &state : states) {
            if (state.kind != State::Kind::Transitional)
                continue;
            const bool isCreating = state.id == m_creating;
            const QString good = m_outcomes.value(state.id, m_rest);
            const QString back =
                isCreating && !m_outcomes.contains(state.id) ? m_absent : u"(last)"_s;
            const QString bad = m_words.failed.isEmpty() ? back : m_words.failed;
            const QString stopped = m_words.canceled.isEmpty() ? bad : m_words.canceled;
            add(arrow({ state.id }, { u"succeeded"_s }, good, Guessed));
            if (stopped == bad) {
                add(arrow({ state.id }, { u"failed"_s, u"canceled"_s }, bad, Guessed));
            } else {
                add(arrow({ state.id }, { u"failed"_s }, bad, Guessed));
                add(arrow({ state.id }, { u"canceled"_s }, stopped, Guessed));
            }
        }
    }

    /// States that no row leads to are the server's, and those that none leaves are ends.
    void finish()
    {
        QSet<QString> entered, left;
        for (const Transition &row : std::as_const(m_machine.transitions)) {
            for (const QString &to : row.to) {
                if (row.from != QStringList { to })
                    entered.insert(to);
            }
            const bool leads = !row.to.isEmpty();
            for (const QString &from : row.from) {
                if (leads)
                    left.insert(from);
            }
        }
        for (State &state : m_machine.states) {
            if (state.kind == State::Kind::Initial)
                continue;
            state.byServer = !entered.contains(state.id);
            state.isEnd = state.kind == State::Kind::Stable && !left.contains(state.id);
        }
    }

public:
    /// Whether an operation's answer comes before its end.
    static bool endsLater(const ApiOperation &operation)
    {
        return operation.isLongRunning || operation.answer(202);
    }

private:
    const ApiDescription &d;
    const ResourceKind &m_kind;
    const QStringList m_named; ///< what the description calls states
    const StateWords m_words;
    Machine m_machine;
    QString m_absent, m_rest, m_creating;
    QStringList m_stable, m_made;
    QHash<QString, QString> m_outcomes; ///< state of work -> where success leads
    bool m_isMade = false, m_isAsynchronous = false;
};

/// How often something was found, and what first.
template<typename T>
class Votes
{
public:
    void add(const T &value, int weight = 1)
    {
        const auto [found, isNew] = m_votes.try_emplace(value, 0, int(m_votes.size()));
        found->second.first += weight;
        Q_UNUSED(isNew);
    }
    /// The most frequent; of several the first.
    std::optional<T> best() const
    {
        const auto found = std::ranges::max_element(m_votes, [](const auto &a, const auto &b) {
            return std::pair(a.second.first, -a.second.second)
                < std::pair(b.second.first, -b.second.second);
        });
        return found == m_votes.end() ? std::nullopt : std::optional<T>(found->first);
    }

private:
    std::map<T, std::pair<int, int>> m_votes; ///< votes, order
};

/// An object with a value at a place.
QJsonObject with(QJsonObject object, const QStringList &place, const QJsonValue &value)
{
    if (place.size() == 1) {
        object[place.first()] = value;
    } else if (!place.isEmpty()) {
        object[place.first()] = with(object[place.first()].toObject(), place.mid(1), value);
    }
    return object;
}

class PackMaker
{
public:
    PackMaker(const ApiDescription &description, const QString &origin)
        : d(description), m_found(resourceKinds(description))
    {
        p.origin = origin;
    }

    DescribedPack made()
    {
        m_remarks += m_found.remarks;
        p.id = idOf(d.title);
        p.title = d.title.isEmpty() ? p.id : d.title;
        p.sources = { Said };
        p.sourceList = { { .id = Said,
                             .document = p.title,
                             .section = d.format,
                             .about = u"What the description says."_s,
                             .extras = {} },
            { .id = Guessed,
                .document = u"Instar"_s,
                .section = u"import"_s,
                .about =
                    u"What the description does not say, and was made up when it was imported."_s,
                .extras = { { u"x-ours"_s, "true" } } } };
        findPlaces();
        addKinds();
        addPolicy();
        addRequests();
        addAnswers();
        addDocuments();
        addFollow();
        addSample();
        std::ranges::stable_sort(m_remarks, {}, &Remark::line);
        return { p, m_remarks };
    }

private:
    static QString idOf(const QString &title)
    {
        QString id;
        for (const QChar c : title.toLower()) {
            if (c.isLetterOrNumber() && c.unicode() < 128)
                id += c;
            else if (!id.isEmpty() && !id.endsWith(u'-'))
                id += u'-';
        }
        while (id.endsWith(u'-'))
            id.chop(1);
        return id.isEmpty() ? u"api"_s : id.left(60);
    }

    void guess(int line, const QString &text) { m_remarks += { line, text, false }; }

    const ApiOperation &operation(const KindOperation &one) const
    {
        return d.operations[one.operation];
    }

    /// The shapes of what is answered about one resource of a kind.
    QList<const ApiShape *> shapesOf(const ResourceKind &kind) const
    {
        QList<const ApiShape *> shapes;
        for (const KindOperation &one : kind.operations) {
            if (one.role == ApiRole::List || one.role == ApiRole::Act)
                continue;
            for (const ApiAnswer &answer : operation(one).answers) {
                const ApiShape *shape = d.shape(&answer);
                if (shape && !shape->isList && answer.code >= 200 && answer.code < 300
                    && !shapes.contains(shape))
                    shapes += shape;
            }
        }
        return shapes;
    }

    // ---- Where documents have what a lifecycle needs

    void findPlaces()
    {
        Votes<QStringList> states, names, etags;
        QSet<QStringList> badNames; // what is not the last name of a path
        for (const ResourceKind &kind : std::as_const(m_found.kinds)) {
            if (const ApiProperty *state = stateOf(kind))
                states.add(state->place,
                    state->words.isEmpty() && wordsOf(kind, *state).isEmpty() ? 1 : 10);
            const bool isComposite = kind.path.section(u'/', -1).count(u'{') != 1;
            for (const ApiShape *shape : shapesOf(kind)) {
                for (const ApiProperty &one : shape->properties)
                    collectName(kind, one, isComposite, &names, &badNames, &etags);
            }
        }
        m_state = states.best();
        m_etag = etags.best();
        m_name = names.best();
        if (m_name && badNames.contains(*m_name))
            m_name.reset();
    }

    static void collectName(const ResourceKind &kind, const ApiProperty &property, bool isComposite,
        Votes<QStringList> *names, QSet<QStringList> *bad, Votes<QStringList> *etags)
    {
        const QString key = property.place.last().toLower();
        if (property.place.size() == 1 && key == u"etag")
            etags->add(property.place);
        const bool isText = property.type == u"string";
        if (!isText || property.place.size() > 2 || !property.words.isEmpty())
            return;
        const QString last = kind.path.section(u'/', -1);
        const QString hole = last.mid(1).chopped(1).toLower();
        const int weight = key == hole                                               ? 4
            : property.place.size() == 2 && !(property.place.first() == u"metadata") ? 0
            : key == u"name"                                                         ? 2
            : key == u"id"                                                           ? 1
                                                                                     : 0;
        if (weight == 0)
            return;
        if (isComposite || kind.isAlone)
            bad->insert(property.place);
        else
            names->add(property.place, weight);
    }

    /// The text that most likely tells a resource's state; null: there is none.
    const ApiProperty *stateOf(const ResourceKind &kind) const
    {
        const ApiProperty *best = nullptr;
        int most = 0;
        for (const ApiShape *shape : shapesOf(kind)) {
            for (const ApiProperty &property : shape->properties) {
                if (property.type != u"string" || !isStateName(property.place.last())
                    || property.place.size() > 2)
                    continue;
                const QString name = property.place.last().toLower();
                const bool isShort = name == u"state" || name == u"status" || name == u"phase"
                    || name.startsWith(u"provisioning") || name.startsWith(u"lifecycle");
                const int score = 1 + (wordsOf(*shape, property).isEmpty() ? 0 : 8)
                    + (isShort ? 4 : 0) + (property.readOnly ? 1 : 0) - int(property.place.size());
                if (score > most) {
                    most = score;
                    best = &property;
                }
            }
        }
        return best;
    }

    /// The words of a text, its own or those of a list of them that stands beside it.
    static QStringList wordsOf(const ApiShape &shape, const ApiProperty &property)
    {
        if (!property.words.isEmpty())
            return property.words;
        QStringList beside = property.place;
        beside.last() += u"Values"_s;
        const ApiProperty *list = shape.find(beside);
        return list ? list->words : QStringList();
    }

    QStringList wordsOf(const ResourceKind &kind, const ApiProperty &property) const
    {
        for (const ApiShape *shape : shapesOf(kind)) {
            const ApiProperty *same = shape->find(property.place);
            if (same && !wordsOf(*shape, *same).isEmpty())
                return wordsOf(*shape, *same);
        }
        return {};
    }

    /// The words of a kind's state, as its documents have them where all of the pack do.
    QStringList stateWords(const ResourceKind &kind)
    {
        const ApiProperty *own = stateOf(kind);
        const int line = kind.operations.isEmpty() ? 0 : operation(kind.operations.first()).line;
        if (!own)
            return {};
        const QString where = own->place.join(u'.');
        ApiProperty there = *own;
        if (m_state && own->place != *m_state) {
            const bool hasBoth = std::ranges::any_of(
                shapesOf(kind), [&](const ApiShape *shape) { return shape->find(*m_state); });
            if (!hasBoth) {
                guess(line,
                    u"%1: its state is in %2, that of most others in %3; a pack has one place for it, so its words are left out"_s
                        .arg(kind.type, where, m_state->join(u'.')));
                return {};
            }
            there.place = *m_state;
        }
        QStringList words = wordsOf(kind, there);
        words.removeAll(QString());
        if (!words.isEmpty()) {
            guess(line,
                u"%1: %2 tells its state (%3), and what its words mean is guessed"_s.arg(
                    kind.type, there.place.join(u'.'), words.mid(0, 8).join(u", "_s)));
            return words;
        }
        const bool isLong = std::ranges::any_of(kind.operations,
            [&](const KindOperation &one) { return Lifecycle::endsLater(operation(one)); });
        if (!isLong)
            return {};
        guess(line,
            u"%1: the words of %2 are not listed; the usual ones are taken"_s.arg(
                kind.type, there.place.join(u'.')));
        return { u"Creating"_s, u"Updating"_s, u"Deleting"_s, u"Succeeded"_s, u"Failed"_s,
            u"Canceled"_s };
    }

    // ---- Types, machines, operations

    void addKinds()
    {
        for (const ResourceKind &kind : std::as_const(m_found.kinds)) {
            Type type;
            type.path = kind.type;
            type.machine = kind.type;
            if (kind.isAlone)
                type.names = { QString::fromLatin1(LoneName) };
            p.types += sourced(type, Said);
            Lifecycle lifecycle(d, kind, stateWords(kind));
            p.machines += lifecycle.machine(kind.type);
            m_isAsynchronous = m_isAsynchronous || lifecycle.isAsynchronous();
            const int line =
                kind.operations.isEmpty() ? 0 : operation(kind.operations.first()).line;
            for (const QString &text : std::as_const(lifecycle.guesses))
                guess(line, u"%1: %2"_s.arg(kind.type, text));
            for (const State &state : std::as_const(p.machines.last().states)) {
                if (state.kind == State::Kind::Transitional) {
                    const bool isKnown = m_workingWords.contains(state.id);
                    if (!isKnown)
                        m_workingWords += state.id;
                }
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
        OperationKind row;
        row.id = described.id;
        row.about = described.about;
        row.merge = one.role == ApiRole::Change;
        p.operations += sourced(row, Said);
        if (!described.isLongRunning && described.answer(202))
            guess(described.line,
                u"%1 answers 202, so it is taken to go on after the answer"_s.arg(described.id));
        if (one.role == ApiRole::Act && described.takesBody)
            guess(described.line,
                u"%1 takes a body that is not the resource's; it is not sent and not asked for"_s
                    .arg(described.id));
        if (one.role == ApiRole::Replace && !kind.has(ApiRole::Make) && !described.answer(201)
            && !kind.isAlone)
            guess(described.line,
                u"%1 is taken to make what is not there: nothing else makes %2"_s.arg(
                    described.id, kind.type));
    }

    void addPolicy()
    {
        Outcome failed;
        failed.id = u"failed"_s;
        failed.code = u"InternalServerError"_s;
        failed.http = 500;
        p.outcomes += sourced(failed, Guessed);
        Stamp stamp;
        p.stamps += sourced(stamp, Guessed);
        if (!m_isAsynchronous)
            return;
        Conflict conflict;
        conflict.at = { u"self"_s, u"ancestor"_s };
        conflict.then = Conflict::Then::Reject;
        conflict.code = u"Conflict"_s;
        p.conflicts += sourced(conflict, Guessed);
        Refusal refusal;
        refusal.id = u"Conflict"_s;
        refusal.http = 409;
        refusal.message = u"Another operation works on {path}."_s;
        p.refusals += sourced(refusal, Guessed);
        guess(0,
            u"the description does not say what happens to a request while another one is at work: it is refused with 409"_s);
    }

    // ---- The wire

    /// Words come before holes, so that "/users/me" is not the user "me".
    static bool goesBefore(const WireRequest &a, const WireRequest &b)
    {
        const QStringList first = a.path.split(u'/'), second = b.path.split(u'/');
        for (qsizetype i = 0; i < std::min(first.size(), second.size()); ++i) {
            const bool isHole = first[i].contains(u'{'), otherIsHole = second[i].contains(u'{');
            if (isHole != otherIsHole)
                return otherIsHole;
            if (first[i] != second[i])
                return first[i] < second[i];
        }
        return first.size() < second.size();
    }

    void addRequests()
    {
        p.wire.sources = { Said };
        p.wire.base = m_found.base;
        p.wire.requestIdHeader = {};
        for (const ResourceKind &kind : std::as_const(m_found.kinds)) {
            for (const KindOperation &one : kind.operations) {
                WireRequest row;
                row.ask = one.role == ApiRole::Read ? u"resource"_s
                    : one.role == ApiRole::List     ? u"collection"_s
                                                    : operation(one).id;
                row.method = operation(one).method;
                row.path = u"{base}"_s + one.path;
                row.of = one.of;
                const bool isOfResource = one.role == ApiRole::Make || one.role == ApiRole::Replace
                    || one.role == ApiRole::Change;
                if (isOfResource && operation(one).takesBody)
                    row.body = u"resource"_s;
                p.wire.requests += sourced(row, Said);
            }
        }
        std::ranges::stable_sort(p.wire.requests, goesBefore);
        if (!m_isAsynchronous)
            return;
        QString word = u"operations"_s;
        const auto isTaken = [&](const WireRequest &row) {
            return row.path.section(u'/', 1, 1) == word
                || row.path.section(u'/', 1, 1).startsWith(u'{');
        };
        while (std::ranges::any_of(p.wire.requests, isTaken) && word.size() < 60)
            word = u"async-"_s + word;
        for (const auto &[ask, path] :
            { std::pair(u"operation"_s, word), std::pair(u"result"_s, word + u"-results"_s) }) {
            WireRequest row;
            row.ask = ask;
            row.method = u"GET"_s;
            row.path = u"{base}/%1/{operation}"_s.arg(path);
            p.wire.requests.prepend(sourced(row, Guessed));
        }
        guess(0,
            u"the description does not say where one asks how an operation stands; served, it is %1/%2/ID"_s
                .arg(p.wire.base, word));
    }

    static int codeOf(const ApiOperation &operation, const QList<int> &wishes)
    {
        for (const int wish : wishes) {
            if (operation.answer(wish))
                return wish;
        }
        const ApiAnswer *success = operation.success();
        return success ? success->code : 200;
    }

    WireAnswer answerRow(const KindOperation &one, const QStringList &at, int code,
        WireAnswer::Target target = WireAnswer::Target::Any)
    {
        WireAnswer row;
        row.to = { operation(one).id };
        row.at = at;
        row.code = code;
        row.target = target;
        const ApiShape *shape = d.shape(operation(one).answer(code));
        const bool isOfResource = one.role == ApiRole::Make || one.role == ApiRole::Replace
            || one.role == ApiRole::Change;
        if (isOfResource && shape && !shape->isList && code != 204)
            row.body = u"resource"_s;
        return sourced(row, Said);
    }

    void addOperationAnswers(const KindOperation &one)
    {
        const ApiOperation &described = operation(one);
        using Target = WireAnswer::Target;
        const bool isLong = Lifecycle::endsLater(described);
        const QStringList at { isLong ? u"started"_s : u"succeeded"_s };
        const QList<int> later { 202, 200, 201, 204 }, madeLater { 201, 202, 200 };
        const QList<int> changedLater { 200, 202, 201 }, made { 201, 200, 204 };
        const QList<int> changed { 200, 204, 201 }, removed { 204, 200 };
        QList<WireAnswer> rows;
        switch (one.role) {
        case ApiRole::Read:
        case ApiRole::List:
            return;
        case ApiRole::Make:
            rows += answerRow(one, at, codeOf(described, isLong ? later : made));
            break;
        case ApiRole::Replace: {
            const int first = codeOf(described, isLong ? madeLater : made);
            const int next = codeOf(described, isLong ? changedLater : changed);
            if (first == next) {
                rows += answerRow(one, at, first);
            } else {
                rows += answerRow(one, at, first, Target::Created);
                rows += answerRow(one, at, next, Target::Existing);
            }
            break;
        }
        case ApiRole::Change:
        case ApiRole::Act:
            rows += answerRow(one, at, codeOf(described, isLong ? later : changed));
            break;
        case ApiRole::Remove:
            if (described.answer(204) && (described.answer(200) || described.answer(202)))
                rows += answerRow(one, { u"observed"_s }, 204);
            rows += answerRow(one, at, codeOf(described, isLong ? later : removed));
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
        const auto has = [&](const QString &name) {
            return std::ranges::any_of(headers, [&](const WireHeader &one) {
                return one.name.compare(name, Qt::CaseInsensitive) == 0;
            });
        };
        for (const ApiAnswer &answer : described.answers) {
            for (const QString &name : answer.headers) {
                const QString plain = name.toLower();
                const bool isOperation = plain.contains(u"operation") && !plain.contains(u"id");
                if (has(name) || answer.code >= 300)
                    continue;
                if (isOperation || plain == u"location")
                    headers += { name, isOperation ? u"{operation url}"_s : u"{result url}"_s };
                if (isOperation && !m_operationHeaders.contains(name, Qt::CaseInsensitive))
                    m_operationHeaders += name;
            }
        }
        if (headers.isEmpty()) {
            const bool isResult = described.finalStateVia == u"location";
            headers += { isResult ? u"Location"_s : u"Operation-Location"_s,
                isResult ? u"{result url}"_s : u"{operation url}"_s };
            guess(described.line,
                u"%1 does not say which header tells where it can be asked about; served, it is %2"_s
                    .arg(described.id, headers.first().name));
        }
        headers += { u"Retry-After"_s, u"{retry after}"_s };
        return headers;
    }

    /// Rows that say the same of several operations are one.
    void addAnswer(const WireAnswer &row)
    {
        const auto same = std::ranges::find_if(p.wire.answers, [&](const WireAnswer &other) {
            WireAnswer alike = other;
            alike.to = row.to;
            return alike == row;
        });
        if (same == p.wire.answers.end())
            p.wire.answers += row;
        else
            same->to += row.to;
    }

    void addQuestionAnswer(const QString &to, const QStringList &at, int code, const QString &body,
        QList<WireHeader> headers = {})
    {
        WireAnswer row;
        if (!to.isEmpty())
            row.to = { to };
        row.at = at;
        row.code = code;
        row.body = body;
        row.headers = std::move(headers);
        p.wire.answers += sourced(row, Guessed);
    }

    void addAnswers()
    {
        for (const ResourceKind &kind : std::as_const(m_found.kinds)) {
            for (const KindOperation &one : kind.operations)
                addOperationAnswers(one);
        }
        const auto asks = [&](const QString &what) {
            return std::ranges::find(p.wire.requests, what, &WireRequest::ask)
                != p.wire.requests.end();
        };
        const QList<WireHeader> etag { { u"ETag"_s, u"{etag}"_s } };
        if (asks(u"resource"_s))
            addQuestionAnswer(u"resource"_s, { u"found"_s }, 200, u"resource"_s, etag);
        if (asks(u"collection"_s))
            addQuestionAnswer(u"collection"_s, { u"found"_s }, 200, u"collection"_s);
        if (m_isAsynchronous) {
            const QList<WireHeader> wait { { u"Retry-After"_s, u"{retry after}"_s } };
            addQuestionAnswer(u"operation"_s, { u"failed"_s, u"canceled"_s, u"superseded"_s }, 200,
                u"failed operation"_s);
            addQuestionAnswer(
                u"operation"_s, { u"running"_s, u"succeeded"_s }, 200, u"operation"_s, wait);
            addQuestionAnswer(u"result"_s, { u"running"_s }, 202, {}, wait);
            addQuestionAnswer(u"result"_s, { u"succeeded"_s }, 200, u"operation"_s);
            addQuestionAnswer(u"result"_s, { u"canceled"_s, u"superseded"_s }, 409, u"error"_s);
        }
        addQuestionAnswer({}, { u"missing"_s }, 404, u"error"_s);
        addQuestionAnswer({}, {}, 0, u"error"_s);
    }

    void addDocument(const QString &id, const QJsonValue &json, const QString &source)
    {
        WireDocument row;
        row.id = id;
        row.json = json.isArray() ? QJsonDocument(json.toArray()).toJson(QJsonDocument::Compact)
                                  : QJsonDocument(json.toObject()).toJson(QJsonDocument::Compact);
        p.wire.documents += sourced(row, source);
    }

    void addDocuments()
    {
        QJsonObject resource;
        if (m_name)
            resource = with(resource, *m_name, u"{name}"_s);
        if (m_etag)
            resource = with(resource, *m_etag, u"{etag}"_s);
        if (m_state)
            resource = with(resource, *m_state, u"{state}"_s);
        // What a client stores goes where the state is: "properties" holds both where there is one.
        const bool isInside = m_state && m_state->size() == 2 && m_state->first() == u"properties";
        resource[u"{body}"_s] = isInside ? QJsonValue(true) : QJsonValue(u"properties"_s);
        if (isInside)
            resource = with(resource, { u"properties"_s, u"{body}"_s }, u"properties"_s);
        addDocument(u"resource"_s, resource, Said);
        addCollection();
        QStringList code { u"error"_s, u"code"_s }, message { u"error"_s, u"message"_s };
        findError(&code, &message);
        const QJsonObject error = with(with({}, code, u"{code}"_s), message, u"{message}"_s);
        addDocument(u"error"_s, error, Guessed);
        if (!m_isAsynchronous)
            return;
        addDocument(u"operation"_s, QJsonObject { { u"status"_s, u"{status}"_s } }, Guessed);
        QJsonObject failed = error;
        failed[u"status"_s] = u"{status}"_s;
        addDocument(u"failed operation"_s, failed, Guessed);
    }

    void addCollection()
    {
        Votes<QString> keys;
        bool isAny = false;
        for (const ResourceKind &kind : std::as_const(m_found.kinds)) {
            for (const KindOperation &one : kind.operations) {
                const ApiShape *shape =
                    one.role == ApiRole::List ? d.shape(operation(one).success()) : nullptr;
                isAny = isAny || one.role == ApiRole::List;
                if (shape)
                    keys.add(shape->isList ? QString() : shape->listKey);
            }
        }
        const QJsonArray resources { u"{resources}"_s };
        const QString key = keys.best().value_or(QString());
        if (isAny)
            addDocument(u"collection"_s,
                key.isEmpty() ? QJsonValue(resources)
                              : QJsonValue(QJsonObject { { key, resources } }),
                Said);
    }

    /// Where errors of the description have a code and a message.
    void findError(QStringList *code, QStringList *message) const
    {
        Votes<std::pair<QStringList, QStringList>> places;
        for (const ApiOperation &one : d.operations) {
            for (const ApiAnswer &answer : one.answers) {
                const ApiShape *shape = d.shape(&answer);
                if (!shape || (answer.code != 0 && answer.code < 400))
                    continue;
                QStringList codeAt, messageAt;
                for (const ApiProperty &property : shape->properties) {
                    const QString name = property.place.last().toLower();
                    const bool isNear = property.place.size() <= 2;
                    if (isNear && codeAt.isEmpty() && (name == u"code" || name == u"type"))
                        codeAt = property.place;
                    if (isNear && messageAt.isEmpty()
                        && (name == u"message" || name == u"detail" || name == u"description"))
                        messageAt = property.place;
                }
                if (!codeAt.isEmpty() && !messageAt.isEmpty())
                    places.add({ codeAt, messageAt });
            }
        }
        if (const auto best = places.best()) {
            *code = best->first;
            *message = best->second;
        }
    }

    void addFollow()
    {
        WireFollow &follow = p.wire.follow;
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
        follow.sources = { Guessed };
    }

    // ---- The sample

    void addSample()
    {
        QHash<int, QString> paths; // kind -> its sample's path
        for (int i = 0; i < m_found.kinds.size() && p.sample.size() < MostSamples; ++i) {
            const ResourceKind &kind = m_found.kinds[i];
            QString name = kind.path.section(u'/', -1);
            while (name.contains(u'{')) {
                const qsizetype open = name.indexOf(u'{'), close = name.indexOf(u'}', open);
                name.replace(open, close - open + 1, u"example"_s);
            }
            const QString above = kind.parent < 0 ? QString() : paths.value(kind.parent);
            const QString path = above + u'/' + kind.type.section(u'/', -1) + u'/' + name;
            paths.insert(i, path);
            p.sample +=
                ResourceSpec { .path = path, .state = {}, .references = {}, .properties = {} };
        }
    }

    const ApiDescription &d;
    const ResourceKinds m_found;
    Pack p;
    QList<Remark> m_remarks;
    std::optional<QStringList> m_state, m_name, m_etag; ///< places in a resource's document
    bool m_isAsynchronous = false;
    QStringList m_operationHeaders, m_workingWords;
};

} // namespace

DescribedPack packOf(const ApiDescription &description, const QString &origin)
{
    return PackMaker(description, origin).made();
}

} // namespace instar
