// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/mermaid/mermaidtext.h"

#include "model/statecharts/notation/textlines.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QHash<QString, QChar> entities { { u"quot"_s, u'"' }, { u"amp"_s, u'&' }, { u"lt"_s, u'<' },
    { u"gt"_s, u'>' }, { u"colon"_s, u':' }, { u"semi"_s, u';' }, { u"num"_s, u'#' } };

/// Decodes the entity between "#" and ";"; empty: it is unknown.
QString letterOf(const QString &name)
{
    if (const QChar letter = entities.value(name); !letter.isNull())
        return letter;
    bool isNumber = false;
    const char32_t code = name.toUInt(&isNumber);
    if (!isNumber || !name[0].isDigit() || code == 0 || code > 0x10ffff || QChar::isSurrogate(code))
        return {};
    return QString::fromUcs4(&code, 1);
}

QString letterByNumber(QChar letter)
{
    return u'#' + QString::number(letter.unicode()) + u';';
}

} // namespace

QString shownByMermaid(const QString &written)
{
    static const QRegularExpression special(
        u"^(?:(\\\\n|<br[ /]{0,5}>)|#(\\w{1,10});)"_s, QRegularExpression::CaseInsensitiveOption);
    return replacedLetters(written, [](QStringView rest) -> std::pair<QString, qsizetype> {
        if (!u"\\<#"_s.contains(rest[0]))
            return { rest[0], 1 };
        const QRegularExpressionMatch match = special.match(rest.left(12).toString());
        const QString letter = match.hasCaptured(1) ? u"\n"_s
            : match.hasMatch()                      ? letterOf(match.captured(2))
                                                    : QString();
        return letter.isEmpty() ? std::pair(QString(rest[0]), qsizetype(1))
                                : std::pair(letter, match.capturedLength());
    });
}

QString writtenForMermaid(const QString &shown)
{
    // "direction LR" is a command anywhere.
    static const QRegularExpression direction(
        u"^direction\\s+[TBRL]"_s, QRegularExpression::CaseInsensitiveOption);
    return writtenLetters(shown, [](QStringView rest, bool isEdge) {
        const bool isSpecial = u":;#\"<%`"_s.contains(rest[0]) || rest.startsWith(u"\\n")
            || rest.startsWith(u"--") || rest.startsWith(u"end note", Qt::CaseInsensitive)
            || (rest[0].toLower() == u'd' && direction.match(rest.toString()).hasMatch())
            || (isEdge && (rest[0].isSpace() || u"{}"_s.contains(rest[0])));
        return rest[0] == u'\n' ? u"<br/>"_s
            : isSpecial         ? letterByNumber(rest[0])
                                : QString(rest[0]);
    });
}

QStringList noteForMermaid(const QStringList &shown)
{
    QStringList written;
    bool isFlush = false; // some line is not indented, so the others keep their indentation
    for (const QString &line : shown) {
        const qsizetype indent = shown.size() == 1 || !isFlush ? 0 : indentOf(line);
        written += line.left(indent) + writtenForMermaid(line.sliced(indent));
        isFlush = isFlush || !written.last().isEmpty();
    }
    return written;
}

bool isMermaidId(QStringView text)
{
    static const QStringList words { u"state"_s, u"note"_s, u"class"_s, u"classdef"_s,
        u"direction"_s, u"scale"_s, u"click"_s, u"style"_s, u"href"_s, u"default"_s, u"acctitle"_s,
        u"accdescr"_s, u"hide"_s, u"end"_s, u"as"_s, u"statediagram"_s };
    const auto isGood = [](QChar letter) {
        return !letter.isSpace() && letter.isPrint() && !u":-{}\"#%;[]<>`,"_s.contains(letter);
    };
    return !text.isEmpty() && std::ranges::all_of(text, isGood)
        && !words.contains(text, Qt::CaseInsensitive);
}

const QMap<QString, Vertex::Kind> &mermaidStereotypes()
{
    static const QMap<QString, Vertex::Kind> kinds { { u"choice"_s, Vertex::Kind::Choice },
        { u"fork"_s, Vertex::Kind::Fork }, { u"join"_s, Vertex::Kind::Join } };
    return kinds;
}

namespace {

/// Body in which an arrow is written: that of a dot, else the one of both ends, else the top level.
/// In any other body Mermaid would nest the ends there.
int mermaidHome(const TextPlan &plan, const OutlineArc &arc)
{
    const ChartTree &tree = plan.tree();
    for (const int end : { arc.from, arc.to })
        if (plan.form(end) == VertexForm::Dot)
            return tree.node(end).parent;
    const int parent = tree.node(arc.from).parent;
    return parent == tree.node(arc.to).parent && tree.regions(parent).isEmpty() ? parent : 0;
}

} // namespace

const TextNotation &mermaidNotation()
{
    static const TextNotation notation { .isRich = false,
        .isCode = isMermaidId,
        .homeOf = mermaidHome,
        .shown = shownByMermaid,
        .written = writtenForMermaid };
    return notation;
}

} // namespace instar
