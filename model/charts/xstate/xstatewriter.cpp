// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartplan.h"
#include "model/charts/guard.h"
#include "model/charts/notation/chartlook.h"
#include "model/charts/notation/chartlosses.h"
#include "model/charts/scxml/scxmlshape.h"
#include "model/charts/scxml/scxmlwords.h"
#include "model/charts/xstate/xstate.h"
#include "model/charts/xstate/xstatenames.h"
#include "model/formats/output.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace xstate {

namespace {

using Kind = Vertex::Kind;
using scxml::isHistory;

bool asksForStates(const Guard &guard)
{
    return guard.kind == Guard::Kind::In || std::ranges::any_of(guard.parts, asksForStates);
}

bool isForVersion4(const Statechart &chart)
{
    return chart.particulars.value(VersionKey.toString()) == u"4";
}

class XStateWriter
{
public:
    /// `saysVersion`: where nothing else may tell a reader that it is for version 4.
    XStateWriter(const Statechart &chart, bool saysVersion)
        : m(chart),
          m_shape(chart),
          m_isOld(isForVersion4(chart)),
          m_saysVersion(saysVersion),
          m_machine(machineState())
    { }

    StatechartsWritten written()
    {
        for (const Arc &lost : m_shape.lostArcs())
            remark(lost.line,
                u"the arrow from \"%1\" leads to or from a state that does not exist; it is left out"_s
                    .arg(lost.from));
        choosePlaces();
        const Vertex *const whole = m_machine;
        Output machine = Output::object();
        const QString id = plainKey(m.id);
        if (!m.id.isEmpty())
            machine.add(u"id", Output::string(id));
        m_machineId = m.id.isEmpty() ? u"(machine)"_s : id;
        Output own = Output::object();
        if (id != m.id && (!whole || m.id.isEmpty()))
            own.add(u"id", Output::string(m.id));
        if (!m.title.isEmpty())
            own.add(u"title", Output::string(m.title));
        if (std::ranges::any_of(m.arcs, [this](const Arc &arc) { return isCompletion(arc); }))
            own.add(u"waitsForFinals", Output::boolean(true));
        if (m.hasExpressions && std::ranges::any_of(m.arcs, &QString::size, &Arc::condition))
            own.add(u"expressions", Output::boolean(true));
        if (m_saysVersion)
            own.add(u"version", Output::string(u"4"_s));
        tellOfPrefixes();
        addNotes(own);
        if (whole)
            addState(machine, *whole, own, 0);
        else
            addMachine(machine, own);
        if (m_written < m.vertices.size())
            remark(0,
                u"%1 states lie in each other, or too deep; they are left out"_s.arg(
                    m.vertices.size() - m_written));
        ChartLosses losses(u"XState"_s);
        losses.addForeign(m, u"xstate"_s);
        m_remarks += losses.remarks();
        return { machine.text(), m_remarks };
    }

private:
    void remark(int line, const QString &text, bool isLoss = true)
    {
        m_remarks.append({ line, text, isLoss });
    }

    /// It waits for the final states in what it leaves, as UML has it.
    bool isCompletion(const Arc &arc) const
    {
        const Vertex *const of = m_shape.vertex(arc.from);
        return m.waitsForFinals && arc.event.isEmpty() && of
            && (of->kind == Kind::State || of->kind == Kind::Parallel) && m_shape.hasFinal(*of);
    }

    /// "a" means also "a.b" in SCXML, but not here.
    void tellOfPrefixes()
    {
        QSet<QString> events;
        for (const Arc &arc : m.arcs) {
            for (const QString &event : arc.events())
                events.insert(event);
        }
        for (const Arc &arc :
            m.particulars.contains(VersionKey.toString()) ? QList<Arc>() : m.arcs) {
            for (const QString &event : arc.events()) {
                const QString begin = event.left(event.lastIndexOf(u'.'));
                if (event.contains(u'.') && events.contains(begin) && !begin.isEmpty()) {
                    remark(arc.line,
                        u"who waits for \"%1\" does not hear of \"%2\" in XState"_s.arg(
                            begin, event),
                        false);
                    return;
                }
            }
        }
    }

    QString hostOf(const QString &id) const { return m_shape.host(*m_shape.vertex(id)); }

    /// The state that stands for the machine itself; null: there is none.
    const Vertex *machineState() const
    {
        const QList<int> top = m_shape.inside({});
        if (top.size() != 1)
            return nullptr;
        const Vertex &only = m.vertices[top.first()];
        const bool isMeant = only.particulars.contains(RootKey.toString()) && only.id == m.id
            && isPlainKey(only.id) && (only.kind == Kind::State || only.kind == Kind::Parallel);
        return isMeant ? &only : nullptr;
    }

    /// Keys, and the names that a reader will give to their states.
    void choosePlaces()
    {
        QList<KeyedState> keyed;
        QHash<QString, int> places;
        QSet<QString> taken;
        QHash<QString, int> tried;
        for (const Vertex &vertex : m.vertices) {
            const QString kept = vertex.particulars.value(StateKey.toString());
            if (isPlainKey(vertex.id) && kept.isEmpty())
                taken.insert(vertex.id);
        }
        QSet<std::pair<QString, QString>> beside;
        for (const Vertex &vertex : m.vertices) {
            const QString host = m_shape.host(vertex);
            const QString kept = vertex.particulars.value(StateKey.toString());
            QString key = !kept.isEmpty() && !beside.contains({ host, kept }) ? kept : vertex.id;
            if (key != kept && !isPlainKey(key)) {
                const QString like = plainKey(key);
                key = like;
                for (int &number = tried[like]; taken.contains(key);)
                    key = u"%1_%2"_s.arg(like).arg(++number + 1);
                taken.insert(key);
            }
            for (int number = 2; beside.contains({ host, key }); ++number)
                key = u"%1_%2"_s.arg(vertex.id).arg(number);
            beside.insert({ host, key });
            m_keys.insert(vertex.id, key);
        }
        collect({}, -1, keyed, places, 0);
        const QStringList names = uniqueNames(keyed);
        for (auto it = places.cbegin(); it != places.cend(); ++it)
            m_names.insert(it.key(), names[it.value()]);
    }

    /// In the order in which they will be written.
    void collect(const QString &parent, int at, QList<KeyedState> &keyed,
        QHash<QString, int> &places, int depth) const
    {
        const Vertex *const initial = m_shape.plainInitial(parent);
        for (const int index : m_shape.inside(parent)) {
            const Vertex &vertex = m.vertices[index];
            if (&vertex == initial && isPlainInitial(vertex))
                continue;
            places.insert(vertex.id, int(keyed.size()));
            keyed += KeyedState { at, m_keys.value(vertex.id) };
            if (depth < DeepestChart)
                collect(vertex.id, places[vertex.id], keyed, places, depth + 1);
        }
    }

    /// XState has a key for it: what it leads to lies directly beside it.
    bool isPlainInitial(const Vertex &initial) const
    {
        if (m_shape.plainInitial(initial.parent) != &initial)
            return false;
        const QStringList to = m_shape.onlyArc(initial)->to;
        if (to.size() != 1)
            return false;
        const Vertex *const target = m_shape.vertex(to.first());
        return m_shape.host(*target) == initial.parent && !isHistory(target->kind);
    }

    // ---- States

    void addMachine(Output &machine, Output &own)
    {
        addInitial(machine, {}, own);
        addKept(machine, m.particulars);
        addMeta(machine, m.particulars, own);
        addInside(machine, {}, 0);
    }

    void addInitial(Output &object, const QString &parent, Output &own)
    {
        QString first, word;
        for (const int index : m_shape.inside(parent)) {
            const Vertex &child = m.vertices[index];
            if (child.kind == Kind::Initial && child.parent == parent) {
                const bool isPlain = isPlainInitial(child);
                first = isPlain ? m_shape.onlyArc(child)->to.first() : child.id;
                word.clear();
                if (isPlain && child.place)
                    own.add(u"initialPlace", Output::string(scxml::placeText(*child.place)));
                break;
            }
            if (first.isEmpty() && !isHistory(child.kind)) {
                first = child.id;
                word = u"made"_s;
            }
        }
        if (first.isEmpty())
            return;
        object.add(u"initial", Output::string(m_keys.value(first)));
        if (!word.isEmpty())
            own.add(u"initial", Output::string(word));
    }

    void addInside(Output &object, const QString &parent, int depth)
    {
        Output states = Output::object();
        for (const int index : m_shape.inside(parent)) {
            const Vertex &vertex = m.vertices[index];
            if (vertex.kind == Kind::Initial && isPlainInitial(vertex)) {
                ++m_written;
                continue;
            }
            if (depth >= DeepestChart - 1)
                continue;
            Output state = Output::object(), own = Output::object();
            addState(state, vertex, own, depth + 1);
            states.add(m_keys.value(vertex.id), std::move(state));
        }
        if (!states.isEmpty())
            object.add(u"states", std::move(states).broken());
    }

    void addState(Output &state, const Vertex &of, Output &own, int depth)
    {
        ++m_written;
        const bool isMachine = depth == 0;
        if (!isMachine) {
            addId(state, of);
            if (m_names.value(of.id) != of.id)
                own.add(u"id", Output::string(of.id));
        }
        addKind(state, of, own);
        if (isMachine && of.kind == Kind::State && m_shape.leaving(of.id).isEmpty())
            own.add(u"whole", Output::boolean(true)); // nothing else may tell that it is a state
        const QString usual =
            m_keys.value(of.id) == m_names.value(of.id) ? QString() : m_keys.value(of.id);
        if (of.label != usual)
            own.add(u"label", Output::string(of.label));
        if (!of.isNamed)
            own.add(u"named", Output::boolean(false));
        if (of.place)
            own.add(u"place", Output::string(scxml::placeText(*of.place)));
        addLook(own, of.look);
        if (m_shape.host(of) != of.parent) {
            own.add(u"in", Output::string(of.parent));
            remark(of.line,
                u"XState does not let \"%1\" lie in \"%2\"; it is written outside and will come last there"_s
                    .arg(of.id, of.parent),
                false);
        }
        if (isHistory(of.kind))
            addHistoryTarget(state, of);
        else if (of.kind != Kind::Final && of.kind != Kind::Parallel)
            addInitial(state, of.id, own);
        describe(state, of, own);
        addKept(state, of.particulars);
        if (!isHistory(of.kind))
            addArrows(state, of);
        addMeta(state, of.particulars, own);
        addInside(state, of.id, depth);
    }

    static void addLook(Output &own, const Look &look)
    {
        if (const QString css = cssOf(look); !css.isEmpty())
            own.add(u"look", Output::string(css));
    }

    /// Where the path to a state cannot be written, it needs an id of its own.
    void addId(Output &state, const Vertex &of)
    {
        const QString id = ownId(of);
        if (!id.isEmpty())
            state.add(u"id", Output::string(id));
    }

    QString ownId(const Vertex &of) const
    {
        const QString kept = of.particulars.value(IdKey.toString());
        if (!kept.isEmpty())
            return kept;
        const QString key = m_keys.value(of.id);
        return isPlainKey(key) ? QString() : idForName(m_names.value(of.id));
    }

    static bool isPseudo(Kind kind)
    {
        return kind == Kind::Initial || kind == Kind::Choice || kind == Kind::Fork
            || kind == Kind::Join || kind == Kind::Entry || kind == Kind::Exit;
    }

    void addKind(Output &state, const Vertex &of, Output &own)
    {
        if (of.kind == Kind::Parallel)
            state.add(u"type", Output::string(u"parallel"));
        if (of.kind == Kind::Final)
            state.add(u"type", Output::string(u"final"));
        if (isHistory(of.kind)) {
            state.add(u"type", Output::string(u"history"));
            state.add(u"history",
                Output::string(of.kind == Kind::DeepHistory ? u"deep"_s : u"shallow"_s));
        }
        if (isPseudo(of.kind))
            own.add(u"kind", Output::string(scxml::kindWord(of.kind)));
    }

    void addHistoryTarget(Output &state, const Vertex &of)
    {
        const QList<int> leaving = m_shape.leaving(of.id);
        for (qsizetype i = 0; i < leaving.size(); ++i) {
            const Arc &arc = m.arcs[leaving[i]];
            if (i > 0) {
                remark(arc.line,
                    u"only one arrow can leave the history \"%1\"; another one is left out"_s.arg(
                        of.id));
                continue;
            }
            if (!arc.to.isEmpty())
                state.add(u"target", Output::string(besideText(of, arc.to.first())));
            if (arc.to.size() != 1 || !arc.text().isEmpty() || !arc.note.isEmpty())
                remark(arc.line,
                    u"an arrow out of a history has a target only; what else it has is left out"_s);
        }
    }

    /// Lines "entry / beep" become what XState does, others its description.
    void describe(Output &state, const Vertex &of, Output &own)
    {
        QStringList left = of.description, again;
        const auto take = [&](const QString &key, QStringView word, QStringView particular) {
            const QString kept = of.particulars.value(particular.toString());
            if (const QStringList lines = actionLines(kept, word);
                !kept.isEmpty() && left.mid(0, lines.size()) == lines) {
                left = left.mid(lines.size());
                again += lines;
                state.add(key, Output::raw(kept.toUtf8()));
                return;
            }
            QStringList names;
            while (!left.isEmpty() && left.first().startsWith(word)
                && isPlainAction(left.first().sliced(word.size()))) {
                again += left.first();
                names += left.takeFirst().sliced(word.size());
            }
            if (names.size() == 1)
                state.add(key, Output::string(names.first()));
            else if (!names.isEmpty())
                state.add(key, Output::strings(names));
        };
        take(u"entry"_s, EntryWord, EntryKey);
        addInvocations(state, of, left, again);
        take(u"exit"_s, ExitWord, ExitKey);
        const QString text = left.join(u'\n');
        if (!text.isEmpty())
            state.add(u"description", Output::string(text));
        if (!text.isEmpty())
            again += text.split(u'\n');
        if (again != of.description)
            own.add(u"description", Output::strings(of.description));
    }

    /// As a reader will find what is kept as JSON.
    static QStringList actionLines(const QString &kept, QStringView word)
    {
        QStringList lines;
        if (const Result<JsonText> all = JsonText::parse(kept.toUtf8(), u"kept"_s)) {
            for (const Value each : listed(all->root()))
                lines += word.toString() + actionName(each);
        }
        return lines;
    }

    /// Services come from files of XState only: in others nobody has written them.
    void addInvocations(Output &state, const Vertex &of, QStringList &left, QStringList &again)
    {
        const QString kept = of.particulars.value(InvokeKey.toString());
        if (kept.isEmpty())
            return;
        const Result<JsonText> services = JsonText::parse(kept.toUtf8(), u"invoke"_s);
        if (!services)
            return;
        Output all = Output::array();
        for (const Value each : services->root().items()) {
            const QString line = DoWord.toString() + serviceName(each);
            if (!left.isEmpty() && left.first() == line)
                again += left.takeFirst();
            if (!each.is(Value::Kind::Object)) {
                all.add(Output::copy(each));
                continue;
            }
            Output one = Output::object();
            for (const Member member : each.members())
                one.add(member.key.string(), Output::copy(member.value));
            const QString name = serviceId(each, of.id);
            addArrowsOn(one, u"onDone"_s, of, u"done.invoke."_s + name);
            addArrowsOn(one, u"onError"_s, of, u"error.platform."_s + name);
            addArrowsOn(one, u"onSnapshot"_s, of, u"xstate.snapshot."_s + name);
            all.add(std::move(one));
        }
        state.add(u"invoke", std::move(all));
    }

    void addArrowsOn(Output &object, const QString &key, const Vertex &of, const QString &event)
    {
        Output arrows = Output::array();
        for (const int index : m_shape.leaving(of.id)) {
            if (m.arcs[index].event == event && !m_told.contains(index)) {
                m_told.insert(index);
                arrows.add(arrow(of, m.arcs[index], event));
            }
        }
        if (!arrows.isEmpty())
            object.add(key, std::move(arrows));
    }

    void addKept(Output &object, const Particulars &particulars)
    {
        for (auto it = particulars.cbegin(); it != particulars.cend(); ++it) {
            if (it.key().startsWith(u"xstate.") && !it.key().startsWith(OwnKey))
                object.add(it.key().sliced(7), Output::raw(it.value().toUtf8()));
        }
    }

    void addMeta(Output &object, const Particulars &particulars, Output &own)
    {
        Output meta = Output::object();
        const Result<JsonText> kept =
            JsonText::parse(particulars.value(MetaKey.toString()).toUtf8(), u"meta"_s);
        if (kept) {
            for (const Member member : kept->root().members())
                meta.add(member.key.string(), Output::copy(member.value));
        }
        if (!own.isEmpty())
            meta.add(u"instar", std::move(own));
        if (!meta.isEmpty())
            object.add(u"meta", std::move(meta));
    }

    void addNotes(Output &own)
    {
        Output notes = Output::array();
        for (const Note &note : m.notes) {
            Output one = Output::object();
            if (!note.of.isEmpty())
                one.add(u"of", Output::string(note.of));
            if (!note.side.isEmpty())
                one.add(u"side", Output::string(note.side));
            one.add(u"lines", Output::strings(note.lines));
            notes.add(std::move(one));
        }
        if (!notes.isEmpty())
            own.add(u"notes", std::move(notes));
    }

    // ---- Arrows

    /// The transitions of one word of XState: "on" and "after" have one list for each key.
    struct Keyed
    {
        QStringList order;
        QHash<QString, QList<Output>> arrows;
        void add(const QString &key, Output arrow)
        {
            if (!arrows.contains(key))
                order += key;
            arrows[key] += std::move(arrow);
        }
    };

    void addArrows(Output &state, const Vertex &of)
    {
        Keyed on, after, always, done;
        QList<int> leaving = m_shape.leaving(of.id);
        std::ranges::stable_partition(leaving,
            [&](int index) { return guardOf(m.arcs[index].condition).kind != Guard::Kind::Else; });
        for (const int index : std::as_const(leaving)) {
            const Arc &arc = m.arcs[index];
            if (m_told.contains(index))
                continue;
            if (of.kind == Kind::Final) {
                remark(arc.line,
                    u"nothing can leave the final state \"%1\"; the arrow is left out"_s.arg(
                        of.id));
                continue;
            }
            if (of.kind == Kind::Fork) {
                if (index == leaving.first())
                    addFork(always, of, leaving);
                continue;
            }
            if (isCompletion(arc) || arc.event == u"done.state."_s + of.id) {
                done.add({}, arrow(of, arc, u"done.state."_s + of.id));
                continue;
            }
            if (arc.events().isEmpty()) {
                if (arc.to.isEmpty())
                    remark(arc.line,
                        u"an arrow without event that leads nowhere would be taken for ever; it is left out"_s);
                else
                    always.add({}, arrow(of, arc, {}));
                continue;
            }
            addHeard(on, after, of, arc);
        }
        addKeyed(state, u"on"_s, on);
        addKeyed(state, u"after"_s, after);
        for (const auto &[word, arrows] :
            { std::pair(u"always"_s, &always), std::pair(u"onDone"_s, &done) }) {
            if (!arrows->order.isEmpty())
                state.add(word, listOf(arrows->arrows[QString()]));
        }
    }

    void addHeard(Keyed &on, Keyed &after, const Vertex &of, const Arc &arc)
    {
        bool isFirst = true;
        for (const QString &event : arc.events()) {
            const QString named = arc.particulars.value(DelayKey.toString());
            const QString delay = !named.isEmpty() ? named : delayOf(event);
            const QString key = delay.isEmpty() ? eventKey(event) : delay;
            const QString read = delay.isEmpty() ? event
                : named.isEmpty()                ? event
                                                 : u"after "_s + delay.simplified();
            (delay.isEmpty() ? on : after).add(key, arrow(of, arc, read, isFirst));
            isFirst = false;
        }
    }

    /// The end of a state, which XState tells by the state's id.
    QString eventKey(const QString &event) const
    {
        static const QString done = u"done.state."_s;
        const QString state = event.startsWith(done) ? event.sliced(done.size()) : QString();
        if (state.isEmpty() || !m_shape.vertex(state))
            return event;
        return (m_isOld ? done : u"xstate."_s + done) + idText(*m_shape.vertex(state));
    }

    static void addKeyed(Output &state, const QString &word, Keyed &keyed)
    {
        if (keyed.order.isEmpty())
            return;
        Output object = Output::object();
        for (const QString &key : std::as_const(keyed.order))
            object.add(key, listOf(keyed.arrows[key]));
        state.add(word, std::move(object));
    }

    static Output listOf(const QList<Output> &arrows)
    {
        if (arrows.size() == 1)
            return arrows.first();
        Output list = Output::array();
        for (const Output &each : arrows)
            list.add(each);
        return list;
    }

    /// All arrows of a fork are taken together.
    void addFork(Keyed &always, const Vertex &of, const QList<int> &leaving)
    {
        Arc all = m.arcs[leaving.first()];
        for (const int index : leaving.mid(1)) {
            all.to += m.arcs[index].to;
            if (!m.arcs[index].text().isEmpty() || !m.arcs[index].note.isEmpty())
                remark(m.arcs[index].line,
                    u"XState takes the arrows of the fork \"%1\" as one; what stands at the others is left out"_s
                        .arg(of.id));
        }
        all.to.removeDuplicates();
        if (all.to.isEmpty())
            remark(all.line, u"the fork \"%1\" leads nowhere; its arrow is left out"_s.arg(of.id));
        else
            always.add({}, arrow(of, all, {}));
    }

    /// `event`: what a reader will find; `isFirst`: not one more for another event of the arrow.
    Output arrow(const Vertex &of, const Arc &arc, const QString &event, bool isFirst = true)
    {
        Output own = Output::object();
        if (!isFirst)
            own.add(u"made", Output::boolean(true));
        else if (arc.event != event)
            own.add(u"event", Output::string(arc.event));
        Output object = Output::object();
        const bool isInside = addTargets(object, of, arc);
        addGuard(object, of, arc, own);
        addActions(object, arc, own);
        if (!arc.to.isEmpty() && isInside) {
            if (m_isOld)
                object.add(u"internal", Output::boolean(arc.isInternal));
            else if (!arc.isInternal)
                object.add(u"reenter", Output::boolean(true));
        } else if (arc.isInternal) {
            own.add(u"internal", Output::boolean(true));
        }
        if (const QString note = arc.note.join(u'\n'); !note.isEmpty())
            object.add(u"description", Output::string(note));
        if (!arc.label.isEmpty())
            own.add(u"label", Output::string(arc.label));
        addLook(own, arc.look);
        if (const QString word = wordOf(arc.towards); !word.isEmpty())
            own.add(u"towards", Output::string(word));
        addKept(object, arc.particulars);
        addMeta(object, arc.particulars, own);
        return object;
    }

    /// Whether all of them lie in the state that is left, or are it.
    bool addTargets(Output &object, const Vertex &of, const Arc &arc)
    {
        QStringList texts;
        bool isInside = true;
        for (const QString &id : arc.to) {
            texts += targetText(of, id);
            isInside = isInside && isWithin(id, of.id);
        }
        if (texts.size() == 1)
            object.add(u"target", Output::string(texts.first()));
        else if (!texts.isEmpty())
            object.add(u"target", Output::strings(texts));
        return isInside;
    }

    bool isWithin(const QString &id, const QString &around) const
    {
        QString at = id;
        for (int steps = 0; !at.isEmpty() && steps < scxml::Shape::Deepest; ++steps) {
            if (at == around)
                return true;
            at = hostOf(at);
        }
        return false;
    }

    QString targetText(const Vertex &of, const QString &id) const
    {
        const QString key = m_keys.value(id), host = hostOf(id);
        if (isPlainKey(key) && &of != m_machine && host == m_shape.host(of) && !isMachine(id))
            return key;
        if (isPlainKey(key) && host == of.id)
            return u'.' + key;
        return u'#' + idText(*m_shape.vertex(id));
    }

    /// From inside the state around it, as "initial" and histories are asked.
    QString besideText(const Vertex &of, const QString &id) const
    {
        const QString key = m_keys.value(id);
        return isPlainKey(key) && hostOf(id) == m_shape.host(of)
            ? key
            : u'#' + idText(*m_shape.vertex(id));
    }

    bool isMachine(const QString &id) const { return m_machine && m_machine->id == id; }

    /// An id of its own, or that of what is around it and the path from there.
    QString idText(const Vertex &of) const
    {
        QStringList keys;
        const Vertex *at = &of;
        for (int steps = 0; at && steps < scxml::Shape::Deepest; ++steps) {
            if (isMachine(at->id))
                break;
            if (const QString id = ownId(*at); !id.isEmpty())
                return (QStringList { id } + keys).join(u'.');
            keys.prepend(m_keys.value(at->id));
            at = m_shape.vertex(m_shape.host(*at));
        }
        return (QStringList { m_machineId } + keys).join(u'.');
    }

    void addGuard(Output &object, const Vertex &of, const Arc &arc, Output &own)
    {
        QString asked = arc.condition;
        const Guard guard = guardOf(asked);
        if (guard.kind == Guard::Kind::Else || guard.kind == Guard::Kind::Always)
            asked.clear();
        const QString join =
            arc.to.size() == 1 && m_shape.vertex(arc.to.first())->kind == Kind::Join
            ? arc.to.first()
            : QString();
        QStringList others;
        if (!join.isEmpty() && m_shape.arriving(join).size() > 1) {
            for (const int index : m_shape.arriving(join)) {
                if (m.arcs[index].from != of.id)
                    others += u"In('%1')"_s.arg(m.arcs[index].from);
            }
        }
        if (!others.isEmpty())
            asked = (asked.isEmpty() ? others : QStringList { u'(' + asked + u')' } + others)
                        .join(u" && "_s);
        const QString kept = arc.particulars.value(GuardKey.toString());
        const QString in = arc.particulars.value(InKey.toString());
        QString read = asked.simplified();
        if (others.isEmpty() && (!kept.isEmpty() || !in.isEmpty())) {
            if (!in.isEmpty())
                object.add(u"in", Output::raw(in.toUtf8()));
            if (!kept.isEmpty())
                object.add(guardWord(), Output::raw(kept.toUtf8()));
            return;
        }
        if (!asked.isEmpty()) {
            object.add(guardWord(), Output::string(asked));
            if (asksForStates(guardOf(asked)))
                remark(arc.line,
                    u"XState's JSON cannot ask which states are active; give the machine a guard named \"%1\""_s
                        .arg(asked.left(100)),
                    false);
        }
        if (read != arc.condition)
            own.add(u"condition", Output::string(arc.condition));
    }

    QString guardWord() const { return m_isOld ? u"cond"_s : u"guard"_s; }

    void addActions(Output &object, const Arc &arc, Output &own)
    {
        const QString kept = arc.particulars.value(ActionsKey.toString());
        if (!kept.isEmpty()) {
            object.add(u"actions", Output::raw(kept.toUtf8()));
            return;
        }
        if (arc.action.isEmpty())
            return;
        const QStringList names = arc.action.split(ActionGap.toString());
        const bool isPlain = std::ranges::all_of(names, isPlainAction);
        if (!isPlain) {
            object.add(u"actions", Output::string(arc.action.simplified()));
            own.add(u"action", Output::string(arc.action));
        } else if (names.size() == 1) {
            object.add(u"actions", Output::string(names.first()));
        } else {
            object.add(u"actions", Output::strings(names));
        }
    }

    const Statechart &m;
    scxml::Shape m_shape;
    bool m_isOld = false;
    bool m_saysVersion = false;
    const Vertex *m_machine = nullptr; ///< the state that stands for the machine itself
    QString m_machineId;
    QHash<QString, QString> m_keys;  ///< vertex -> its key
    QHash<QString, QString> m_names; ///< vertex -> what a reader will call it
    QSet<int> m_told;                ///< arcs
    qsizetype m_written = 0;
    QList<Remark> m_remarks;
};

} // namespace

} // namespace xstate

StatechartsWritten writeXState(const QList<Statechart> &charts)
{
    if (charts.isEmpty())
        return { {}, { { 0, u"there is no statechart to be written"_s } } };
    const Statechart &chart = charts.first();
    StatechartsWritten written = xstate::XStateWriter(chart, false).written();
    if (xstate::isForVersion4(chart)) {
        const Result<StatechartsRead> again = readXState(written.bytes, u"written"_s);
        if (!again || !xstate::isForVersion4(again->charts.first()))
            written = xstate::XStateWriter(chart, true).written();
    }
    for (const Statechart &other : charts.mid(1))
        written.remarks.append(
            { 0, u"XState's JSON holds one machine a file; \"%1\" is left out"_s.arg(other.id) });
    return written;
}

} // namespace instar
