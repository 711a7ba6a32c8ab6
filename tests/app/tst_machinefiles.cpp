// SPDX-License-Identifier: Apache-2.0
// Statecharts and machines in the window: opened or dropped, they are alive.

#include "app/network.h"
#include "app/opening.h"
#include "model/json/scenariofile.h"
#include "model/task.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"

#include <QDir>

using namespace Qt::StringLiterals;
using namespace instar;

class TestMachineFiles : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { start(); }
    void cleanup() { close(); }

    void runsAndIsSaved_data();
    void runsAndIsSaved();
    void namesTheGuard();
    void severalInAFile();
    void opensBesideTheWindow();
    void longNamesLeaveTheWindowAsWideAsItWas();
    void twoAtOnce();
    void canceledOpeningChangesNothing();
    void tellsWhatIsLost();
    void filter();

private:
    QString state(const QString &path);
};

namespace {

const QByteArray Scxml =
    R"(<scxml xmlns='http://www.w3.org/2005/07/scxml' name='door' initial='closed'>
<state id='closed'><transition event='open' target='opening'/></state>
<state id='opening'><transition target='opened'/></state>
<state id='opened'><transition event='close' target='closed'/></state>
</scxml>)";

const QByteArray Puml = "@startuml door\n[*] --> closed\nclosed --> opening : open\nopening --> "
                        "opened\nopened --> closed : close\n@enduml\n";

const QByteArray MachineJson = R"({"rest": "closed",
"states": {"absent": {"kind": "initial"}, "closed": {}, "opening": {"kind": "transitional"}, "opened": {}},
"transitions": [{"from": "absent", "on": "build", "to": "closed"}, {"from": "closed", "on": "open", "to": "opening"},
{"from": "opening", "on": ["succeeded", "failed"], "to": "opened"}, {"from": "opened", "on": "close", "to": "closed"}]})";

} // namespace

QString TestMachineFiles::state(const QString &path)
{
    const World &world = m_window->controller().world();
    const Rules &rules = m_window->controller().rules();
    const Resource resource = world.tree.find(path);
    return resource == NoResource ? QString()
                                  : rules.state(rules.stateOf(world.tree.code(resource))).id;
}

void TestMachineFiles::runsAndIsSaved_data()
{
    const Rows<QString, QByteArray> row("name", "bytes");
    row("SCXML", u"door.scxml"_s, Scxml);
    row("PlantUML", u"door.puml"_s, Puml);
    row("a machine", u"door.machine.json"_s, MachineJson);
    row("a machine by its content", u"door.json"_s, MachineJson);
    const QByteArray pack = R"({"id": "door", "title": "Door", "machines": {"door": )" + MachineJson
        + R"(}, "types": {"door": {"machine": "door"}}, "sample": {"resources": [{"path": "/door/one"}]}})";
    row("a pack", u"own.json"_s, pack);
}

/// It runs, and a scenario finds it from where that is saved.
void TestMachineFiles::runsAndIsSaved()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    show(write(name, bytes));
    QVERIFY(m_program->settings().recentFiles().contains(m_folder.filePath(name)));
    QVERIFY(!m_window->findChild<QMessageBox *>(u"diagnostics"_s));
    QCOMPARE(state(u"/door/one"_s), u"closed"_s);
    m_window->select(u"/door/one"_s);
    m_window->fire(u"open"_s);
    QCOMPARE(state(u"/door/one"_s), u"opening"_s);
    m_window->simulator().advance(5000);
    QCOMPARE(state(u"/door/one"_s), u"opened"_s);
    QVERIFY(QDir(m_folder.path()).mkpath(u"saved"_s));
    const QString file = m_folder.filePath(u"saved/one.scenario.json"_s);
    const Scenario scenario = m_window->network().scenarioFor(file);
    QCOMPARE(scenario.pack, u"../"_s + name);
    write(u"saved/one.scenario.json"_s, writeScenario(scenario));
    show(file);
    m_window->simulator().jump(m_window->simulator().lastMoment());
    QCOMPARE(state(u"/door/one"_s), u"opened"_s);
    // Saved again, elsewhere.
    QCOMPARE(m_window->network().scenarioFor(m_folder.filePath(u"two.scenario.json"_s)).pack, name);
}

void TestMachineFiles::namesTheGuard()
{
    show(write(u"order.puml"_s,
        "@startuml order\n[*] --> New\nNew --> Paid : pay [amount > 0]\nPaid --> New : "
        "back\n@enduml\n"));
    m_window->select(u"/order/one"_s);
    m_window->fire(u"pay"_s);
    const QString verdict = m_window->fireBar().verdictText();
    QVERIFY2(verdict.contains(u"requires the condition \"amount > 0\""_s), qPrintable(verdict));
    const Operation &refused = m_window->controller().operations().all().last();
    QVERIFY(has(refused.errorMessage, { u"needs \"amount > 0\""_s }));
    // Another state is no matter of conditions.
    m_window->fire(u"back"_s);
    QVERIFY(!m_window->fireBar().verdictText().contains(u"needs"_s));
}

void TestMachineFiles::severalInAFile()
{
    show(write(u"two.puml"_s, Puml + QByteArray(Puml).replace("door", "gate")));
    QCOMPARE(state(u"/door/one"_s), u"closed"_s);
    QCOMPARE(state(u"/gate/one"_s), u"closed"_s);
    m_window->select(u"/gate/one"_s);
    m_window->fire(u"open"_s);
    QCOMPARE(state(u"/gate/one"_s), u"opening"_s);
    QCOMPARE(state(u"/door/one"_s), u"closed"_s);
}

void TestMachineFiles::opensBesideTheWindow()
{
    show(u"network-controller"_s);
    m_window->simulator().submit({ .op = u"PUT"_s, .path = u"/logicalNetworks/Transit"_s });
    const QString file = write(u"door.scxml"_s, Scxml);
    m_program->openBeside(file, m_window);
    QCOMPARE(m_program->windows().size(), 1); // nothing has waited for it
    QTRY_COMPARE(m_program->windows().size(), 2);
    QVERIFY(m_program->windows().last()->windowTitle().contains(u"door"_s));
    QVERIFY(m_window && !m_window->findChild<Task *>());
    QCOMPARE(m_program->settings().recentFiles().value(0), file);

    // A scenario has been played when it is there.
    const QString scenario = builtInScenarios(u"network-controller"_s).first();
    m_program->openBeside(scenario, m_window);
    QTRY_COMPARE(m_program->windows().size(), 3);
    QVERIFY(m_program->windows().last()->simulator().lastMoment() > 0);
    QCOMPARE(m_program->windows().last()->simulator().moment(), 0);
}

/// Neither in the fire bar's list nor in what it answers.
void TestMachineFiles::longNamesLeaveTheWindowAsWideAsItWas()
{
    const QByteArray name = QByteArray("waiting for the very long thing ").repeated(8);
    show(write(u"long.puml"_s,
        "@startuml\n[*] --> A\nA --> B : " + name + "[" + name + "]\nB --> A : back\n@enduml\n"));
    m_window->fireBar().setOperation(
        m_window->controller().rules().pack().operationNames().first());
    QVERIFY2(m_window->minimumSizeHint().width() <= 1000,
        qPrintable(QString::number(m_window->minimumSizeHint().width())));
}

/// The first one is shown in the untouched window's place; the other is not lost with it.
void TestMachineFiles::twoAtOnce()
{
    show(u"network-controller"_s);
    QVERIFY(m_window->isUntouched());
    m_program->openBeside(write(u"door.scxml"_s, Scxml), m_window);
    m_program->openBeside(
        write(u"gate.puml"_s, QByteArray(Puml).replace("door", "gate")), m_window);
    const auto titles = [this] {
        QStringList all;
        for (const QPointer<MainWindow> &window : m_program->windows()) {
            if (window && window->isVisible())
                all += window->controller().rules().pack().types.first().path;
        }
        all.sort();
        return all;
    };
    QTRY_COMPARE(titles(), (QStringList { u"door"_s, u"gate"_s }));
    m_window = m_program->windows().last();
}

void TestMachineFiles::canceledOpeningChangesNothing()
{
    show(u"network-controller"_s);
    const QString file = write(u"door.scxml"_s, Scxml);
    m_program->openBeside(file, m_window);
    auto *task = m_program->findChild<Task *>();
    QVERIFY(task && task->title().contains(u"door.scxml"_s));
    task->cancel();
    QVERIFY(QThreadPool::globalInstance()->waitForDone());
    QTest::qWait(50);
    QCOMPARE(m_program->windows().size(), 1);
    QVERIFY(m_window && m_window->isVisible());
    QCOMPARE(m_program->settings().recentFiles(), QStringList());
}

void TestMachineFiles::tellsWhatIsLost()
{
    show(write(
        u"lossy.scxml"_s, QByteArray(Scxml).replace("</scxml>", "\n<state id='closed'/></scxml>")));
    auto *box = m_window->findChild<QMessageBox *>(u"diagnostics"_s);
    QVERIFY(box);
    QVERIFY(box->isVisible() && !box->isModal());
    QVERIFY(has(box->detailedText(), { u"lossy.scxml:6: warning: the id \"closed\""_s }));
    QCOMPARE(state(u"/door/one"_s), u"closed"_s);
    delete box;
}

void TestMachineFiles::filter()
{
    const QString rows = openingFilter();
    for (const QString &pattern : { u"*.json"_s, u"*.scxml"_s, u"*.puml"_s })
        QVERIFY2(rows.section(u";;"_s, 0, 0).contains(pattern), qPrintable(rows));
    QVERIFY(rows.endsWith(u"(*)"));
}

const instar::TestClass<TestMachineFiles, QApplication> registered;
#include "tst_machinefiles.moc"
