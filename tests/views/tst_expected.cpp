// SPDX-License-Identifier: Apache-2.0
// What the rules allow, beside what a server shows: in the tree, the inspector and on the chart.

#include "model/items/liveconformance.h"
#include "model/items/words.h"
#include "tests/support/recording.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/diagram/statechartview.h"
#include "views/panels/inspector.h"
#include "views/timeline/timelineview.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

class TestExpected : public QObject
{
    Q_OBJECT

private slots:
    void words();
    void anEtagThatMayNotBe();
    void theNewestSpeaks();
    void eachIsMarkedAtItsTime();
    void tracesAreInOrderOfTime();
    void tree();
    void inspector();
    void verdicts();
    void chart();
    void timeline();
};

/// A prediction beside the sample, and who shows it.
struct Shown
{
    explicit Shown(ConformanceMonitor::Bounds bounds = {}) : monitor(simulator->rules(), bounds)
    {
        follow(monitor, simulator->rules().pack().sample);
    }

    void see(const QString &path, const std::optional<QString> &word)
    {
        ++now;
        monitor.observed({ .line = int(now), .path = path, .from = now, .to = now, .word = word });
        tell();
    }
    void ask(const QString &op, const QString &path)
    {
        RecordedRequest asked { .line = int(++now),
            .request = { .op = op, .path = path, .id = u"r%1"_s.arg(now) },
            .sent = now };
        monitor.sent(asked);
        asked.answered = ++now;
        monitor.answered(asked);
        tell();
    }
    void tell()
    {
        monitor.advanceTo(now + 0.5);
        conformance.addExpected(simulator->world(), { net });
    }

    std::unique_ptr<Simulator> simulator = sample();
    ConformanceMonitor monitor;
    LiveConformance conformance { simulator->rules(), monitor };
    double now = 0;
};

} // namespace

void TestExpected::words()
{
    Shown shown;
    QCOMPARE(expectedText(shown.conformance, net), u"Succeeded"_s);
    shown.ask(u"DELETE"_s, net);
    QCOMPARE(expectedText(shown.conformance, net), u"Deleting, Failed or absent"_s);
    QCOMPARE(expectedText(shown.conformance, u"/nobody/x"_s),
        u"(not checked yet: the resource was never observed at rest)"_s);
    QVERIFY(!shown.conformance.judgedViolationAt(net));
    shown.see(net, u"Updating"_s);
    QVERIFY(shown.conformance.judgedViolationAt(net));
    QVERIFY(!shown.conformance.judgedViolationAt(subnet));
    QCOMPARE(expectedText(shown.conformance, net),
        u"(a rule was broken; checked again when the resource rests)"_s);
    const JudgedViolation &first = shown.conformance.judgedViolations().first();
    QTRY_VERIFY(first.verdict.has_value());
    follow(shown.monitor, shown.simulator->rules().pack().sample);
    QCOMPARE(expectedText(shown.conformance, net), u"Succeeded"_s);
    QCOMPARE(violationText(first),
        u"%1 was seen Updating, but the rules allow only Deleting, Failed or absent."_s.arg(net));
    QVERIFY(!brokenRuleText(first).isEmpty());
    const QStringList trace = shortestTrace(first);
    QVERIFY2(!trace.isEmpty() && trace.last().endsWith(u"was seen Updating"_s),
        qPrintable(trace.join(u'\n')));
    QVERIFY2(trace.first().startsWith(u"0.000 s  "_s), qPrintable(trace.first()));
}

/// A state that may be, with an etag that may not.
void TestExpected::anEtagThatMayNotBe()
{
    Shown shown;
    LiveViolation unexplained;
    unexplained.what = Observation { .path = net, .word = u"Succeeded"_s, .etag = u"W/\"9\""_s };
    JudgedViolation judgedViolation { .unexplained = unexplained, .verdict = HistoryVerdict() };
    judgedViolation.verdict->violation = Violation();
    judgedViolation.verdict->violation->allowed = { u"Failed"_s, u"Succeeded"_s };
    judgedViolation.verdict->violation->isEtag = true;
    QVERIFY2(violationText(judgedViolation)
                 .endsWith(u": the rules allow this state, but not this etag."_s),
        qPrintable(violationText(judgedViolation)));
    judgedViolation.verdict->violation->allowed = { u"Failed"_s };
    judgedViolation.verdict->violation->isEtag = false;
    QVERIFY(violationText(judgedViolation).endsWith(u", but the rules allow only Failed."_s));
}

/// Of several violations at one resource.
void TestExpected::theNewestSpeaks()
{
    Shown shown;
    shown.see(net, u"Updating"_s);
    follow(shown.monitor, shown.simulator->rules().pack().sample);
    shown.see(net, u"Deleting"_s);
    QCOMPARE(shown.conformance.judgedViolations().size(), 2);
    QCOMPARE(shown.conformance.judgedViolationAt(net)->what(), net + u" was seen Deleting"_s);
}

/// Also one that is no longer kept when it is judged.
void TestExpected::eachIsMarkedAtItsTime()
{
    Shown shown({ .violations = 1 });
    shown.see(net, u"Updating"_s);
    follow(shown.monitor, shown.simulator->rules().pack().sample);
    shown.see(net, u"Deleting"_s);
    QCOMPARE(shown.conformance.judgedViolations().size(), 1);
    const auto marked = [&] {
        QList<qint64> times;
        for (const Tracks::Expected &point : shown.conformance.tracks().find(net)->expected) {
            if (point.isBroken)
                times += point.at;
        }
        return times;
    };
    QTRY_COMPARE(marked(), (QList<qint64> { 1, 2 }));
}

/// What was seen before something was asked for is told before it.
void TestExpected::tracesAreInOrderOfTime()
{
    JudgedViolation judgedViolation;
    History &history = judgedViolation.unexplained.history;
    RecordedRequest asked {
        .line = 2, .request = { .op = u"PUT"_s, .path = net, .id = u"a"_s }, .sent = 2000
    };
    asked.answered = 2001;
    history.requests.append(asked);
    for (const auto &[line, from, word] :
        { std::tuple(3, 1000.0, u"Failed"_s), std::tuple(4, 4500.0, u"Deleting"_s) })
        history.observations.append(
            { .line = line, .path = net, .from = from, .to = from + 1, .word = word });
    judgedViolation.verdict.emplace().violation.emplace().minimal = { 2, 3, 4 };
    const QStringList trace = shortestTrace(judgedViolation);
    QCOMPARE(trace.size(), 3);
    QCOMPARE(trace[0], u"0.000 s  %1 was seen Failed"_s.arg(net));
    QVERIFY2(trace[1].startsWith(u"1.000 s  PUT "_s + net), qPrintable(trace[1]));
    QCOMPARE(trace[2], u"3.500 s  %1 was seen Deleting"_s.arg(net));
}

void TestExpected::tree()
{
    Shown shown;
    Selection selection;
    TimelineView view(*shown.simulator, selection);
    view.resize(900, 300);
    view.show();
    const double before = view.treeArea().width();
    view.setConformance(&shown.conformance);
    QVERIFY(view.treeArea().width() > before);
    const Timeline::Row row = view.picture().timeline->find(net);
    selection.choose(net);
    shown.ask(u"PUT"_s, net);
    const QImage image = view.grab().toImage();
    shown.see(net, u"Deleting"_s);
    QVERIFY(has(view.whyRow(row), { net + u" was seen Deleting"_s }));
    QVERIFY(view.grab().toImage() != image); // a sign behind the chip
}

void TestExpected::inspector()
{
    Shown shown;
    Selection selection;
    Inspector inspector(*shown.simulator, selection);
    selection.choose(net);
    QVERIFY(!inspector.toPlainText().contains(u"Rules allow"_s));
    inspector.setConformance(&shown.conformance);
    QVERIFY(has(inspector.toPlainText(), { u"Rules allow"_s }));
    shown.see(net, u"Failed"_s);
    QTRY_VERIFY(inspector.toPlainText().contains(u"Save the proof"_s));
    const QString text = inspector.toPlainText().remove(QChar(0x200b));
    for (const QString &part :
        { net + u" was seen Failed, but the rules allow only Succeeded."_s, u"Verdict"_s })
        QVERIFY2(text.contains(part), qPrintable(text));
}

/// One steps through the violations, and without one reads what was checked.
void TestExpected::verdicts()
{
    Shown shown({ .violations = 2 });
    Selection selection;
    Inspector inspector(*shown.simulator, selection);
    inspector.setConformance(&shown.conformance);
    shown.see(net, u"Succeeded"_s);
    inspector.showVerdict();
    QVERIFY(has(inspector.toPlainText(), { u"No rule broken"_s, u"0 requests"_s, u"1 obs"_s }));
    shown.see(net, u"Updating"_s);
    QVERIFY(!inspector.toPlainText().contains(u"No rule broken"_s));
    follow(shown.monitor, shown.simulator->rules().pack().sample);
    shown.see(subnet, u"Deleting"_s);
    QSignalSpy steps(&inspector, &Inspector::violationAsked);
    inspector.showViolation(1);
    const QString page = inspector.toPlainText().remove(QChar(0x200b));
    QVERIFY(has(page, { u"Verdict 2 of 2"_s, u"Previous"_s, subnet + u" was seen Deleting"_s }));
    QVERIFY(!page.contains(u"Next"_s));
    emit inspector.anchorClicked(QUrl(u"violation:0"_s));
    QCOMPARE(steps.takeFirst()[0].toLongLong(), 0);
    inspector.showViolation(0);
    QVERIFY(has(inspector.toPlainText(), { u"Verdict 1 of 2"_s, u"Next"_s }));
    // The page stays with its violation while it is kept.
    inspector.showViolation(1);
    follow(shown.monitor, shown.simulator->rules().pack().sample);
    shown.see(net, u"Failed"_s);
    const QString later = inspector.toPlainText().remove(QChar(0x200b));
    QVERIFY(has(later, { u"Verdict 1 of 2"_s, subnet + u" was seen Deleting"_s }));
    emit inspector.anchorClicked(QUrl(u"violation:2"_s));
    QCOMPARE(steps.takeFirst()[0].toLongLong(), 2);
    follow(shown.monitor, shown.simulator->rules().pack().sample);
    shown.see(net, u"Deleting"_s);
    QVERIFY(!inspector.toPlainText().contains(u"Verdict"_s));
}

void TestExpected::chart()
{
    Shown shown;
    Selection selection;
    StatechartView chart(*shown.simulator, selection);
    chart.resize(700, 500);
    selection.choose(net);
    chart.show();
    chart.setConformance(&shown.conformance);
    const auto words = [&] {
        QStringList ids;
        for (const Rules::StateId state : chart.expected())
            ids += shown.simulator->rules().state(state).id;
        ids.sort();
        return ids;
    };
    QCOMPARE(words(), QStringList { u"Succeeded"_s });
    shown.ask(u"PUT"_s, net);
    QCOMPARE(words(), (QStringList { u"Failed"_s, u"Succeeded"_s, u"Updating"_s }));
    const QList<ChartElement> elements = chart.parts();
    const auto failed = std::ranges::find_if(
        elements, [&](const ChartElement &one) { return chart.nameOf(one).contains(u"Failed"_s); });
    QVERIFY(failed != elements.end());
    QVERIFY(has(chart.descriptionOf(*failed), { u"The rules allow"_s }));
    const QImage before = chart.grab().toImage();
    shown.see(net, {});
    QCOMPARE(words(), QStringList());
    QVERIFY(chart.grab().toImage() != before);
}

/// Below what was seen stands what the rules allow, and a sign where the two part.
void TestExpected::timeline()
{
    Shown shown;
    const ConformanceMonitor blind(shown.simulator->rules(), {});
    const LiveConformance unsure(shown.simulator->rules(), blind);
    Selection selection;
    TimelineView view(*shown.simulator, selection);
    view.resize(900, 500);
    view.setShows(TimelineView::Shows::Everything);
    view.show();
    const Timeline::Row row = view.picture().timeline->find(net);
    const auto pixels = [&](const QColor &colour) {
        const QImage image = view.grab(view.timeArea().toRect()).toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == colour;
        }
        return count;
    };
    const Theme theme = Theme::light();
    const QColor working = theme.statusCategoryFill(StatusCategory::Working),
                 failed = theme.statusCategoryFill(StatusCategory::Failed),
                 rest = theme.statusCategoryFill(StatusCategory::Rest);
    shown.simulator->advance(1000);
    shown.simulator->updates().flush();
    view.setConformance(&shown.conformance);
    QCOMPARE(pixels(rest), 0); // not split
    view.setSplit(true);
    QVERIFY(pixels(rest) > 1000); // nothing has happened yet: what rests may rest
    view.setConformance(&unsure);
    QCOMPARE(view.beside(row, 500),
        u"dotted line: the states that the rules allow are unknown (not checked yet: the resource was never observed at rest)"_s);
    view.setConformance(&shown.conformance);
    shown.ask(u"PUT"_s, net);
    shown.simulator->advance(1000);
    shown.simulator->updates().flush();
    QVERIFY(pixels(working) > 20 && pixels(failed) > 20);
    QVERIFY(pixels(theme.warningFill) == 0);
    QCOMPARE(view.beside(row, 500), u"observed: Succeeded; allowed by the rules: Succeeded"_s);
    QCOMPARE(view.beside(row, 5000), QString()); // nobody has seen that yet
    QCOMPARE(view.beside(row, 1500),
        u"observed: Succeeded; allowed by the rules: Failed, Succeeded or Updating"_s);
    QCOMPARE(
        view.beside(view.picture().timeline->find(u"/logicalNetworks/HNVPA"_s), 1500), QString());
    QVERIFY(view.whyRow(row).contains(u"allowed by the rules"_s));
    shown.see(net, {}); // it is gone, though nobody has removed it
    QTRY_VERIFY(shown.conformance.judgedViolations().last().verdict);
    QVERIFY(!view.beside(row, 2000).contains(u"unknown"_s));
    shown.simulator->advance(1000);
    shown.simulator->updates().flush();
    QVERIFY(pixels(theme.warningFill) > 20); // beside a frame
    // The part of an operation is its badge, which is all that is painted of it.
    shown.simulator->submit({ .op = u"PUT"_s, .path = net });
    shown.simulator->updates().flush();
    const CanvasPart put = view.parts().last();
    QCOMPARE(put.kind, CanvasPart::Kind::Bar);
    const QRect badge = view.areaOf(put);
    QVERIFY2(badge.width() < 30, qPrintable(QString::number(badge.width())));
    QVERIFY(view.partAt(badge.center()) == put);
    QVERIFY(!view.partAt(badge.center() + QPoint(40, 0)));
    view.setSplit(false);
    QCOMPARE(pixels(rest), 0);
}

const instar::TestClass<TestExpected, QApplication> registered;
#include "tst_expected.moc"
