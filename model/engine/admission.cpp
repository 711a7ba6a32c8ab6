// SPDX-License-Identifier: Apache-2.0
#include "model/engine/admission.h"

#include "model/engine/judge.h"
#include "model/engine/replaced.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Judge::Judge(const Rules &rules, const World &world, const Request &request,
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

Admission Judge::judged()
{
    if (isReplay() || !exists() || leadsNowhere() || !conflictsAllow() || !preconditionsHold()
        || !transitionExists() || !contentsFit() || !replacedMayGo())
        return std::move(m_result);
    m_result.verdict = Admission::Verdict::Accepted;
    return std::move(m_result);
}

bool Judge::isReplay()
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

bool Judge::exists()
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

bool Judge::leadsNowhere()
{
    if (m_op == Rules::None)
        return false;
    for (const int index : m_rules.candidates(m_rules.stateOf(m_from), m_op)) {
        const Rules::Transition &row = m_rules.transition(index);
        if (row.refusal != Rules::None || !holds(row.condition, m_subject, m_asking))
            continue;
        const bool staysAway = m_result.target == NoResource && row.to.size() == 1
            && m_rules.stateOf(m_rules.resolved(m_from, row.to.front())) == m_rules.stateOf(m_from);
        if (!row.observes() && !staysAway)
            return false;
        m_result.verdict = Admission::Verdict::Observed;
        m_result.transition = index;
        m_result.entered = m_from;
        return true;
    }
    return false;
}

bool Judge::preconditionsHold()
{
    const auto listed = [&](const QString &header) {
        const QStringList tags = header.split(u',');
        return m_result.target != NoResource && std::ranges::any_of(tags, [&](const QString &tag) {
            return tag.trimmed() == u"*" || tag.trimmed() == etag(m_world, m_result.target);
        });
    };
    if (!m_request.ifMatch.isEmpty() && !listed(m_request.ifMatch))
        return refused(u"precondition"_s);
    if (!m_request.ifNoneMatch.isEmpty() && listed(m_request.ifNoneMatch))
        return refused(u"precondition"_s);
    return true;
}

bool Judge::refusesNot(const Subject &subject, Code from)
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

bool Judge::transitionExists()
{
    if (!refusesNot(m_subject, m_from))
        return false;
    const Taken found = taken(m_subject, m_from, m_op, m_asking);
    m_result.transition = found.transition;
    if (!found.possible) {
        if (found.transition == Rules::None)
            m_result.needs = neededLabels();
        return refused(u"transition"_s);
    }
    m_result.entered = found.code;
    return true;
}

bool Judge::contentsFit()
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

bool Judge::replacedMayGo()
{
    const std::vector<Resource> goes = replacedBy(m_world, m_request);
    if (goes.empty())
        return true;
    const World then = withReferencesAfter(m_world, m_request, goes);
    return std::ranges::all_of(goes, [&](Resource resource) { return mayGo(then, resource); });
}

bool Judge::mayGo(const World &then, Resource resource)
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
