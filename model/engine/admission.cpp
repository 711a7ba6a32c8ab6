// SPDX-License-Identifier: Apache-2.0
#include "model/engine/admission.h"

#include "model/engine/replaced.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Judges one request. Each check returns false when it has spoken.
class Judge
{
public:
    Judge(const Rules &rules, const World &world, const Request &request,
        const QMap<int, bool> &answers, quint32 requirer, bool timeless)
        : m_rules(rules),
          m_world(world),
          m_request(request),
          m_op(rules.trigger(request.op)),
          m_asking { .rules = rules,
              .world = world,
              .request = &request,
              .answers = &answers,
              .required = requirer != 0,
              .asked = &m_result.asked,
              .timeless = timeless }
    {
        const Running *above = requirer ? world.find(requirer) : nullptr;
        m_root = above ? above->root : 0;
    }

    Admission judged()
    {
        if (isReplay() || !exists() || leadsNowhere() || !conflictsAllow() || !preconditionsHold()
            || !transitionExists() || !contentsFit() || !replacedMayGo())
            return std::move(m_result);
        m_result.verdict = Admission::Verdict::Accepted;
        return std::move(m_result);
    }

private:
    bool isReplay()
    {
        if (m_request.requestId.isEmpty())
            return false;
        const auto known = m_world.answered.constFind(m_request.requestId);
        if (known == m_world.answered.constEnd())
            return false;
        m_result.verdict = Admission::Verdict::Replayed;
        m_result.other = *known;
        return true;
    }

    bool exists()
    {
        const QStringView path = m_request.path;
        const Tree &tree = m_world.tree;
        qsizetype at = 0;
        int type = -1;
        Resource resource = NoResource;
        bool isLast = false;
        while (!isLast) {
            const qsizetype middle =
                at < path.size() && path[at] == u'/' ? path.indexOf(u'/', at + 1) : -1;
            if (middle < 0)
                return refused(u"missing"_s);
            qsizetype end = path.indexOf(u'/', middle + 1);
            isLast = end < 0;
            if (isLast)
                end = path.size();
            const QStringView segment = path.sliced(at + 1, middle - at - 1);
            const QStringView name = path.sliced(middle + 1, end - middle - 1);
            const int parentType = type;
            type = type < 0 && at > 0 ? -1 : tree.childType(parentType, segment);
            m_result.parent = resource;
            if (isLast)
                m_result.name = name.toString();
            if (isLast && type >= 0) {
                m_result.typePath = tree.typePath(type);
            } else if (isLast) {
                m_result.typePath = parentType < 0
                    ? segment.toString()
                    : tree.typePath(parentType) + u'/' + segment.toString();
            }
            if (isLast)
                m_result.segment = segment.toString();
            resource = type < 0 ? NoResource : tree.child(resource, type, name);
            if (!isLast && resource == NoResource)
                return refused(u"parentMissing"_s);
            at = end;
        }

        m_result.target = resource;
        if (resource != NoResource) {
            m_from = tree.code(resource);
            m_result.machine = m_rules.state(m_rules.stateOf(m_from)).machine;
            m_subject = { .resource = resource,
                .path = {},
                .machine = m_result.machine,
                .creating = m_request.stores ? &m_request : nullptr };
            return true;
        }
        m_result.machine = m_rules.machineForType(m_result.typePath);
        const Type *row = m_rules.typeRow(m_result.typePath);
        if (m_result.machine == Rules::None || m_result.name.isEmpty() || m_result.segment.isEmpty()
            || (row && !row->names.isEmpty()
                && !row->names.contains(m_result.name, tree.caseSensitivity())))
            return refused(u"missing"_s);
        m_subject = { .path = m_request.path,
            .machine = m_result.machine,
            .parent = m_result.parent,
            .creating = &m_request };
        m_from = m_rules.resting(m_rules.machines()[size_t(m_result.machine)].initial);
        if (m_op == Rules::None || m_rules.candidates(m_rules.stateOf(m_from), m_op).empty())
            return refused(u"missing"_s);
        return true;
    }

    bool leadsNowhere()
    {
        if (m_op == Rules::None)
            return false;
        for (const int index : m_rules.candidates(m_rules.stateOf(m_from), m_op)) {
            const Rules::Transition &row = m_rules.transition(index);
            if (row.refusal != Rules::None || !holds(row.condition, m_subject, m_asking))
                continue;
            const bool staysAway = m_result.target == NoResource && row.to.size() == 1
                && m_rules.stateOf(m_rules.resolved(m_from, row.to.front()))
                    == m_rules.stateOf(m_from);
            if (!row.observes() && !staysAway)
                return false;
            m_result.verdict = Admission::Verdict::Observed;
            m_result.transition = index;
            m_result.entered = m_from;
            return true;
        }
        return false;
    }

    quint32 whereIs(const Running &running) const
    {
        const Tree &tree = m_world.tree;
        const Resource other = running.target;
        const Resource self = m_result.target;
        quint32 where = 0;
        if (self != NoResource && other == self) {
            where = Rules::Self;
        } else if (m_result.parent != NoResource || self != NoResource) {
            const Resource anchor = self != NoResource ? self : m_result.parent;
            const Tree::Place here = tree.place(anchor);
            const Tree::Place there = tree.place(other);
            if (here.branch == there.branch) {
                const auto contains = [&](Resource outer, quint32 position) {
                    const Tree::Range range = tree.subtree(outer);
                    return position >= range.begin && position < range.end;
                };
                if (contains(other, here.position))
                    where = Rules::Ancestor;
                else if (self != NoResource && contains(self, there.position))
                    where = Rules::Descendant;
                else
                    where =
                        tree.parent(other) == m_result.parent ? Rules::Sibling : Rules::SameTree;
            }
        }
        if (m_rules.conflictPlaces() & (Rules::Reference | Rules::Referrer)) {
            const auto among = [&](Rules::Relation::Kind kind) {
                return std::ranges::any_of(
                    related({ .kind = kind, .segment = {}, .name = {} }, m_subject, m_asking),
                    [&](const Subject &subject) { return subject.resource == other; });
            };
            where |= among(Rules::Relation::Kind::References) ? Rules::Reference : 0u;
            where |= among(Rules::Relation::Kind::Referrers) ? Rules::Referrer : 0u;
        }
        return where ? where : quint32(Rules::Unrelated);
    }

    const Rules::ConflictRule *ruleFor(const Running &running) const
    {
        const quint32 where = whereIs(running);
        const auto includes = [](const std::vector<bool> &set, Rules::TriggerId trigger) {
            return set.empty() || (trigger != Rules::None && set[size_t(trigger)]);
        };
        for (const Rules::ConflictRule &rule : m_rules.conflicts()) {
            if (includes(rule.on, m_op) && includes(rule.running, running.op)
                && (!rule.at || (rule.at & where)) && holds(rule.condition, m_subject, m_asking))
                return &rule;
        }
        return nullptr;
    }

    bool conflictsAllow()
    {
        const auto judge = [&](const Running &running) {
            if (m_root && running.root == m_root)
                return true;
            const Rules::ConflictRule *rule = ruleFor(running);
            if (!rule || rule->then == Conflict::Then::Allow)
                return true;
            if (rule->then == Conflict::Then::Cancel) {
                m_result.cancels.push_back(running.serial);
                m_result.cancelRows.push_back(rule->index);
                return true;
            }
            m_result.other = running.serial;
            const Conflict &row = m_rules.pack().conflicts[rule->index];
            return refused(
                row.code, rule->refusal, ruleText(row, u"conflicts/%1"_s.arg(rule->index)));
        };

        if (m_rules.conflictPlaces()
            & ~quint32(Rules::Self | Rules::Ancestor | Rules::Descendant | Rules::Sibling
                | Rules::SameTree)) {
            return std::ranges::all_of(
                m_world.running, [&](const auto &running) { return judge(*running); });
        }
        const Resource anchor = m_result.target != NoResource ? m_result.target : m_result.parent;
        if (anchor == NoResource)
            return true;
        const quint32 branch = m_world.tree.place(anchor).branch;
        const auto busy = m_world.busy.constFind(branch);
        if (busy == m_world.busy.constEnd())
            return true;
        return std::ranges::all_of(*busy, [&](quint32 serial) {
            const Running &running = *m_world.find(serial);
            return m_world.tree.place(running.target).branch != branch || judge(running);
        });
    }

    bool preconditionsHold()
    {
        const auto listed = [&](const QString &header) {
            const QStringList tags = header.split(u',');
            return m_result.target != NoResource
                && std::ranges::any_of(tags, [&](const QString &tag) {
                       return tag.trimmed() == u"*"
                           || tag.trimmed() == etag(m_world, m_result.target);
                   });
        };
        if (!m_request.ifMatch.isEmpty() && !listed(m_request.ifMatch))
            return refused(u"precondition"_s);
        if (!m_request.ifNoneMatch.isEmpty() && listed(m_request.ifNoneMatch))
            return refused(u"precondition"_s);
        return true;
    }

    /// False where a row refuses the operation on a resource in that state.
    bool refusesNot(const Subject &subject, Code from)
    {
        for (const int index : m_rules.candidates(m_rules.stateOf(from), m_op)) {
            const Rules::Transition &rule = m_rules.transition(index);
            if (rule.refusal == Rules::None || !holds(rule.condition, subject, m_asking))
                continue;
            m_result.transition = index;
            m_result.witness = pathOf(m_world, witness(rule.condition, subject, m_asking));
            const instar::Transition &row = m_rules.row(rule);
            return refused(
                row.refuse, rule.refusal, ruleText(row, u"transitions/%1"_s.arg(rule.index)));
        }
        return true;
    }

    /// What comes with the target is asked like it.
    bool contentsFit()
    {
        for (const Request &content : m_request.contents) {
            Subject subject = subjectAt(m_rules, m_world, content.path);
            if (subject.machine == Rules::None)
                return refused(u"missing"_s);
            subject.creating = &content;
            if (!refusesNot(subject, codeOf(m_rules, m_world, subject)))
                return false;
        }
        return true;
    }

    /// What the request leaves out of the collections that it brings is asked as if it were removed
    /// by itself.
    bool replacedMayGo()
    {
        const std::vector<Resource> goes = replacedBy(m_world, m_request);
        if (goes.empty())
            return true;
        const World then = withReferencesAfter(m_world, m_request, goes);
        return std::ranges::all_of(goes, [&](Resource resource) { return mayGo(then, resource); });
    }

    /// False where every operation that could remove the resource is refused, as the first one is.
    bool mayGo(const World &then, Resource resource)
    {
        std::optional<Admission> first;
        for (const Rules::TriggerId op : removers(m_rules, then.tree.code(resource))) {
            Request removal;
            removal.op = m_rules.triggerName(op);
            removal.path = then.tree.path(resource);
            Judge judge(m_rules, then, removal, *m_asking.answers, 0, m_asking.timeless);
            if (judge.exists() && judge.refusesNot(judge.m_subject, judge.m_from))
                return true;
            if (!first)
                first = std::move(judge.m_result);
        }
        if (!first)
            return true;
        m_result.verdict = Admission::Verdict::Refused;
        m_result.cancels.clear();
        m_result.cancelRows.clear();
        m_result.code = first->code;
        m_result.http = first->http;
        m_result.message = first->message;
        m_result.rule = first->rule;
        m_result.witness = first->witness;
        return false;
    }

    bool transitionExists()
    {
        if (!refusesNot(m_subject, m_from))
            return false;
        const Taken found = taken(m_subject, m_from, m_op, m_asking);
        m_result.transition = found.transition;
        if (!found.possible)
            return refused(u"transition"_s);
        m_result.entered = found.code;
        return true;
    }

    /// The row in its own words, or by its place, with its sources.
    QString ruleText(const Row &row, const QString &place) const
    {
        const QString sources = m_rules.pack().sourceText(row);
        const QString words = row.about.isEmpty() ? place : row.about;
        return sources.isEmpty() ? words : u"%1 [%2]"_s.arg(words, sources);
    }

    bool refused(const QString &kind)
    {
        const int index = m_rules.refusalNamed(kind);
        const Refusal *row = m_rules.refusal(index);
        return refused(
            kind, index, row ? ruleText(*row, u"refusals/"_s + kind) : u"refusals/"_s + kind);
    }

    bool refused(const QString &kind, int index, const QString &rule)
    {
        static const QHash<QString, std::pair<int, QString>> usual {
            { u"missing"_s, { 404, u"The resource {path} does not exist."_s } },
            { u"parentMissing"_s, { 404, u"The parent of {path} does not exist."_s } },
            { u"transition"_s,
                { 405, u"The operation is not possible on {path} in its present state."_s } },
            { u"precondition"_s, { 412, u"The resource {path} is not as the request demands."_s } },
        };
        const Refusal *row = m_rules.refusal(index);
        const std::pair<int, QString> fallback =
            usual.value(kind, { 409, u"The request on {path} was refused: %1."_s.arg(kind) });
        const Type *type = m_rules.typeRow(m_result.typePath);

        m_result.verdict = Admission::Verdict::Refused;
        m_result.cancels.clear();
        m_result.cancelRows.clear();
        m_result.code = row && !row->code.isEmpty() ? row->code : kind;
        if (!row && usual.contains(kind))
            m_result.code = kind == u"missing" || kind == u"parentMissing" ? u"NotFound"_s
                : kind == u"precondition"                                  ? u"PreconditionFailed"_s
                                          : u"OperationNotSupported"_s;
        if (type && type->codes.contains(kind))
            m_result.code = type->codes.value(kind);
        m_result.http = row && row->http ? row->http : fallback.first;
        m_result.message = row && !row->message.isEmpty() ? row->message : fallback.second;
        m_result.message.replace(u"{path}"_s, m_request.path)
            .replace(u"{other}"_s, m_result.witness);
        if (const Running *running = m_world.find(m_result.other)) {
            const QString uri = m_rules.pack().operationUri;
            m_result.message.replace(u"{0}"_s,
                uri.isEmpty() ? running->id : QString(uri).replace(u"{id}"_s, running->id));
        }
        m_result.rule = rule;
        return false;
    }

    const Rules &m_rules;
    const World &m_world;
    const Request &m_request;
    Rules::TriggerId m_op;
    quint32 m_root = 0;
    Admission m_result;
    Asking m_asking;
    Subject m_subject;
    Code m_from = 0;
};

} // namespace

Taken taken(const Subject &subject, Code from, Rules::TriggerId trigger, const Asking &asking)
{
    const Rules &rules = asking.rules;
    for (const int index : rules.candidates(rules.stateOf(from), trigger)) {
        const Rules::Transition &row = rules.transition(index);
        if (row.refusal != Rules::None || !holds(row.condition, subject, asking))
            continue;
        for (const Rules::Target &target : row.to) {
            const Code code = rules.resolved(from, target);
            const std::span<const int> guards = rules.constraintsOn(rules.stateOf(code));
            const bool mayEnter = row.force || std::ranges::all_of(guards, [&](int guard) {
                const Rules::ConstraintRule &constraint = rules.constraints()[size_t(guard)];
                return std::ranges::all_of(constraint.holds, [&](const Rules::Question &question) {
                    return holds(question, subject, asking);
                });
            });
            if (mayEnter)
                return { index, code, true };
        }
        return { index, from, row.observes() };
    }
    return {};
}

Admission admission(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers, quint32 requirer, bool timeless)
{
    return Judge(rules, world, request, answers, requirer, timeless).judged();
}

} // namespace instar
