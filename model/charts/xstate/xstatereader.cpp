// SPDX-License-Identifier: Apache-2.0
#include "model/charts/chartplan.h"
#include "model/charts/guard.h"
#include "model/charts/notation/chartlook.h"
#include "model/charts/scxml/scxmldraft.h"
#include "model/charts/scxml/scxmlwords.h"
#include "model/charts/xstate/xstate.h"
#include "model/charts/xstate/xstatenames.h"
#include "model/formats/output.h"
#include "model/formats/reading.h"

#include <QFileInfo>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace xstate {

namespace {

using Kind = Vertex::Kind;

constexpr qsizetype MostXStateRemarks = 1000; ///< a hostile file has millions

/// The lines of a file's places.
class LineTable
{
public:
    explicit LineTable(const QByteArray &bytes) : m_begin(bytes.constData())
    {
        for (qsizetype at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1))
            m_ends += at;
    }

    int of(Value value) const
    {
        if (!value)
            return 0;
        const qsizetype at = value.raw().data() - m_begin;
        return int(std::ranges::lower_bound(m_ends, at) - m_ends.begin()) + 1;
    }

private:
    const char *m_begin = nullptr;
    QList<qsizetype> m_ends;
};

/// Says nothing: an empty object or list, or none at all.
bool isEmptyValue(Value value)
{
    return !value || value.is(Value::Kind::Null)
        || ((value.is(Value::Kind::Object) || value.is(Value::Kind::Array)) && value.size() == 0);
}

QString compact(Value value)
{
    return QString::fromUtf8(Output::copy(value).oneLine());
}

/// "name" of a text or of { "type": "name" }.
QString typeName(Value value)
{
    return value.is(Value::Kind::Object) ? value.find("type").string() : value.string();
}

/// With what it is given, for there may be several of one type: `isAbove({"least": 3})`.
QString guardName(Value value)
{
    const QString name = typeName(value);
    const Value given = value.find("params");
    return isEmptyValue(given) ? name : name + u'(' + compact(given) + u')';
}

const QStringList &handledKeys()
{
    static const QStringList keys { u"id"_s, u"key"_s, u"order"_s, u"transitions"_s, u"initial"_s,
        u"type"_s, u"parallel"_s, u"history"_s, u"states"_s, u"on"_s, u"always"_s, u"after"_s,
        u"entry"_s, u"exit"_s, u"onEntry"_s, u"onExit"_s, u"onDone"_s, u"invoke"_s,
        u"description"_s, u"meta"_s, u"delimiter"_s }; // the paths that are written have dots
    return keys;
}

/// What is kept as it is, without a word.
const QStringList &keptKeys()
{
    static const QStringList keys { u"context"_s, u"tags"_s, u"output"_s, u"data"_s,
        u"activities"_s, u"types"_s, u"tsTypes"_s, u"schema"_s, u"schemas"_s, u"version"_s,
        u"strict"_s, u"predictableActionArguments"_s, u"preserveActionOrder"_s, u"$schema"_s,
        u"target"_s, u"route"_s };
    return keys;
}

class XStateReader
{
public:
    XStateReader(const JsonText &document, const QString &file)
        : m_document(document), m_file(file), m_lines(document.bytes())
    { }

    Result<StatechartsRead> read()
    {
        m_root = m_document.root();
        m_isWhole = isWhole();
        if (!m_root.is(Value::Kind::Object)
            || (!m_root.find("states") && !m_root.find("initial") && !m_isWhole))
            return Error {
                u"%1:1: expected a machine for XState, an object with \"states\", found %2"_s.arg(
                    m_file, m_root.is(Value::Kind::Object) ? u"none"_s : m_root.kindName())
            };
        const QString delimiter = m_root.find("delimiter").string();
        if (delimiter.size() == 1)
            m_delimiter = delimiter[0];
        m_machineId = m_root.find("id").string();
        if (m_machineId.isEmpty())
            m_machineId = m_root.find("key").string();
        readMachine();
        if (const QString problem = gather(); !problem.isEmpty())
            return Error { problem };
        if (m_states.isEmpty())
            return Error { u"%1:1: expected a machine with states, found none"_s.arg(m_file) };
        nameStates();
        if (!m_isWhole)
            addInitial(m_root, -1, -1);
        for (int i = 0; i < m_states.size(); ++i)
            addVertex(i);
        for (int i = 0; i < m_states.size(); ++i)
            addArcs(i);
        readNotes();
        m.chart.particulars.insert(VersionKey.toString(), isVersion4() ? u"4"_s : u"5"_s);
        StatechartsRead read = m.finished();
        for (Remark &remark : read.remarks)
            remark.text = oneLine(remark.text);
        return read;
    }

private:
    struct Found
    {
        Value config;
        int parent = -1;
        QString key;
        QString name;   ///< that arrows of the draft lead to
        QString id;     ///< what it is called in the end
        QString fileId; ///< that the file gives it
        int vertex = -1;
    };

    void remark(Value at, const QString &text, bool isLoss = true)
    {
        if (m.remarks.size() < MostXStateRemarks)
            m.remarks.append({ m_lines.of(at), text, isLoss });
    }

    static QString quotedName(const QString &name) { return u'"' + name.left(100) + u'"'; }

    /// What we wrote where XState has no word for it.
    static Value own(Value config)
    {
        const Value meta = config.find("meta");
        const Value own = meta.is(Value::Kind::Object) ? meta.find("instar") : Value();
        return own.is(Value::Kind::Object) ? own : Value();
    }

    static bool isTrue(Value value) { return value.is(Value::Kind::Bool) && value.boolean(); }

    void readMachine()
    {
        const Value said = own(m_root);
        m.chart.id = said.find("id").is(Value::Kind::String) ? said.find("id").string()
            : m_machineId.isEmpty()                          ? baseName()
                                                             : m_machineId;
        m.chart.title = said.find("title").string();
        m.chart.waitsForFinals = isTrue(said.find("waitsForFinals"));
        m.chart.hasExpressions = isTrue(said.find("expressions"));
        m_hasOldWords = said.find("version").isString("4");
        lookForVersion(m_root);
        if (m_isWhole) // else they are those of the state that stands for the machine
            return;
        keepOthers(m_root, m.chart.particulars);
        if (const QString text = m_root.find("description").string(); !text.isEmpty())
            m.chart.particulars.insert(
                u"xstate.description"_s, compact(m_root.find("description")));
    }

    QString baseName() const
    {
        QString name = QFileInfo(m_file).fileName();
        for (const QString &suffix : { u".xstate.json"_s, u".json"_s, u".xstate"_s }) {
            if (name.endsWith(suffix, Qt::CaseInsensitive))
                return name.chopped(suffix.size());
        }
        return QFileInfo(name).completeBaseName();
    }

    /// The machine itself does something: then it is a state around all others.
    bool isWhole() const
    {
        for (const char *key :
            { "on", "always", "after", "onDone", "invoke", "entry", "exit", "onEntry", "onExit" }) {
            if (!isEmptyValue(m_root.find(key)))
                return true;
        }
        return m_root.find("type").isString("parallel") || isTrue(m_root.find("parallel"))
            || isTrue(own(m_root).find("whole"));
    }

    /// All states, parents before their children; the error, if there is one.
    QString gather()
    {
        if (m_isWhole)
            addState(m_root, -1, m_machineId.isEmpty() ? baseName() : m_machineId);
        return gatherInside(m_root, m_isWhole ? 0 : -1, 1);
    }

    void addState(Value config, int parent, const QString &key)
    {
        lookForVersion(config);
        m_states += Found {
            .config = config, .parent = parent, .key = key, .name = {}, .id = {}, .fileId = {}
        };
    }

    QString gatherInside(Value config, int parent, int depth)
    {
        const Value states = config.find("states");
        if (states && !states.is(Value::Kind::Object)) {
            remark(states,
                u"expected an object of states, found %1; it is left out"_s.arg(states.kindName()));
            return {};
        }
        if (depth > DeepestChart)
            return states.size() == 0
                ? QString()
                : u"%1:%2: expected states at most %3 deep in each other, found more"_s.arg(m_file)
                      .arg(m_lines.of(states))
                      .arg(DeepestChart);
        for (const Member member : states.members()) {
            const QString key = member.key.string();
            if (m_children.contains({ parent, key })) {
                remark(member.key,
                    u"there is a state %1 already; this one is left out"_s.arg(quotedName(key)));
                continue;
            }
            if (!member.value.is(Value::Kind::Object) && !member.value.is(Value::Kind::Null)) {
                remark(member.value,
                    u"expected a state, an object, found %1; %2 is left out"_s.arg(
                        member.value.kindName(), quotedName(key)));
                continue;
            }
            const int index = int(m_states.size());
            m_children.insert({ parent, key }, index);
            addState(member.value, parent, key);
            if (const QString id = member.value.find("id").string(); !id.isEmpty())
                claim(id, index, member.value.find("id"));
            if (const QString problem = gatherInside(member.value, index, depth + 1);
                !problem.isEmpty())
                return problem;
        }
        return {};
    }

    void claim(const QString &id, int index, Value at)
    {
        const QString machine = m_machineId.isEmpty() ? u"(machine)"_s : m_machineId;
        const bool isPath = id.startsWith(machine + m_delimiter);
        if (isPath && along(-1, id.sliced(machine.size() + 1)) == index)
            return; // it would have that without saying so
        if (m_byId.contains(id) || isPath || id == m_machineId) {
            remark(at,
                u"the id %1 is that of another state already; arrows lead to that one"_s.arg(
                    quotedName(id)));
            return;
        }
        m_byId.insert(id, index);
        m_states[index].fileId = id;
    }

    void nameStates()
    {
        QList<KeyedState> keyed;
        for (const Found &each : std::as_const(m_states))
            keyed += KeyedState { each.parent, each.key };
        const QStringList names = uniqueNames(keyed);
        for (qsizetype i = 0; i < m_states.size(); ++i) {
            const QString ownId = own(m_states[i].config).find("id").string();
            m_states[i].name = names[i].isEmpty() ? u"\"\""_s : names[i];
            m_states[i].id = ownId.isEmpty() ? m_states[i].name : ownId;
            m_nameOfId.insert(m_states[i].id, m_states[i].name);
        }
    }

    Kind kindOf(const Found &state)
    {
        const Value type = state.config.find("type");
        const QString word = type.string();
        if (isTrue(state.config.find("parallel")) && word.isEmpty())
            return Kind::Parallel;
        if (word == u"history" || state.config.find("history").is(Value::Kind::String))
            return state.config.find("history").isString("deep") ? Kind::DeepHistory
                                                                 : Kind::ShallowHistory;
        if (word == u"parallel")
            return Kind::Parallel;
        if (word == u"final")
            return Kind::Final;
        if (!word.isEmpty() && word != u"atomic" && word != u"compound")
            remark(type,
                u"there is no type %1; the state is read as an ordinary one"_s.arg(
                    quotedName(word)));
        return scxml::kindOf(own(state.config).find("kind").string());
    }

    void addVertex(int index)
    {
        Found &state = m_states[index];
        const Value said = own(state.config);
        scxml::Draft::DraftVertex draft;
        draft.parent = state.parent < 0 ? -1 : m_states[state.parent].vertex;
        draft.name = state.name;
        draft.ownId = state.id == state.name ? QString() : state.id;
        if (const Value around = said.find("in"); around.is(Value::Kind::String))
            draft.lifted = nameOf(around.string());
        Vertex &vertex = draft.vertex;
        vertex.kind = kindOf(state);
        vertex.line = m_lines.of(state.config);
        vertex.isNamed = !said.find("named").is(Value::Kind::Bool) || said.find("named").boolean();
        vertex.label = said.find("label").is(Value::Kind::String) ? said.find("label").string()
            : state.name == state.key                             ? QString()
                                                                  : state.key;
        if (state.name != state.key && !state.key.isEmpty()) // an empty one is not written again
            vertex.particulars.insert(StateKey.toString(), state.key);
        if (!state.fileId.isEmpty()
            && (isPlainKey(state.key) || state.fileId != idForName(state.name)))
            vertex.particulars.insert(IdKey.toString(), state.fileId);
        if (index == 0 && m_isWhole)
            vertex.particulars.insert(RootKey.toString(), u"true"_s);
        vertex.place = placeOf(said.find("place"));
        vertex.look = lookOfCss(said.find("look").string());
        describe(state.config, vertex);
        keepOthers(state.config, vertex.particulars);
        state.vertex = int(m.vertices.size());
        m.vertices.append(draft);
        addInitial(state.config, index, state.vertex);
    }

    std::optional<QRectF> placeOf(Value said)
    {
        if (!said.is(Value::Kind::String))
            return {};
        const std::optional<QRectF> place = scxml::placeIn(said.string());
        if (!place)
            remark(said,
                u"expected a place of four numbers, found %1; it is left out"_s.arg(
                    quotedName(said.string())));
        return place;
    }

    /// The name of what has an id in the chart; that itself where nothing has.
    QString nameOf(const QString &id) const { return m_nameOfId.value(id, id); }

    /// What is entered with a state; `index` -1: with the machine.
    void addInitial(Value config, int index, int vertex)
    {
        const Value initial = config.find("initial");
        const Value said = own(config);
        if (said.find("initial").isString("made") || isEmptyValue(initial))
            return;
        const Value target = initial.is(Value::Kind::Object) ? initial.find("target") : initial;
        const QList<Value> targets = listed(target);
        const int to = targets.size() == 1 ? within(index, targets.first().string()) : -1;
        if (to < 0) {
            remark(initial,
                u"there is no state %1 to begin in; the first one is taken"_s.arg(
                    quotedName(targets.isEmpty() ? QString() : targets[0].string())));
            return;
        }
        if (scxml::kindOf(own(m_states[to].config).find("kind").string()) == Kind::Initial
            && m_states[to].parent == index)
            return; // it is the initial vertex itself
        scxml::Draft::DraftVertex made { .parent = vertex, .isMade = true };
        made.vertex.kind = Kind::Initial;
        made.vertex.isNamed = false;
        made.vertex.line = m_lines.of(initial);
        made.vertex.place = placeOf(said.find("initialPlace"));
        scxml::Draft::DraftArc draft { .arc = {}, .from = int(m.vertices.size()) };
        draft.arc.to = { m_states[to].name };
        draft.arc.line = made.vertex.line;
        setActions(draft.arc, initial.find("actions"));
        m.vertices.append(made);
        m.arcs.append(draft);
        m_initial.insert(index, to);
    }

    /// What the state does, and what is said of it, as lines.
    void describe(Value config, Vertex &vertex)
    {
        QStringList lines;
        const auto add = [&](const QList<Value> &actions, QStringView word, QStringView key) {
            Output all = Output::array();
            for (const Value each : actions) {
                lines += word.toString() + nameOfAction(each);
                all.add(Output::copy(each));
            }
            if (!std::ranges::all_of(actions, isPlainOne))
                vertex.particulars.insert(key.toString(), QString::fromUtf8(all.oneLine()));
        };
        add(listed(config.find("entry")) + listed(config.find("onEntry")), EntryWord, EntryKey);
        for (const Value each : listed(config.find("invoke"))) {
            if (const QString service = serviceName(each); !service.isEmpty())
                lines += DoWord.toString() + service;
        }
        add(listed(config.find("exit")) + listed(config.find("onExit")), ExitWord, ExitKey);
        if (const Value invoke = config.find("invoke"); !isEmptyValue(invoke))
            vertex.particulars.insert(InvokeKey.toString(), withoutArrows(invoke));
        if (const QString text = config.find("description").string(); !text.isEmpty())
            lines += text.split(u'\n');
        const Value said = own(config).find("description");
        if (said.is(Value::Kind::Array)) {
            lines.clear();
            for (const Value line : said.items())
                lines += line.string();
        }
        vertex.description = lines;
    }

    /// As actionName(), with a remark where there is none.
    QString nameOfAction(Value action)
    {
        const QString name = actionName(action);
        if (name == u"?")
            remark(action,
                u"expected an action, a name or an object with \"type\", found %1"_s.arg(
                    shown(action)),
                false);
        return name;
    }

    static bool isPlainOne(Value action)
    {
        return action.is(Value::Kind::String) && isPlainAction(action.string());
    }

    /// Services, without where they lead: that is told by arrows.
    static QString withoutArrows(Value invoke)
    {
        Output all = Output::array();
        for (const Value each : listed(invoke)) {
            if (!each.is(Value::Kind::Object)) {
                all.add(Output::copy(each));
                continue;
            }
            Output one = Output::object();
            for (const Member member : each.members()) {
                if (!member.key.isString("onDone") && !member.key.isString("onError")
                    && !member.key.isString("onSnapshot"))
                    one.add(member.key.string(), Output::copy(member.value));
            }
            all.add(std::move(one));
        }
        return QString::fromUtf8(all.oneLine());
    }

    void keepOthers(Value config, Particulars &particulars)
    {
        for (const Member member : config.members()) {
            const QString key = member.key.string();
            if (handledKeys().contains(key) || (key == u"target" && isHistoryConfig(config)))
                continue;
            if (key.startsWith(u'@')) {
                remark(member.key,
                    u"%1 is no property of XState; it is left out"_s.arg(quotedName(key)));
                continue;
            }
            if (!keptKeys().contains(key))
                remark(member.key,
                    u"%1 is no property that XState has here; it is kept as it is"_s.arg(
                        quotedName(key)),
                    false);
            particulars.insert(u"xstate."_s + key, compact(member.value));
        }
        Output rest = Output::object();
        const Value meta = config.find("meta");
        for (const Member member : meta.members()) {
            if (!member.key.isString("instar"))
                rest.add(member.key.string(), Output::copy(member.value));
        }
        if (!rest.isEmpty())
            particulars.insert(MetaKey.toString(), QString::fromUtf8(rest.oneLine()));
    }

    static bool isHistoryConfig(Value config)
    {
        return config.find("type").isString("history")
            || config.find("history").is(Value::Kind::String);
    }

    // ---- Arrows

    /// What a path means from inside a state (-1: the machine), or an id with "#"; -1: nothing.
    int within(int around, const QString &path) const
    {
        if (path.startsWith(u'#'))
            return byId(path.sliced(1));
        return along(around, path.startsWith(m_delimiter) ? path.sliced(1) : path);
    }

    int along(int from, const QString &path) const
    {
        const int root = m_isWhole ? 0 : -1;
        const int begin = from < 0 ? root : from;
        if (const auto whole = m_children.constFind({ begin, path });
            whole != m_children.constEnd())
            return *whole;
        int at = begin;
        for (const QString &key : keysOfPath(path, m_delimiter)) {
            const auto next = m_children.constFind({ at, key });
            if (next == m_children.constEnd())
                return -1;
            at = *next;
        }
        return at;
    }

    int byId(const QString &id) const
    {
        if (const auto found = m_byId.constFind(id); found != m_byId.constEnd())
            return *found;
        if (id == m_machineId)
            return m_isWhole ? 0 : -1;
        const QString machine = m_machineId.isEmpty() ? u"(machine)"_s : m_machineId;
        if (id.startsWith(machine + m_delimiter))
            return along(-1, id.sliced(machine.size() + 1));
        const qsizetype dot = id.indexOf(m_delimiter);
        const auto first = dot < 0 ? m_byId.constEnd() : m_byId.constFind(id.left(dot));
        return first == m_byId.constEnd() ? -1 : along(*first, id.sliced(dot + 1));
    }

    int targetOf(int from, const QString &text) const
    {
        if (text.startsWith(u'#'))
            return byId(text.sliced(1));
        if (text.startsWith(m_delimiter))
            return along(from, text.sliced(1));
        const bool isMachine = m_states[from].parent < 0 && m_isWhole;
        const int beside = along(isMachine ? from : m_states[from].parent, text);
        return beside;
    }

    void addArcs(int index)
    {
        const Value config = m_states[index].config;
        if (isHistoryConfig(config)) {
            addHistoryArc(index);
            return;
        }
        addEvents(index, config.find("on"));
        addDelays(index, config.find("after"));
        addServices(index, config.find("invoke"));
        add(index, u"done.state."_s + m_states[index].id, config.find("onDone"));
        add(index, {}, config.find("always"));
        settleArrows(index);
    }

    /// In groups: events, delays, services, the state's own end, what is done at once; in each, the
    /// arrows of one event beside each other.
    void settleArrows(int index)
    {
        QSet<QString> services;
        for (const Value each : listed(m_states[index].config.find("invoke"))) {
            const QString id = serviceId(each, m_states[index].id);
            services +=
                { u"done.invoke."_s + id, u"error.platform."_s + id, u"xstate.snapshot."_s + id };
        }
        const auto rank = [&](const Arc &arc) {
            if (arc.event.isEmpty())
                return 4;
            if (arc.event == u"done.state."_s + m_states[index].id)
                return 3;
            if (services.contains(arc.event))
                return 2;
            const bool isDelay =
                arc.particulars.contains(DelayKey.toString()) || !delayOf(arc.event).isEmpty();
            return isDelay ? 1 : 0;
        };
        QHash<std::pair<int, QString>, int> first;
        QList<std::pair<std::pair<int, int>, scxml::Draft::DraftArc>> sorted;
        for (const scxml::Draft::DraftArc &each : std::as_const(m_found)) {
            const int group = rank(each.arc);
            const QString key = each.arc.event.section(u'\n', 0, 0);
            const auto at = first.constFind({ group, key });
            const int place = at == first.constEnd() ? int(first.size()) : *at;
            first.insert({ group, key }, place);
            sorted.append({ { group, place }, each });
        }
        m_found.clear();
        std::ranges::stable_sort(sorted, {}, [](const auto &each) { return each.first; });
        for (const auto &each : std::as_const(sorted))
            m.arcs.append(each.second);
    }

    void addHistoryArc(int index)
    {
        const Value target = m_states[index].config.find("target");
        const int around = m_states[index].parent;
        const QString text = listed(target).isEmpty() ? QString() : listed(target)[0].string();
        int to = target ? within(around, text) : -1;
        if (target && to < 0)
            remark(target,
                u"there is no state %1; the history leads at first where its state begins"_s.arg(
                    quotedName(text)));
        if (to < 0)
            to = m_initial.value(around, -1);
        if (to < 0)
            return;
        scxml::Draft::DraftArc draft { .arc = {}, .from = m_states[index].vertex };
        draft.arc.to = { m_states[to].name };
        draft.arc.line = m_lines.of(target ? target : m_states[index].config);
        m.arcs.append(draft);
    }

    /// Those of the exact event come first, then the longest that end in "*", as XState asks them.
    void addEvents(int index, Value on)
    {
        if (on && !on.is(Value::Kind::Object) && !on.is(Value::Kind::Array)) {
            remark(
                on, u"expected an object of events, found %1; it is left out"_s.arg(on.kindName()));
            return;
        }
        struct Heard
        {
            QString event;
            Value config;
        };
        QList<Heard> all;
        for (const Member member : on.members())
            all += Heard { member.key.string(), member.value };
        for (const Value item : on.items()) // version 4: [{ "event": "E", "target": ... }]
            all += Heard { item.find("event").string(), item };
        std::ranges::stable_sort(all, [](const Heard &a, const Heard &b) {
            const auto rank = [](const QString &event) {
                return event == u"*" ? 1e9 : event.endsWith(u".*") ? 1e6 - double(event.size()) : 0;
            };
            return rank(a.event) < rank(b.event);
        });
        for (const Heard &each : std::as_const(all))
            add(index, eventOf(each.event), each.config);
    }

    /// The end of a state is told by its name in the chart.
    QString eventOf(const QString &written) const
    {
        for (const QString &word : { u"xstate.done.state."_s, u"done.state."_s }) {
            if (!written.startsWith(word))
                continue;
            const int state = byId(written.sliced(word.size()));
            if (state >= 0)
                return u"done.state."_s + m_states[state].id;
        }
        return QString(written).replace(u'\n', u' ');
    }

    void addDelays(int index, Value after)
    {
        for (const Member member : after.members())
            addDelay(index, member.key.string(), member.value);
        for (const Value item : after.items()) { // version 4: [{ "delay": 1000, "target": ... }]
            const Value delay = item.find("delay");
            addDelay(index,
                delay.is(Value::Kind::Number) ? QString::fromUtf8(delay.raw()) : delay.string(),
                item);
        }
    }

    void addDelay(int index, const QString &delay, Value config)
    {
        const QString event = delayEvent(delay);
        if (delayOf(event) == delay)
            add(index, event, config);
        else
            add(index, u"after "_s + delay.simplified(), config, delay);
    }

    void addServices(int index, Value invoke)
    {
        for (const Value each : listed(invoke)) {
            const QString id = serviceId(each, m_states[index].id);
            add(index, u"done.invoke."_s + id, each.find("onDone"));
            add(index, u"error.platform."_s + id, each.find("onError"));
            add(index, u"xstate.snapshot."_s + id, each.find("onSnapshot"));
        }
    }

    void add(int from, const QString &event, Value config, const QString &delay = {})
    {
        for (const Value each : listed(config))
            addOne(from, event, each, delay);
    }

    void addOne(int from, const QString &event, Value config, const QString &delay)
    {
        const bool isText = config.is(Value::Kind::String);
        if (!isText && !config.is(Value::Kind::Object) && !config.is(Value::Kind::Null)) {
            remark(config,
                u"expected a target or an object with \"target\", found %1; it is left out"_s.arg(
                    shown(config)));
            return;
        }
        const Value said = own(config);
        if (isTrue(said.find("made")))
            return; // of an arrow with several events, which the first one tells
        scxml::Draft::DraftArc draft { .arc = {}, .from = m_states[from].vertex };
        Arc &arc = draft.arc;
        arc.line = m_lines.of(config);
        arc.event =
            said.find("event").is(Value::Kind::String) ? said.find("event").string() : event;
        if (!delay.isEmpty())
            arc.particulars.insert(DelayKey.toString(), delay);
        const Value target = isText ? config : config.find("target");
        if (!setTargets(arc, from, target, config))
            return;
        setCondition(arc, config);
        setActions(arc, config.find("actions"));
        setInternal(arc, from, target, config);
        if (const QString text = config.find("description").string(); !text.isEmpty())
            arc.note = text.split(u'\n');
        if (const Value text = said.find("action"); text.is(Value::Kind::String))
            arc.action = text.string();
        arc.label = said.find("label").string();
        arc.look = lookOfCss(said.find("look").string());
        arc.towards = towardsOf(said.find("towards").string());
        keepOfArrow(arc, config);
        if (m.vertices[draft.from].vertex.kind == Kind::Final) {
            remark(config, u"nothing leaves a final state; the transition is left out"_s);
            return;
        }
        if (arc.to.isEmpty() && event.isEmpty()) {
            remark(config,
                u"what is done always, without a target, is done for ever; it is left out"_s);
            return;
        }
        m_found.append(draft);
    }

    bool setTargets(Arc &arc, int from, Value target, Value config)
    {
        for (const Value each : listed(target)) {
            const QString text = each.string();
            if (text.isEmpty())
                continue;
            const int to = targetOf(from, text);
            if (to < 0) {
                remark(config,
                    u"there is no state %1; the transition to it is left out"_s.arg(
                        quotedName(text)));
                continue;
            }
            arc.to += m_states[to].name;
        }
        return !arc.to.isEmpty() || listed(target).isEmpty()
            || std::ranges::all_of(
                listed(target), [](Value each) { return each.string().isEmpty(); });
    }

    void setCondition(Arc &arc, Value config)
    {
        if (const Value text = own(config).find("condition"); text.is(Value::Kind::String)) {
            arc.condition = text.string(); // the guard was made of it
            return;
        }
        const bool isOld = bool(config.find("cond"));
        const Value guard = isOld ? config.find("cond") : config.find("guard");
        if (!isEmptyValue(guard)) {
            arc.condition = guardName(guard).simplified();
            if (arc.condition.isEmpty()) {
                arc.condition = u"?"_s;
                remark(guard,
                    u"expected a guard, a name or an object with \"type\", found %1"_s.arg(
                        shown(guard)),
                    false);
            }
            const Guard::Kind kind = guardOf(arc.condition).kind;
            const bool isWord = kind == Guard::Kind::Always || kind == Guard::Kind::Never
                || kind == Guard::Kind::Else;
            if (isWord || !guard.is(Value::Kind::String) || arc.condition != guard.string())
                arc.particulars.insert(GuardKey.toString(), compact(guard));
        }
        const Value in = config.find("in");
        if (!in.is(Value::Kind::String))
            return;
        const int state = in.string().startsWith(u'#') ? byId(in.string().sliced(1))
                                                       : along(-1, in.string()); // from the machine
        const QString asked = u"In('%1')"_s.arg(state < 0 ? in.string() : m_states[state].id);
        arc.particulars.insert(InKey.toString(), compact(in));
        if (!arc.condition.isEmpty())
            arc.particulars.insert(GuardKey.toString(), compact(guard));
        arc.condition = arc.condition.isEmpty() ? asked : arc.condition + u" && "_s + asked;
    }

    void setActions(Arc &arc, Value actions)
    {
        QStringList names;
        for (const Value each : listed(actions))
            names += nameOfAction(each);
        arc.action = names.join(ActionGap);
        if (!std::ranges::all_of(listed(actions), isPlainOne))
            arc.particulars.insert(ActionsKey.toString(), compact(actions));
    }

    /// An arrow that stays inside what it leaves: the rule of the version that it is written for.
    void setInternal(Arc &arc, int from, Value target, Value config)
    {
        const auto isWithin = [&](const QString &name) {
            int at = m_byName.isEmpty() ? -1 : m_byName.value(name, -1);
            for (int steps = 0; at >= 0 && steps <= DeepestChart;
                 ++steps, at = m_states[at].parent) {
                if (at == from)
                    return true;
            }
            return false;
        };
        if (arc.to.isEmpty())
            return;
        if (m_byName.isEmpty()) {
            for (int i = 0; i < m_states.size(); ++i)
                m_byName.insert(m_states[i].name, i);
        }
        const Value internal = config.find("internal"), reenter = config.find("reenter");
        const bool isInside = std::ranges::all_of(arc.to, isWithin);
        if (const Value said = own(config).find("internal"); said.is(Value::Kind::Bool))
            arc.isInternal = said.boolean();
        else if (internal.is(Value::Kind::Bool))
            arc.isInternal = isInside && internal.boolean();
        else if (reenter.is(Value::Kind::Bool))
            arc.isInternal = isInside && !reenter.boolean();
        else
            arc.isInternal = isInside
                && (!isVersion4() || listed(target).first().string().startsWith(m_delimiter));
    }

    /// Words that only one of the versions has.
    void lookForVersion(Value config)
    {
        const auto hasOneOf = [](Value value, const QList<QByteArrayView> &words) {
            return std::ranges::any_of(
                words, [&](QByteArrayView word) { return bool(value.find(word)); });
        };
        m_hasOldWords = m_hasOldWords
            || hasOneOf(config,
                { "onEntry", "onExit", "activities", "tsTypes", "predictableActionArguments",
                    "strict", "delimiter", "parallel" })
            || (config.find("data") && config.find("type").isString("final"))
            || config.find("on").find("");
        m_hasNewWords = m_hasNewWords || hasOneOf(config, { "output", "types" });
        QList<Value> arrows;
        for (const char *key : { "always", "onDone" })
            arrows += listed(config.find(key));
        for (const char *key : { "on", "after" }) {
            for (const Member member : config.find(key).members())
                arrows += listed(member.value);
            arrows += listed(config.find(key).is(Value::Kind::Array) ? config.find(key) : Value());
        }
        for (const Value invoke : listed(config.find("invoke")))
            arrows += listed(invoke.find("onDone")) + listed(invoke.find("onError"));
        for (const Value arrow : std::as_const(arrows)) {
            m_hasOldWords = m_hasOldWords || hasOneOf(arrow, { "cond", "in", "internal" });
            m_hasNewWords = m_hasNewWords || hasOneOf(arrow, { "guard", "reenter" });
        }
    }

    bool isVersion4() const { return m_hasOldWords && !m_hasNewWords; }

    void keepOfArrow(Arc &arc, Value config)
    {
        static const QStringList known { u"target"_s, u"guard"_s, u"cond"_s, u"in"_s, u"actions"_s,
            u"internal"_s, u"reenter"_s, u"description"_s, u"meta"_s, u"event"_s, u"delay"_s,
            u"source"_s, u"eventType"_s };
        for (const Member member : config.members()) {
            const QString key = member.key.string();
            if (known.contains(key))
                continue;
            if (key.startsWith(u'@')) {
                remark(member.key,
                    u"%1 is no property of XState; it is left out"_s.arg(quotedName(key)));
                continue;
            }
            remark(member.key,
                u"%1 is no property that a transition of XState has; it is kept as it is"_s.arg(
                    quotedName(key)),
                false);
            arc.particulars.insert(u"xstate."_s + key, compact(member.value));
        }
        Output rest = Output::object();
        for (const Member member : config.find("meta").members()) {
            if (!member.key.isString("instar"))
                rest.add(member.key.string(), Output::copy(member.value));
        }
        if (!rest.isEmpty())
            arc.particulars.insert(MetaKey.toString(), QString::fromUtf8(rest.oneLine()));
    }

    void readNotes()
    {
        for (const Value each : own(m_root).find("notes").items()) {
            Note note;
            note.of =
                each.find("of").string().isEmpty() ? QString() : nameOf(each.find("of").string());
            note.side = each.find("side").string();
            for (const Value line : each.find("lines").items())
                note.lines += line.string();
            m.chart.notes.append(note);
        }
    }

    const JsonText &m_document;
    QString m_file;
    LineTable m_lines;
    Value m_root;
    bool m_isWhole = false; ///< isWhole() of the root
    QString m_machineId;
    QChar m_delimiter = u'.';
    QList<Found> m_states;
    QHash<std::pair<int, QString>, int> m_children; ///< by what is around them and their key
    QHash<QString, int> m_byId, m_byName;
    QHash<QString, QString> m_nameOfId;
    QHash<int, int> m_initial; ///< state -> the state that it begins in
    bool m_hasOldWords = false, m_hasNewWords = false;
    QList<scxml::Draft::DraftArc> m_found; ///< of the state that is being read
    scxml::Draft m;
};

} // namespace

} // namespace xstate

Result<StatechartsRead> readXState(const QByteArray &bytes, const QString &file)
{
    Result<JsonText> document =
        JsonText::parse(bytes, file, { .depth = 2 * DeepestChart + 64, .bytes = bytes.size() + 1 });
    if (!document) {
        const bool isProgram =
            bytes.contains("createMachine") || bytes.contains("export ") || bytes.contains("=>");
        return Error { isProgram
                ? u"%1:1: expected a machine as JSON, found a program; write it out with JSON.stringify(machine.config)"_s
                      .arg(file)
                : document.error() };
    }
    return xstate::XStateReader(*document, file).read();
}

bool isXState(const JsonText &document)
{
    static const QList<QByteArrayView> ours { "kind", "parent", "label", "work", "as", "timer",
        "at" };
    static const QList<QByteArrayView> theirs { "on", "always", "after", "entry", "exit", "invoke",
        "onDone", "states", "initial", "type", "tags", "description" };
    const auto hasOneOf = [](Value value, const QList<QByteArrayView> &words) {
        return std::ranges::any_of(
            words, [&](QByteArrayView word) { return bool(value.find(word)); });
    };
    const Value root = document.root(), states = root.find("states");
    if (!states.is(Value::Kind::Object) || root.find("machines"))
        return false;
    for (const Member member : states.members()) {
        if (hasOneOf(member.value, ours))
            return false;
        if (hasOneOf(member.value, theirs))
            return true;
    }
    return !root.find("transitions")
        && hasOneOf(root, { "initial", "type", "context", "on", "always", "entry" });
}

} // namespace instar
