// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"
#include "tests/support/testclass.h"
#include "tests/views/packlab.h"
#include "tests/views/panelsupport.h"
#include "views/document/document.h"
#include "views/editing/matrixpanel.h"
#include "views/htmlview.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>

using namespace instar;
using namespace instar::panels;
using namespace Qt::StringLiterals;

/// Cells of the conflict matrix, as they are read and changed by hand.
class TestMatrixPanel : public QObject
{
    Q_OBJECT

private slots:
    void init() { open(u"network-controller"_s); }
    void cleanup()
    {
        m_panel.reset();
        m_document.reset();
    }
    void model();
    void blocks();
    void keysWalkAndWish();
    void aClickAsks();
    void nothingForWhatNeverHappens();
    void detailsLeadToTheRow();
    void oneEntryOfUndo();
    void wishesUnderASetting();
    void rowsElsewhereAreFollowed();
    void whatWasChosenGoes();
    void hiddenIsNotWorkedOut();
    void emptyPacks();
    void manyOperations();
    void whatDependsIsInWords();

private:
    void open(const QString &id) { open(*loadPack(id)); }
    void open(const Pack &pack)
    {
        m_panel.reset();
        m_document = std::make_unique<Document>(pack);
        m_panel = std::make_unique<MatrixPanel>(*m_document);
        m_panel->resize(900, 500);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        m_panel->activateWindow();
        m_panel->table().setFocus();
    }
    MatrixModel &cells() { return m_panel->model(); }
    QTableView &table() { return m_panel->table(); }
    void show(const Meeting &meeting) { table().setCurrentIndex(cells().indexOf(meeting)); }
    void choose(const QString &name, const QString &text)
    {
        auto *choice = named<QComboBox>(*m_panel, name);
        const int index = choice->findText(text);
        QVERIFY2(index >= 0, qPrintable(text));
        choice->setCurrentIndex(index);
        emit choice->activated(index);
    }
    QString titles()
    {
        QStringList all;
        for (int row = 0; row < cells().rowCount(); ++row) {
            if (cells().isTitle(row))
                all += cells().index(row, 0).data().toString();
        }
        return all.join(u'|');
    }
    void key(int key) { QTest::keyClick(&table(), Qt::Key(key)); }
    QMenu *openMenu() { return qobject_cast<QMenu *>(QApplication::activePopupWidget()); }
    QString said(const QString &running, const QString &incoming, const QString &place)
    {
        return cells().indexOf({ running, incoming, place }).data().toString();
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<MatrixPanel> m_panel;
};

void TestMatrixPanel::model()
{
    for (const QString &id : builtInPacks()) {
        const Pack pack = *loadPack(id);
        MatrixModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(pack, {});
        QVERIFY(model.rowCount() > 1);
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column) {
                const QModelIndex index = model.index(row, column);
                if (const std::optional<Meeting> meeting = model.meeting(index)) {
                    QCOMPARE(model.indexOf(*meeting), index);
                    QCOMPARE(model.cell(index), ConflictMatrix(pack).cell(*meeting));
                }
            }
        }
        model.show(Pack(), {});
        QCOMPARE(model.rowCount(), 0);
    }
}

void TestMatrixPanel::blocks()
{
    QCOMPARE(cells().columnCount(), 2); // a GET is done at once
    QCOMPARE(titles().split(u'|').size(), 6);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"self"_s), u"cancels"_s);
    QCOMPARE(said(u"DELETE"_s, u"PUT"_s, u"self"_s), u"refused"_s);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"descendant"_s), u"cancels or refused"_s);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"unrelated"_s), u"allowed"_s);
    const QModelIndex index = cells().indexOf({ u"DELETE"_s, u"PUT"_s, u"ancestor"_s });
    QCOMPARE(index.data(Qt::AccessibleTextRole).toString(),
        u"PUT arrives while DELETE runs on an ancestor: refused"_s);
    QCOMPARE(cells().headerData(index.row(), Qt::Vertical, Qt::AccessibleTextRole).toString(),
        u"DELETE runs"_s);
}

void TestMatrixPanel::keysWalkAndWish()
{
    show({ u"PUT"_s, u"PUT"_s, u"self"_s });
    key(Qt::Key_Down);
    QCOMPARE(cells().sentence(table().currentIndex()),
        u"PUT arrives while DELETE runs on the same resource: refused"_s);
    key(Qt::Key_W);
    QCOMPARE(said(u"DELETE"_s, u"PUT"_s, u"self"_s), u"waits"_s);
    QCOMPARE(table().currentIndex(), cells().indexOf({ u"DELETE"_s, u"PUT"_s, u"self"_s }));
    key(Qt::Key_R);
    QCOMPARE(said(u"DELETE"_s, u"PUT"_s, u"self"_s), u"refused"_s);
    QCOMPARE(m_document->pack().conflicts.size(), 7);

    for (const Qt::Key opens : { Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space }) {
        key(opens);
        QVERIFY(openMenu());
        QTest::keyClick(openMenu(), Qt::Key_Escape);
    }
    key(Qt::Key_Return);
    QTest::keyClick(openMenu(), Qt::Key_A);
    QCOMPARE(said(u"DELETE"_s, u"PUT"_s, u"self"_s), u"allowed"_s);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"self"_s), u"cancels"_s);
}

void TestMatrixPanel::aClickAsks()
{
    const QModelIndex index = cells().indexOf({ u"PUT"_s, u"PUT"_s, u"self"_s });
    const QPoint place = table().visualRect(index).center();
    QTest::mouseClick(table().viewport(), Qt::RightButton, {}, place);
    emit table().customContextMenuRequested(place); // the platform's part of it
    QVERIFY(openMenu());
    QTest::keyClick(openMenu(), Qt::Key_Escape);
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, place);
    QMenu *menu = openMenu();
    QVERIFY(menu);
    QVERIFY(entry(*menu, u"&Cancel the running operation"_s)->isChecked());
    QVERIFY(!entry(*menu, u"&Refuse the incoming operation"_s)->isChecked());
    QSignalSpy said(m_panel.get(), &MatrixPanel::said);
    QTest::mouseClick(menu, Qt::LeftButton, {},
        menu->actionGeometry(entry(*menu, u"&Refuse the incoming operation"_s)).center());
    QCOMPARE(index.data().toString(), u"refused"_s);
    QCOMPARE(m_document->pack().conflicts.size(), 6); // the row behind it says so for more
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0][0].toString().contains(u"removed"));
}

void TestMatrixPanel::nothingForWhatNeverHappens()
{
    open(u"blazar"_s);
    // Two may run together, but the removal of the lease ends the other one.
    show({ u"on_start"_s, u"delete_lease"_s, u"descendant"_s });
    QCOMPARE(table().currentIndex().data().toString(), u"allowed; cancels it"_s);
    QVERIFY(m_panel->details().toPlainText().contains(u"which cancels the running operation"));
    QCOMPARE(said(u"on_start"_s, u"update_lease"_s, u"descendant"_s), u"allowed"_s);
    QModelIndex never;
    for (int row = 0; row < cells().rowCount() && !never.isValid(); ++row) {
        for (int column = 0; column < cells().columnCount() && !never.isValid(); ++column) {
            const QModelIndex index = cells().index(row, column);
            if (cells().meeting(index) && !cells().cell(index).canMeet)
                never = index;
        }
    }
    QVERIFY(never.isValid());
    const Pack before = m_document->pack();
    table().setCurrentIndex(never);
    key(Qt::Key_Return);
    QVERIFY(!openMenu());
    QSignalSpy said(m_panel.get(), &MatrixPanel::said);
    key(Qt::Key_C);
    QCOMPARE(said.size(), 1);
    QVERIFY(m_document->pack() == before);
    QVERIFY(m_panel->details().toPlainText().contains(u"cannot happen"));
}

void TestMatrixPanel::detailsLeadToTheRow()
{
    QVERIFY(m_panel->details().toPlainText().contains(u"Click a cell"));
    show({ u"PUT"_s, u"DELETE"_s, u"descendant"_s });
    const QString told = m_panel->details().toPlainText();
    QVERIFY2(told.contains(u"cancels or refused"), qPrintable(told));
    QVERIFY(told.contains(m_document->pack().conflicts[2].about));
    QVERIFY(told.contains(m_document->pack().sourceText(m_document->pack().conflicts[6])));
    QSignalSpy asked(m_panel.get(), &MatrixPanel::rowAsked);
    emit m_panel->details().anchorClicked(QUrl(u"/conflicts/6"_s));
    QVERIFY(m_panel->details().toHtml().contains(u"/conflicts/6"));
    key(Qt::Key_Return);
    openMenu()->close();
    QCOMPARE(asked.size(), 2); // the menu shows the first row that decides
    QCOMPARE(asked[0][0].toString(), u"/conflicts/6"_s);
}

void TestMatrixPanel::oneEntryOfUndo()
{
    const Pack before = m_document->pack();
    show({ u"PUT"_s, u"PUT"_s, u"tree"_s });
    m_panel->wish(Conflict::Then::Cancel);
    QCOMPARE(m_document->history().count(), 1);
    QCOMPARE(m_document->history().text(0), u"Cancel the running operation: PUT while PUT runs"_s);
    m_panel->wish(Conflict::Then::Cancel);
    QCOMPARE(m_document->history().count(), 1);
    m_document->history().undo();
    QVERIFY(m_document->pack() == before);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"tree"_s), u"refused"_s);
}

void TestMatrixPanel::wishesUnderASetting()
{
    choose(u"Switches"_s, u"siblingsRunConcurrently = true"_s);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"sibling"_s), u"allowed"_s);
    show({ u"PUT"_s, u"PUT"_s, u"sibling"_s });
    key(Qt::Key_C);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"sibling"_s), u"cancels"_s);
    QCOMPARE(said(u"PUT"_s, u"DELETE"_s, u"sibling"_s), u"allowed"_s);
    choose(u"Switches"_s, u"Default switches"_s);
    QCOMPARE(said(u"PUT"_s, u"PUT"_s, u"sibling"_s), u"refused"_s);
}

void TestMatrixPanel::rowsElsewhereAreFollowed()
{
    show({ u"PUT"_s, u"PUT"_s, u"self"_s });
    Pack pack = m_document->pack();
    pack.conflicts[0].then = Conflict::Then::Wait;
    m_document->edit({}, pack);
    QCOMPARE(table().currentIndex().data().toString(), u"waits"_s);
    QVERIFY(m_panel->details().toPlainText().contains(u"waits"));
    pack.switches.clear();
    m_document->edit({}, pack);
    QVERIFY(named<QComboBox>(*m_panel, u"Switches"_s)->isHidden());
}

/// A switch that is no more is not shown.
void TestMatrixPanel::whatWasChosenGoes()
{
    choose(u"Switches"_s, u"siblingsRunConcurrently = true"_s);
    Pack pack = m_document->pack();
    pack.switches.removeIf([](const Switch &row) { return row.id == u"siblingsRunConcurrently"; });
    m_document->edit({}, pack);
    QCOMPARE(named<QComboBox>(*m_panel, u"Switches"_s)->currentText(), u"Default switches"_s);
}

void TestMatrixPanel::hiddenIsNotWorkedOut()
{
    m_panel->hide();
    QSignalSpy reset(&cells(), &QAbstractItemModel::modelReset);
    Pack pack = m_document->pack();
    pack.operations.clear();
    pack.machines.clear();
    m_document->edit({}, pack);
    QCOMPARE(reset.size(), 0);
    m_panel->show();
    QVERIFY(!reset.isEmpty());
    QCOMPARE(cells().rowCount(), 0);
}

void TestMatrixPanel::emptyPacks()
{
    const auto sentence = [this] {
        for (const QLabel *label : table().viewport()->findChildren<QLabel *>()) {
            if (label->isVisible())
                return label->text();
        }
        return QString();
    };
    open(Pack());
    QVERIFY2(sentence().startsWith(u"The pack has no operations yet"), qPrintable(sentence()));
    Pack pack = labPack();
    for (Machine &machine : pack.machines)
        machine.transitions.removeIf(
            [](const Transition &row) { return row.to.contains(u"going"_s); });
    open(pack);
    QVERIFY2(sentence().startsWith(u"No operation takes time"), qPrintable(sentence()));
    key(Qt::Key_Return);
    key(Qt::Key_C);
    QVERIFY(!openMenu());
    QVERIFY(m_document->pack() == pack);
}

/// Where there is no room for words, letters stand in the cells and names are turned.
void TestMatrixPanel::manyOperations()
{
    Pack pack = labPack();
    for (int i = 0; i < 58; ++i) {
        const QString name = u"a long operation %1"_s.arg(i);
        for (Machine &machine : pack.machines) {
            for (Transition &row : machine.transitions) {
                if (row.on.contains(u"stop"_s))
                    row.on += name;
            }
        }
    }
    const int usual = table().horizontalHeader()->height();
    const QImage words = table().horizontalHeader()->viewport()->grab().toImage();
    int inked = 0; // columns of pixels of the first name, which is not turned
    for (int x = 0; x < table().columnWidth(0); ++x) {
        int y = 0;
        while (y < words.height() && words.pixel(x, y) == words.pixel(0, 0))
            ++y;
        inked += y < words.height();
    }
    QVERIFY(inked > usual / 2);
    open(pack);
    QCOMPARE(cells().columnCount(), 60);
    QVERIFY(table().columnWidth(0) < 40);
    QVERIFY(table().horizontalHeader()->height() > 2 * usual);
    show({ u"a long operation 57"_s, u"a long operation 57"_s, u"self"_s });
    key(Qt::Key_C);
    QCOMPARE(table().currentIndex().data().toString(), u"cancels"_s);
    QVERIFY(table().visualRect(table().currentIndex()).intersects(table().viewport()->rect()));
}

/// Two verdicts of a condition have as much room as they need, and letters only where there is
/// none.
void TestMatrixPanel::whatDependsIsInWords()
{
    using Then = Conflict::Then;
    const QFontMetrics metrics(table().font());
    const QList<Then> both { Then::Cancel, Then::Reject };
    const QStringList words { verdictWord(Then::Cancel), verdictWord(Then::Reject) };
    const int needed = 2
        * (std::max(metrics.horizontalAdvance(words[0]), metrics.horizontalAdvance(words[1])) + 4);
    QCOMPARE(verdictTexts(both, needed, metrics), words);
    QCOMPARE(verdictTexts(both, needed - 1, metrics),
        (QStringList { verdictLetter(Then::Cancel), verdictLetter(Then::Reject) }));

    Pack pack = labPack();
    Conflict row;
    row.then = Then::Cancel;
    row.condition.kind = Condition::Kind::Label;
    row.condition.text = u"late"_s;
    pack.conflicts.prepend(row);
    open(pack);
    m_panel->resize(1200, 600);
    QFont bold = table().font();
    bold.setBold(true);
    QTRY_COMPARE(verdictTexts(both, table().columnWidth(0) - 2, QFontMetrics(bold)), words);
}

const TestClass<TestMatrixPanel, QApplication> registered;

#include "tst_matrixpanel.moc"
