// SPDX-License-Identifier: Apache-2.0
// The tree of resources, its filter and its columns.

#include "model/items/words.h"
#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
#include "views/drawing/chip.h"
#include "views/drawing/theme.h"
#include "views/panels/resourcepanel.h"

#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

class TestResourcePanel : public QObject
{
    Q_OBJECT

private slots:
    void filter();
    void filterOpensWhatItFinds();
    void whatComesBackIsAsOpenAsItWas();
    void columnsFit_data();
    void columnsFit();
    void selectionStaysWithThePath();
    void aLeafGetsItsFirstChild();
    void resourceMenu();
};

/// Rows that can be seen by scrolling: what is closed hides what is below it.
QStringList shownRows(const QTreeView &view)
{
    QStringList names;
    for (QModelIndex row = view.model()->index(0, 0); row.isValid(); row = view.indexBelow(row))
        names += row.data().toString();
    return names;
}

void TestResourcePanel::filter()
{
    const auto simulator = sample();
    Selection selection;
    ResourcePanel panel(*simulator, selection);
    selection.choose(subnet);
    auto *view = panel.findChild<QTreeView *>();
    QCOMPARE(view->currentIndex().data(ResourceModel::Path).toString(), subnet);
    panel.focusFilter();
    QTest::keyClicks(panel.findChild<QLineEdit *>(), u"type:ippools"_s);
    QTRY_COMPARE(view->model()->rowCount(), 2);
    QVERIFY(view->isExpanded(view->model()->index(0, 0)));
    QCOMPARE(selection.resource(), subnet); // it is above a match
    // Return goes to what was looked for, at once; and stays at what is one.
    QTest::keyClick(panel.findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(selection.resource(), subnet + u"/ipPools/Pool-A"_s);
    selection.choose(subnet + u"/ipPools/Pool-B"_s);
    QTest::keyClick(panel.findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(selection.resource(), subnet + u"/ipPools/Pool-B"_s);
    selection.choose(subnet);
    panel.findChild<QLineEdit *>()->setText(u"nothing like this"_s);
    QTRY_COMPARE(view->model()->rowCount(), 0);
    panel.findChild<QLineEdit *>()->clear();
    QTRY_VERIFY(view->model()->rowCount() > 5);
    QCOMPARE(view->currentIndex().data(ResourceModel::Path).toString(), subnet);
}

void TestResourcePanel::filterOpensWhatItFinds()
{
    const Result<Pack> pack = loadPack(builtInPacks().first());
    Result<Rules> rules = Rules::make(*pack);
    QList<ResourceSpec> specs;
    for (int i = 0; i < 1500; ++i) {
        const QString network = u"/logicalNetworks/N-%1"_s.arg(i);
        specs += ResourceSpec { network, {}, {}, {} };
        specs += ResourceSpec { network + u"/subnets/%1-%2"_s.arg(i % 3 ? u"S"_s : u"P"_s).arg(i),
            {}, {}, {} };
    }
    Loaded loaded = makeWorld(*rules, specs);
    QCOMPARE(loaded.problem, QString());
    Simulator simulator(*std::move(rules), std::move(loaded.world));
    Selection selection;
    ResourcePanel panel(simulator, selection);
    auto *view = panel.findChild<QTreeView *>();
    panel.show();
    view->expand(view->model()->index(7, 0)); // by hand
    const QStringList before = shownRows(*view);
    panel.findChild<QLineEdit *>()->setText(u"P-"_s);
    QTRY_COMPARE(view->model()->rowCount(), 500);
    QCOMPARE(shownRows(*view).filter(u"P-"_s).size(), 500);
    panel.findChild<QLineEdit *>()->clear();
    QTRY_COMPARE(view->model()->rowCount(), 1500);
    QCOMPARE(shownRows(*view), before);
    QVERIFY(view->isExpanded(view->model()->index(7, 0)));
}

void TestResourcePanel::whatComesBackIsAsOpenAsItWas()
{
    const auto simulator = sample();
    Selection selection;
    ResourcePanel panel(*simulator, selection);
    panel.show();
    auto *view = panel.findChild<QTreeView *>();
    const auto *model = static_cast<const ResourceModel *>(view->model());
    view->collapse(model->indexOf(sibling));
    const QStringList before = shownRows(*view);
    simulator->submit({ .op = u"DELETE"_s, .path = net });
    QVERIFY(simulator->runUntilQuiet());
    simulator->updates().tell();
    QVERIFY(!model->indexOf(net).isValid());
    QVERIFY(shownRows(*view) != before);
    simulator->jump(0);
    QCOMPARE(shownRows(*view), before);
    simulator->runUntilQuiet();
    simulator->updates().tell();
    simulator->reset();
    QCOMPARE(shownRows(*view), before);
    QVERIFY(!view->isExpanded(model->indexOf(sibling)));
}

void TestResourcePanel::columnsFit_data()
{
    QTest::addColumn<QString>("pack");
    for (const QString &id : builtInPacks())
        QTest::newRow(qPrintable(id)) << id;
}

void TestResourcePanel::columnsFit()
{
    QFETCH(const QString, pack);
    const auto simulator = sample(pack);
    Selection selection;
    ResourcePanel panel(*simulator, selection);
    panel.resize(384, 600);
    panel.show();
    auto *view = panel.findChild<QTreeView *>();
    const int state = view->columnWidth(ResourceModel::StateWord);
    QVERIFY(state <= view->viewport()->width() * 45 / 100);
    for (const auto &[word, count] :
        shownCounts(simulator->rules(), simulator->world()).asKeyValueRange()) {
        const int wanted = int(chipSize(word, view->font()).width());
        QVERIFY2(wanted <= state, qPrintable(u"%1: %2 of %3"_s.arg(word).arg(wanted).arg(state)));
    }
    QVERIFY(panel.minimumSizeHint().width() <= 384);
    QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
    const QAbstractItemView *items = view;
    const int room = view->viewport()->width() - state - view->header()->minimumSectionSize();
    QVERIFY(view->columnWidth(ResourceModel::Name)
        >= std::min(items->sizeHintForColumn(ResourceModel::Name), room));
    panel.resize(panel.minimumWidth(), 600);
    QVERIFY(view->columnWidth(ResourceModel::StateWord) >= 80);
}

void TestResourcePanel::selectionStaysWithThePath()
{
    const auto simulator = sample();
    Selection selection;
    ResourcePanel panel(*simulator, selection);
    QSignalSpy selected(&selection, &Selection::resourceChosen);
    selection.choose(subnet);
    QCOMPARE(selected.size(), 1);
    simulator->submit({ .op = u"DELETE"_s, .path = subnet });
    QVERIFY(simulator->runUntilQuiet());
    simulator->updates().tell();
    QCOMPARE(simulator->world().tree.find(subnet), NoResource);
    auto *view = panel.findChild<QTreeView *>();
    QCOMPARE(view->currentIndex().data(ResourceModel::Path).toString(), QString());
    QCOMPARE(selection.resource(), subnet);
    QCOMPARE(selected.size(), 1); // no neighbour was selected instead
    simulator->jump(0);
    QCOMPARE(view->currentIndex().data(ResourceModel::Path).toString(), subnet);
}

void TestResourcePanel::aLeafGetsItsFirstChild()
{
    const auto simulator = sample();
    const QString lonely = u"/logicalNetworks/Lonely"_s;
    simulator->submit({ .op = u"PUT"_s, .path = lonely });
    QVERIFY(simulator->runUntilQuiet());
    Selection selection;
    ResourcePanel panel(*simulator, selection);
    panel.resize(420, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto *view = panel.findChild<QTreeView *>();
    const auto *model = static_cast<const ResourceModel *>(view->model());
    selection.choose(lonely);
    const QModelIndex row = model->indexOf(lonely);
    QVERIFY(!model->hasChildren(row));
    view->scrollTo(row);
    // Where a row is opened by the mouse.
    const auto branch = [&] {
        const QRect rect = view->visualRect(model->indexOf(lonely));
        return view->viewport()->grab({ 0, rect.top(), rect.left(), rect.height() }).toImage();
    };
    const QImage leaf = branch();
    simulator->submit({ .op = u"PUT"_s, .path = lonely + u"/subnets/First"_s });
    QTRY_VERIFY(branch() != leaf);
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Right);
    QTRY_VERIFY(view->isExpanded(model->indexOf(lonely)));
    const QModelIndex child = model->indexOf(lonely + u"/subnets/First"_s);
    QVERIFY(child.isValid());
    QVERIFY(!view->visualRect(child).isEmpty());
}

void TestResourcePanel::resourceMenu()
{
    const auto simulator = sample();
    Selection selection;
    ResourcePanel panel(*simulator, selection);
    selection.choose(subnet);
    QMenu menu;
    panel.fillMenu(menu);
    QVERIFY(entry(menu, u"PUT"_s)->isEnabled());
    QSignalSpy asked(&panel, &ResourcePanel::operationAsked);
    entry(menu, u"DELETE"_s)->trigger();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toString(), u"DELETE"_s);
    QCOMPARE(asked[0][1].toString(), subnet);
    entry(menu, u"Copy path"_s)->trigger();
    QCOMPARE(copied(), subnet);
}

} // namespace

const instar::TestClass<TestResourcePanel, QApplication> registered;
#include "tst_resourcepanel.moc"
