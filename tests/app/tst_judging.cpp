// SPDX-License-Identifier: Apache-2.0
// A verdict on a server, in the window that is connected to it: which trees, by which reading of
// the rules, and what can be looked at of it.

#include "app/judging.h"
#include "model/json/historytext.h"
#include "model/json/packfile.h"
#include "tests/app/serverundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/judgedialog.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTextBrowser>
#include <QTreeWidget>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

using Ended = HistorySearch::Outcome;

class TestJudging : public QObject, private ServerUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { serve({ { .path = net }, { .path = u"/logicalNetworks/other"_s } }); }
    void cleanup() { close(); }

    void keepsItsWord();
    void breaksIt();
    void byAnotherReading();
    void byThePackThatItNames();
    void intoFiles();
    void proofFromDetails();
    void whatCannotBeRead();
    void nothingJudged();

private:
    void put(const QString &path);
    JudgeDialog *judged();
    JudgeDialog *dialog() const { return m_window->findChild<JudgeDialog *>(); }
    QPushButton *button(const QString &text) const
    {
        return panels::button<QPushButton>(*dialog(), text);
    }
    /// A history of the network controller, as text.
    Recording recorded(const QByteArray &lines) const;
    /// Chooses another value of a switch, by keys.
    void flip(const QString &id)
    {
        for (QComboBox *box : dialog()->findChildren<QComboBox *>()) {
            if (box->property("switch").toString() != id)
                continue;
            box->setFocus();
            QTest::keyClick(box, box->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
        }
    }
    QString text() const;
    /// What is said in the dialog and begins so; null: nothing.
    QLabel *label(const QString &begin) const
    {
        for (QLabel *each : dialog()->findChildren<QLabel *>()) {
            if (each->isVisible() && each->text().startsWith(begin))
                return each;
        }
        return nullptr;
    }
    MainWindow *otherWindow() const;
};

Recording TestJudging::recorded(const QByteArray &lines) const
{
    return valueOf(readRecording(lines, u"h"_s, *loadPack(u"network-controller"_s)));
}

/// Asks, and waits until it has ended.
void TestJudging::put(const QString &path)
{
    m_window->select(path);
    m_window->fire(u"PUT"_s);
    QTRY_VERIFY(!operations().isEmpty() && operations().last().isOver());
}

/// By the keys of the menu.
JudgeDialog *TestJudging::judged()
{
    QTest::keyClick(m_window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    JudgeDialog *dialog = m_window->findChild<JudgeDialog *>();
    if (!dialog || !QTest::qWaitFor([=] { return !dialog->judged().parts.isEmpty(); }))
        return nullptr;
    return dialog;
}

QString TestJudging::text() const
{
    return m_window->findChild<JudgeDialog *>()->findChild<QTextBrowser *>()->toPlainText();
}

MainWindow *TestJudging::otherWindow() const
{
    for (const QPointer<MainWindow> &window : m_program->windows()) {
        if (window && window != m_window)
            return window;
    }
    return nullptr;
}

void TestJudging::keepsItsWord()
{
    QVERIFY(writes());
    put(net);
    JudgeDialog *dialog = judged();
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(dialog->judged().outcome(), Ended::Conforms);
    QVERIFY(dialog->judged().of() > 2);
    QCOMPARE(dialog->judged().explained(), dialog->judged().of());
    // Trees that nothing connects are judged apart.
    auto *list = dialog->findChild<QTreeWidget *>();
    QCOMPARE(list->topLevelItemCount(), 2);
    const int row = list->topLevelItem(0)->text(0) == net ? 0 : 1;
    QCOMPARE(list->topLevelItem(row)->text(1), u"1"_s);
    QCOMPARE(list->topLevelItem(1 - row)->text(1), u"0"_s);
    list->setCurrentItem(list->topLevelItem(row));
    QVERIFY2(text().contains(u"submit"_s) && text().contains(u"succeeded"_s), qPrintable(text()));

    // The order that explains it is played.
    button(u"Play an Explanation"_s)->click();
    QTRY_VERIFY(otherWindow());
    Controller &played = otherWindow()->controller();
    QCOMPARE(played.later().size(), 2); // asked, and ended
    QCOMPARE(played.everyOperation().all().size(), 1);
    QCOMPARE(played.everyOperation().all().first().status, Status::Succeeded);
    dialog->close();
    QTRY_VERIFY(!m_window->findChild<JudgeDialog *>());
}

void TestJudging::breaksIt()
{
    QVERIFY(writes());
    m_reference->server().plan({ .fault = u"wrongFinalState"_s });
    put(net);
    JudgeDialog *dialog = judged();
    QVERIFY(dialog);
    QCOMPARE(dialog->judged().outcome(), Ended::Violates);
    QVERIFY(dialog->findChild<QLabel *>()->text().startsWith(u"The server breaks the rules"_s));
    QCOMPARE(dialog->findChild<QTreeWidget *>()->topLevelItem(0)->text(3), u"breaks the rules"_s);
    // The resource says that it failed, its operation that it did not: whichever is seen first.
    QVERIFY2(text().contains(u"was seen Failed, but the rules allow only Succeeded"_s)
            || text().contains(u"op1 was seen Succeeded, but the rules allow only Failed"_s),
        qPrintable(text()));
    QVERIFY(has(text(), { u"Broken rule: "_s, u"The shortest trace"_s }));
    button(u"Play the Shortest Trace"_s)->click();
    QTRY_VERIFY(otherWindow());
    QCOMPARE(otherWindow()->controller().everyOperation().all().size(), 1);
    QVERIFY(otherWindow()->windowTitle().contains(u"Trace by the rules"_s));
    QVERIFY(otherWindow()->statusBar()->currentMessage().contains(u"not show what a server did"_s));
}

/// A history that only another setting of a switch explains is judged again by that.
void TestJudging::byAnotherReading()
{
    QVERIFY(writes());
    const Recording recording = recorded(
        R"({"history": 1, "resources": [{"path": "/logicalNetworks/n/subnets/s"}, {"path": "/logicalNetworks/n/subnets/t"}]}
{"request": "a", "op": "PUT", "path": "/logicalNetworks/n/subnets/s", "sent": 0, "answered": 1, "answer": {"accepted": true}}
{"request": "b", "op": "PUT", "path": "/logicalNetworks/n/subnets/t", "sent": 2, "answered": 3, "answer": {"accepted": true}}
{"operation": "a", "from": 4, "to": 5, "status": "InProgress"}
)");
    judge(*m_window, recording);
    JudgeDialog *dialog = m_window->findChild<JudgeDialog *>();
    QTRY_COMPARE(dialog->judged().parts.size(), 1);
    QCOMPARE(dialog->judged().outcome(), Ended::Violates);
    flip(u"siblingsRunConcurrently"_s);
    QTRY_COMPARE(dialog->judged().outcome(), Ended::Conforms);
    flip(u"siblingsRunConcurrently"_s);
    QTRY_COMPARE(dialog->judged().outcome(), Ended::Violates);
}

/// Each history of the command line gets a dialog, and is judged by the pack that its header names.
void TestJudging::byThePackThatItNames()
{
    Pack mine = *loadPack(u"network-controller"_s);
    mine.title = u"Mine"_s;
    write(u"mine.json"_s, writePack(mine));
    const auto history = [this](const QByteArray &pack) {
        return write(QString::fromLatin1(pack) + u".ndjson"_s,
            QByteArray(R"({"history": 1, "pack": "PACK", "resources": [{"path": "/gateways/g"}]}
{"seen": "/gateways/g", "from": 1, "to": 2, "state": "Succeeded"})")
                .replace("PACK", pack));
    };
    QVERIFY(m_program->openFirst({ history("mine.json"), history("unknown") }));
    QCOMPARE(m_program->windows().size(), 1);
    m_window = m_program->windows().last();
    const QList<JudgeDialog *> dialogs = m_window->findChildren<JudgeDialog *>();
    QCOMPARE(dialogs.size(), 2);
    QCOMPARE(dialogs[0]->windowTitle(), u"Verdict on mine.json.ndjson by the rules of Mine"_s);
    for (const JudgeDialog *dialog : dialogs)
        QTRY_COMPARE(dialog->judged().parts.size(), 1);
    const auto said = [&](int i) { return dialogs[i]->findChild<QLabel *>()->text(); };
    QVERIFY2(!said(0).contains(u"cannot be read"_s), qPrintable(said(0)));
    QVERIFY2(
        has(said(1), { u"names the pack “unknown”, which cannot be read"_s }), qPrintable(said(1)));
}

/// Details of a resource with a violation offer the shortest history, which violates by itself.
void TestJudging::proofFromDetails()
{
    QVERIFY(writes());
    m_window->selection().choose(net);
    auto *details = m_window->findChild<Inspector *>();
    QTRY_VERIFY(details->toPlainText().contains(u"Rules allow\nSucceeded"_s));
    m_reference->server().plan({ .fault = u"wrongFinalState"_s });
    put(net);
    m_window->selection().choose(net);
    QTRY_VERIFY2(
        details->toPlainText().contains(u"Save the proof"_s), qPrintable(details->toPlainText()));
    // The verdict leads to it, and to the request that showed it.
    NetworkPanel *panel = m_window->network().panel();
    m_window->selection().choose(net + u"/subnets/none"_s);
    panel->findChild<QToolButton *>(u"networkVerdict"_s)->click();
    QCOMPARE(m_window->selection().resource(), net);
    const auto exchange = panel->findChild<ExchangeView *>()->exchange();
    QVERIFY(exchange && !exchange->responseBody.isEmpty());
    QVERIFY(details->toPlainText().contains(u"Save the proof"_s));
    const QString file = m_folder.filePath(u"proof.ndjson"_s);
    const FileAnswer answer(file);
    emit details->anchorClicked(QUrl(u"proof:0"_s));
    static const QRegularExpression name(
        u"/proof-127-0-0-1-\\d{4}-\\d\\d-\\d\\d-\\d{6}\\.ndjson$"_s);
    QVERIFY2(answer.suggested().contains(name), qPrintable(answer.suggested()));
    const Rules &rules = m_window->controller().rules();
    const Result<Recording> proof = readRecording(bytesOf(file), file, rules.pack());
    QVERIFY(proof && proof->plain);
    const auto verdict = verdictOn(*proof->plain, rules);
    QVERIFY(verdict && verdict->outcome == Ended::Violates);
    m_window->openBeside(file); // judges it
    QTRY_VERIFY(dialog() && dialog()->judged().outcome() == Ended::Violates);
    dialog()->close();
}

/// All of it, and the shortest part, which still shows what is wrong.
void TestJudging::intoFiles()
{
    QVERIFY(writes());
    put(net);
    m_reference->server().plan({ .fault = u"wrongFinalState"_s });
    put(net);
    JudgeDialog *dialog = judged();
    QVERIFY(dialog);
    const auto action = [&](const QString &text) -> QAction * {
        for (QAction *one : button(u"Save"_s)->menu()->actions()) {
            if (one->text().remove(u'&').startsWith(text))
                return one;
        }
        return nullptr;
    };
    const auto written = [&](const QString &text, const QString &name) {
        const QString file = m_folder.filePath(name);
        const FileAnswer answer(file);
        action(text)->trigger();
        return bytesOf(file);
    };
    const Judged::Part part = *dialog->selected();
    QCOMPARE(part.verdict.outcome, Ended::Violates);
    QCOMPARE(written(u"Whole History"_s, u"all.ndjson"_s), writeHistory(part.history));
    const Result<Recording> shortest =
        readRecording(written(u"The Shortest Trace"_s, u"shortest.ndjson"_s), u"shortest.ndjson"_s,
            m_window->controller().rules().pack());
    QVERIFY(shortest && shortest->plain);
    QVERIFY(shortest->plain->size() < part.history.size());
    const auto verdict = verdictOn(*shortest->plain, m_window->controller().rules());
    QVERIFY(verdict && verdict->outcome == Ended::Violates);
    // What follows the rules has no such part.
    auto *list = dialog->findChild<QTreeWidget *>();
    for (int row = 0; row < list->topLevelItemCount(); ++row) {
        list->setCurrentItem(list->topLevelItem(row));
        const bool violates = dialog->selected()->verdict.outcome == Ended::Violates;
        QCOMPARE(action(u"The Shortest Trace"_s)->isEnabled(), violates);
        QVERIFY(action(u"Whole History"_s)->isEnabled());
    }
}

void TestJudging::whatCannotBeRead()
{
    const Pack pack = *loadPack(u"network-controller"_s);
    const Result<Recording> none = readRecording("{}", u"h.ndjson"_s, pack);
    QVERIFY(!none && none.error().startsWith(u"h.ndjson:1"_s));
}

void TestJudging::nothingJudged()
{
    show(u"network-controller"_s);
    const Recording recording =
        recorded(R"({"history": 1, "resources": [{"path": "/logicalNetworks/n"}]}
{"request": "a", "op": "PUT", "path": "/logicalNetworks/n", "sent": 1, "answer": {"lost": true}})");
    judge(*m_window, recording);
    JudgeDialog *dialog = m_window->findChild<JudgeDialog *>();
    QTRY_COMPARE(dialog->judged().parts.size(), 1);
    QCOMPARE(dialog->judged().outcome(), HistorySearch::Outcome::NothingJudged);
    QVERIFY(label(u"Nothing judged"_s));
    dialog->close();
}

const TestClass<TestJudging, QApplication> registered;

} // namespace

#include "tst_judging.moc"
