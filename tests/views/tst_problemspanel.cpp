// SPDX-License-Identifier: Apache-2.0
#include "model/json/fields.h"
#include "model/pack/edits.h"
#include "tests/support/testclass.h"
#include "tests/views/packlab.h"
#include "tests/views/panelsupport.h"
#include "views/document/document.h"
#include "views/editing/problemspanel.h"

#include <QSignalSpy>
#include <QTreeView>

using namespace instar;
using namespace Qt::StringLiterals;

class TestProblemsPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup()
    {
        m_panel.reset();
        m_document.reset();
    }
    void nothing();
    void deletedType();
    void nearName();
    void missingState();
    void endOnPurpose();
    void newestWins();
    void off();
    void jumps();
    void choices();

private:
    QString told()
    {
        QStringList lines;
        for (const Diagnostic &diagnostic : m_panel->diagnostics())
            lines += diagnostic.pointer + u' ' + diagnostic.code;
        return lines.join(u'\n');
    }
    int rowOf(const QString &rule)
    {
        const QList<Diagnostic> diagnostics = m_panel->diagnostics();
        return int(std::ranges::find(diagnostics, rule, &Diagnostic::code) - diagnostics.begin());
    }
    QString cell(int row, int column)
    {
        return m_panel->list().model()->index(row, column).data().toString();
    }
    void change(const QString &row, const QString &key, const QByteArray &json)
    {
        const Result<Pack> now = withField(m_document->pack(), row, key, json);
        QVERIFY2(now, qPrintable(now ? QString() : now.error()));
        m_document->edit({}, *now);
    }
    void click(int row, int column, Qt::MouseButton button = Qt::LeftButton)
    {
        QTreeView &list = m_panel->list();
        list.scrollTo(list.model()->index(row, column));
        QTest::mouseClick(list.viewport(), button, {},
            list.visualRect(list.model()->index(row, column)).center());
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<ProblemsPanel> m_panel;
};

void TestProblemsPanel::init()
{
    m_document = std::make_unique<Document>(labPack());
    m_panel = std::make_unique<ProblemsPanel>(*m_document);
    m_panel->resize(900, 200);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    QTRY_VERIFY(!m_panel->isSearching());
}

void TestProblemsPanel::nothing()
{
    QCOMPARE(told(), u""_s);
    QCOMPARE(m_panel->title(), u"Problems"_s);
    bool says = false;
    for (const QLabel *label : m_panel->findChildren<QLabel *>())
        says = says || (label->isVisible() && label->text() == u"The pack has no problems."_s);
    QVERIFY(says);
}

void TestProblemsPanel::deletedType()
{
    QSignalSpy titles(m_panel.get(), &ProblemsPanel::titleChanged);
    m_document->edit({}, *withoutRow(m_document->pack(), u"/types/racks~1servers"_s));
    QTRY_VERIFY(!m_panel->diagnostics().isEmpty());
    QVERIFY2(told().contains(u"/sample"), qPrintable(told()));
    QCOMPARE(m_panel->title(), u"Problems (%1)"_s.arg(m_panel->diagnostics().size()));
    QCOMPARE(titles.last().value(0).toString(), m_panel->title());
    m_document->history().undo();
    QTRY_COMPARE(told(), u""_s);
}

void TestProblemsPanel::nearName()
{
    change(u"/machines/server/transitions/1"_s, u"to"_s, "\"goign\"");
    QTRY_VERIFY(told().contains(u"/machines/server/transitions/1/to unknown-state"));
    const int row = rowOf(u"unknown-state"_s);
    QCOMPARE(cell(row, 1), u"server · on · stop · goign"_s);
    QCOMPARE(cell(row, 2), u"Use “going”"_s);
    click(row, 2);
    QVERIFY(m_document->pack() == labPack());
    QTRY_COMPARE(told(), u""_s);
    QCOMPARE(m_document->history().undoText(), u"Use “going”"_s);
}

void TestProblemsPanel::missingState()
{
    change(u"/machines/server/transitions/1"_s, u"to"_s, R"(["going", "somewhere-else"])");
    QTRY_VERIFY(told().contains(u"unknown-state"));
    QCOMPARE(cell(0, 2), u"Create “somewhere-else”"_s);
    m_panel->list().setCurrentIndex(m_panel->list().model()->index(0, 0));
    m_panel->list().setFocus();
    QTest::keyClick(&m_panel->list(), Qt::Key_Return, Qt::AltModifier);
    QVERIFY(m_document->pack().machine(u"server"_s)->state(u"somewhere-else"_s));
    QTRY_VERIFY(!told().contains(u"unknown-state"));
}

/// Where nothing leads out the state may be an end, and is one once somebody says so.
void TestProblemsPanel::endOnPurpose()
{
    Pack pack = m_document->pack();
    State sold;
    sold.id = u"sold"_s;
    pack.machines[0].states += sold;
    Transition row = pack.machines[0].transitions[1];
    row.on = { u"start"_s };
    row.to = { sold.id };
    pack.machines[0].transitions += row;
    m_document->edit({}, pack);
    QTRY_COMPARE(told(), u"/machines/rack/states/sold dead-end"_s);
    QCOMPARE(cell(0, 2), u"Mark “sold” as a final state"_s);
    click(0, 2);
    QVERIFY(m_document->pack().machine(u"rack"_s)->state(u"sold"_s)->isEnd);
    QTRY_COMPARE(told(), u""_s);
    // The form has it, too.
    change(u"/machines/rack/states/sold"_s, u"end"_s, "false");
    QTRY_COMPARE(told(), u"/machines/rack/states/sold dead-end"_s);
}

void TestProblemsPanel::newestWins()
{
    for (int i = 0; i < 20; ++i) {
        change(u"/machines/server/transitions/1"_s, u"to"_s, i % 2 ? "\"going\"" : "\"nowhere\"");
        QCoreApplication::processEvents();
    }
    QTRY_VERIFY(!m_panel->isSearching());
    QCOMPARE(told(), u""_s);
}

void TestProblemsPanel::off()
{
    m_panel->setOn(false);
    change(u"/machines/server/transitions/1"_s, u"to"_s, "\"goign\"");
    QVERIFY(!m_panel->isSearching());
    m_panel->setOn(true);
    QTRY_VERIFY(told().contains(u"unknown-state"));
}

void TestProblemsPanel::jumps()
{
    change(u"/machines/server/transitions/1"_s, u"to"_s, "\"goign\"");
    QTRY_VERIFY(told().contains(u"unknown-state"));
    QSignalSpy asked(m_panel.get(), &ProblemsPanel::rowAsked);
    QSignalSpy chosen(m_panel.get(), &ProblemsPanel::rowChosen);
    click(0, 0);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(asked.size(), 0); // which would take the focus
    m_panel->list().setFocus();
    m_panel->list().setCurrentIndex(m_panel->list().model()->index(0, 0));
    QTest::keyClick(&m_panel->list(), Qt::Key_Return);
    QCOMPARE(asked.value(0).value(0).toString(), m_panel->diagnostics()[0].pointer);
    QCOMPARE(panels::namelessControls(*m_panel), u""_s);
}

/// What is wrong with the file as it would be read is told, too.
void TestProblemsPanel::choices()
{
    Pack pack = m_document->pack();
    pack.machines[1].transitions[1].refuse = u"missing"_s; // beside "to"
    m_document->edit({}, pack);
    QTRY_VERIFY(!m_panel->diagnostics().isEmpty());
    QVERIFY2(told().contains(u"/machines/server/transitions/1"), qPrintable(told()));
}

const TestClass<TestProblemsPanel, QApplication> registered;

#include "tst_problemspanel.moc"
