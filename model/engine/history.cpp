// SPDX-License-Identifier: Apache-2.0
#include "model/engine/history.h"

#include <QHash>

#include <functional>
#include <numeric>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// How far the rows of some rules look from one tree to another, beside along references.
struct Reach
{
    bool everywhere = false; ///< between any two trees
    QStringList copies;      ///< from a tree to that of its name and this
    QStringList paths;       ///< from every tree to what is there

    explicit Reach(const Rules &rules);

private:
    void add(const Rules::Relation &relation);
    void add(const Rules::Question &question);
    void add(const std::vector<Rules::Question> &questions);
    void add(const std::vector<Rules::Figure> &figures);
    void add(const std::optional<Rules::Clock> &clock);
};

void Reach::add(const Rules::Relation &relation)
{
    using Kind = Rules::Relation::Kind;
    // The siblings of a top-level resource are other trees.
    everywhere = everywhere || relation.kind == Kind::Siblings;
    if (relation.kind == Kind::Copy)
        copies += relation.name;
    if (relation.kind == Kind::Path)
        paths += relation.name;
}

void Reach::add(const Rules::Question &question)
{
    if (question.kind == Condition::Kind::Related || question.kind == Condition::Kind::Required)
        add(question.relation);
    add(question.parts);
}

void Reach::add(const std::vector<Rules::Question> &questions)
{
    for (const Rules::Question &question : questions)
        add(question);
}

void Reach::add(const std::vector<Rules::Figure> &figures)
{
    for (const Rules::Figure &figure : figures) {
        add(figure.of);
        add(figure.condition);
    }
}

void Reach::add(const std::optional<Rules::Clock> &clock)
{
    if (!clock)
        return;
    add(clock->at);
    add(clock->afterIn);
}

Reach::Reach(const Rules &rules)
{
    for (const Rules::ConflictRule &rule : rules.conflicts()) {
        const bool isFar = !rule.at || (rule.at & Rules::Unrelated);
        everywhere = everywhere || (isFar && rule.then != Conflict::Then::Allow);
        add(rule.condition);
    }
    for (const Rules::ConstraintRule &rule : rules.constraints())
        add(rule.holds);
    for (size_t state = 0; state < rules.states().size(); ++state) {
        const Rules::StateRule &row = rules.states()[state];
        for (const Rules::Work &step : row.work) {
            add(step.condition);
            add(step.where);
            add(step.until);
            for (const Rules::Relation &relation : step.to)
                add(relation);
        }
        add(row.timer);
        add(row.limit);
        for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
            for (const int index : rules.candidates(Rules::StateId(state), trigger)) {
                add(rules.transition(index).condition);
                add(rules.transition(index).afterIn);
            }
        }
    }
}

/// Trees that have to be judged together.
class Grove
{
public:
    Grove(const History &history, const Rules &rules)
        : m_isFolded(rules.pack().ignoreCase), m_reach(rules)
    {
        for (const ResourceSpec &resource : history.resources) {
            join(resource.path, resource.references);
        }
        QHash<QString, QString> named; // request id -> the first path asked with it
        for (const AskedThen &asked : history.requests) {
            join(asked.request);
            if (asked.request.requestId.isEmpty())
                continue;
            const auto first = named.constFind(asked.request.requestId);
            if (first == named.constEnd())
                named.insert(asked.request.requestId, asked.request.path);
            else
                unite(tree(*first), tree(asked.request.path));
        }
        for (const Observation &observation : history.observations) {
            if (observation.isOfResource())
                tree(observation.path);
        }
        if (m_reach.everywhere)
            std::ranges::fill(m_above, 0);
    }

    int of(const QString &path) { return root(tree(path)); }

private:
    void join(const Request &request)
    {
        join(request.path, request.references);
        for (const Request &content : request.contents)
            join(content);
        for (auto it = request.requests.cbegin(); it != request.requests.cend(); ++it) {
            unite(tree(request.path), tree(it.key()));
            join(it.key(), it->references);
        }
    }

    void join(const QString &path, const QStringList &references)
    {
        const int own = tree(path);
        for (const QString &reference : references)
            unite(own, tree(reference));
    }

    /// The number of the tree that a path lies in.
    int tree(const QString &path)
    {
        const QString top = path.section(u'/', 0, 2);
        const QString key = m_isFolded ? top.toCaseFolded() : top;
        const auto known = m_trees.constFind(key);
        if (known != m_trees.constEnd())
            return *known;
        const auto number = int(m_above.size());
        m_trees.insert(key, number);
        m_above.push_back(number);
        for (const QString &copy : m_reach.copies) {
            if (key.endsWith(copy))
                unite(number, tree(top.chopped(copy.size())));
        }
        for (const QString &other : m_reach.paths)
            unite(number, tree(other));
        return number;
    }

    int root(int number)
    {
        while (m_above[size_t(number)] != number)
            number = m_above[size_t(number)] = m_above[size_t(m_above[size_t(number)])];
        return number;
    }

    void unite(int a, int b) { m_above[size_t(root(a))] = root(b); }

    bool m_isFolded;
    Reach m_reach;
    QHash<QString, int> m_trees;
    std::vector<int> m_above; ///< tree -> one that it belongs together with, or itself
};

QString answerOf(const AskedThen &asked)
{
    switch (asked.answer) {
    case AskedThen::Answer::Accepted:
        return u"was accepted"_s;
    case AskedThen::Answer::Refused:
        return u"was answered "_s + asked.code;
    case AskedThen::Answer::Lost:
        return u"got no answer"_s;
    case AskedThen::Answer::Unknown:
        return u"was sent"_s;
    }
    Q_UNREACHABLE();
}

} // namespace

QString told(const AskedThen &asked)
{
    return u"%1 %2"_s.arg(asked.request.id, answerOf(asked));
}

QString told(const Observation &observation)
{
    const QString what = observation.isOfResource() ? observation.path : observation.operation;
    const QString etag =
        observation.etag.isEmpty() ? QString() : u" with etag %1"_s.arg(observation.etag);
    return u"%1 was seen %2%3"_s.arg(what, observation.word.value_or(u"absent"_s), etag);
}

QList<History> partsOf(const History &history, const Rules &rules)
{
    Grove grove(history, rules);
    QHash<int, qsizetype> parts; // tree -> part
    QList<History> result;
    const auto part = [&](const QString &path) -> History & {
        const int tree = grove.of(path);
        const auto known = parts.constFind(tree);
        if (known != parts.constEnd())
            return result[*known];
        parts.insert(tree, result.size());
        result.append({ .file = history.file,
            .pack = history.pack,
            .switches = history.switches,
            .resources = {},
            .headerLine = history.headerLine,
            .requests = {},
            .observations = {} });
        return result.last();
    };
    QHash<QString, QString> paths; // request -> its path
    for (const AskedThen &asked : history.requests) {
        paths.insert(asked.request.id, asked.request.path);
        part(asked.request.path).requests += asked;
    }
    for (const Observation &observation : history.observations)
        part(observation.isOfResource() ? observation.path : paths.value(observation.operation))
            .observations += observation;
    // A tree that nobody asked about or saw, and that nothing else can reach, is left out.
    for (const ResourceSpec &resource : history.resources) {
        if (parts.contains(grove.of(resource.path)))
            part(resource.path).resources += resource;
    }
    return result;
}

} // namespace instar
