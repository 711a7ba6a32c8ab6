// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/chartlosses.h"

#include "model/json/reading.h"
#include "model/statecharts/notation/chartlook.h"
#include "model/statecharts/statecharts.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What particulars are called.
const QHash<QString, QString> textWords {
    { u"arrow"_s, u"the shape of an arrow"_s },
    { u"arrows"_s, u"an arrow of a note"_s },
    { u"class"_s, u"a style"_s },
    { u"click"_s, u"a link"_s },
    { u"comments"_s, u"a comment"_s },
    { u"direction"_s, u"the direction of a state"_s },
    { u"directives"_s, u"a directive"_s },
    { u"fromStereotypes"_s, u"a stereotype"_s },
    { u"frontmatter"_s, u"a line of the head"_s },
    { u"hidden"_s, u"a hidden arrow"_s },
    { u"noteColour"_s, u"a colour"_s },
    { u"noteSide"_s, u"the side of an arrow's note"_s },
    { u"separator"_s, u"an upright line between regions"_s },
    { u"settings"_s, u"a setting"_s },
    { u"stereotypes"_s, u"a stereotype"_s },
    { u"style"_s, u"a style"_s },
    { u"tags"_s, u"a tag"_s },
    { u"toStereotypes"_s, u"a stereotype"_s },
    { u"url"_s, u"a link"_s },
};

QString scxmlWord(const QString &key)
{
    if (key.startsWith(u'@'))
        return u"the attribute \"%1\""_s.arg(key.sliced(1));
    if (key.startsWith(u"xmlns:"))
        return {};
    if (key.startsWith(u"comment"))
        return u"a comment"_s;
    if (key == u"other")
        return u"an element of another namespace"_s;
    return key == u"content" ? u"what is in a transition"_s : u'<' + key + u'>';
}

QString wordOf(const QString &format, const QString &key)
{
    static const QStringList silent { u"bar"_s, u"border"_s, u"code"_s, u"colour"_s,
        u"description"_s, u"label"_s, u"name"_s, u"order"_s, u"text"_s,
        u"title"_s }; // they only say how a text was written, or Look has it
    if (format == u"scxml")
        return scxmlWord(key);
    if (silent.contains(key))
        return {};
    return textWords.value(key, u'"' + key + u'"');
}

/// The lines of which each says something of its own.
QStringList linesOf(const QString &format, const QString &key, const QString &value)
{
    static const QStringList several { u"arrows"_s, u"comments"_s, u"directives"_s,
        u"frontmatter"_s, u"hidden"_s, u"settings"_s };
    if (format == u"scxml" || !several.contains(key))
        return { value };
    QStringList lines = value.split(u'\n');
    lines.removeIf([&](const QString &line) {
        return line.trimmed().isEmpty()
            || (key == u"settings" && directionIn(format, line) != ChartDirection::Unsaid)
            || (key == u"frontmatter" && line.startsWith(u"title:"));
    });
    return lines;
}

QString beginning(const QString &text)
{
    constexpr qsizetype Most = 40;
    const QString all = oneLine(text.left(10 * Most)).simplified();
    return all.size() <= Most ? all : all.left(Most) + u"..."_s;
}

} // namespace

void ChartLosses::add(const QString &what, const QString &text, int line, int times)
{
    Loss &loss = m_found[what];
    if (loss.times == 0)
        loss = { .first = beginning(text), .line = line };
    loss.times += times;
}

void ChartLosses::addForeign(const Particulars &particulars, const QString &notation, int line)
{
    for (auto it = particulars.cbegin(); it != particulars.cend(); ++it) {
        const qsizetype dot = it.key().indexOf(u'.');
        const QString name = it.key().left(std::max<qsizetype>(dot, 0));
        if (name == notation || it.key() == u"note.in")
            continue;
        const QString key = it.key().sliced(dot + 1);
        const QString word = wordOf(name, key);
        const QStringList lines = linesOf(name, key, it.value());
        if (word.isEmpty() || lines.isEmpty())
            continue;
        const StatechartFormat *const format = statechartFormat(name);
        const QString title = format ? format->title : name;
        add(title.isEmpty() ? word : word + u" of "_s + title, lines.first(), line,
            int(lines.size()));
    }
}

void ChartLosses::addForeign(const Statechart &chart, const QString &notation)
{
    addForeign(chart.particulars, notation, 0);
    for (const Vertex &each : chart.vertices)
        addForeign(each.particulars, notation, each.line);
    for (const Arc &each : chart.arcs)
        addForeign(each.particulars, notation, each.line);
    for (const Note &each : chart.notes)
        addForeign(each.particulars, notation, 0);
}

QList<Diagnostic> ChartLosses::diagnostics() const
{
    QList<Diagnostic> result;
    for (auto it = m_found.cbegin(); it != m_found.cend(); ++it) {
        const QString more = it->times > 1 ? u" ..."_s : QString();
        const QString shown =
            it->first.isEmpty() ? QString() : u" (\""_s + it->first + u'"' + more + u')';
        const QString times = it->times > 1 ? u" %1 times"_s.arg(it->times) : QString();
        result.append({ it->line,
            it.key() + shown + u" has no place in "_s + m_place + u"; it is left out"_s + times });
    }
    return result;
}

} // namespace instar
