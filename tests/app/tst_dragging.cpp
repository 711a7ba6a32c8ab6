// SPDX-License-Identifier: Apache-2.0
// A resource is dragged out of the tree of the real window: to the target, to what is armed, and to
// other programs.

#include "model/items/resourcefilter.h"
#include "tests/app/serverundertest.h"
#include "tests/support/testclass.h"
#include "views/panels/armedpanel.h"
#include "views/panels/targetpicker.h"

#include <QLineEdit>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestDragging : public QObject, private ServerUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void whatIsDragged();
    void servedOnesHaveUrls();
    void toTheTarget();
    void toTheParentOfANewOne();
    void toWhatIsArmed();
    void otherThingsGoElsewhere();

private:
    std::unique_ptr<QMimeData> dragged(const QString &path)
    {
        return std::unique_ptr<QMimeData>(tree().dragged(tree().picture().timeline->find(path)));
    }
    TargetPicker *picker() { return m_window->findChild<TargetPicker *>(); }
    QLineEdit *line(const QString &name) { return panels::named<QLineEdit>(*picker(), name); }
};

const QString other = u"/logicalNetworks/HNVPA"_s;

void TestDragging::whatIsDragged()
{
    const auto data = dragged(subnet);
    QVERIFY(data);
    QCOMPARE(data->text(), subnet);
    QCOMPARE(draggedPath(*data), subnet);
    QVERIFY(!data->hasUrls()); // it is nowhere to be found
}

void TestDragging::servedOnesHaveUrls()
{
    const QString origin = serve(*m_window);
    QVERIFY2(origin.startsWith(u"http://127.0.0.1:"), qPrintable(origin));
    const auto data = dragged(subnet);
    QCOMPARE(data->urls().size(), 1);
    const QString url = data->urls().first().toString();
    QVERIFY2(url.startsWith(origin + u'/') && url.endsWith(subnet), qPrintable(url));
    QCOMPARE(data->text(), subnet);
}

void TestDragging::toTheTarget()
{
    QVERIFY(drop(line(u"Target"_s), *dragged(other)));
    QCOMPARE(m_window->fireBar().request().path, other);
    QCOMPARE(m_window->selection().resource(), other); // all follow, as when it is typed
    QMimeData text;                                    // a path from elsewhere
    text.setText(subnet + u'\n');
    QVERIFY(drop(line(u"Target"_s), text));
    QCOMPARE(m_window->fireBar().request().path, subnet);
}

void TestDragging::toTheParentOfANewOne()
{
    m_window->fireBar().describeNew(net);
    QVERIFY(drop(line(u"Name of the new resource"_s)->parentWidget(), *dragged(other)));
    QVERIFY(picker()->isNew());
    QCOMPARE(line(u"Parent of the new resource"_s)->text(), other);
}

void TestDragging::toWhatIsArmed()
{
    auto *panel = m_window->network().armed();
    m_window->docks().bring(dock(u"armed"_s));
    m_window->fireBar().setOperation(u"DELETE"_s);
    auto *table = panel->findChild<QTableView *>();
    QTRY_VERIFY(table->isVisible());
    QVERIFY(drop(table->viewport(), *dragged(other)));
    QVERIFY(drop(table->viewport(), *dragged(net)));
    QCOMPARE(panel->requests().size(), 2);
    QCOMPARE(panel->requests()[0].op + u' ' + panel->requests()[0].path, u"DELETE "_s + other);
    QCOMPARE(panel->requests()[1].op + u' ' + panel->requests()[1].path, u"DELETE "_s + net);
    QCOMPARE(simulator().moment(), 0); // nothing is fired by that
}

void TestDragging::otherThingsGoElsewhere()
{
    QMimeData words, file;
    words.setText(u"some words"_s);
    file.setUrls({ QUrl::fromLocalFile(write(u"a.puml"_s, "@startuml\na --> b\n@enduml\n")) });
    const QString before = m_window->fireBar().request().path;
    QVERIFY(!drop(line(u"Target"_s), words));
    QCOMPARE(m_window->fireBar().request().path, before);
    QVERIFY(drop(line(u"Target"_s), file)); // the window opens it
    QTRY_VERIFY(m_program->windows().size() > 1 || m_window.isNull());
}

const TestClass<TestDragging, QApplication> registered;

} // namespace

#include "tst_dragging.moc"
