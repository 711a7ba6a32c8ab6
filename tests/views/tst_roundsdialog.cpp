// SPDX-License-Identifier: Apache-2.0
// Many rounds, as somebody asks for them and sees what they came to.

#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/panels/roundsdialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

#include <algorithm>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRoundsDialog : public QObject
{
    Q_OBJECT

private slots:
    void asks();
    void tells();
};

namespace {

using Judged = HistorySearch::Outcome;

Round round(int number, const QString &ending, Judged outcome, qint64 spread)
{
    Round result { .number = number, .ending = ending, .spread = spread };
    result.verdict.outcome = outcome;
    result.trace = { u"PUT /a/b was accepted"_s,
        outcome == Judged::Violates ? u"/a/b was seen Melted"_s : u"/a/b was seen Good"_s };
    result.exchanges = { Exchange { .number = quint64(number) } };
    if (outcome == Judged::Violates)
        result.verdict.violation =
            Violation { .what = Observation { .path = u"/a/b"_s, .word = u"Melted"_s },
                .allowed = { u"Good"_s, QString() },
                .rule = u"It rests <well>"_s,
                .source = u"R7"_s };
    return result;
}

QPushButton *start(RoundsDialog &dialog)
{
    return dialog.findChild<QPushButton *>(u"primary"_s);
}

} // namespace

void TestRoundsDialog::asks()
{
    RoundsDialog dialog;
    QSignalSpy starts(&dialog, &RoundsDialog::startAsked), stops(&dialog, &RoundsDialog::stopAsked);
    QVERIFY(!start(dialog)->isEnabled()); // nothing is armed
    dialog.setRequests({ { .op = u"PUT"_s, .path = u"/a/b"_s } });
    const auto set = [&](int index, int value) {
        dialog.findChildren<QSpinBox *>()[index]->setValue(value);
    };
    set(0, 7);
    set(1, 3);
    set(2, 50);
    dialog.findChild<QCheckBox *>()->click();
    const auto isSet = [&](const QString &sentence) {
        return std::ranges::any_of(dialog.findChildren<QLabel *>(),
            [&](const QLabel *label) { return label->text() == sentence; });
    };
    QVERIFY(isSet(u"No round has run yet."_s));
    dialog.say(u"Not fired: read only."_s);
    QVERIFY(isSet(u"Not fired: read only."_s));
    QTest::mouseClick(start(dialog), Qt::LeftButton);
    QCOMPARE(starts.size(), 1);
    const auto plan = starts.first().first().value<RoundsPlan>();
    QCOMPARE(plan.requests.size(), 1);
    QCOMPARE(plan.rounds, 7);
    QCOMPARE(plan.clients, 3);
    QCOMPARE(plan.jitter, 50);
    QVERIFY(!plan.stopsAtViolation);
    dialog.setGoingOn(true);
    QVERIFY(!dialog.findChildren<QSpinBox *>().first()->isEnabled());
    QTest::mouseClick(start(dialog), Qt::LeftButton);
    QCOMPARE(starts.size(), 1);
    QCOMPARE(stops.size(), 1);
    QCOMPARE(start(dialog)->text(), u"Stopping…"_s);
    QVERIFY(!start(dialog)->isEnabled());
    dialog.reject(); // it is told already
    QCOMPARE(stops.size(), 1);
    dialog.setGoingOn(false);
    QVERIFY(start(dialog)->isEnabled());
    dialog.setGoingOn(true);
    dialog.reject(); // what nobody sees is not fired
    QCOMPARE(stops.size(), 2);
}

/// What went against the rules stands on top, whatever came oftener; what was selected stays so.
void TestRoundsDialog::tells()
{
    RoundsDialog dialog;
    dialog.setRequests({ { .op = u"PUT"_s, .path = u"/a/b"_s } });
    QTest::mouseClick(start(dialog), Qt::LeftButton);
    dialog.setGoingOn(true);
    auto *list = dialog.findChild<QTreeWidget *>();
    auto *text = dialog.findChild<QTextBrowser *>();
    const auto row = [&](int index) {
        QStringList cells;
        for (int column = 0; column < list->columnCount(); ++column)
            cells += list->topLevelItem(index)->text(column);
        return cells.join(u" | "_s);
    };
    dialog.add(round(1, u"PUT b Succeeded"_s, Judged::Conforms, 30'000));
    dialog.add(round(2, u"PUT b Succeeded"_s, Judged::Conforms, 90'000));
    dialog.add(round(3, u"PUT b Succeeded"_s, Judged::Conforms, 40'000));
    QCOMPARE(row(0), u"3 | PUT b Succeeded | median 40 µs, at most 90 µs | follows the rules"_s);
    QVERIFY(!dialog.selected()->first.verdict.violation);
    auto *save = dialog.findChildren<QPushButton *>().last();
    QVERIFY(!save->isEnabled());
    dialog.add(round(4, u"PUT b Failed"_s, Judged::Violates, 50'000));
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(row(0), u"1 | PUT b Failed | 50 µs | breaks the rules: /a/b was seen Melted"_s);
    QCOMPARE(dialog.selected()->ending, u"PUT b Succeeded"_s);
    list->setCurrentItem(list->topLevelItem(0));
    QVERIFY(has(
        text->toPlainText(), { u"the rules allow only Good or absent"_s, u"It rests <well>"_s }));
    QVERIFY(text->toPlainText().contains(u"≠\n/a/b was seen Melted\n/a/b was seen Good"_s));
    QVERIFY(save->isEnabled());
    QSignalSpy saved(&dialog, &RoundsDialog::saveAsked);
    QTest::mouseClick(save, Qt::LeftButton);
    QCOMPARE(saved.first().first().value<Round>().number, 4);
    bool isSet = false;
    for (const QLabel *label : dialog.findChildren<QLabel *>())
        isSet = isSet
            || has(label->text(),
                { u"Kept the rules: 3 of the 4 rounds tried. "_s, u"2 different endings"_s });
    QVERIFY(isSet);
    // Another start begins anew.
    dialog.setGoingOn(false);
    QCOMPARE(list->topLevelItemCount(), 2);
    dialog.setGoingOn(true);
    QCOMPARE(list->topLevelItemCount(), 0);
}

const TestClass<TestRoundsDialog, QApplication> registered;
#include "tst_roundsdialog.moc"
