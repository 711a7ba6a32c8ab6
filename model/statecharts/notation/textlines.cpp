// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/notation/textlines.h"

#include "model/json/reading.h"

#include <QStringDecoder>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Removes control characters and line feeds, which come from the file, from diagnostics.
void setOnOneLine(QList<Diagnostic> &remarks)
{
    for (Diagnostic &remark : remarks)
        remark.text = oneLine(remark.text);
}

} // namespace

qsizetype indentOf(QStringView line)
{
    const auto *const first =
        std::ranges::find_if(line, [](QChar letter) { return !letter.isSpace(); });
    return first - line.begin();
}

QString indented(const QString &line, qsizetype blanks)
{
    return line.isEmpty() ? line : QString(blanks, u' ') + line;
}

QStringList unindented(const QStringList &lines)
{
    qsizetype common = -1;
    for (const QString &line : lines)
        if (const qsizetype indent = indentOf(line); indent < line.size())
            common = common < 0 ? indent : std::min(common, indent);
    QStringList result;
    for (const QString &line : lines) {
        qsizetype end = line.size();
        while (end > 0 && line[end - 1].isSpace())
            --end;
        result += line.left(end).mid(std::max<qsizetype>(common, 0));
    }
    return result;
}

QString replacedLetters(QStringView text,
    const std::function<std::pair<QString, qsizetype>(QStringView rest)> &replaced)
{
    QString result;
    while (!text.isEmpty()) {
        const auto [letters, size] = replaced(text);
        result += letters;
        text = text.sliced(size);
    }
    return result;
}

QString writtenLetters(
    QString shown, const std::function<QString(QStringView rest, bool isEdge)> &written)
{
    shown.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n');
    return replacedLetters(shown, [&](QStringView rest) {
        const bool isEdge = rest.size() == shown.size() || rest.size() == 1;
        return std::pair(written(rest, isEdge), qsizetype(1));
    });
}

QRegularExpression lineRegex(QString rule)
{
    rule.replace(u"[^{s}"_s, uR"([^\p{Z}\t-\r\x{85})"_s);
    rule.replace(u"{s}"_s, uR"([\p{Z}\t-\r\x{85}])"_s);
    return QRegularExpression(rule,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption
            | QRegularExpression::ExtendedPatternSyntaxOption);
}

Result<StatechartsRead> readDiagrams(const QByteArray &bytes, const QString &file,
    const QString &expected, void (*readLines)(const QStringList &lines, DiagramsRead &read))
{
    // UTF-8, or UTF-16 and UTF-32 with a byte order mark
    QStringDecoder decoder(
        QStringConverter::encodingForData(bytes).value_or(QStringConverter::Utf8));
    QString text = decoder(bytes);
    const QStringList lines = text.replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n').split(u'\n');
    DiagramsRead read;
    if (decoder.hasError()) {
        const auto bad = std::ranges::find_if(
            lines, [](const QString &line) { return line.contains(QChar::ReplacementCharacter); });
        read.remarks.append({ int(bad - lines.begin()) + 1,
            u"the text is not UTF-8; invalid bytes show as \ufffd"_s });
    }
    readLines(lines, read);
    if (read.charts.isEmpty() && read.other)
        return Error { u"%1:%2: expected a state diagram, %3; found %4"_s.arg(file)
                           .arg(read.other->line)
                           .arg(expected, oneLine(read.other->text)) };
    if (read.charts.isEmpty())
        return Error { u"%1: found no state diagram; expected %2"_s.arg(file, expected) };
    setOnOneLine(read.remarks);
    std::ranges::stable_sort(
        read.remarks, [](const Diagnostic &a, const Diagnostic &b) { return a.line < b.line; });
    return StatechartsRead(static_cast<const StatechartsRead &>(read));
}

void addDiagram(Statechart chart, int line, StatechartsRead &read)
{
    if (chart.vertices.isEmpty())
        read.remarks.append({ line, u"the diagram is left out, because it has no state"_s });
    else
        read.charts.append(std::move(chart));
}

void refuseDiagram(const QString &kind, int line, DiagramsRead &read)
{
    read.remarks.append({ line, u"%1 is left out, because it is not a state diagram"_s.arg(kind) });
    if (!read.other)
        read.other = Diagnostic { line, kind };
}

void escapeControls(StatechartsWritten &written)
{
    const QByteArray text = visible(written.bytes);
    if (text != written.bytes)
        written.remarks.append(
            { 0, u"control and bidirectional characters are spelled out, such as \\u202e"_s });
    written.bytes = text;
    setOnOneLine(written.remarks);
}

} // namespace instar
