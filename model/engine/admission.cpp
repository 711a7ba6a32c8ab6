// SPDX-License-Identifier: Apache-2.0
#include "model/engine/admission.h"

#include "model/engine/question.h"

namespace instar {

namespace {

/// Returns the open conditions, quoted, that a condition needs to hold now; absent: it cannot hold.
std::optional<QStringList> conditionsNeededFor(
    const Rules::Predicate &condition, const Subject &subject, const Context &context)
{
    if (holds(condition, subject, context))
        return QStringList();
    if (condition.kind == Condition::Kind::Label && condition.label != Rules::None)
        return QStringList { u"\"%1\""_s.arg(context.rules.labels().value(condition.label)) };
    if (condition.kind != Condition::Kind::All)
        return {};
    QStringList all;
    for (const Rules::Predicate &part : condition.parts) {
        const std::optional<QStringList> labels = conditionsNeededFor(part, subject, context);
        if (!labels)
            return {};
        all += *labels;
    }
    return all;
}

/// Returns the world with the references that it will have after the request's success; nothing
/// else changes. The `removed` resources and their descendants lose their references; target
/// and contents get those of the request. The references of contents that do not exist yet are
/// given to the target.
World withReferencesAfter(
    const World &world, const Request &request, const std::vector<Resource> &removed)
{
    World after = world;
    for (const Resource top : removed) {
        const Tree::Range range = world.tree.subtree(top);
        for (quint32 position = range.begin; position < range.end; ++position)
            forgetReferences(after, world.tree.at(range.branch, position));
    }
    const Resource target = world.tree.find(request.path);
    forgetReferences(after, target);
    addReferences(after, target, request.references);
    for (const Request &content : request.contents) {
        const Resource resource = world.tree.find(content.path);
        if (resource != NoResource)
            forgetReferences(after, resource);
        addReferences(after, resource == NoResource ? target : resource, content.references);
    }
    return after;
}

/// Returns the operations that remove a resource with this code, at once or when they succeed.
std::vector<Rules::TriggerId> removers(const Rules &rules, Code code)
{
    const auto leads = [&](Code from, Rules::TriggerId trigger, const auto &fits) {
        return std::ranges::any_of(rules.candidates(rules.stateOf(from), trigger), [&](int index) {
            return std::ranges::any_of(rules.transition(index).to,
                [&](const Rules::Target &target) { return fits(rules.resolved(from, target)); });
        });
    };
    const auto isGone = [&](Code after) {
        return rules.stateIn(after).kind == State::Kind::Initial;
    };
    const auto isGoneAfterSuccess = [&](Code after) {
        return isGone(after) || leads(after, rules.succeeded, isGone);
    };
    std::vector<Rules::TriggerId> found;
    for (Rules::TriggerId trigger = 0; trigger < rules.triggerCount(); ++trigger) {
        if (rules.isOperation(trigger) && leads(code, trigger, isGoneAfterSuccess))
            found.push_back(trigger);
    }
    return found;
}

/// Returns the names of the refusals by conflict rows, refusing rows and checks of the engine.
QSet<QString> refusalNamesOfRules(const Pack &pack)
{
    auto names = mapped<QSet<QString>>(builtInRefusals(), &BuiltInRefusal::id);
    for (const Conflict &row : pack.conflicts)
        names.insert(row.code);
    for (const Machine &machine : pack.machines) {
        for (const Transition &row : machine.transitions)
            names.insert(row.refuse);
    }
    names.remove({});
    return names;
}

/// Returns the names of all refusals, also of those by the server before the engine judges.
QSet<QString> refusalNames(const Pack &pack)
{
    QSet<QString> names = refusalNamesOfRules(pack);
    names.unite(QSet<QString>(knownRefusals().begin(), knownRefusals().end()));
    for (const Refusal &row : pack.refusals)
        names.insert(row.id);
    return names;
}

/// Returns all error codes of refusals with these names: the pack can replace the built-in code of
/// a refusal, for all resources or for one type.
QSet<QString> codesOf(const Pack &pack, const QSet<QString> &names)
{
    QSet<QString> codes;
    for (const QString &name : names) {
        const std::optional<BuiltInRefusal> builtIn = builtInRefusal(name);
        const QString builtInCode = builtIn ? builtIn->code : name;
        bool isReplaced = false; // under all values of the switches
        for (const Refusal &row : pack.refusals) {
            if (row.id != name)
                continue;
            codes.insert(row.code.isEmpty() ? builtInCode : row.code);
            isReplaced = isReplaced || row.when.isEmpty();
        }
        if (!isReplaced)
            codes.insert(builtInCode);
        for (const Type &type : pack.types)
            codes.insert(type.codes.value(name));
    }
    codes.remove({});
    return codes;
}

} // namespace

/// Judge of one request. A check that decides about the request stores the result in m_result, and
/// then returns false if it is named after a requirement (conflictsAllow), or true if it is named
/// after a special case (isReplay, isObservation, waitsForItself).
class Judge
{
public:
    Judge(const Rules &rules, const World &world, const Request &request,
        const QMap<int, bool> &answers, quint32 requirer, bool untimed, std::optional<qint64> clock,
        quint32 turn)
        : m_rules(rules),
          m_world(world),
          m_request(request),
          m_op(rules.trigger(request.op)),
          m_turn(turn),
          m_context { .rules = rules,
              .world = world,
              .request = &request,
              .answers = &answers,
              .requirer = requirer,
              .unanswered = &m_result.unanswered,
              .untimed = untimed,
              .clock = clock }
    {
        if (const Running *parent = world.find(requirer))
            m_root = parent->root;
    }

    Admission judge()
    {
        if (isReplay() || !resolveTarget() || isObservation() || !conflictsAllow())
            return std::move(m_result);
        if (!m_result.waitsFor.empty()) {
            m_result.cancels.clear();
            m_result.verdict = Admission::Verdict::Waits;
        } else if (preconditionsHold() && transitionExists() && contentsFit()
            && mayRemoveReplaced()) {
            m_result.verdict = Admission::Verdict::Accepted;
        }
        return std::move(m_result);
    }

    void findMeetings(std::set<CompiledMeeting> *meetings)
    {
        if (m_op == Rules::None || isReplay() || !resolveTarget() || isObservation())
            return;
        const auto add = [&](quint32 where, Rules::TriggerId running) {
            const Rules::ConflictRule *rule = ruleFor(where, running);
            for (int place = 0; where >> place; ++place) {
                if (where >> place & 1)
                    meetings->insert({ running, m_op, place, rule ? rule->index : Rules::None });
            }
        };
        m_world.eachPending([&](const auto &one) {
            if (!m_root || one.root != m_root)
                add(relationTo(one), one.op);
        });
    }

private:
    bool isReplay()
    {
        if (m_request.requestId.isEmpty() || m_turn)
            return false;
        const auto known = m_world.answered.constFind(m_request.requestId);
        if (known == m_world.answered.constEnd())
            return false;
        m_result.verdict = Admission::Verdict::Replayed;
        m_result.other = *known;
        return true;
    }

    bool resolveTarget()
    {
        const QString &path = m_request.path;
        const Tree &tree = m_world.tree;
        m_subject = subjectAt(m_rules, m_world, path);
        if (m_subject.resource == NoResource && !isResourcePath(path)) {
            const QString prefix = path.section(u'/', 0, (path.count(u'/') - 1) / 2 * 2);
            const bool isOrphan = prefix.startsWith(u'/') && tree.find(prefix) == NoResource;
            return refused(isOrphan ? u"parentMissing"_s : u"missing"_s);
        }
        m_result.target = m_subject.resource;
        m_result.machine = m_subject.machine;
        const qsizetype nameSlash = path.lastIndexOf(u'/');
        const qsizetype typeSlash = path.lastIndexOf(u'/', nameSlash - 1);
        m_result.name = path.sliced(nameSlash + 1);
        m_result.segment = path.sliced(typeSlash + 1, nameSlash - typeSlash - 1);
        if (m_result.target != NoResource) {
            m_result.parent = tree.parent(m_result.target);
            m_result.typePath = tree.typePath(tree.type(m_result.target));
            m_subject.creating = m_request.stores ? &m_request : nullptr;
            m_from = tree.code(m_result.target);
            return true;
        }
        m_result.parent = m_subject.parent;
        if (typeSlash > 0 && m_result.parent == NoResource)
            return refused(u"parentMissing"_s);
        const int parentType = m_result.parent == NoResource ? -1 : tree.type(m_result.parent);
        const int type = tree.childType(parentType, m_result.segment);
        m_result.typePath = type >= 0 ? tree.typePath(type)
            : parentType < 0          ? m_result.segment
                                      : tree.typePath(parentType) + u'/' + m_result.segment;
        m_subject.creating = &m_request;
        const Type *row = m_rules.typeRow(m_result.typePath);
        const bool isNameForbidden = row && !row->names.isEmpty()
            && !row->names.contains(m_result.name, tree.caseSensitivity());
        if (m_result.machine == Rules::None || isNameForbidden)
            return refused(u"missing"_s);
        m_from = codeOf(m_rules, m_world, m_subject);
        const bool isKnown =
            m_op != Rules::None && !m_rules.candidates(m_rules.stateOf(m_from), m_op).empty();
        return isKnown || refused(u"missing"_s);
    }

    bool isObservation()
    {
        if (m_op == Rules::None)
            return false;
        for (const int index : m_rules.candidates(m_rules.stateOf(m_from), m_op)) {
            const Rules::Transition &row = m_rules.transition(index);
            if (row.refusal != Rules::None || !holds(row.condition, m_subject, m_context))
                continue;
            const bool staysAbsent = m_result.target == NoResource && row.to.size() == 1
                && m_rules.stateOf(m_rules.resolved(m_from, row.to.front()))
                    == m_rules.stateOf(m_from);
            if (!row.observes() && !staysAbsent)
                return false;
            const bool changes = row.sets && m_result.target != NoResource;
            if (changes && (!preconditionsHold() || !passesRefusals(m_subject, m_from)))
                return true;
            m_result.verdict = Admission::Verdict::Observed;
            m_result.transition = index;
            m_result.entered = m_from;
            return true;
        }
        return false;
    }

    bool preconditionsHold()
    {
        const auto listsEtag = [&](const QString &header) {
            const QStringList tags = header.split(u',');
            return m_result.target != NoResource
                && std::ranges::any_of(tags, [&](const QString &tag) {
                       return tag.trimmed() == u"*"
                           || tag.trimmed() == etag(m_world, m_result.target);
                   });
        };
        const bool areMet = (m_request.ifMatch.isEmpty() || listsEtag(m_request.ifMatch))
            && (m_request.ifNoneMatch.isEmpty() || !listsEtag(m_request.ifNoneMatch));
        return areMet || refused(u"precondition"_s);
    }

    /// Returns false if a row refuses the operation on a resource in that state.
    bool passesRefusals(const Subject &subject, Code from)
    {
        for (const int index : m_rules.candidates(m_rules.stateOf(from), m_op)) {
            const Rules::Transition &rule = m_rules.transition(index);
            if (rule.refusal == Rules::None || !holds(rule.condition, subject, m_context))
                continue;
            m_result.transition = index;
            m_result.witness = pathOf(m_world, witness(rule.condition, subject, m_context));
            const instar::Transition &row = m_rules.row(rule);
            return refused(row.refuse, rule.refusal, m_rules.pack().ruleText(row));
        }
        return true;
    }

    bool transitionExists()
    {
        if (!passesRefusals(m_subject, m_from))
            return false;
        const Taken found = taken(m_subject, m_from, m_op, m_context);
        m_result.transition = found.transition;
        if (!found.possible) {
            if (found.transition == Rules::None)
                m_result.needs = neededLabels();
            return refused(u"transition"_s);
        }
        m_result.entered = found.code;
        return true;
    }

    /// Checks the types and refusing rows of the contents.
    bool contentsFit()
    {
        for (const Request &content : m_request.contents) {
            Subject subject = subjectAt(m_rules, m_world, content.path);
            if (subject.machine == Rules::None)
                return refused(u"missing"_s);
            subject.creating = &content;
            if (!passesRefusals(subject, codeOf(m_rules, m_world, subject)))
                return false;
        }
        return true;
    }

    /// Returns true if every member that the replaced collections lose may be removed.
    bool mayRemoveReplaced()
    {
        const std::vector<Resource> removed = replacedBy(m_world, m_request);
        if (removed.empty())
            return true;
        const World after = withReferencesAfter(m_world, m_request, removed);
        return std::ranges::all_of(removed, [&](Resource each) { return mayRemove(after, each); });
    }

    /// Returns false, with the first refusal, if every operation that could remove it is refused.
    bool mayRemove(const World &after, Resource resource)
    {
        std::optional<Admission> first;
        for (const Rules::TriggerId op : removers(m_rules, after.tree.code(resource))) {
            Request removal;
            removal.op = m_rules.triggerName(op);
            removal.path = after.tree.path(resource);
            Judge judge(m_rules, after, removal, *m_context.answers, 0, m_context.untimed,
                m_context.clock, 0);
            if (judge.resolveTarget() && judge.passesRefusals(judge.m_subject, judge.m_from))
                return true;
            if (!first)
                first = std::move(judge.m_result);
        }
        if (!first)
            return true;
        m_result.verdict = Admission::Verdict::Refused;
        m_result.transition = first->transition;
        m_result.cancels.clear();
        m_result.code = first->code;
        m_result.http = first->http;
        m_result.message = first->message;
        m_result.rule = first->rule;
        m_result.witness = first->witness;
        return false;
    }

    /// Returns the place of another resource relative to the target, as bits of Rules::Where.
    quint32 relationTo(Resource other) const
    {
        const Tree &tree = m_world.tree;
        const Resource self = m_result.target;
        quint32 where = 0;
        if (self != NoResource && other == self) {
            where = Rules::Self;
        } else if (m_result.parent != NoResource || self != NoResource) {
            const Resource anchor = self != NoResource ? self : m_result.parent;
            const Tree::Place here = tree.place(anchor);
            const Tree::Place there = tree.place(other);
            if (here.branch == there.branch) {
                if (contains(tree.subtree(other), here))
                    where = Rules::Ancestor;
                else if (self != NoResource && contains(tree.subtree(self), there))
                    where = Rules::Descendant;
                else
                    where =
                        tree.parent(other) == m_result.parent ? Rules::Sibling : Rules::SameTree;
            }
        }
        if (m_rules.conflictPlaces() & (Rules::Reference | Rules::Referrer)) {
            const auto isAmong = [&](Rules::Relation::Kind kind) {
                return std::ranges::any_of(related({ .kind = kind }, m_subject, m_context),
                    [&](const Subject &subject) { return subject.resource == other; });
            };
            where |= isAmong(Rules::Relation::Kind::References) ? Rules::Reference : 0u;
            where |= isAmong(Rules::Relation::Kind::Referrers) ? Rules::Referrer : 0u;
        }
        return where ? where : quint32(Rules::Unrelated);
    }

    quint32 relationTo(const Running &running) const { return relationTo(running.target); }
    /// Returns the place of a waiting operation's target, which may not exist yet, relative to the
    /// judged operation's target, as bits of Rules::Where.
    quint32 relationTo(const Queued &queued) const
    {
        if (pathKey(m_world, queued.request->path) == pathKey(m_world, m_request.path))
            return Rules::Self;
        if (queued.target == NoResource)
            return Rules::Unrelated;
        const quint32 where = relationTo(queued.target);
        if (!queued.creates)
            return where;
        if (where & (Rules::Self | Rules::Descendant))
            return Rules::Descendant;
        if (queued.target == m_result.parent)
            return Rules::Sibling;
        return where & Rules::Unrelated ? quint32(Rules::Unrelated) : quint32(Rules::SameTree);
    }

    /// Returns the first conflict row for an operation `other` at these places; null: none.
    const Rules::ConflictRule *ruleFor(quint32 where, Rules::TriggerId other) const
    {
        const auto includes = [](const std::vector<bool> &set, Rules::TriggerId trigger) {
            return set.empty() || (trigger != Rules::None && set[size_t(trigger)]);
        };
        for (const Rules::ConflictRule &rule : m_rules.conflicts()) {
            if (includes(rule.on, m_op) && includes(rule.running, other)
                && (!rule.at || (rule.at & where)) && holds(rule.condition, m_subject, m_context))
                return &rule;
        }
        return nullptr;
    }

    /// Applies a conflict row to another operation, `serial`; returns false if the row refuses.
    bool applyConflict(const Rules::ConflictRule *rule, quint32 serial)
    {
        if (!rule || rule->then == Conflict::Then::Allow)
            return true;
        if (rule->then == Conflict::Then::Cancel) {
            m_result.cancels.push_back({ serial, rule->index });
            return true;
        }
        const Conflict &row = m_rules.pack().conflicts[rule->index];
        if (rule->then == Conflict::Then::Wait) {
            if (m_result.waitsFor.empty()) {
                m_result.other = serial;
                m_result.rule = m_rules.pack().ruleText(row);
            }
            m_result.waitsFor.push_back(serial);
            return true;
        }
        m_result.other = serial;
        return refused(row.code, rule->refusal, m_rules.pack().ruleText(row));
    }

    bool conflictsAllow() { return runningAllow() && queueAllows() && !waitsForItself(); }

    bool runningAllow()
    {
        const auto judge = [&](const Running &running) {
            return (m_root && running.root == m_root)
                || applyConflict(ruleFor(relationTo(running), running.op), running.serial);
        };

        if (m_rules.conflictPlaces() & ~Rules::InTree) {
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

    /// Checks conflicts with earlier waiting operations, which count as running. Skips operations
    /// that wait for a requirer of this one: they would wait for each other (deadlock).
    bool queueAllows()
    {
        return std::ranges::all_of(m_world.queue, [&](const auto &queued) {
            if ((m_turn && queued->serial >= m_turn) || (m_root && queued->root == m_root)
                || !chainToRequirer(queued->serial).empty())
                return true;
            return applyConflict(ruleFor(relationTo(*queued), queued->op), queued->serial);
        });
    }

    /// Returns the shortest wait-for chain to an operation that required this one; empty: none.
    std::vector<quint32> chainToRequirer(quint32 serial) const
    {
        std::vector<quint32> requirers;
        for (const Running *running = m_world.find(m_context.requirer); running;
             running = m_world.find(running->requirer))
            requirers.push_back(running->serial);
        if (requirers.empty())
            return {};
        std::vector<std::pair<quint32, size_t>> open { { serial, 0 } }; // (serial, predecessor)
        const auto add = [&](quint32 next, size_t by) {
            if (std::ranges::find(open, next, &std::pair<quint32, size_t>::first) == open.end())
                open.emplace_back(next, by);
        };
        for (size_t i = 0; i < open.size(); ++i) {
            const quint32 own = open[i].first;
            if (std::ranges::find(requirers, own) != requirers.end()) {
                std::vector<quint32> chain { own };
                for (size_t at = i; at != 0; at = open[at].second)
                    chain.push_back(open[open[at].second].first);
                std::ranges::reverse(chain);
                return chain;
            }
            if (const Queued *queued = m_world.waiting(own))
                std::ranges::for_each(queued->waitsFor, [&](quint32 next) { add(next, i); });
            m_world.eachPending([&](const PendingOperation &other) {
                if (other.requirer == own)
                    add(other.serial, i);
            });
        }
        return {};
    }

    /// Deadlock check: refuses the operation if it would wait for one of its own requirers.
    bool waitsForItself()
    {
        for (const quint32 other : m_result.waitsFor) {
            const std::vector<quint32> chain = chainToRequirer(other);
            if (chain.empty())
                continue;
            m_ring = m_request.id + u" waits"_s;
            for (const quint32 serial : chain)
                m_ring += u" for %1, %1"_s.arg(m_world.idOf(serial));
            m_ring += u" for "_s + m_request.id;
            refused(u"waitRing"_s);
            return true;
        }
        return false;
    }

    /// Returns, as text, the open conditions that would let a row apply; empty: none would.
    QString neededLabels() const
    {
        Context context = m_context;
        context.unanswered = nullptr;
        QStringList alternatives;
        for (const int index : m_rules.candidates(m_rules.stateOf(m_from), m_op)) {
            const Rules::Transition &row = m_rules.transition(index);
            if (row.refusal != Rules::None || row.to.empty())
                continue;
            const std::optional<QStringList> labels =
                conditionsNeededFor(row.condition, m_subject, context);
            const QString needed = labels ? labels->join(u" and "_s) : QString();
            if (!needed.isEmpty() && !alternatives.contains(needed))
                alternatives += needed;
        }
        return alternatives.join(u" or "_s);
    }

    /// Stores a refusal that the engine itself decides; returns false.
    bool refused(const QString &kind)
    {
        const int index = m_rules.refusalNamed(kind);
        const Refusal *row = m_rules.refusal(index);
        return refused(kind, index, m_rules.pack().ruleText(row ? *row : Refusal { .id = kind }));
    }

    /// Stores refusal `kind`, with the texts of row `index` if there is one; returns false.
    bool refused(const QString &kind, int index, const QString &rule)
    {
        const Refusal *row = m_rules.refusal(index);
        const BuiltInRefusal builtIn = builtInRefusal(kind).value_or(BuiltInRefusal {
            kind, kind, 409, u"The request on {path} was refused: %1."_s.arg(kind) });
        const Type *type = m_rules.typeRow(m_result.typePath);

        m_result.verdict = Admission::Verdict::Refused;
        m_result.cancels.clear();
        m_result.waitsFor.clear();
        m_result.code = row && !row->code.isEmpty() ? row->code : builtIn.code;
        if (type && type->codes.contains(kind))
            m_result.code = type->codes.value(kind);
        m_result.http = row && row->http ? row->http : builtIn.http;
        m_result.message = row && !row->message.isEmpty() ? row->message : builtIn.message;
        if (kind == u"transition" && !m_result.needs.isEmpty() && (!row || row->message.isEmpty()))
            m_result.message = u"The operation on {path} needs %1."_s.arg(m_result.needs);
        m_result.message.replace(u"{path}"_s, m_request.path)
            .replace(u"{other}"_s, m_result.witness)
            .replace(u"{ring}"_s, m_ring);
        if (const PendingOperation *other = m_world.pending(m_result.other)) {
            const QString uri = m_rules.pack().operationUri, id = other->request->id;
            m_result.message.replace(
                u"{0}"_s, uri.isEmpty() ? id : QString(uri).replace(u"{id}"_s, id));
        }
        m_result.rule = rule;
        return false;
    }

    const Rules &m_rules;
    const World &m_world;
    const Request &m_request;
    Rules::TriggerId m_op;
    quint32 m_root = 0;   ///< serial of the top of the requirement tree; 0: a client's request
    const quint32 m_turn; ///< serial of the request's operation if it already waits; 0: it is new
    QString m_ring;       ///< text of the cycle of operations that wait for each other
    Admission m_result;
    Context m_context;
    Subject m_subject;
    Code m_from = 0; ///< state code of the target
};

Taken taken(const Subject &subject, Code from, Rules::TriggerId trigger, const Context &context)
{
    const Rules &rules = context.rules;
    for (const int index : rules.candidates(rules.stateOf(from), trigger)) {
        const Rules::Transition &row = rules.transition(index);
        if (row.refusal != Rules::None || !holds(row.condition, subject, context))
            continue;
        for (const Rules::Target &target : row.to) {
            const Code code = rules.resolved(from, target);
            const std::span<const int> guards = rules.constraintsOn(rules.stateOf(code));
            const bool mayEnter = row.force || std::ranges::all_of(guards, [&](int guard) {
                const Rules::ConstraintRule &constraint = rules.constraints()[size_t(guard)];
                return std::ranges::all_of(constraint.holds,
                    [&](const auto &condition) { return holds(condition, subject, context); });
            });
            if (mayEnter)
                return { index, code, true };
        }
        return { index, from, row.observes() };
    }
    return {};
}

void findMeetings(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers, quint32 requirer, std::set<CompiledMeeting> *meetings)
{
    Judge(rules, world, request, answers, requirer, false, {}, 0).findMeetings(meetings);
}

Admission admission(const Rules &rules, const World &world, const Request &request,
    const QMap<int, bool> &answers, quint32 requirer, bool untimed, std::optional<qint64> clock,
    quint32 turn)
{
    if (rules.semantics())
        return rules.semantics()->admission(rules, world, request, answers);
    return Judge(rules, world, request, answers, requirer, untimed, clock, turn).judge();
}

std::vector<Resource> replacedBy(const World &world, const Request &request)
{
    std::vector<Resource> removed;
    if (request.replaces.isEmpty())
        return removed;
    const Tree &tree = world.tree;
    const auto contents = mapped<QSet<Resource>>(
        request.contents, [&](const Request &content) { return tree.find(content.path); });
    for (const QString &collection : request.replaces) {
        const QList<Resource> all = tree.collection(collection).value_or(QList<Resource>());
        std::ranges::copy_if(all, std::back_inserter(removed),
            [&](Resource resource) { return !contents.contains(resource); });
    }
    return removed;
}

QSet<QString> unreadableCodes(const Pack &pack)
{
    const QSet<QString> byRules = refusalNamesOfRules(pack);
    return codesOf(pack, refusalNames(pack) - byRules) - codesOf(pack, byRules);
}

QSet<QString> errorCodes(const Pack &pack)
{
    const QSet<QString> ofEngine { DefaultErrorCode.toString(), TooDeepCode.toString(),
        u"Canceled"_s };
    return refusalCodes(pack) + outcomeCodes(pack) + ofEngine;
}

QSet<QString> refusalCodes(const Pack &pack)
{
    QSet<QString> codes;
    for (const QString &name : refusalNames(pack)) {
        const std::optional<BuiltInRefusal> builtIn = builtInRefusal(name);
        codes.insert(builtIn ? builtIn->code : name);
    }
    for (const Refusal &row : pack.refusals)
        codes.insert(row.code);
    for (const Type &type : pack.types) {
        for (const QString &code : type.codes)
            codes.insert(code);
    }
    codes.remove({});
    return codes;
}

QSet<QString> outcomeCodes(const Pack &pack)
{
    auto codes = mapped<QSet<QString>>(pack.outcomes, &Outcome::code);
    codes.remove({});
    return codes;
}

} // namespace instar
