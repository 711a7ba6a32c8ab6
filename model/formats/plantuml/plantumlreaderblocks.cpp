// SPDX-License-Identifier: Apache-2.0
// Notes, settings and the preprocessor: what may go over several lines.

#include "model/formats/chart/textlines.h"
#include "model/formats/plantuml/plantumlkinds.h"
#include "model/formats/plantuml/plantumlnotation.h"
#include "model/formats/plantuml/plantumlreader.h"
#include "model/formats/plantuml/plantumltext.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString words(const QString &text)
{
    return text.simplified().toLower();
}

bool startsWithWord(const QString &text, QStringView word)
{
    return text.startsWith(word) && (text.size() == word.size() || text[word.size()].isSpace());
}

/// A block that a line begins, by the first word, and how it ends.
struct Block
{
    QStringView word;
    QStringList ends;
};

const QList<Block> &textBlocks()
{
    static const QList<Block> blocks {
        { u"title", { u"end title"_s, u"endtitle"_s } },
        { u"legend", { u"end legend"_s, u"endlegend"_s } },
        { u"header", { u"end header"_s, u"endheader"_s } },
        { u"footer", { u"end footer"_s, u"endfooter"_s } },
        { u"caption", { u"end caption"_s, u"endcaption"_s } },
    };
    return blocks;
}

/// "left header" as "header"; "left to right direction" names no place.
QString withoutPlace(QString text)
{
    if (text.endsWith(u" direction"))
        return text;
    for (const QStringView place : { u"left ", u"right ", u"center " })
        if (text.startsWith(place))
            return text.sliced(place.size());
    return text;
}

/// The ends of the block that begins with the line; none: it says all itself.
QStringList blockEnds(const QString &line)
{
    if (line.startsWith(u"<style>"))
        return { u"</style>"_s };
    const QString text = withoutPlace(line);
    for (const Block &block : textBlocks())
        if (text == block.word || (block.word == u"legend" && startsWithWord(text, block.word)))
            return block.ends;
    return {};
}

bool isSettingLine(const QString &line)
{
    constexpr std::array<QStringView, 26> commands { u"hide", u"show", u"remove", u"restore",
        u"scale", u"skinparam", u"skin", u"left to right direction", u"top to bottom direction",
        u"header", u"footer", u"caption", u"legend", u"mainframe", u"page", u"rotate", u"minwidth",
        u"sprite", u"footbox", u"set", u"namespaceseparator", u"assume transparent",
        u"allow_mixing", u"json", u"map", u"title" };
    const QString text = withoutPlace(line);
    return line.startsWith(u"<style>")
        || std::any_of(commands.begin(), commands.end(),
            [&](QStringView command) { return startsWithWord(text, command); });
}

/// The end of what the preprocessor defines over several lines; empty: it is one line.
QString definitionEnd(const QString &line)
{
    for (const QStringView word : { u"procedure", u"function", u"definelong", u"macro" })
        if (startsWithWord(line, QString(u'!' + word.toString()))
            || (line.startsWith(u"!unquoted") && line.contains(word)))
            return u"!end"_s + word.toString();
    return {};
}

} // namespace

QStringList PlantUmlReader::textsUpTo(qsizetype end) const
{
    QStringList result;
    for (qsizetype i = m_at + 1; i < end; ++i)
        result += m_block.lines[i].text;
    return result;
}

bool PlantUmlReader::readNote(const QString &text)
{
    const std::optional<PlantUmlNote> said = plantUmlNote(text);
    if (!said)
        return false;
    if (said->ends == PlantUmlNote::Ends::Here) {
        addNote(*said, { said->text });
        return true;
    }
    const bool isBrace = said->ends == PlantUmlNote::Ends::AtBrace;
    const qsizetype end = m_ends.next(
        m_at, isBrace ? QStringList(u"}"_s) : QStringList({ u"end note"_s, u"endnote"_s }));
    if (end < 0) {
        loss(u"the note has no end; what follows is read as if it were no note"_s);
        return true;
    }
    for (qsizetype i = m_at + 1; i < end; ++i) {
        const auto inner = plantUmlNote(m_block.lines[i].text.trimmed());
        if (!isBrace && inner && inner->ends == PlantUmlNote::Ends::AtEndNote) {
            note(nestedNote(m_block.lines[i].number));
            break;
        }
    }
    addNote(*said, unindented(textsUpTo(end)));
    m_at = end;
    return true;
}

void PlantUmlReader::addNote(const PlantUmlNote &said, const QStringList &lines)
{
    if (said.at == PlantUmlNote::At::Arrow) {
        addArcNote(said, lines);
        return;
    }
    Note result;
    result.side = said.side;
    result.lines = shownLines(lines, plantUmlNotation());
    const auto keep = [&](const QString &key, const QString &value) {
        if (!value.isEmpty())
            result.particulars.insert(u"plantuml."_s + key, value);
    };
    const bool isFree = said.at == PlantUmlNote::At::Free;
    const bool isOne = lines.size() == 1 && !lines.first().isEmpty();
    if (noteForPlantUml(result.lines, isFree) != lines && (isOne || isPlantUmlBlock(lines)))
        keep(u"text"_s, lines.join(u'\n'));
    keep(u"tags"_s, said.style.tags);
    keep(u"stereotypes"_s, said.style.stereotypes);
    keep(u"url"_s, said.style.url);
    keep(u"colour"_s, said.style.colour);
    if (isFree) {
        keep(u"code"_s, said.code);
        if (m_freeNotes.contains(said.code)) {
            loss(u"there is a note %1 already, which PlantUML refuses; this one is left out"_s.arg(
                said.code));
            return;
        }
        m_freeNotes.insert(said.code, int(m_free.size()));
        m_free.append({ .note = result, .in = m_builder.scope() });
        return;
    }
    const int of = said.at == PlantUmlNote::At::Latest ? m_builder.latest() : named(said.code);
    if (of < 0)
        loss(u"there is no state yet that the note could belong to; it is left out"_s);
    else
        m_builder.addNote(of, 0, result);
}

void PlantUmlReader::addArcNote(const PlantUmlNote &said, const QStringList &lines)
{
    Arc *const arc = m_builder.latestArc();
    if (!arc) {
        loss(u"there is no arrow yet that the note could belong to; it is left out"_s);
        return;
    }
    if (lines.isEmpty()) {
        loss(u"the note is empty; it is left out"_s);
        return;
    }
    if (!arc->note.isEmpty())
        note(u"the arrow has a note already, which PlantUML 1.2020.2 replaces; both are kept"_s);
    arc->note += shownLines(lines, plantUmlNotation());
    if (!said.side.isEmpty())
        arc->particulars.insert(u"plantuml.noteSide"_s, said.side);
    if (!said.style.colour.isEmpty())
        arc->particulars.insert(u"plantuml.noteColour"_s, said.style.colour);
}

void PlantUmlReader::addSettings(qsizetype from, qsizetype end)
{
    for (qsizetype i = from; i < end; ++i)
        m_settings += m_block.lines[i].text;
}

void PlantUmlReader::setTitle(const QString &written)
{
    if (!m_title.isEmpty())
        note(u"the diagram has another title, which this one replaces"_s);
    m_title = written;
}

bool PlantUmlReader::readSetting(const QString &text)
{
    const QString line = words(text);
    const QStringList ends = blockEnds(line);
    if (ends.isEmpty() && !isSettingLine(line))
        return false;
    const bool isTitle = startsWithWord(line, u"title");
    if (ends.isEmpty() && isTitle) {
        setTitle(text.sliced(5).trimmed());
        return true;
    }
    qsizetype last = m_at;
    if (!ends.isEmpty())
        last = m_ends.next(m_at, ends);
    else if (text.endsWith(u'{'))
        last = m_ends.closingBrace(m_at);
    if (last < 0) {
        loss(u"the block that begins here has no end; it is left out: %1"_s.arg(text.left(40)));
        return true;
    }
    if (isTitle)
        setTitle(unindented(textsUpTo(last)).join(u"\\n"_s));
    else
        addSettings(m_at, last + 1);
    m_at = last;
    return true;
}

bool PlantUmlReader::readUrl(const QString &text)
{
    const QString line = words(text);
    if (!line.startsWith(u"url of ") && !line.startsWith(u"url for "))
        return false;
    const QString code = text.simplified().section(u' ', 2, 2);
    const qsizetype begin = text.indexOf(u"[["_s);
    if (begin < 0 || !text.endsWith(u"]]"_s) || !isPlantUmlCode(code))
        return false;
    Vertex &vertex = m_builder.node(m_builder.named(code, this->line())).vertex;
    vertex.particulars.insert(u"plantuml.url"_s, text.sliced(begin));
    return true;
}

bool PlantUmlReader::readPreprocessor(const QString &text)
{
    if (!text.startsWith(u'!'))
        return false;
    const QString line = words(text);
    if (startsWithWord(line, u"!pragma") || startsWithWord(line, u"!theme")
        || startsWithWord(line, u"!assume")) {
        note(u"the line is kept for PlantUML and not followed: %1"_s.arg(text.left(60)));
        m_settings += text;
        return true;
    }
    const QString ending = definitionEnd(line);
    const qsizetype end = ending.isEmpty() ? -1 : m_ends.next(m_at, { ending });
    if (end >= 0) {
        loss(u"the preprocessor is not followed; %1 lines are left out: %2"_s.arg(end - m_at + 1)
                 .arg(text.left(60)));
        m_at = end;
        return true;
    }
    loss(u"the preprocessor is not followed; left out: %1"_s.arg(text.left(60)));
    return true;
}

} // namespace instar
