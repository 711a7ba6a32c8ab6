// SPDX-License-Identifier: Apache-2.0
// A pack's file under the window: what other programs do to it, and what is kept of it.

#include "app/editing.h"
#include "model/json/packfile.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/notice.h"

#include <QDir>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QByteArray door = R"({
  "id": "door",   "title": "Door",
  "x-ours": [ 1.0 ],
  "types": {"door": {"machine": "door"}},
  "machines": {
    "door": {
      "rest": "Open",
      "states": {
        "absent": {"kind": "initial"},
        "Open":   {"label": "OPEN"},

        "Closed": {}
      },
      "transitions": [
        {"from": "absent", "on": "make", "to": "Open"},
        {"from": "Open", "on": "close", "to": "Closed"}
      ]
    }
  },
  "sample": {"resources": [{"path": "/door/front"}]}
}
)";

class TestFileKeeping : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init();
    void cleanup();

    void reloaded();
    void keptMine();
    void replacedRemovedAndBack();
    void whatCannotBeRead();
    void whatIsWatched();
    void anotherFileIsWatched();
    void ownSavesAreNotTold();
    void savingOverAsks_data();
    void savingOverAsks();
    void chartsAreSavedAsTheyWere();
    void chartsUnderAnotherName();
    void whatAChartCannotHoldIsSaid_data();
    void whatAChartCannotHoldIsSaid();
    void nothingIsWrittenWhereNothingFits();
    void regionsRunAndStay();

private:
    NoticeBar &notice() { return *m_window->editing()->notice(); }
    const State *state(const QString &id) { return document().pack().machines.first().state(id); }
    QString buttons()
    {
        QStringList texts;
        for (const QPushButton *button : notice().findChildren<QPushButton *>())
            texts += button->text();
        return texts.join(u' ');
    }
    void answer(const QString &text)
    {
        // A button without its place has the size of a window; it would miss the release.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QTest::mouseClick(panels::button<QPushButton>(notice(), text), Qt::LeftButton);
    }
    /// Saves, and answers the message that comes; whether it is saved, and the message.
    std::pair<bool, Message> saved(const QString &button)
    {
        bool isSaved = false;
        const Message message = messageOf([&] { isSaved = editing().save(); }, button);
        return { isSaved, message };
    }
    /// Another document, under its name, in the window.
    void openFile(const QString &name, const QByteArray &text)
    {
        m_file = write(name, text);
        m_window = m_program->open(m_file, m_window);
    }
    void label(const QString &id, const QString &text);
    QByteArray content() { return bytesOf(m_file); }
    /// The file with something else in it; written in its place, or put there.
    void change(const QByteArray &from, const QByteArray &to)
    {
        write(m_name, content().replace(from, to));
    }

    QString m_name = u"door.json"_s, m_file;
};

void TestFileKeeping::init()
{
    open();
    openFile(m_name, door);
    QVERIFY(m_window);
    QTRY_COMPARE(m_program->windows().count(m_window), 1);
}

void TestFileKeeping::cleanup()
{
    close();
    QFile::remove(m_file);
}

void TestFileKeeping::label(const QString &id, const QString &text)
{
    Machine machine = document().pack().machines.first();
    for (State &row : machine.states) {
        if (row.id == id)
            row.label = text;
    }
    document().edit(u"label"_s, withMachine(document().pack(), machine));
}

void TestFileKeeping::reloaded()
{
    QVERIFY(notice().isHidden());
    const quint32 number = state(u"Closed"_s)->identity.number;
    change("\"Closed\"", "\"Shut\"");
    QTRY_VERIFY(notice().isVisible());
    QCOMPARE(notice().text(),
        u"Another program changed door.json. Reload the file or keep your version."_s);
    QCOMPARE(buttons(), u"Reload Keep Mine"_s);
    answer(u"Reload"_s);
    QVERIFY(notice().isHidden());
    QVERIFY(state(u"Shut"_s));
    QCOMPARE(state(u"Shut"_s)->identity.number, number);
    QVERIFY(!document().isModified());
    document().history().undo();
    QVERIFY(state(u"Closed"_s));
    QVERIFY(document().isModified());
    document().history().redo();
    QVERIFY(!document().isModified());
}

void TestFileKeeping::keptMine()
{
    change("OPEN", "THEIRS");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Keep Mine"_s);
    QVERIFY(notice().isHidden());
    QCOMPARE(state(u"Open"_s)->label, u"OPEN"_s);
    QVERIFY(document().isModified());
    QVERIFY(editing().save());
    QCOMPARE(content(), door);
}

void TestFileKeeping::replacedRemovedAndBack()
{
    // As editors do that write another file and put it in the place.
    const QString other = write(u"other"_s, QByteArray(door).replace("OPEN", "THEIRS"));
    QVERIFY(QFile::remove(m_file));
    QVERIFY(QFile::rename(other, m_file));
    QTRY_COMPARE(notice().text(),
        u"Another program changed door.json. Reload the file or keep your version."_s);
    answer(u"Reload"_s);
    QCOMPARE(state(u"Open"_s)->label, u"THEIRS"_s);
    // The file that came is watched as the one before.
    change("THEIRS", "AGAIN");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Reload"_s);
    QCOMPARE(state(u"Open"_s)->label, u"AGAIN"_s);

    const QByteArray last = content();
    QVERIFY(QFile::remove(m_file));
    QTRY_VERIFY(notice().text().startsWith(u"Another program removed door.json."));
    QVERIFY(document().isModified());
    write(m_name, last);
    QTRY_VERIFY(notice().isHidden());
    QVERIFY(QFile::remove(m_file));
    QTRY_VERIFY(notice().isVisible());
    answer(u"Save"_s);
    QVERIFY(notice().isHidden());
    QCOMPARE(content(), last);
    QVERIFY(!document().isModified());
}

void TestFileKeeping::whatCannotBeRead()
{
    write(m_name, "{\"id\": ");
    QTRY_VERIFY(notice().text().contains(u"door.json:1:8: "));
    QVERIFY(
        notice().text().startsWith(u"Another program changed door.json, and the new content cannot "
                                   u"be read"));
    QCOMPARE(buttons(), u"Keep Mine"_s);
    answer(u"Keep Mine"_s);
    QVERIFY(notice().isHidden());
    QCOMPARE(state(u"Open"_s)->label, u"OPEN"_s);
    QVERIFY(document().isModified());
    const auto [isSaved, message] = saved({});
    QVERIFY(isSaved && message.text.isEmpty()); // it was asked
    QCOMPARE(content(), door);

    // What was passed over is told again when it went and came back.
    write(m_name, "{\"id\": ");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Keep Mine"_s);
    QVERIFY(QFile::remove(m_file));
    QTRY_VERIFY(notice().text().contains(u"removed"));
    write(m_name, "{\"id\": ");
    QTRY_VERIFY(notice().isVisible() && notice().text().contains(u"cannot be read"));
}

void TestFileKeeping::whatIsWatched()
{
    const Pack pack = document().pack();
    const auto kindOf = [&](const QString &file, const QByteArray &known) {
        Document other(pack, file, known);
        FileWatch watch(other);
        QSignalSpy told(&watch, &FileWatch::changed);
        const FileWatch::State::Kind kind = watch.check().kind;
        watch.check(); // tells nothing new
        return std::pair(kind, told.size());
    };
    using Kind = FileWatch::State::Kind;
    QCOMPARE(kindOf(m_file, door), std::pair(Kind::Same, qsizetype(0)));
    QCOMPARE(kindOf(m_file, "{}"), std::pair(Kind::Other, qsizetype(1)));
    QCOMPARE(kindOf(m_file, {}), std::pair(Kind::Same, qsizetype(0))); // nothing is known of it
    QCOMPARE(kindOf({}, "{}"), std::pair(Kind::Same, qsizetype(0)));
    QCOMPARE(kindOf(u"/dev/null"_s, "{}"), std::pair(Kind::Same, qsizetype(0))); // no file
    QCOMPARE(kindOf(m_folder.filePath(u"none.json"_s), "{}"), std::pair(Kind::Gone, qsizetype(1)));
}

void TestFileKeeping::anotherFileIsWatched()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u"else"_s));
    const QString name = u"else/where.json"_s;
    QVERIFY(document().save(m_folder.filePath(name)));
    write(name, QByteArray(door).replace("OPEN", "THEIRS"));
    QTRY_COMPARE(notice().text(),
        u"Another program changed where.json. Reload the file or keep your version."_s);
    answer(u"Reload"_s);
    QVERIFY(QFile::remove(m_folder.filePath(name)));
    QTRY_VERIFY(notice().text().contains(u"removed"));
    write(name, QByteArray(door).replace("OPEN", "THEIRS"));
    QTRY_VERIFY(notice().isHidden());
}

void TestFileKeeping::ownSavesAreNotTold()
{
    for (const QString &text : { u"A"_s, u"B"_s, u"C"_s }) {
        label(u"Open"_s, text);
        QVERIFY(editing().save());
        QTest::qWait(60);
        QVERIFY(notice().isHidden());
    }
    QTest::qWait(250);
    QVERIFY(notice().isHidden());
}

void TestFileKeeping::savingOverAsks_data()
{
    const Rows<QString, bool> row("button", "isSaved");
    row("cancel", u"Cancel"_s, false);
    row("over it", u"Overwrite"_s, true);
}

void TestFileKeeping::savingOverAsks()
{
    QFETCH(QString, button);
    QFETCH(bool, isSaved);
    label(u"Open"_s, u"MINE"_s);
    change("\"Door\"", "\"Gate\"");
    const QByteArray theirs = content();
    const auto [done, message] = saved(button);
    QCOMPARE(done, isSaved);
    QCOMPARE(message.text, u"Another program changed door.json since it was read."_s);
    QCOMPARE(content(), isSaved ? writePack(document().pack()) : theirs);
    QCOMPARE(document().isModified(), !isSaved);
}

const QByteArray plantUml =
    "@startuml\n' The front door\n[*]  -->  Open\nOpen  --> Closed : close\n"
    "Closed -->   Open : open\n@enduml\n";

void TestFileKeeping::chartsAreSavedAsTheyWere()
{
    openFile(u"gate.puml"_s, plantUml);
    QCOMPARE(document().file(), m_file);
    QVERIFY(notice().isHidden());
    QVERIFY(editing().save());
    QCOMPARE(content(), plantUml);
    document().edit(u"rename"_s,
        renamed(document().pack(), Name::State, u"Closed"_s, u"Shut"_s,
            document().pack().machines.first().id));
    QVERIFY(editing().save());
    QVERIFY2(content().contains("' The front door\n[*]  -->  Open"), content().constData());
    QVERIFY2(content().contains("Shut") && !content().contains("Closed"), content().constData());
    QVERIFY(!document().isModified());
    // What another program makes of it is noticed as with a pack.
    m_name = u"gate.puml"_s;
    change("Shut", "Locked");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Reload"_s);
    QVERIFY(state(u"Locked"_s));
    document().history().undo();
    document().history().undo();
    QVERIFY(editing().save());
    QCOMPARE(content(), plantUml);
    // Also where it means the same.
    change("The front door", "The back door");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Reload"_s);
    QVERIFY(editing().save());
    QVERIFY2(content().contains("' The back door\n[*]  -->  Open"), content().constData());
    m_name = u"door.json"_s;
}

/// Again and again, and back: each file is in its own notation.
void TestFileKeeping::chartsUnderAnotherName()
{
    openFile(u"gate.puml"_s, plantUml);
    const QString file = m_file;
    for (int i = 0; i < 2; ++i) {
        const QString other = QFileInfo(file).dir().filePath(u"gate.mmd"_s);
        QVERIFY(document().save(other));
        m_file = other;
        const QByteArray first = content();
        QVERIFY2(first.startsWith("stateDiagram"), first.constData());
        QVERIFY(editing().save());
        QCOMPARE(content(), first);
        QVERIFY(document().save(file));
        m_file = file;
        QVERIFY2(content().startsWith("@startuml"), content().constData());
        QVERIFY(editing().save());
        QVERIFY2(content().startsWith("@startuml"), content().constData());
    }
}

void TestFileKeeping::whatAChartCannotHoldIsSaid_data()
{
    const Rows<QString, bool> row("button", "isSaved");
    row("cancel", u"Cancel"_s, false);
    row("without it", u"Save with Losses"_s, true);
}

void TestFileKeeping::whatAChartCannotHoldIsSaid()
{
    QFETCH(QString, button);
    QFETCH(bool, isSaved);
    openFile(u"gate.puml"_s, plantUml);
    Pack pack = document().pack();
    pack.conflicts += Conflict { .on = { u"close"_s }, .running = { u"open"_s } };
    document().edit(u"conflict"_s, pack);
    const auto [done, message] = saved(button);
    QCOMPARE(done, isSaved);
    QCOMPARE(message.text, u"The format of gate.puml cannot express everything in this pack."_s);
    QVERIFY2(message.more.contains(u"conflict"), qPrintable(message.more));
    QCOMPARE(document().isModified(), !isSaved);
    QCOMPARE(content(), plantUml);
}

/// Where a notation cannot hold it at all there is nothing to be saved without.
void TestFileKeeping::nothingIsWrittenWhereNothingFits()
{
    openFile(u"gate.puml"_s, plantUml);
    Pack pack = document().pack();
    Machine &machine = pack.machines.first();
    for (int i = 0; i < 320; ++i) { // an arrow from each to each
        State state;
        state.id = u"S%1"_s.arg(i);
        machine.states += state;
        Transition row;
        row.from = { u"*"_s };
        row.on = { u"open"_s };
        row.to = { state.id };
        machine.transitions += row;
    }
    document().edit(u"many"_s, pack);
    const auto [done, message] = saved(u"Cancel"_s);
    QVERIFY(!done);
    const QStringList &offered = message.buttons;
    QVERIFY2(offered.contains(u"Save as a Pack…"_s) && !offered.contains(u"Save with Losses"_s),
        qPrintable(offered.join(u", "_s)));
    QVERIFY(!document().written().isWritten);
    const Result<bool> forced = document().save();
    QVERIFY(!forced && forced.error().contains(u"100000 arrows"_s));
    QVERIFY(document().isModified());
    QCOMPARE(content(), plantUml);
}

/// A chart with regions and a history runs, lights every active state, and is saved as what it was.
void TestFileKeeping::regionsRunAndStay()
{
    const QByteArray before =
        "@startuml\n[*] --> A\nstate A {\n[*] --> B\nB --> C : x\n--\n"
        "[*] --> D\nD --> E : y\n}\nA --> F : out\nF --> A[H*] : back\n@enduml\n";
    openFile(u"both.puml"_s, before);
    QVERIFY(notice().isHidden());
    const Rules &rules = m_window->simulator().rules();
    const auto lit = [&] {
        m_window->simulator().updates().flush();
        QStringList states;
        const QList<ChartBox> &boxes = m_window->chart()->layout().boxes;
        for (int i = 0; i < boxes.size(); ++i) {
            if (!boxes[i].isFrame() && m_window->chart()->looks().boxes[i].isOccupied)
                states += boxes[i].id;
        }
        states.sort();
        return states.join(u'+');
    };
    const auto fire = [&](const QString &event) {
        m_window->fire(event);
        return m_window->simulator().operations().all().last().status;
    };
    QVERIFY(rules.semantics());
    QCOMPARE(m_window->simulator().world().tree.size(), 3); // the chart and its regions
    QTRY_COMPARE(lit(), u"B+D"_s);
    QCOMPARE(fire(u"x"_s), Status::Succeeded);
    QTRY_COMPARE(lit(), u"C+D"_s);
    fire(u"out"_s);
    QTRY_COMPARE(lit(), u"F"_s);
    QCOMPARE(m_window->simulator().world().tree.size(), 1);
    fire(u"back"_s);
    QTRY_COMPARE(lit(), u"C+D"_s);
    m_window->simulator().jump(1);
    QTRY_COMPARE(lit(), u"C+D"_s);
    m_window->simulator().jump(0);
    QTRY_COMPARE(lit(), u"B+D"_s);

    Pack pack = document().pack();
    QCOMPARE(packDiagnostics(*JsonText::parse(writePack(pack), pack.id), pack).size(), 0);
    document().edit(
        u"rename"_s, renamed(pack, Name::State, u"C"_s, u"Wet"_s, pack.machines.first().id));
    m_window->simulator().jump(1);
    QTRY_COMPARE(lit(), u"D+Wet"_s);
    QVERIFY(document().save());
    QCOMPARE(content(), QByteArray(before).replace("C : x", "Wet : x"));
    QVERIFY(!document().written(u"both.pack.json"_s).isWritten);
}

} // namespace

const TestClass<TestFileKeeping, QApplication> registered;
#include "tst_filekeeping.moc"
