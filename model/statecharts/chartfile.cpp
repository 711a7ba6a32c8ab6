// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/chartfile.h"

#include "model/json/comparison.h"
#include "model/json/packfile.h"
#include "model/pack/identity.h"
#include "model/statecharts/chartrules.h"

#include <QJsonArray>
#include <QLineF>
#include <QRegularExpression>

namespace instar {

namespace {

const StatechartFormat *chartFormatOf(const QString &file)
{
    return statechartFormat(machineFormat(file));
}

Result<QByteArray> writtenAs(const StatechartFormat &format, const Pack &pack)
{
    QList<Statechart> charts;
    for (const Machine &machine : pack.machines) {
        const Result<StatechartMade> made = statechartOf(machine);
        if (!made)
            return Error { made.error() };
        charts += made->chart;
    }
    return format.write(charts).bytes;
}

using Lines = QList<QByteArray>;

/// Returns a line without spaces, quotes, and the length and direction of arrows.
QByteArray bare(QByteArray line)
{
    line = line.simplified();
    for (const char *ignored : { " ", "\"", "'" })
        line.replace(ignored, "");
    for (const char *direction : { "-left-", "-right-", "-up-", "-down-" })
        line.replace(direction, "-");
    while (line.contains("-->"))
        line.replace("-->", "->");
    return line;
}

struct LineChange
{
    qsizetype from = 0;
    Lines before, after;
};

/// Returns the line diff of two texts, by the longest common subsequence.
QList<LineChange> lineChanges(const Lines &oldLines, const Lines &newLines)
{
    const qsizetype rows = oldLines.size(), columns = newLines.size();
    std::vector<std::vector<int>> common(
        size_t(rows) + 1, std::vector<int>(size_t(columns) + 1, 0));
    for (qsizetype i = rows - 1; i >= 0; --i) {
        for (qsizetype k = columns - 1; k >= 0; --k) {
            const auto y = size_t(i), x = size_t(k);
            common[y][x] = oldLines[i] == newLines[k]
                ? common[y + 1][x + 1] + 1
                : std::max(common[y + 1][x], common[y][x + 1]);
        }
    }
    QList<LineChange> changes;
    bool isCommon = true; // the previous line is in both texts
    for (qsizetype i = 0, k = 0; i < rows || k < columns;) {
        if (i < rows && k < columns && oldLines[i] == newLines[k]) {
            isCommon = true;
            ++i, ++k;
            continue;
        }
        if (std::exchange(isCommon, false))
            changes += LineChange { i, {}, {} };
        const bool isRemoved = k == columns
            || (i < rows && common[size_t(i) + 1][size_t(k)] >= common[size_t(i)][size_t(k) + 1]);
        if (isRemoved)
            changes.last().before += oldLines[i++];
        else
            changes.last().after += newLines[k++];
    }
    return changes;
}

/// Returns the index of the line equal to `line` (by bare()) that is nearest to `near`; -1: none.
qsizetype nearestLine(const Lines &text, const QByteArray &line, qsizetype near)
{
    const QByteArray wanted = bare(line);
    qsizetype best = -1;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (bare(text[i]) == wanted && (best < 0 || std::abs(i - near) < std::abs(best - near)))
            best = i;
    }
    return wanted.isEmpty() ? -1 : best;
}

QByteArray indentOfLine(const QByteArray &line)
{
    return line.first(line.indexOf(line.trimmed()));
}

/// Treatment of a new line whose old line the text does not contain.
enum class Unfound { Added, LeftOut };

/// Applies the changes from `oldText` to `newText` to a text that contains the changed lines.
QByteArray withLineChanges(
    const QByteArray &text, const QByteArray &oldText, const QByteArray &newText, Unfound unfound)
{
    Lines lines = text.split('\n');
    const Lines before = oldText.split('\n');
    const QByteArray end = lines.first().endsWith('\r') ? "\r"_ba : ""_ba;
    for (const LineChange &change : lineChanges(before, newText.split('\n'))) {
        // Inserts after the nearest preceding line that the text has.
        qsizetype at = -1;
        for (qsizetype i = change.from - 1; i >= 0 && at < 0; --i) {
            at = nearestLine(lines, before[i], i);
            if (at >= 0)
                ++at;
        }
        qsizetype handled = 0; // of the new lines
        for (const QByteArray &line : change.before) {
            const qsizetype found = nearestLine(lines, line, std::max<qsizetype>(at, 0));
            if (found < 0) {
                if (unfound == Unfound::LeftOut && handled < change.after.size())
                    ++handled; // the text has the old line in another form, or not at all
                continue;
            }
            const QByteArray indent = indentOfLine(lines[found]);
            lines.removeAt(found);
            at = found;
            if (handled < change.after.size())
                lines.insert(at++, indent + change.after[handled++].trimmed() + end);
        }
        at = std::clamp<qsizetype>(at, 0, lines.size());
        const QByteArray indent = indentOfLine(lines.value(std::max<qsizetype>(at - 1, 0)));
        for (const QByteArray &line : change.after.sliced(handled))
            lines.insert(at++, indent.isEmpty() ? line + end : indent + line.trimmed() + end);
    }
    return lines.join('\n');
}

/// Replaces the old names of renamed rows by the new ones, wherever they are words of the text.
QByteArray withNewNames(const QByteArray &text, const Pack &oldPack, const Pack &newPack)
{
    QHash<QString, QString> names;
    QStringList words;
    for (const Renaming &each : renamings(oldPack, newPack)) {
        names.insert(each.from, each.to);
        words += QRegularExpression::escape(each.from);
    }
    if (names.isEmpty())
        return text;
    // Longer names first, because shorter names may be their prefixes.
    std::ranges::sort(words, std::greater(), &QString::size);
    const QRegularExpression any(u"(?<![\\w])(?:%1)(?![\\w])"_s.arg(words.join(u'|')),
        QRegularExpression::UseUnicodePropertiesOption);
    const QString all = QString::fromUtf8(text);
    QString result;
    qsizetype end = 0; // of the last match
    for (QRegularExpressionMatchIterator found = any.globalMatch(all); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        result += QStringView(all).sliced(end, match.capturedStart() - end);
        result += names.value(match.captured());
        end = match.capturedEnd();
    }
    return result.append(QStringView(all).sliced(end)).toUtf8();
}

bool hasPositions(const Pack &pack)
{
    return std::ranges::any_of(pack.machines, [](const Machine &machine) {
        return std::ranges::any_of(
            machine.states, [](const State &state) { return state.position.has_value(); });
    });
}

Pack withoutPositions(Pack pack)
{
    for (Machine &machine : pack.machines) {
        for (State &state : machine.states)
            state.position.reset();
    }
    return pack;
}

int countMoved(const Pack &pack, const Pack &other)
{
    constexpr double tolerance = 0.01; // points
    int moved = 0;
    for (const Machine &machine : pack.machines) {
        const Machine *otherMachine = other.machine(machine.id);
        for (const State &state : machine.states) {
            const State *found = otherMachine ? otherMachine->state(state.id) : nullptr;
            const bool isUnmoved = found && found->position && state.position
                && QLineF(*found->position, *state.position).length() < tolerance;
            moved += state.position && !isUnmoved;
        }
    }
    return moved;
}

/// Candidate for the text of a pack, and its faults.
struct Attempt
{
    FileText file;
    qsizetype additions = 0; ///< rows and remarks that the pack does not have
    std::pair<qsizetype, qsizetype> faults() const { return { file.losses.size(), additions }; }
};

/// Reads statecharts as a pack, with all remarks.
Result<PackMade> packInCharts(const QByteArray &text, const QString &file,
    const StatechartFormat &format, Drawn drawn = Drawn::IfNeeded)
{
    const Result<MachineFile> read = readMachines(text, file, format.name);
    if (!read)
        return Error { read.error() };
    Result<PackMade> made = draftIn(*read, drawn);
    if (made)
        made->remarks += read->remarks;
    return made;
}

/// Returns JSON of rows in which words replace the keys of extras.
QJsonValue withKeyWords(const QJsonValue &json)
{
    if (json.isArray())
        return mapped<QJsonArray>(json.toArray(), withKeyWords);
    if (!json.isObject())
        return json;
    const QJsonObject row = json.toObject();
    QJsonObject result;
    for (auto it = row.begin(); it != row.end(); ++it)
        result.insert(keyWord(it.key()), withKeyWords(*it));
    return result;
}

QString lossText(Difference difference)
{
    difference.from = withKeyWords(difference.from).toObject();
    difference.to = withKeyWords(difference.to).toObject();
    return differenceText(difference);
}

/// Reads a candidate back and counts its faults, except `usual` remarks; nothing: unreadable.
std::optional<Attempt> attempted(
    const QByteArray &text, const Pack &pack, const QString &file, qsizetype usual)
{
    const Result<PackMade> read = packInCharts(
        text, file, *chartFormatOf(file), hasStatecharts(pack) ? Drawn::Always : Drawn::IfNeeded);
    if (!read)
        return {};
    Attempt made { { text, {} }, std::max<qsizetype>(0, read->remarks.size() - usual) };
    for (const Difference &each : difference(pack, read->pack)) {
        if (each.kind == Difference::Kind::Added) // an addition, not a loss
            ++made.additions;
        else
            made.file.losses += lossText(each);
    }
    if (const int moved = countMoved(pack, read->pack); moved > 0)
        made.file.losses +=
            u"the positions of %1 states, which this notation cannot express"_s.arg(moved);
    return made;
}

constexpr qsizetype MostLines = 4000; ///< of a text that is edited by lines

} // namespace

bool hasChartSuffix(const QString &file)
{
    return chartFormatOf(file) != nullptr;
}

bool haveSameNotation(const QString &file, const QString &other)
{
    return chartFormatOf(file) == chartFormatOf(other);
}

Result<Pack> packFromText(const QByteArray &text, const QString &file)
{
    if (const StatechartFormat *format = chartFormatOf(file)) {
        Result<PackMade> read = packInCharts(text, file, *format);
        if (!read)
            return Error { read.error() };
        return std::move(read->pack);
    }
    const Result<JsonText> document = JsonText::parse(text, file);
    if (!document)
        return Error { document.error() };
    return readPack(*document);
}

namespace {

constexpr QByteArrayView ByteOrderMark = "\xef\xbb\xbf";

FileText chartText(const StatechartFormat *format, const QByteArray &text, Pack oldPack,
    Pack newPack, const QString &file, Positions positions)
{
    if (!format->read)
        return { {}, { whyNotRead(*format) }, false };
    if (text.isEmpty() && newPack.machines.size() > 1 && !holdsSeveral(*format, file))
        return { {},
            { u"a %1 file contains only one machine, but this pack has %2; use PlantUML (.puml)"_s
                    .arg(format->title, QString::number(newPack.machines.size())) },
            false };
    const Drawn drawn = hasStatecharts(newPack) ? Drawn::Always : Drawn::IfNeeded;
    const Result<PackMade> current = packInCharts(text, file, *format, drawn);
    if (!text.isEmpty() && !(current && hasPositions(current->pack))) {
        oldPack = withoutPositions(oldPack);
        if (positions == Positions::AsDrawn)
            newPack = withoutPositions(newPack);
    }
    const Result<QByteArray> rewritten = writtenAs(*format, newPack);
    if (!rewritten)
        return { {}, { rewritten.error() }, false };
    QList<Attempt> attempts;
    const qsizetype usual = current ? current->remarks.size() : 0;
    const auto addAttempt = [&](const QByteArray &written) {
        if (std::optional<Attempt> made = attempted(written, newPack, file, usual))
            attempts += *std::move(made);
    };
    const Result<QByteArray> before = writtenAs(*format, oldPack);
    if (!text.isEmpty() && before && text.count('\n') <= MostLines
        && rewritten->count('\n') <= MostLines) {
        const auto addEdits = [&](const QByteArray &own, const QByteArray &former) {
            for (const Unfound unfound : { Unfound::LeftOut, Unfound::Added }) {
                const QByteArray made = withLineChanges(own, former, *rewritten, unfound);
                addAttempt(format->complete ? format->complete(made) : made);
            }
        };
        if (const QByteArray renamed = withNewNames(text, oldPack, newPack); renamed != text)
            addEdits(renamed, withNewNames(*before, oldPack, newPack));
        addEdits(text, *before);
    }
    const qsizetype edits = attempts.size();
    addAttempt(*rewritten);
    if (attempts.isEmpty())
        return { {}, { u"the written text cannot be read again"_s }, false };
    // The first of equal candidates keeps most of the text.
    const auto best = std::ranges::min_element(attempts, {}, &Attempt::faults);
    if (!text.isEmpty() && best - attempts.begin() == edits)
        best->file.losses +=
            u"comments and layout of the text, because the whole text is rewritten"_s;
    return best->file;
}

QString whyNoPack(const Pack &pack)
{
    for (const Machine &machine : pack.machines) {
        const Result<StatechartMade> drawn = statechartOf(machine);
        if (!drawn)
            return drawn.error();
        const Result<PackMade> made = packOf(drawn->chart);
        if (!made)
            return u"\"%1\": %2"_s.arg(machine.id, made.error());
    }
    return u"the pack contains statecharts with history or regions; save it as PlantUML (.puml) and open that file"_s;
}

} // namespace

FileText fileText(const QByteArray &text, const Pack &oldPack, const Pack &newPack,
    const QString &file, Positions positions)
{
    const StatechartFormat *format = chartFormatOf(file);
    if (!format && hasStatecharts(newPack))
        return { {}, { whyNoPack(newPack) }, false };
    if (!format)
        return { !text.isEmpty() && oldPack == newPack ? text : writePack(newPack), {} };
    if (!text.isEmpty() && oldPack == newPack)
        return { text, {} };
    const bool isMarked = text.startsWith(ByteOrderMark);
    FileText made = chartText(format, isMarked ? text.sliced(ByteOrderMark.size()) : text, oldPack,
        newPack, file, positions);
    if (isMarked && made.isWritten)
        made.text.prepend(ByteOrderMark);
    return made;
}

} // namespace instar
