// SPDX-License-Identifier: Apache-2.0
#include "model/explore/worldkey.h"

#include "model/engine/question.h"

#include <QJsonDocument>

namespace instar {

namespace {

/// Appends a number in LEB128, a prefix code with seven bits per byte.
void number(quint64 value, QByteArray &out)
{
    while (value >= 128) {
        out += char(value | 128);
        value >>= 7;
    }
    out += char(value);
}

void bytes(const QByteArray &content, QByteArray &out)
{
    number(quint64(content.size()), out);
    out += content;
}

/// Returns true if the order in which a row affects several relatives can change the result.
bool orderMatters(const Rules &rules)
{
    const auto requiresAny = [](const Rules::StateRule &state) {
        return std::ranges::count(state.work, Step::Kind::Require, &Rules::Work::kind) > 0;
    };
    if (!rules.constraints().empty() || std::ranges::any_of(rules.states(), requiresAny))
        return true;
    for (int index = 0; index < rules.transitionCount(); ++index) {
        const Rules::Transition &row = rules.transition(index);
        const bool readsRelatives = row.condition.any(
            [](const Rules::Predicate &part) { return part.kind == Condition::Kind::Related; });
        const QStringList &triggers = rules.row(row).on;
        if (readsRelatives && !std::ranges::all_of(triggers, [&](const QString &trigger) {
                return rules.isOperation(rules.trigger(trigger));
            }))
            return true;
    }
    return false;
}

} // namespace

WorldKeyWriter::WorldKeyWriter(const Rules &rules)
    : m_rules(rules), m_isOrdered(orderMatters(rules))
{ }

void WorldKeyWriter::writeNames(QByteArray &out)
{
    QStringList names = m_textNumbers.keys();
    names.sort();
    m_slots.assign(m_slots.size(), {});
    m_textNumbers.clear();
    number(quint64(names.size()), out);
    for (const QString &name : std::as_const(names)) {
        numberOf(name);
        bytes(name.toUtf8(), out);
    }
}

int WorldKeyWriter::numberOf(const QString &text)
{
    const auto known = m_textNumbers.constFind(text);
    if (known != m_textNumbers.constEnd())
        return *known;
    const int next = int(m_textNumbers.size());
    m_textNumbers.insert(text, next);
    return next;
}

void WorldKeyWriter::text(const QString &text, QByteArray &out)
{
    number(quint64(numberOf(text)), out);
}

void WorldKeyWriter::path(const World &world, const QString &path, QByteArray &out)
{
    text(pathKey(world, path), out);
}

void WorldKeyWriter::paths(const World &world, const QStringList &paths, QByteArray &out)
{
    number(quint64(paths.size()), out);
    for (const QString &path : paths)
        this->path(world, path, out);
}

void WorldKeyWriter::resource(Resource resource, QByteArray &out) const
{
    number(quint64(m_resourceNumbers[resource]), out);
}

/// Numbers every existing resource by its path.
void WorldKeyWriter::name(const World &world)
{
    const Tree &tree = world.tree;
    m_present.clear();
    for (const quint32 branch : tree.branches()) {
        for (quint32 position = 0; position < tree.branchSize(branch); ++position) {
            const Resource resource = tree.at(branch, position);
            if (resource >= m_resourceNumbers.size()) {
                m_resourceNumbers.resize(resource + 1, -1);
                m_slots.resize(resource + 1);
            }
            const Resource parent = tree.parent(resource);
            Slot &slot = m_slots[resource];
            const int above = parent == NoResource ? -1 : m_resourceNumbers[parent];
            const QString &own = tree.name(resource);
            const QString &typePath = tree.typePath(tree.type(resource));
            // Worlds of one search share their strings, so equal addresses mean equal texts.
            if (slot.number < 0 || slot.parent != above || slot.name.constData() != own.constData()
                || slot.typePath.constData() != typePath.constData()) {
                slot = { .name = own,
                    .typePath = typePath,
                    .parent = above,
                    .number = numberOf(pathKey(world, tree.path(resource))) };
            }
            m_resourceNumbers[resource] = slot.number;
            m_present.emplace_back(slot.number, resource);
        }
    }
    if (!m_isOrdered)
        std::ranges::sort(m_present);
}

/// Writes the properties that rows may read.
void WorldKeyWriter::writeProperties(const QJsonObject &properties, QByteArray &out)
{
    for (const QString &label : m_rules.labels()) {
        const QJsonValue value = property(properties, label);
        out += value.isBool() ? (value.toBool() ? '\2' : '\1') : '\0';
    }
    if (m_rules.semantics()) // a statechart may read all properties
        text(QString::fromUtf8(QJsonDocument(properties).toJson(QJsonDocument::Compact)), out);
    for (const QString &name : m_rules.properties()) {
        const QJsonValue value = property(properties, name);
        out += char(value.type() & 0x7f);
        text(value.toVariant().toString(), out);
    }
}

/// Writes references, properties and known request ids.
void WorldKeyWriter::writeFacts(const World &world, QByteArray &out)
{
    number(quint64(world.references.size()), out);
    if (!world.references.isEmpty()) {
        for (const auto &[rank, resource] : m_present)
            paths(world, world.references.value(resource), out);
        if (m_isOrdered) {
            for (auto it = world.referrers.cbegin(); it != world.referrers.cend(); ++it) {
                text(it.key(), out);
                number(quint64(it->size()), out);
                for (const Resource referrer : *it)
                    resource(referrer, out);
            }
        }
    }
    if (m_rules.semantics() || !m_rules.labels().isEmpty() || !m_rules.properties().isEmpty()) {
        for (const auto &[rank, resource] : m_present)
            writeProperties(world.properties.value(resource), out);
    }
    number(quint64(world.answered.size()), out);
    if (!world.answered.isEmpty()) {
        QStringList ids = world.answered.keys();
        ids.sort();
        for (const QString &id : ids)
            text(id, out);
    }
}

void WorldKeyWriter::write(const World &world, QByteArray &out)
{
    name(world);
    number(m_present.size(), out);
    for (const auto &[rank, resource] : m_present) {
        this->resource(resource, out);
        number(world.tree.code(resource), out);
    }
    writeFacts(world, out);

    const bool isTree = std::ranges::any_of(
        world.running, [](const auto &running) { return running->requirer != 0; });
    std::vector<QByteArray> operations;
    for (const auto &running : world.running) {
        if (running->requirer == 0)
            operations.push_back(operation(world, *running, isTree));
    }
    std::ranges::sort(operations);
    for (const QByteArray &one : operations)
        bytes(one, out);
    queue(world, out);
}

/// Writes the waiting operations, in order.
void WorldKeyWriter::queue(const World &world, QByteArray &out)
{
    if (!m_rules.hasWaits())
        return;
    number(world.queue.size(), out);
    const auto name = [&](quint32 serial) {
        if (const PendingOperation *one = world.pending(serial)) {
            number(quint64(one->op), out);
            path(world, one->request->path, out);
        }
    };
    for (const auto &queued : world.queue) {
        const auto isPending = [&](quint32 serial) { return world.pending(serial) != nullptr; };
        name(queued->serial);
        number(queued->requirer ? 1 : 0, out);
        name(queued->requirer);
        number(quint64(std::ranges::count_if(queued->waitsFor, isPending)), out);
        for (const quint32 other : queued->waitsFor)
            name(other);
        Running planned;
        static_cast<PendingOperation &>(planned) = *queued;
        planned.transientsLeft = queued->request->transientFailures;
        plan(world, planned, out);
        answers(planned, out);
    }
}

/// Returns the key of an operation with its required operations; `isTree`: the world has such.
QByteArray WorldKeyWriter::operation(const World &world, const Running &running, bool isTree)
{
    QByteArray out;
    out.reserve(48);
    number(quint64(running.op), out);
    resource(running.target, out);
    number(quint64(running.work + 1), out);
    number(quint64(running.cursor), out);
    const bool hangs = running.phase == Running::Phase::Attempting && running.due < 0;
    number(quint64(running.phase) * 2 + (hangs ? 1 : 0), out);
    number(quint64(running.outcomeSoFar + 1), out);
    number(quint64(running.phase == Running::Phase::Attempting ? running.planned + 1 : 0), out);
    number(quint64(running.todo.size()), out);
    for (const Todo &todo : running.todo) {
        number(quint64(todo.operation), out);
        path(world, todo.path, out);
    }

    for (const AffectedResources *affected : { &running.affected, &running.adopted }) {
        m_affected.clear();
        for (const Tree::Range &range : *affected) {
            for (quint32 position = range.begin; position < range.end; ++position)
                m_affected.push_back(m_resourceNumbers[world.tree.at(range.branch, position)]);
        }
        std::ranges::sort(m_affected);
        number(m_affected.size(), out);
        for (const int resource : m_affected)
            number(quint64(resource), out);
    }

    std::vector<std::pair<int, int>> taken = running.taken;
    std::ranges::sort(taken);
    std::erase_if(taken, [](const auto &entry) { return entry.second == 0; });
    number(taken.size(), out);
    for (const auto &[transition, count] : taken) {
        number(quint64(transition), out);
        number(quint64(count), out);
    }
    plan(world, running, out);
    answers(running, out);

    std::vector<QByteArray> required;
    if (isTree) {
        for (const auto &other : world.running) {
            if (other->requirer == running.serial)
                required.push_back(operation(world, *other, isTree));
        }
        std::ranges::sort(required);
    }
    for (const QByteArray &one : required)
        bytes(one, out);
    return out;
}

/// Writes the planned results of a request that can still occur: failures, outcomes, contents.
void WorldKeyWriter::plan(const World &world, const Running &running, QByteArray &out)
{
    const Request &request = *running.request;
    number(quint64(m_marks.value(&request, -1) + 1), out);
    number(quint64(running.transientsLeft), out);
    out += request.hang ? '\1' : '\0';
    const Rules::TriggerId own =
        request.outcome.isEmpty() ? m_rules.succeeded : m_rules.trigger(request.outcome);
    number(quint64(running.outcomeUsed || own == m_rules.succeeded ? 0 : own + 1), out);

    number(quint64(request.work.size()), out);
    qsizetype longest = 0;
    for (auto it = request.work.cbegin(); it != request.work.cend(); ++it) {
        text(it.key(), out);
        out += char((it->anyOutcome ? 4 : 0) + (!it->hang ? 0 : *it->hang ? 2 : 1));
        number(quint64(it->outcomes.size()), out);
        for (const QString &outcome : it->outcomes)
            text(outcome, out);
        number(quint64(it->properties.size()), out);
        for (const QJsonObject &each : it->properties)
            text(QString::fromUtf8(QJsonDocument(each).toJson(QJsonDocument::Compact)), out);
        longest = std::max({ longest, it->outcomes.size(), it->properties.size() });
    }
    paths(world, request.replaces, out);
    if (!request.replaces.isEmpty()) {
        for (const Request &content : request.contents)
            path(world, content.path, out);
    }
    const QMap<QString, int> attempts = longest > 0 ? running.attemptsAt : QMap<QString, int>();
    number(quint64(attempts.size()), out);
    for (auto it = attempts.cbegin(); it != attempts.cend(); ++it) {
        text(it.key(), out);
        number(quint64(std::min<qsizetype>(*it, longest)), out);
    }
    number(quint64(request.requests.size()), out);
    for (auto it = request.requests.cbegin(); it != request.requests.cend(); ++it) {
        path(world, it.key(), out);
        paths(world, it->references, out);
        writeProperties(it->properties, out);
    }
}

void WorldKeyWriter::answers(const Running &running, QByteArray &out) const
{
    const QStringList &all = m_rules.labels();
    for (int label = 0; label < int(all.size()); ++label) {
        const auto given = running.answers.constFind(label);
        if (given != running.answers.constEnd()) {
            out += *given ? '\2' : '\1';
            continue;
        }
        const auto planned = running.request->conditions.constFind(all[label]);
        out += planned == running.request->conditions.constEnd() ? '\0' : *planned ? '\2' : '\1';
    }
}

} // namespace instar
