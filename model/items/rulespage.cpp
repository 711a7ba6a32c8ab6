// SPDX-License-Identifier: Apache-2.0
#include "model/items/rulespage.h"

#include "model/explore/propagation.h"
#include "model/foreigntext.h"
#include "model/items/sentences.h"
#include "model/items/words.h"
#include "model/pack/conflicts.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct RulesWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::RulesTable)
};

constexpr qsizetype mostTypes = 3; ///< named in a cell

QString titleOf(const Machine &machine)
{
    return machine.title.isEmpty() ? machine.id : machine.title;
}

QString kindWord(State::Kind kind)
{
    switch (kind) {
    case State::Kind::Initial:
        return RulesWords::tr("not there");
    case State::Kind::Stable:
        return RulesWords::tr("stable");
    case State::Kind::Transitional:
        return RulesWords::tr("transitional");
    case State::Kind::Composite:
        return RulesWords::tr("composite");
    }
    return {};
}

QString sourcesOf(const Row &row)
{
    return row.sources.join(u", "_s);
}

// ---- Derived

QString targetsText(const Propagation &one)
{
    QStringList names;
    for (const QString &type : one.types)
        names += type.section(u'/', -1);
    names.removeDuplicates();
    QString text = names.mid(0, mostTypes).join(u", "_s);
    if (names.size() > mostTypes)
        text += RulesWords::tr(" and %1 more types").arg(names.size() - mostTypes);
    const bool isTop = !one.types.first().contains(u'/');
    const QString where =
        isTop ? RulesWords::tr("top-level: %1") : RulesWords::tr("in another one: %1");
    return where.arg(text) + (one.exists ? QString() : RulesWords::tr(", not there yet"));
}

QString phaseText(const Propagation::Phase &phase)
{
    if (phase.isAtOnce)
        return RulesWords::tr("at once");
    return phase.outcomes.isEmpty() ? RulesWords::tr("starts")
                                    : phase.outcomes.join(RulesWords::tr(" or "));
}

RulesTable propagationTable(const Rules &rules)
{
    RulesTable table { RulesWords::tr("Affected resources"),
        RulesWords::tr("Found by running each operation on a small tree at rest. A dash: "
                       "unchanged; an empty cell: no such resource."),
        { RulesWords::tr("operation"), RulesWords::tr("on"), RulesWords::tr("phase"),
            // as everyKin
            RulesWords::tr("its target"), RulesWords::tr("its ancestors"),
            RulesWords::tr("its descendants"), RulesWords::tr("siblings"),
            RulesWords::tr("the rest of its tree"), RulesWords::tr("other trees"),
            RulesWords::tr("its references") },
        {} };
    const auto begin = [](const Propagation &one, const QString &phase) {
        const QString unsaid = one.unsaid.isEmpty()
            ? QString()
            : RulesWords::tr(" (if not: %1)").arg(one.unsaid.join(u", "_s));
        return QStringList { one.operation, targetsText(one), phase + unsaid };
    };
    for (const Propagation &one : propagations(rules)) {
        if (one.phases.isEmpty())
            table.rows += begin(one, RulesWords::tr("refused: %1").arg(one.refused))
                + QStringList(qsizetype(everyKin.size()));
        for (const Propagation::Phase &phase : one.phases) {
            QStringList cells = begin(one, phaseText(phase));
            for (const Kin kin : everyKin) {
                const auto word = phase.shown.constFind(kin);
                cells += word == phase.shown.cend() ? QString() : word->isEmpty() ? u"–"_s : *word;
            }
            // Repeated cells stay empty.
            if (&phase != &one.phases.first())
                cells[0] = cells[1] = QString();
            table.rows += cells;
        }
    }
    return table;
}

QString thenText(Conflict::Then then)
{
    switch (then) {
    case Conflict::Then::Cancel:
        return RulesWords::tr("cancels it");
    case Conflict::Then::Reject:
        return RulesWords::tr("is refused");
    case Conflict::Then::Wait:
        return RulesWords::tr("waits for it");
    case Conflict::Then::Allow:
        break;
    }
    return RulesWords::tr("runs beside it");
}

QString placeWord(const QString &place)
{
    static const QHash<QString, QString> words { { u"self"_s,
                                                     RulesWords::tr("on the same resource") },
        { u"ancestor"_s, RulesWords::tr("on an ancestor") },
        { u"descendant"_s, RulesWords::tr("on a descendant") },
        { u"sibling"_s, RulesWords::tr("on a sibling") },
        { u"tree"_s, RulesWords::tr("elsewhere in its tree") },
        { u"unrelated"_s, RulesWords::tr("in another tree") },
        { u"reference"_s, RulesWords::tr("on a reference") },
        { u"referrer"_s, RulesWords::tr("on a referrer") } };
    return words.value(place, place);
}

RulesTable meetingsTable(const Rules &rules)
{
    RulesTable table { RulesWords::tr("Conflicts with running operations"),
        RulesWords::tr("Several words: a condition decides. An empty cell: they cannot meet."),
        { RulesWords::tr("runs"), RulesWords::tr("where, seen from the one that comes") }, {} };
    if (rules.pack().conflicts.isEmpty())
        return table;
    const ConflictMatrix matrix(rules.pack(), rules.switches());
    for (const QString &incoming : matrix.operations())
        table.heads += RulesWords::tr("%1 comes").arg(incoming);
    for (const QString &running : matrix.operations()) {
        for (const QString &place : matrix.places()) {
            QStringList cells { running, placeWord(place) };
            bool canMeet = false;
            for (const QString &incoming : matrix.operations()) {
                const ConflictCell cell = matrix.cell({ running, incoming, place });
                QStringList verdicts;
                for (const Conflict::Then then : cell.verdicts)
                    verdicts += thenText(then);
                canMeet = canMeet || cell.canMeet;
                cells += cell.canMeet ? verdicts.join(RulesWords::tr(" or ")) : QString();
            }
            if (canMeet)
                table.rows += cells;
        }
    }
    return table;
}

// ---- The rows themselves

RulesTable operationsTable(const Rules &rules)
{
    RulesTable table { RulesWords::tr("Operations"), {},
        { RulesWords::tr("operation"), RulesWords::tr("meaning"), RulesWords::tr("source") }, {} };
    for (const QString &name : rules.pack().operationNames()) {
        const auto row = std::ranges::find(rules.pack().operations, name, &OperationKind::id);
        const bool isDeclared = row != rules.pack().operations.end();
        table.rows +=
            { name, isDeclared ? row->about : QString(), isDeclared ? sourcesOf(*row) : QString() };
    }
    return table;
}

RulesTable statesTable(const Machine &machine)
{
    RulesTable table { RulesWords::tr("States: %1").arg(titleOf(machine)), {},
        { RulesWords::tr("state"), RulesWords::tr("kind"), RulesWords::tr("shown as"),
            RulesWords::tr("meaning"), RulesWords::tr("source") },
        {} };
    for (const State &state : machine.states) {
        const QString id = state.label.isEmpty() || state.label == state.id
            ? state.id
            : u"%1 (%2)"_s.arg(state.label, state.id);
        table.rows += { id, kindWord(state.kind), state.as, state.about, sourcesOf(state) };
    }
    return table;
}

RulesTable transitionsTable(const Rules &rules, const Machine &machine)
{
    RulesTable table { RulesWords::tr("Transitions: %1").arg(titleOf(machine)), {},
        { RulesWords::tr("from"), RulesWords::tr("on"), RulesWords::tr("if"), RulesWords::tr("to"),
            RulesWords::tr("why"), RulesWords::tr("source") },
        {} };
    for (const Transition &row : machine.transitions) {
        if (!rules.applies(row))
            continue;
        const QString condition = row.condition.kind == Condition::Kind::Always
            ? QString()
            : conditionText(row.condition);
        const QString to = !row.refuse.isEmpty() ? RulesWords::tr("refused: %1").arg(row.refuse)
            : row.to.isEmpty()                   ? RulesWords::tr("nothing moves")
                                                 : row.to.join(RulesWords::tr(" or "));
        table.rows += { row.from.join(u", "_s).replace(u"*"_s, RulesWords::tr("any state")),
            row.on.join(u", "_s), condition, to, row.about, sourcesOf(row) };
    }
    return table;
}

RulesTable conflictsTable(const Rules &rules)
{
    RulesTable table { RulesWords::tr("What operations do to each other"),
        RulesWords::tr("The first row that fits speaks."),
        { RulesWords::tr("arrives"), RulesWords::tr("runs"), RulesWords::tr("where"),
            RulesWords::tr("if"), RulesWords::tr("then"), RulesWords::tr("why"),
            RulesWords::tr("source") },
        {} };
    const auto any = [](const QStringList &words) {
        return words.isEmpty() ? RulesWords::tr("any") : words.join(u", "_s);
    };
    for (const Conflict &row : rules.pack().conflicts) {
        if (!rules.applies(row))
            continue;
        const QString condition = row.condition.kind == Condition::Kind::Always
            ? QString()
            : conditionText(row.condition);
        const QString then = row.then == Conflict::Then::Reject
            ? RulesWords::tr("is refused: %1").arg(row.code)
            : thenText(row.then);
        table.rows += { any(row.on), any(row.running), any(row.at), condition, then, row.about,
            sourcesOf(row) };
    }
    return table;
}

RulesTable switchesTable(const Rules &rules)
{
    RulesTable table { RulesWords::tr("Switches: where the sources are silent or disagree"), {},
        { RulesWords::tr("switch"), RulesWords::tr("now"), RulesWords::tr("values"),
            RulesWords::tr("meaning"), RulesWords::tr("source") },
        {} };
    for (const Switch &row : rules.pack().switches) {
        QStringList values;
        for (const QString &value : row.values)
            values += switchValueText(row, value);
        table.rows += { spelledOut(row.id), switchValueText(row, rules.switches().value(row.id)),
            values.join(u", "_s), row.about, sourcesOf(row) };
    }
    return table;
}

RulesTable sourcesTable(const Rules &rules)
{
    RulesTable table { RulesWords::tr("Sources"), {},
        { RulesWords::tr("key"), RulesWords::tr("document"), RulesWords::tr("section"),
            RulesWords::tr("what it says") },
        {} };
    for (const Source &source : rules.pack().sourceList)
        table.rows += { source.id, source.document, source.section, source.about };
    return table;
}

QString htmlOf(const RulesTable &whole)
{
    const RulesTable table = whole.narrowed();
    const auto line = [](const QStringList &cells, const QString &tag) {
        QString html;
        for (const QString &cell : cells)
            html += u"<%1 align='left' valign='top'>%2</%1>"_s.arg(tag, cell.toHtmlEscaped());
        return u"<tr>%1</tr>\n"_s.arg(html);
    };
    QString rows = line(table.heads, u"th"_s);
    for (const QStringList &cells : table.rows)
        rows += line(cells, u"td"_s);
    const QString note =
        table.note.isEmpty() ? QString() : u"<p>%1</p>\n"_s.arg(table.note.toHtmlEscaped());
    return u"<h2>%1</h2>\n%2<table cellspacing='0' cellpadding='3' width='100%'>\n%3</table>\n"_s
        .arg(table.title.toHtmlEscaped(), note, rows);
}

QString plainOf(const RulesTable &whole)
{
    const RulesTable table = whole.narrowed();
    QList<qsizetype> widths;
    for (qsizetype column = 0; column < table.heads.size(); ++column) {
        qsizetype width = table.heads[column].size();
        for (const QStringList &cells : table.rows)
            width = std::max(width, cells[column].size());
        widths += width;
    }
    const auto line = [&](const QStringList &cells) {
        QString text;
        for (qsizetype column = 0; column < cells.size(); ++column)
            text += cells[column].leftJustified(widths[column] + 2);
        while (text.endsWith(u' '))
            text.chop(1);
        return text + u'\n';
    };
    QString text = table.title + u'\n' + QString(table.title.size(), u'=') + u'\n';
    if (!table.note.isEmpty())
        text += table.note + u'\n';
    text += u'\n' + line(table.heads);
    for (const QStringList &cells : table.rows)
        text += line(cells);
    return text;
}

} // namespace

RulesTable RulesTable::narrowed() const
{
    RulesTable table { title, note, {}, QList<QStringList>(rows.size()) };
    for (qsizetype column = 0; column < heads.size(); ++column) {
        const bool isUsed = std::ranges::any_of(
            rows, [&](const QStringList &cells) { return !cells[column].isEmpty(); });
        if (!isUsed)
            continue;
        table.heads += heads[column];
        for (qsizetype row = 0; row < rows.size(); ++row)
            table.rows[row] += rows[row][column];
    }
    return table;
}

QList<RulesTable> rulesTables(const Rules &rules)
{
    QList<RulesTable> tables { propagationTable(rules), meetingsTable(rules),
        operationsTable(rules) };
    for (const Machine &machine : rules.pack().machines)
        tables += { statesTable(machine), transitionsTable(rules, machine) };
    tables += { conflictsTable(rules), switchesTable(rules), sourcesTable(rules) };
    tables.removeIf([](const RulesTable &table) { return table.rows.isEmpty(); });
    return tables;
}

QString rulesHtml(const QList<RulesTable> &tables)
{
    QString html;
    for (const RulesTable &table : tables)
        html += htmlOf(table);
    return visible(html);
}

QString rulesDocument(const Rules &rules)
{
    const Pack &pack = rules.pack();
    const QString title = (pack.title.isEmpty() ? pack.id : pack.title).toHtmlEscaped();
    const QString style = uR"(
        :root { color-scheme: light dark; }
        body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
        h2 { margin-top: 2.2rem; font-size: 1.15rem; }
        table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
        th { opacity: 0.7; font-weight: 500; }
        th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid #8884; }
        @media print { body { margin: 0; } tr { break-inside: avoid; } }
    )"_s;
    return visible(
        u"<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n<title>%1</title>\n"
        "<style>%2</style>\n</head>\n<body>\n<h1>%1</h1>\n<p>%3</p>\n<p>%4</p>\n%5</body>\n</html>\n"_s
            .arg(title, style, pack.origin.toHtmlEscaped(), pack.about.toHtmlEscaped(),
                rulesHtml(rulesTables(rules))));
}

QString rulesPlain(const Rules &rules)
{
    QStringList texts;
    for (const RulesTable &table : rulesTables(rules))
        texts += plainOf(table);
    return visible(texts.join(u'\n'));
}

} // namespace instar
