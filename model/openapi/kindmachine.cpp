// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/resourcekinds.h"
#include "model/pack/nearest.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace instar {

namespace {

/// Reduces a word to lower-case letters and digits: "in-progress" and "InProgress" become equal.
QString normalized(const QString &word)
{
    QString letters;
    for (const QChar c : word) {
        if (c.isLetterOrNumber())
            letters += c.toLower();
    }
    return letters;
}

bool hasOneOf(const QString &word, const QStringList &parts)
{
    return std::ranges::any_of(parts, [&](const QString &part) { return word.contains(part); });
}

QString firstWith(const QStringList &words, const QStringList &parts)
{
    const auto found = std::ranges::find_if(
        words, [&](const QString &word) { return hasOneOf(normalized(word), parts); });
    return found == words.end() ? QString() : *found;
}

/// Returns the stem of an action's forms: "stop", "creat", "verif".
QString stem(const QString &action)
{
    QString word = normalized(action);
    if (word.endsWith(u'e') || word.endsWith(u'y'))
        word.chop(1);
    return word;
}

/// Returns the word that is a form of an action with one of the endings: "Stopped" for "stop".
QString formOf(const QString &action, const QStringList &words, const QStringList &endings)
{
    const QString begin = stem(action);
    if (begin.size() < 3)
        return {};
    for (const QString &word : words) {
        const QString letters = normalized(word);
        const bool isForm = letters.startsWith(begin) && letters.size() <= begin.size() + 5
            && std::ranges::any_of(
                endings, [&](const QString &ending) { return letters.endsWith(ending); });
        if (isForm)
            return word;
    }
    return {};
}

} // namespace

bool isStateName(const QString &name)
{
    const QString letters = normalized(name);
    return letters.endsWith(u"state") || letters.endsWith(u"status") || letters == u"phase"
        || letters == u"lifecycle";
}

StateWords StateWords::of(const QStringList &words)
{
    static const QStringList success { u"succeeded"_s, u"active"_s, u"available"_s, u"ready"_s,
        u"running"_s, u"online"_s, u"enabled"_s, u"healthy"_s, u"ok"_s, u"completed"_s,
        u"complete"_s, u"success"_s, u"done"_s, u"open"_s, u"provisioned"_s, u"created"_s };
    static const QStringList stable { u"running"_s, u"existing"_s, u"working"_s, u"listening"_s,
        u"outstanding"_s, u"trialing"_s, u"standing"_s };
    static const QStringList pending { u"accepted"_s, u"pending"_s, u"queued"_s, u"inprogress"_s,
        u"notstarted"_s, u"requested"_s, u"submitted"_s, u"initializing"_s };
    static const QStringList removed { u"deleted"_s, u"terminated"_s, u"removed"_s, u"destroyed"_s,
        u"purged"_s };
    StateWords result;
    qsizetype best = success.size(); // index in `success` of the best word so far
    for (const QString &word : words) {
        if (const qsizetype at = success.indexOf(normalized(word)); at >= 0 && at < best) {
            best = at;
            result.rest = word;
        }
    }
    const bool hasSuccess = normalized(result.rest) == u"succeeded";
    const auto takeFirst = [&](QString *first, const QString &word) {
        if (first->isEmpty())
            *first = word;
        else
            result.resting += word;
    };
    for (const QString &word : words) {
        const QString letters = normalized(word);
        const bool isContinuous = letters.endsWith(u"ing") && !stable.contains(letters);
        if (isContinuous || pending.contains(letters))
            result.working += word;
        else if (hasOneOf(letters, { u"fail"_s, u"error"_s }))
            takeFirst(&result.failed, word);
        else if (hasOneOf(letters, { u"cancel"_s, u"abort"_s }))
            takeFirst(&result.canceled, word);
        else if (removed.contains(letters))
            result.gone += word;
        else if (hasSuccess && word != result.rest)
            result.working += word;
        else
            result.resting += word;
    }
    if (result.rest.isEmpty() && !result.resting.isEmpty())
        result.rest = result.resting.first();
    result.creating = firstWith(result.working,
        { u"creating"_s, u"provisioning"_s, u"building"_s, u"launching"_s, u"initiali"_s });
    if (result.creating.isEmpty())
        result.creating = firstWith(result.working,
            { u"starting"_s, u"pending"_s, u"accepted"_s, u"queued"_s, u"progress"_s });
    result.updating = firstWith(
        result.working, { u"updating"_s, u"modifying"_s, u"configuring"_s, u"changing"_s });
    result.deleting = firstWith(
        result.working, { u"deleting"_s, u"terminating"_s, u"removing"_s, u"destroying"_s });
    return result;
}

QString StateWords::after(const QString &action) const
{
    return formOf(action, resting + gone, { u"ed"_s, stem(action) });
}

QString StateWords::during(const QString &action) const
{
    return formOf(action, working, { u"ing"_s });
}

namespace {

class MachineMaker
{
public:
    MachineMaker(const ApiDescription &description, const ResourceKind &kind, QStringList words)
        : m_description(description),
          m_kind(kind),
          m_named(std::move(words)),
          m_words(StateWords::of(m_named))
    { }

    KindMachine made()
    {
        m_made.machine.id = m_kind.type;
        m_made.machine.sources = { QString::fromLatin1(DescriptionSource) };
        addStates();
        for (const KindOperation &one : m_kind.operations)
            addOperation(one);
        addOutcomes();
        markEnds();
        return std::move(m_made);
    }

private:
    void addStates()
    {
        m_absent = freshName(u"absent"_s, m_named);
        m_rest = m_words.rest.isEmpty() ? freshName(u"present"_s, m_named) : m_words.rest;
        m_made.machine.rest = m_rest;
        addState(m_absent, State::Kind::Initial);
        for (const QString &word : m_named) {
            const bool isWork = m_words.working.contains(word);
            addState(word, isWork ? State::Kind::Transitional : State::Kind::Stable);
        }
        if (!m_named.contains(m_rest))
            addState(m_rest, State::Kind::Stable);
        for (const State &state : std::as_const(m_made.machine.states)) {
            if (state.kind == State::Kind::Stable && !m_words.gone.contains(state.id))
                m_stable += state.id;
        }
    }

    void addState(const QString &id, State::Kind kind, const QString &as = {})
    {
        m_made.machine.states += sourced(State { .id = id, .kind = kind, .as = as },
            m_named.contains(id) ? DescriptionSource : GuessSource);
    }

    /// Returns the description's transitional state `word`. If `word` is empty, adds and returns a
    /// state `preferred`; clients see `shown` instead, unless the description names no states.
    QString workState(const QString &word, const QString &preferred, const QString &shown)
    {
        if (!word.isEmpty())
            return word;
        const QString id = freshName(preferred, m_named);
        if (!m_made.machine.state(id))
            addState(id, State::Kind::Transitional, m_named.isEmpty() ? QString() : shown);
        return id;
    }

    QString creating(const ApiOperation &operation)
    {
        const QString &word = m_words.creating;
        m_creating = workState(word.isEmpty() ? wordIn(operation.id) : word, u"creating"_s, m_rest);
        return m_creating;
    }
    /// Returns the description's state during an operation, by its id: "Mooring" for "moorShip".
    QString wordIn(const QString &id) const
    {
        static const QRegularExpression parts(u"[A-Z]?[a-z]+|[A-Z]+(?![a-z])"_s);
        for (auto it = parts.globalMatch(id); it.hasNext();) {
            const QString word = m_words.during(it.next().captured());
            if (!word.isEmpty())
                return word;
        }
        return {};
    }
    QString updating() { return stateLeadingTo(m_words.updating, u"updating"_s, m_rest); }
    QString deleting() { return stateLeadingTo(m_words.deleting, u"deleting"_s, m_absent); }

    /// Adds a transitional state of an existing resource, with its target after success.
    QString stateLeadingTo(const QString &word, const QString &preferred, const QString &to)
    {
        const QString state = workState(word, preferred, u"(last)"_s);
        if (!m_targets.contains(state))
            m_targets.insert(state, to);
        return state;
    }

    void add(const QStringList &from, const QStringList &on, const QString &to,
        const char *source = DescriptionSource)
    {
        m_made.machine.transitions +=
            sourced(Transition { .from = from, .on = on, .to = { to } }, source);
    }

    void addOperation(const KindOperation &one)
    {
        const ApiOperation &operation = m_description.operations[one.operation];
        const QStringList on { operation.id };
        const bool isLongRunning = operation.isAsynchronous();
        if (one.role == ApiRole::Read || one.role == ApiRole::List)
            return;
        const bool makes = one.role == ApiRole::Make
            || (one.role == ApiRole::Replace
                && (!m_kind.has(ApiRole::Make) || operation.answer(201)));
        if (makes)
            add({ m_absent }, on, isLongRunning ? creating(operation) : m_rest);
        if (one.role == ApiRole::Make) // refused if the resource exists
            m_made.machine.transitions += sourced(
                Transition {
                    .from = { u"*"_s }, .on = on, .refuse = QString::fromLatin1(TakenRefusal) },
                GuessSource);
        if (one.role == ApiRole::Replace)
            add(m_stable, on, isLongRunning ? updating() : m_rest);
        if (one.role == ApiRole::Change)
            add(m_stable, on, isLongRunning ? updating() : u"(same)"_s);
        if (one.role == ApiRole::Remove) {
            if (operation.showsAbsence())
                add({ m_absent }, on, m_absent);
            add(m_stable, on, isLongRunning ? deleting() : m_absent);
        }
        if (one.role == ApiRole::Act)
            addAction(one, on, isLongRunning);
    }

    void addAction(const KindOperation &one, const QStringList &on, bool isLongRunning)
    {
        const QString after = m_words.after(one.name), during = m_words.during(one.name);
        if (!after.isEmpty() || !during.isEmpty())
            m_made.guesses += u"the import guesses from the name that %1 leads %2%3"_s.arg(
                on.first(), after.isEmpty() ? u"back"_s : u"to "_s + after,
                during.isEmpty() ? QString() : u" through "_s + during);
        if (isLongRunning)
            add(m_stable, on,
                stateLeadingTo(during, u"at "_s + one.name, after.isEmpty() ? u"(last)"_s : after));
        else
            add(m_stable, on, after.isEmpty() ? u"(same)"_s : after, GuessSource);
    }

    /// Adds outcomes to every transitional state, also to states that only the server enters.
    void addOutcomes()
    {
        const QList<State> states = m_made.machine.states;
        for (const State &state : states) {
            if (state.kind != State::Kind::Transitional)
                continue;
            const bool isCreation = state.id == m_creating && !m_targets.contains(state.id);
            const QString before = isCreation ? m_absent : u"(last)"_s;
            const QString failed = m_words.failed.isEmpty() ? before : m_words.failed;
            const QString canceled = m_words.canceled.isEmpty() ? failed : m_words.canceled;
            add({ state.id }, { u"succeeded"_s }, m_targets.value(state.id, m_rest), GuessSource);
            const QStringList others { u"failed"_s, u"canceled"_s };
            add({ state.id }, others.first(canceled == failed ? 2 : 1), failed, GuessSource);
            if (canceled != failed)
                add({ state.id }, { u"canceled"_s }, canceled, GuessSource);
        }
    }

    /// Marks states that no row enters (State::byServer) or leaves (State::isEnd).
    void markEnds()
    {
        QSet<QString> entered, left;
        for (const Transition &row : std::as_const(m_made.machine.transitions)) {
            for (const QString &to : row.to) {
                for (const QString &from : row.from) {
                    if (from != to && to != u"(same)") {
                        entered.insert(to);
                        left.insert(from);
                    }
                }
            }
        }
        for (State &state : m_made.machine.states) {
            if (state.kind == State::Kind::Initial)
                continue;
            state.byServer = !entered.contains(state.id);
            state.isEnd = state.kind == State::Kind::Stable && !left.contains(state.id);
        }
    }

    const ApiDescription &m_description;
    const ResourceKind &m_kind;
    const QStringList m_named; ///< states named by the description
    const StateWords m_words;
    KindMachine m_made;
    QString m_absent, m_rest;          ///< states before creation, after success
    QString m_creating;                ///< state during creation; empty: not added yet
    QStringList m_stable;              ///< stable states of existing resources
    QHash<QString, QString> m_targets; ///< transitional state -> target after success
};

} // namespace

KindMachine machineOf(
    const ApiDescription &description, const ResourceKind &kind, const QStringList &words)
{
    return MachineMaker(description, kind, words).made();
}

} // namespace instar
