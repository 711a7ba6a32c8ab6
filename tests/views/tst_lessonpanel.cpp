// SPDX-License-Identifier: Apache-2.0
// A lesson page by page: forwards, and back.

#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
#include "views/lessons/lessonpanel.h"

#include <QPushButton>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

class TestLessonPanel : public QObject
{
    Q_OBJECT

private slots:
    void backShowsWhatWasUsedAgain();
};

namespace {

/// Words on one page; words, something to do, and words on another one.
Lesson twoPages()
{
    LessonPart first, second, doing, last;
    first.text = u"Nothing yet."_s;
    second.beginsPage = true;
    second.text = u"## Now"_s;
    doing.kind = LessonPart::Kind::Do;
    ScenarioStep step;
    step.request.op = u"PUT"_s;
    step.request.path = net;
    step.request.id = u"a"_s;
    doing.steps.append(step);
    last.text = u"So it is."_s;
    Lesson lesson;
    lesson.title = u"Two pages"_s;
    lesson.parts = { first, second, doing, last };
    return lesson;
}

} // namespace

/// A page on which something was done begins again first; from its beginning one goes back further.
void TestLessonPanel::backShowsWhatWasUsedAgain()
{
    const auto simulator = sample();
    LessonPanel panel(twoPages(), *simulator);
    auto *back = button<QPushButton>(panel, u"Back"_s);
    QVERIFY(!panel.nextRequest());
    panel.advance();
    QCOMPARE(panel.page(), 1);
    QVERIFY(panel.nextRequest());
    panel.advance();
    QVERIFY(!panel.nextRequest());
    QVERIFY(panel.run().isOver());
    QCOMPARE(simulator->operations().all().size(), 1);
    back->click();
    QCOMPARE(panel.page(), 1);
    QVERIFY(panel.nextRequest());
    QVERIFY(simulator->operations().all().isEmpty());
    back->click();
    QCOMPARE(panel.page(), 0);
    back->click();
    QCOMPARE(panel.page(), 0);
}

const instar::TestClass<TestLessonPanel, QApplication> registered;
#include "tst_lessonpanel.moc"
