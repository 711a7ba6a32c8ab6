// SPDX-License-Identifier: Apache-2.0
#include "app/cli/results.h"

#include "model/foreigntext.h"
#include "model/items/report.h"
#include "model/items/sentences.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <map>

namespace instar {

namespace {

QString millis(qint64 time)
{
    return QString::number(time) + u" ms"_s;
}

/// Returns a JUnit document with these test cases, and counts those that did not pass.
QString junitDocument(const QString &name, const QString &cases)
{
    const auto count = [&](const QString &element) {
        return QString::number(cases.count(element));
    };
    return u"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"%1\" tests=\"%2\" failures=\"%3\" errors=\"%4\" skipped=\"%5\">\n%6  </testsuite>\n</testsuites>\n"_s
        .arg(name, count(u"<testcase "_s), count(u"<failure "_s), count(u"<error "_s),
            count(u"<skipped "_s), cases);
}

} // namespace

QString runLimitName(Limit limit)
{
    return limit == Limit::States ? u"events"_s : limitName(limit);
}

QString stoppedRun(const Scenario &scenario, const Simulator &simulator, const Played &played)
{
    const QString reason = played.stoppedBy == Limit::Canceled
        ? u"canceled"_s
        : u"stopped at the limit of "_s + runLimitName(played.stoppedBy);
    return u"%1: %2 after %3 events, at %4 ms, with %5 of %6 steps taken"_s.arg(scenario.file,
        reason, QString::number(simulator.moment()), QString::number(simulator.world().now),
        QString::number(played.steps), QString::number(played.steps + played.left));
}

QByteArray playedJson(const Controller &controller, const Played &played, const QJsonObject &more)
{
    QJsonObject answer = worldJson(
        controller.rules(), controller.world(), controller.operations(), controller.records());
    QJsonArray failures;
    for (const Failure &failure : played.failures) {
        failures.append(QJsonObject {
            { u"time"_s, failure.at }, { u"line"_s, failure.line }, { u"text"_s, failure.text } });
    }
    answer.insert(u"quiescent"_s, played.quiescent);
    answer.insert(u"expectations"_s,
        QJsonObject { { u"passed"_s, played.passed }, { u"failed"_s, played.failed },
            { u"failures"_s, failures } });
    for (auto it = more.begin(); it != more.end(); ++it)
        answer.insert(it.key(), it.value());
    return QJsonDocument(answer).toJson();
}

QString playedText(const Controller &controller, const Played &played, const QString &file)
{
    const Rules &rules = controller.rules();
    QString text;
    QList<QStringList> rows;
    for (const ReportedChange &row : reportedChanges(controller.records())) {
        const QString more = row.repeated == 0
            ? QString()
            : u", and %1 times more until %2"_s.arg(row.repeated).arg(millis(row.until));
        rows += { millis(row.record->event.time),
            oneLine(changeText(rules, controller.operations(), *row.change)) + more };
    }
    text += table(rows);

    rows.clear();
    const World &world = controller.world();
    for (const Resource resource : world.tree.resources()) {
        const Code code = world.tree.code(resource);
        if (rules.isShown(code))
            rows += { world.tree.path(resource), shownWord(rules, world, resource) };
    }
    text += u"\nResources at %1%2\n"_s.arg(millis(world.now),
                played.quiescent ? QString() : u" (operations are still running)"_s)
        + table(rows);

    rows.clear();
    for (const Operation &operation : controller.operations().all()) {
        QString why = operation.errorCode;
        if (!operation.errorMessage.isEmpty())
            why += u": "_s + operation.errorMessage;
        const QString ended = operation.ended && *operation.ended != operation.submitted
            ? u"–"_s + millis(*operation.ended)
            : u" ms"_s;
        rows += { operation.id, operation.op, operation.path, statusName(operation.status),
            QString::number(operation.submitted) + ended, oneLine(why) };
    }
    if (!rows.isEmpty())
        text += u"\nOperations\n"_s + table(rows);

    if (played.passed + played.failed > 0) {
        text += u"\n%1 of %2 expectations came true\n"_s.arg(played.passed)
                    .arg(played.passed + played.failed);
        for (const Failure &failure : played.failures)
            text += oneLine(u"%1:%2: at %3: %4"_s.arg(
                        file, QString::number(failure.line), millis(failure.at), failure.text))
                + u'\n';
    }
    return text;
}

QString playedJunit(const Scenario &scenario, const Played &played, std::optional<qint64> until,
    const QStringList &unknownEnds)
{
    QMap<std::pair<int, qint64>, QList<Failure>> failures; // by line and time
    for (const Failure &failure : played.failures)
        failures[{ failure.line, failure.at }] += failure;
    QString cases;
    const QString name = htmlText(scenario.file);
    for (const ScenarioStep &step : scenario.steps) {
        if (step.kind != ScenarioStep::Kind::Expect || (until && step.at > *until))
            continue;
        const QList<Failure> own = failures.take({ step.line, step.at });
        const QString seconds = QString::number(double(step.at) / 1000, 'f', 3);
        cases += u"    <testcase name=\"line %1, at %2 ms\" classname=\"%3\" time=\"%4\""_s
                     .arg(step.line)
                     .arg(step.at)
                     .arg(name, seconds);
        if (own.isEmpty()) {
            cases += u"/>\n"_s;
            continue;
        }
        const auto texts =
            mapped<QStringList>(own, [](const Failure &failure) { return htmlText(failure.text); });
        cases += u">\n      <failure message=\"%1\">%2</failure>\n    </testcase>\n"_s.arg(
            texts.first(), texts.join(u'\n'));
    }
    for (const QString &end : unknownEnds) {
        cases +=
            u"    <testcase name=\"end of operation %1\" classname=\"%2\">\n      <failure message=\"%3\">%3</failure>\n    </testcase>\n"_s
                .arg(htmlText(end.section(u':', 0, 0)), name, htmlText(end));
    }
    return junitDocument(name, cases);
}

namespace {

using SearchOutcome = HistorySearch::Outcome;

QString explainingText(const ExplainingSwitches &found)
{
    QString text;
    for (const Switches &switches : found.explaining) {
        QStringList values;
        for (auto it = switches.cbegin(); it != switches.cend(); ++it)
            values += u"%1=%2"_s.arg(it.key(), *it);
        text += u"  %1\n"_s.arg(values.join(u' '));
    }
    const QString heading = found.explaining.isEmpty()
        ? u"no combination of switch values explains the whole history\n"_s
        : u"combinations of switch values that explain the whole history:\n"_s;
    return heading + text
        + (found.all ? QString() : u"only some combinations of switch values were tried\n"_s);
}

QString historyTable(const HistoryVerdict &verdict, const History &history)
{
    std::multimap<double, QString> rows; // begin (ms), HTML row
    const auto add = [&](int line, double from, std::optional<double> to, const QString &client,
                         const QString &text) {
        const bool isBroken = verdict.violation && verdict.violation->line == line;
        const QString kind = isBroken                                        ? u"broken"_s
            : verdict.violation && verdict.violation->minimal.contains(line) ? u"shown"_s
                                                                             : u"plain"_s;
        rows.emplace(from,
            u"<tr class=\"%1\"><td>%2</td><td>%3</td><td>%4</td><td>%5</td><td>%6</td></tr>\n"_s
                .arg(kind, QString::number(line), QString::number(from),
                    to ? QString::number(*to) : QString(), htmlText(client), htmlText(text)));
    };
    for (const RecordedRequest &row : history.requests)
        add(row.line, row.sent, row.isClosed() ? std::optional(row.answered) : std::nullopt,
            row.request.client,
            u"%1 %2: %3"_s.arg(row.request.op, row.request.path, sentenceOf(row)));
    for (const Observation &row : history.observations)
        add(row.line, row.from, row.to, {}, sentenceOf(row));
    QString all;
    for (const auto &[from, row] : rows)
        all += row;
    return u"<h2>Requests, observations</h2>\n<table><tr><th>Line</th><th>From, ms</th><th>To, ms</th><th>Client</th><th>What</th></tr>\n%1</table>\n"_s
        .arg(all);
}

/// Returns the text below the verdict: the switches that explain the history, and rule coverage.
QString extrasText(const VerdictExtras &extras)
{
    return (extras.readings ? u'\n' + explainingText(*extras.readings) : QString())
        + (extras.coverage ? u'\n' + coverageText(*extras.coverage) : QString());
}

constexpr auto Style = R"(body { font: 15px sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse } td, th { padding: 2px 10px; text-align: left; border-bottom: 1px solid #ddd }
.shown { background: #fff6e0 } .broken { background: #fdeaea }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } td, th { border-color: #444 }
.shown { background: #4a3b12 } .broken { background: #522 } })"_L1;

QByteArray verdictDocument(const HistoryVerdict &verdict, const VerdictExtras &extras)
{
    QJsonObject json = verdictJson(verdict);
    if (extras.coverage)
        json.insert(u"coverage"_s, coverageJson(*extras.coverage));
    if (extras.readings) {
        QJsonArray explaining;
        for (const Switches &switches : extras.readings->explaining) {
            QJsonObject values;
            for (auto it = switches.cbegin(); it != switches.cend(); ++it)
                values.insert(it.key(), *it);
            explaining.append(values);
        }
        json.insert(u"readings"_s, explaining);
    }
    return QJsonDocument(json).toJson();
}

QString verdictJunit(const HistoryVerdict &verdict, const History &history)
{
    const QString name = htmlText(history.file);
    QString inside;
    if (verdict.violation)
        inside = u"\n      <failure message=\"line %1: %2\">%3</failure>\n    "_s
                     .arg(verdict.violation->line)
                     .arg(htmlText(u"%1 (%2)"_s.arg(
                              violationText(*verdict.violation), verdict.violation->details)),
                         htmlText(verdict.violation->rule));
    else if (verdict.outcome == SearchOutcome::Undecided)
        inside = u"\n      <error message=\"undecided within the budget\"/>\n    "_s;
    else if (verdict.outcome == SearchOutcome::NothingJudged)
        inside = u"\n      <skipped message=\"nothing judged\"/>\n    "_s;
    return junitDocument(name,
        u"    <testcase name=\"verdict\" classname=\"%1\">%2</testcase>\n"_s.arg(name, inside));
}

QString verdictHtml(
    const HistoryVerdict &verdict, const History &history, const VerdictExtras &extras)
{
    const QString title = u"%1: %2"_s.arg(htmlText(history.file), outcomeName(verdict.outcome));
    const QString text = verdictText(verdict, history.file) + extrasText(extras);
    return u"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title><style>%2</style></head><body>\n<h1>%1</h1>\n<pre>%3</pre>\n%4</body></html>\n"_s
        .arg(title, Style, htmlText(text), historyTable(verdict, history));
}

} // namespace

QString notJudgedText(const QString &tree)
{
    return u"%1 is not judged, because its initial state is unknown"_s.arg(tree);
}

Exit exitOf(const HistoryVerdict &verdict)
{
    constexpr Exit exits[] { Exit::Fine, Exit::Failed, Exit::Undecided, Exit::NothingJudged };
    return exits[int(verdict.outcome)]; // in the order of SearchOutcome
}

Exit printVerdict(const QString &format, const HistoryVerdict &verdict, const History &history,
    Exit exit, const VerdictExtras &extras)
{
    if (format == u"json")
        return print(verdictDocument(verdict, extras), exit);
    if (format == u"junit")
        return print(verdictJunit(verdict, history), exit);
    if (format == u"html")
        return print(verdictHtml(verdict, history, extras), exit);
    return print(verdictText(verdict, history.file) + extrasText(extras), exit);
}

std::unique_ptr<ExchangeLog> exchangeLog(const QString &name)
{
    if (name.isEmpty())
        return {};
    auto file = std::make_unique<ExchangeLog>(name);
    if (!file->problem().isEmpty())
        throw CommandError { file->problem() };
    return file;
}

void finish(ExchangeLog *file)
{
    if (!file)
        return;
    file->finish();
    if (!file->problem().isEmpty())
        throw CommandError { file->problem() };
}

} // namespace instar
