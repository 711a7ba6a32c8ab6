// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verdict.h"

#include "app/cli/print.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Judged = HistorySearch::Outcome;

QString readingText(const Switches &switches)
{
    QStringList values;
    for (auto it = switches.cbegin(); it != switches.cend(); ++it)
        values += u"%1=%2"_s.arg(it.key(), *it);
    return values.join(u' ');
}

QString readingsText(const Readings &readings)
{
    QString text;
    for (const Switches &switches : readings.explaining)
        text += u"  %1\n"_s.arg(readingText(switches));
    const QString what = readings.explaining.isEmpty()
        ? u"no reading of the rules explains everything\n"_s
        : u"readings of the rules that explain everything:\n"_s;
    return what + text
        + (readings.all ? QString() : u"there are more readings; the others were not tried\n"_s);
}

/// One line of the picture: when something was asked or seen.
struct Bar
{
    int line = 0;
    double from = 0;
    std::optional<double> to; ///< nothing: it was never answered
    QString who, text;
};

QList<Bar> barsOf(const History &history)
{
    QList<Bar> bars;
    for (const AskedThen &asked : history.requests) {
        const std::optional<double> to =
            asked.isClosed() ? std::optional(asked.answered) : std::nullopt;
        bars += Bar { asked.line, asked.sent, to, asked.request.client,
            u"%1 %2: %3"_s.arg(asked.request.op, asked.request.path, told(asked)) };
    }
    for (const Observation &seen : history.observations)
        bars += Bar { seen.line, seen.from, seen.to, {}, told(seen) };
    std::ranges::stable_sort(bars, {}, &Bar::from);
    return bars;
}

constexpr double PictureWidth = 420;

QString pictureOf(const Bar &bar, double begin, double end, const QString &kind)
{
    const double scale = end > begin ? (PictureWidth - 4) / (end - begin) : 0;
    const double from = (bar.from - begin) * scale;
    const double width = std::max(3.0, (bar.to.value_or(end) - bar.from) * scale);
    return u"<svg width=\"%1\" height=\"14\" role=\"img\" aria-label=\"%2 to %3 ms\"><rect class=\"%4\" x=\"%5\" y=\"2\" width=\"%6\" height=\"10\" rx=\"2\"/></svg>"_s
        .arg(PictureWidth)
        .arg(bar.from)
        .arg(bar.to ? QString::number(*bar.to) : u"the end"_s)
        .arg(kind)
        .arg(from, 0, 'f', 1)
        .arg(width, 0, 'f', 1);
}

QString historyTable(const HistoryVerdict &verdict, const History &history)
{
    const QList<Bar> bars = barsOf(history);
    double begin = bars.isEmpty() ? 0 : bars.first().from, end = begin;
    for (const Bar &bar : bars)
        end = std::max({ end, bar.from, bar.to.value_or(bar.from) });
    QString rows;
    for (const Bar &bar : bars) {
        const bool isBroken = verdict.violation && verdict.violation->line == bar.line;
        const QString kind = isBroken            ? u"broken"_s
            : verdict.minimal.contains(bar.line) ? u"shown"_s
                                                 : u"plain"_s;
        rows += u"<tr class=\"%1\"><td>%2</td><td>%3</td><td>%4</td><td>%5</td><td>%6</td></tr>\n"_s
                    .arg(kind, QString::number(bar.line), pictureOf(bar, begin, end, kind),
                        QString::number(bar.from), xmlText(bar.who), xmlText(bar.text));
    }
    return u"<h2>What was asked and seen</h2>\n<table><tr><th>Line</th><th>When</th><th>From, ms</th><th>Client</th><th>What</th></tr>\n%1</table>\n"_s
        .arg(rows);
}

QString violationHtml(const HistoryVerdict &verdict)
{
    const Violation &violation = *verdict.violation;
    const QStringList allowed = allowedTexts(violation);
    QString because;
    for (const Objection &objection : violation.because)
        because += u"<li><b>%1</b>: %2 <i>%3</i></li>\n"_s.arg(
            xmlText(objection.event), xmlText(objection.reason), xmlText(objection.details));
    return u"<h2>What nothing explains</h2>\n<p>Line %1: <b>%2</b> <i>%3</i></p>\n<p>Allowed: %4</p>\n<p>Rule: %5 <i>%6</i></p>\n<ul>%7</ul>\n"_s
        .arg(violation.line)
        .arg(xmlText(violationText(violation)), xmlText(violation.details),
            xmlText(allowed.isEmpty() ? u"nothing"_s : allowed.join(u", "_s)),
            xmlText(violation.rule), xmlText(violation.source), because);
}

/// What stands below the verdict.
QString besideText(const BesideVerdict &beside)
{
    return (beside.readings ? u'\n' + readingsText(*beside.readings) : QString())
        + (beside.coverage ? u'\n' + coverageText(*beside.coverage) : QString());
}

constexpr auto Style = R"(body { font: 15px sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse } td, th { padding: 2px 10px; text-align: left; border-bottom: 1px solid #ddd }
.plain { fill: #8aa5c0 } .shown { fill: #d99a2b; background: #fff6e0 } .broken { fill: #c0392b; background: #fdeaea }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } td, th { border-color: #444 }
.shown { background: #4a3b12 } .broken { background: #522 } })"_L1;

} // namespace

QString notJudgedText(const QString &tree)
{
    return u"%1 is not judged: what it was before is not known"_s.arg(tree);
}

Exit exitOf(const HistoryVerdict &verdict)
{
    switch (verdict.outcome) {
    case Judged::Conforms:
        return Exit::Fine;
    case Judged::Violates:
        return Exit::Failed;
    case Judged::Undecided:
        return Exit::Undecided;
    case Judged::NothingJudged:
        return Exit::NothingJudged;
    }
    Q_UNREACHABLE();
}

QByteArray verdictDocument(const HistoryVerdict &verdict, const BesideVerdict &beside)
{
    QJsonObject json = verdictJson(verdict);
    if (beside.coverage)
        json.insert(u"coverage"_s, coverageJson(*beside.coverage));
    if (beside.readings) {
        QJsonArray explaining;
        for (const Switches &switches : beside.readings->explaining) {
            QJsonObject values;
            for (auto it = switches.cbegin(); it != switches.cend(); ++it)
                values.insert(it.key(), *it);
            explaining.append(values);
        }
        json.insert(u"readings"_s, explaining);
    }
    return QJsonDocument(json).toJson();
}

QByteArray verdictPlain(
    const HistoryVerdict &verdict, const History &history, const BesideVerdict &beside)
{
    return (verdictText(verdict, history.file) + besideText(beside)).toUtf8();
}

QByteArray verdictJunit(const HistoryVerdict &verdict, const History &history)
{
    const QString name = xmlText(history.file);
    QString inside;
    if (verdict.violation)
        inside = u"\n      <failure message=\"line %1: %2\">%3</failure>\n    "_s
                     .arg(verdict.violation->line)
                     .arg(xmlText(u"%1 (%2)"_s.arg(
                              violationText(*verdict.violation), verdict.violation->details)),
                         xmlText(verdict.violation->rule));
    else if (verdict.outcome == Judged::Undecided)
        inside = u"\n      <error message=\"undecided within the budget\"/>\n    "_s;
    else if (verdict.outcome == Judged::NothingJudged)
        inside = u"\n      <skipped message=\"nothing judged\"/>\n    "_s;
    return u"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"%1\" tests=\"1\" failures=\"%2\" errors=\"%3\" skipped=\"%4\">\n    <testcase name=\"verdict\" classname=\"%1\">%5</testcase>\n  </testsuite>\n</testsuites>\n"_s
        .arg(name, QString::number(verdict.violation ? 1 : 0),
            QString::number(verdict.outcome == Judged::Undecided ? 1 : 0),
            QString::number(verdict.outcome == Judged::NothingJudged ? 1 : 0), inside)
        .toUtf8();
}

QByteArray verdictHtml(
    const HistoryVerdict &verdict, const History &history, const BesideVerdict &beside)
{
    QString order;
    for (const HiddenEvent &event : verdict.order)
        order += u"<tr><td>%1</td><td>%2</td></tr>\n"_s.arg(event.after).arg(xmlText(event.event));
    const QString title = u"%1: %2"_s.arg(xmlText(history.file), outcomeName(verdict.outcome));
    return (
        u"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title><style>%2</style></head><body>\n<h1>%1</h1>\n<p>%3 of %4 explained, %5 situations looked at</p>\n"_s
            .arg(title, Style)
            .arg(verdict.explained)
            .arg(verdict.of)
            .arg(verdict.worlds)
        + (verdict.violation ? violationHtml(verdict) : QString()) + historyTable(verdict, history)
        + u"<h2>An order that explains %1</h2>\n<table><tr><th>After, ms</th><th>What happened</th></tr>\n%2</table>\n"_s
              .arg(verdict.outcome == Judged::Conforms ? u"it"_s : u"what is explained"_s, order)
        + (beside.readings || beside.coverage
                ? u"<pre>%1</pre>\n"_s.arg(xmlText(besideText(beside), Lines::Kept))
                : QString())
        + u"</body></html>\n"_s)
        .toUtf8();
}

} // namespace instar
