// SPDX-License-Identifier: Apache-2.0
#include "model/json/fields.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "model/pack/rows.h"
#include "tests/support/testclass.h"
#include "tests/views/packlab.h"
#include "tests/views/panelsupport.h"
#include "views/document/document.h"
#include "views/editing/systempanel.h"
#include "views/selection.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTreeView>

using namespace instar;
using namespace Qt::StringLiterals;

class TestSystemPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup()
    {
        m_panel.reset();
        m_selection.reset();
        m_document.reset();
    }
    void model();
    void sections();
    void typesLieInEachOther();
    void add();
    void addBehind();
    void addType();
    void deleteType();
    void duplicate();
    void move();
    void expansionSurvives();
    void selectionBothWays();
    void whatHasNoRowYetIsAwaited();
    void lists();

private:
    SystemModel &rows() { return *static_cast<SystemModel *>(m_panel->tree().model()); }
    QString titles(const QModelIndex &parent = {})
    {
        QStringList all;
        for (int row = 0; row < rows().rowCount(parent); ++row)
            all += rows().index(row, 0, parent).data().toString();
        return all.join(u" | "_s);
    }
    void key(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&m_panel->tree(), Qt::Key(key), modifiers);
    }
    const Pack &pack() { return m_document->pack(); }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<SystemPanel> m_panel;
};

void TestSystemPanel::init()
{
    m_document = std::make_unique<Document>(labPack());
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<SystemPanel>(*m_document, *m_selection);
    m_panel->resize(300, 600);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    m_panel->activateWindow();
    m_panel->tree().setFocus();
}

void TestSystemPanel::model()
{
    for (const QString &id : builtInPacks()) {
        Document document(*loadPack(id));
        SystemModel model(document);
        connect(&document, &Document::changed, &model, &SystemModel::build);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(model.rowCount() > 8);
        document.edit({}, withNewRow(document.pack(), u"/machines"_s)->pack);
        document.edit({}, *withoutRow(document.pack(), u"/machines/machine"_s));
        document.edit({}, *withField(document.pack(), {}, u"title"_s, "\"Other\""));
        document.history().undo();
    }
}

void TestSystemPanel::sections()
{
    QCOMPARE(titles(),
        u"Types | Machines | Operations | Outcomes | Conditions | Conflicts | Refusals | Stamp | "
        "Switches | Sources | Wire | Sample tree"_s);
    QCOMPARE(titles(rows().at(u"/machines"_s)), u"rack | server"_s);
    QCOMPARE(rows().at(u"/machines/server"_s).data(Qt::ToolTipRole).toString(),
        u"server · 3 states · 3"_s);
    QCOMPARE(
        titles(rows().at(u"/machines/server"_s)), u"States | Transitions | Constraints | Notes"_s);
    QCOMPARE(titles(rows().at(u"/machines/server/transitions"_s)),
        u"off · start · on | on · stop · going | going · succeeded, failed, canceled · off"_s);
    QCOMPARE(rows().at(u"/machines/server/states/on/kind"_s).data().toString(), u"on"_s);
    QVERIFY(!rows().at(u""_s).isValid());
}

void TestSystemPanel::typesLieInEachOther()
{
    QCOMPARE(titles(rows().at(u"/types"_s)), u"racks"_s);
    QCOMPARE(titles(rows().at(u"/types/racks"_s)).section(u" | "_s, -1), u"servers"_s);
    // The current one stays in sight when it moves into a closed one.
    const auto made = withNewRow(pack(), u"/types"_s);
    m_document->edit({}, made->pack);
    m_panel->showRow(made->pointer);
    const QString type = pack().types.last().path;
    m_document->edit({}, renamed(pack(), Name::Type, type, u"racks/"_s + type));
    QTreeView &tree = m_panel->tree();
    QCOMPARE(m_panel->pointer(), u"/types/racks~1"_s + type);
    QVERIFY(tree.visualRect(tree.currentIndex()).isValid());
}

void TestSystemPanel::add()
{
    QSignalSpy added(m_panel.get(), &SystemPanel::rowAdded);
    m_panel->showRow(u"/operations"_s);
    key(Qt::Key_Insert);
    QCOMPARE(pack().operations.size(), 3);
    QCOMPARE(pack().operations[2].id, u"operation"_s);
    QCOMPARE(added.value(0).value(0).toString(), u"/operations/operation"_s);
    QCOMPARE(m_panel->pointer(), u"/operations/operation"_s);
    QCOMPARE(m_document->history().count(), 1);
    m_document->history().undo();
    QVERIFY(pack() == labPack());
}

void TestSystemPanel::addBehind()
{
    m_panel->showRow(u"/operations/start"_s);
    QTest::mouseClick(panels::named<QToolButton>(*m_panel, u"Add a row"_s), Qt::LeftButton);
    QCOMPARE(pack().operations[1].id, u"operation"_s);
    m_panel->showRow(u"/machines/server/transitions/0"_s);
    key(Qt::Key_Insert);
    QCOMPARE(m_panel->pointer(), u"/machines/server/transitions/1"_s);
}

/// A type is added beside the current one, or inside it if its types are in sight.
void TestSystemPanel::addType()
{
    auto *add = panels::named<QToolButton>(*m_panel, u"Add a row"_s);
    QTreeView &tree = m_panel->tree();
    tree.expand(rows().at(u"/operations"_s));
    const auto added = [&](const QString &beside) {
        m_panel->showRow(u"/types/"_s + beside);
        const QString tip = add->toolTip().section(u" ("_s, 0, 0);
        QTest::mouseClick(add, Qt::LeftButton);
        return u"%1: %2"_s.arg(tip, keysOf(m_panel->pointer()).last());
    };
    QCOMPARE(added(u"racks~1servers"_s), u"Add a type below racks: racks/type"_s);
    QCOMPARE(added(u"racks"_s), u"Add a type below racks: racks/type-2"_s); // it is expanded
    tree.collapse(rows().at(u"/types/racks"_s));
    QCOMPARE(added(u"racks"_s), u"Add a row: type"_s);
    QVERIFY(tree.isExpanded(rows().at(u"/operations"_s)));
    QVERIFY(tree.visualRect(tree.currentIndex()).isValid());
}

void TestSystemPanel::deleteType()
{
    m_panel->showRow(u"/types/racks~1servers"_s);
    key(Qt::Key_Delete);
    QCOMPARE(pack().types.size(), 1);
    QCOMPARE(m_panel->pointer(), u"/types/racks"_s);
    m_panel->showRow(u"/types"_s);
    key(Qt::Key_Delete); // a list stays
    QCOMPARE(pack().types.size(), 1);
    m_document->history().undo();
    QVERIFY(pack() == labPack());
}

void TestSystemPanel::duplicate()
{
    m_panel->showRow(u"/machines/server"_s);
    key(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(pack().machines[2].id, u"server-2"_s);
    QCOMPARE(m_panel->pointer(), u"/machines/server-2"_s);
    QCOMPARE(m_selection->rows().machine, u"server-2"_s);
}

void TestSystemPanel::move()
{
    m_panel->showRow(u"/machines/server/transitions/0"_s);
    key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(pack().machine(u"server"_s)->transitions[1].from, { u"off"_s });
    QCOMPARE(m_panel->pointer(), u"/machines/server/transitions/1"_s); // it is still the same row
    key(Qt::Key_Up, Qt::AltModifier);
    QVERIFY(pack() == labPack());
    key(Qt::Key_Up, Qt::AltModifier); // no further
    QCOMPARE(m_document->history().count(), 2);
}

void TestSystemPanel::expansionSurvives()
{
    QTreeView &tree = m_panel->tree();
    m_panel->showRow(u"/machines/server/states/on"_s);
    QVERIFY(tree.isExpanded(rows().at(u"/machines/server/states"_s)));
    tree.expand(rows().at(u"/operations"_s)); // not on the way to what is current
    m_document->edit({}, withNewRow(pack(), u"/machines/server/states"_s, 0)->pack);
    QVERIFY(tree.isExpanded(rows().at(u"/machines/server/states"_s)));
    QVERIFY(!tree.isExpanded(rows().at(u"/machines/rack"_s)));
    QVERIFY(tree.isExpanded(rows().at(u"/operations"_s)));
    QCOMPARE(m_panel->pointer(), u"/machines/server/states/on"_s);
    m_document->edit({}, *withField(pack(), u"/machines/server"_s, RowName.toString(), "\"host\""));
    QVERIFY(tree.isExpanded(rows().at(u"/machines/host/states"_s)));
    QCOMPARE(m_panel->pointer(), u"/machines/host/states/on"_s);
    // Neither a new row nor a selection elsewhere closes anything.
    m_panel->showRow(u"/machines/rack"_s);
    key(Qt::Key_Insert);
    QVERIFY(tree.isExpanded(rows().at(u"/machines/host"_s)));
    m_selection->set({ .machine = u"host"_s, .transitions = { 1 } });
    QVERIFY(tree.isExpanded(rows().at(u"/machines/host/transitions"_s)));
    QVERIFY(tree.isExpanded(rows().at(u"/machines/host/states"_s)));
    m_selection->set({ .machine = u"rack"_s });
    QVERIFY(tree.isExpanded(rows().at(u"/machines/host"_s)));
}

void TestSystemPanel::selectionBothWays()
{
    QSignalSpy chosen(m_panel.get(), &SystemPanel::rowChosen);
    m_panel->showRow(u"/machines/rack"_s);
    QCOMPARE(m_selection->rows().machine, u"rack"_s);
    m_panel->showRow(u"/machines/rack/states/up"_s);
    QCOMPARE(m_selection->rows().states, { u"up"_s });
    m_panel->showRow(u"/machines/server/transitions/1"_s);
    QCOMPARE(m_selection->rows().transitions, QSet<int> { 1 });
    QCOMPARE(m_selection->rows().to, u"going"_s); // so that the chart shows the arrow
    QCOMPARE(chosen.size(), 3);
    m_selection->set({ .machine = u"server"_s, .states = { u"going"_s } });
    QCOMPARE(m_panel->pointer(), u"/machines/server/states/going"_s);
    QCOMPARE(chosen.last().value(0).toString(), u"/machines/server/states/going"_s);
    QCOMPARE(m_selection->rows().states, { u"going"_s });
    m_selection->set({ .machine = u"server"_s, .transitions = { 0 } });
    QCOMPARE(m_panel->pointer(), u"/machines/server/transitions/0"_s);
    m_selection->choose(m_selection->rows()); // again: the form may show another row
    QCOMPARE(chosen.last().value(0).toString(), u"/machines/server/transitions/0"_s);
    m_selection->set({ .machine = u"server"_s, .transitions = { 2, 1 } }); // a line for both
    QCOMPARE(m_panel->pointer(), u"/machines/server/transitions/1"_s);
    m_panel->showRow(u"/operations/start"_s); // says nothing of machines
    QCOMPARE(m_selection->rows().machine, u"server"_s);
}

/// A selected state may get its row, or its name, a moment later; meanwhile nothing else is shown.
void TestSystemPanel::whatHasNoRowYetIsAwaited()
{
    QSignalSpy chosen(m_panel.get(), &SystemPanel::rowChosen);
    const QString before = m_panel->pointer();
    m_selection->set({ .machine = u"server"_s, .states = { u"alive"_s } });
    QCOMPARE(chosen.size(), 0);
    QCOMPARE(m_panel->pointer(), before);
    m_document->edit({}, renamed(pack(), Name::State, u"on"_s, u"alive"_s, u"server"_s));
    QCOMPARE(m_panel->pointer(), u"/machines/server/states/alive"_s);
    QCOMPARE(chosen.last().value(0).toString(), u"/machines/server/states/alive"_s);
}

void TestSystemPanel::lists()
{
    QSignalSpy chosen(m_panel.get(), &SystemPanel::rowChosen);
    m_panel->showRow(u"/machines/server/states"_s);
    QCOMPARE(chosen.last().value(0).toString(), u"/machines/server"_s);
    m_panel->showRow(u"/sample/resources"_s);
    key(Qt::Key_Insert);
    QCOMPARE(pack().sample.size(), 3);
}

/// The next row is drawn as if it were the first.
const TestClass<TestSystemPanel, QApplication> registered;

#include "tst_systempanel.moc"
