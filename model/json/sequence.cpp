// SPDX-License-Identifier: Apache-2.0
#include "model/json/sequence.h"

#include "model/foreigntext.h"

#include <QMap>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// One message of the diagram, or a time between two.
struct Message
{
    enum class Kind { Ask, Answer, Cancel };
    Kind kind = Kind::Ask;
    qint64 at = 0;
    QString from, to, text;
    bool begins = false, ends = false; ///< work at the tree that `to`, or `from`, is
    /// At one time: what ends by itself, then what is asked and answered, then what that cancels.
    std::pair<qint64, int> order() const { return { at, kind == Kind::Cancel ? 2 : ends ? 0 : 1 }; }
};

QString treeOf(const QString &path)
{
    return path.section(u'/', 0, 2);
}

/// The path as it is said within its tree.
QString shortPath(const QString &path)
{
    QStringList ids;
    const QStringList segments = path.split(u'/', Qt::SkipEmptyParts);
    for (qsizetype i = 1; i < segments.size(); i += 2)
        ids += segments[i];
    return ids.isEmpty() ? path : ids.join(u'/');
}

/// What either notation takes as plain text.
QString escaped(const QString &foreign)
{
    QString text = oneLine(foreign);
    for (QChar &c : text) {
        if (c == u';' || c == u'#' || c == u'%')
            c = u' ';
    }
    return text.replace(u'<', u'‹').replace(u'>', u'›').replace(u'"', u'\'').replace(u'\\', u'/');
}

class Sequence
{
public:
    Sequence(const Timeline &timeline, SequenceNotation notation)
        : m_timeline(timeline), m_notation(notation)
    {
        for (const Timeline::Bar &bar : timeline.bars())
            add(bar);
        std::ranges::stable_sort(m_messages, {}, &Message::order);
    }

    QByteArray text(const QString &title);

private:
    bool isPlantUml() const { return m_notation == SequenceNotation::PlantUml; }
    void add(const Timeline::Bar &bar);
    QString asker(const Timeline::Bar &bar);
    QString participant(const QString &name, bool isClient);
    QString idOf(const Timeline::Bar &bar) const
    {
        return bar.request ? bar.request->id : QString();
    }
    void line(const QString &text) { m_text += text + u'\n'; }
    void say(const Message &message);
    void pause(qint64 at);

    const Timeline &m_timeline;
    SequenceNotation m_notation;
    QList<Message> m_messages;
    QStringList m_clients, m_trees;
    QMap<QString, QString> m_ids; ///< of participants, by name
    QMap<QString, int> m_active;
    QString m_text;
};

/// Clients stand left of the trees, each in order of its first appearance.
QString Sequence::participant(const QString &name, bool isClient)
{
    QStringList &all = isClient ? m_clients : m_trees;
    if (!all.contains(name))
        all += name;
    const QString key = (isClient ? u"c"_s : u"t"_s) + name;
    if (!m_ids.contains(key))
        m_ids.insert(key, (isClient ? u"c"_s : u"t"_s) + QString::number(all.indexOf(name) + 1));
    return m_ids.value(key);
}

QString Sequence::asker(const Timeline::Bar &bar)
{
    if (const Timeline::Bar *requirer = m_timeline.bar(bar.requirer))
        return participant(treeOf(requirer->path), false);
    const QString client = bar.request ? bar.request->client : QString();
    return participant(client.isEmpty() ? u"client"_s : client, true);
}

void Sequence::add(const Timeline::Bar &bar)
{
    const QString from = asker(bar);
    const QString to = participant(treeOf(bar.path), false);
    const QString what = (bar.request ? bar.request->op : QString()) + u' ' + shortPath(bar.path)
        + u" ("_s + idOf(bar) + u')';
    const bool isRefused = bar.status == Status::Rejected;
    const bool works = !isRefused && bar.started != Timeline::GoesOn
        && (bar.ended == Timeline::GoesOn || bar.ended > bar.started);
    m_messages.append({ .kind = Message::Kind::Ask,
        .at = bar.submitted,
        .from = from,
        .to = to,
        .text = what,
        .begins = works });
    if (bar.ended == Timeline::GoesOn && !isRefused)
        return;
    const Timeline::Bar *by = m_timeline.bar(bar.canceledBy);
    Message end { .kind = by ? Message::Kind::Cancel : Message::Kind::Answer,
        .at = isRefused ? bar.submitted : bar.ended,
        .from = to,
        .to = from,
        .text = idOf(bar) + u' ' + statusName(bar.status),
        .ends = works };
    if (bar.http)
        end.text += u' ' + QString::number(bar.http);
    if (!bar.code.isEmpty() && bar.code != statusName(bar.status))
        end.text += u' ' + bar.code;
    if (by)
        end.text += u" by "_s + idOf(*by);
    m_messages.append(end);
}

void Sequence::pause(qint64 at)
{
    if (isPlantUml())
        return line(u"== %1 ms =="_s.arg(at));
    const QString first = m_clients.isEmpty() ? u"t1"_s : u"c1"_s;
    const QString last = m_trees.isEmpty() ? first : u"t"_s + QString::number(m_trees.size());
    line(u"    Note over %1,%2: %3 ms"_s.arg(first, last).arg(at));
}

void Sequence::say(const Message &message)
{
    const QString indent = isPlantUml() ? QString() : u"    "_s;
    const QString arrow = message.kind == Message::Kind::Ask ? (isPlantUml() ? u"->"_s : u"->>"_s)
        : message.kind == Message::Kind::Cancel              ? (isPlantUml() ? u"-->x"_s : u"--x"_s)
                                                : (isPlantUml() ? u"-->"_s : u"-->>"_s);
    const QString pattern = isPlantUml() ? u"%1 %2 %3 : %4"_s : u"%1%2%3: %4"_s;
    line(indent + pattern.arg(message.from, arrow, message.to, escaped(message.text)));
    if (message.begins) {
        ++m_active[message.to];
        line(indent + u"activate "_s + message.to);
    }
    if (message.ends && m_active.value(message.from) > 0) {
        --m_active[message.from];
        line(indent + u"deactivate "_s + message.from);
    }
}

QByteArray Sequence::text(const QString &title)
{
    const QString named = escaped(title);
    if (isPlantUml()) {
        line(u"@startuml"_s);
        line(u"title "_s + named);
        line(u"hide footbox"_s);
    } else {
        line(u"sequenceDiagram"_s);
        line(u"    title "_s + named);
    }
    const auto declare = [this](const QString &name, bool isClient) {
        const QString id = participant(name, isClient);
        const QString word = isClient ? u"actor"_s : u"participant"_s;
        line(isPlantUml() ? u"%1 \"%2\" as %3"_s.arg(word, escaped(name), id)
                          : u"    %1 %2 as %3"_s.arg(word, id, escaped(name)));
    };
    for (const QString &client : std::as_const(m_clients))
        declare(client, true);
    for (const QString &tree : std::as_const(m_trees))
        declare(tree, false);
    std::optional<qint64> now;
    for (const Message &message : std::as_const(m_messages)) {
        if (message.at != now)
            pause(message.at);
        now = message.at;
        say(message);
    }
    if (isPlantUml())
        line(u"@enduml"_s);
    return m_text.toUtf8();
}

} // namespace

QByteArray sequenceDiagram(
    const Timeline &timeline, const QString &title, SequenceNotation notation)
{
    return Sequence(timeline, notation).text(title);
}

} // namespace instar
