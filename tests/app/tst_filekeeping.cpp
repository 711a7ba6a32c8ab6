// SPDX-License-Identifier: Apache-2.0
// A pack's file under the window: what other programs do to it, and what is kept of it.

#include "app/editing.h"
#include "app/filekeeping.h"
#include "model/formats/pack.h"
#include "model/machine/edits.h"
#include "model/machine/names.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "views/panels/noticebar.h"

#include <QPushButton>

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

    void savedWithItsLayout();
    void reloaded();
    void keptMine();
    void mergedByKeys();
    void conflictsAreSaid();
    void replacedRemovedAndBack();
    void whatCannotBeRead();
    void ownSavesAreNotTold();
    void savingOverAsks_data();
    void savingOverAsks();

private:
    Document &document() { return m_window->editing()->document(); }
    NoticeBar &notice() { return *m_window->editing()->notice(); }
    const State *state(const QString &id) { return document().pack().machines.first().state(id); }
    QString buttons();
    void answer(const QString &text);
    void label(const QString &id, const QString &text);
    QByteArray content();
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
    m_file = write(m_name, door);
    m_window = m_program->open(m_file, m_window);
    QVERIFY(m_window);
    QTRY_COMPARE(m_program->windows().count(m_window), 1);
}

void TestFileKeeping::cleanup()
{
    document().history().setClean();
    close();
    QFile::remove(m_file);
}

QString TestFileKeeping::buttons()
{
    QStringList texts;
    for (const QPushButton *button : notice().findChildren<QPushButton *>())
        texts += button->text();
    return texts.join(u' ');
}

void TestFileKeeping::answer(const QString &text)
{
    for (QPushButton *button : notice().findChildren<QPushButton *>()) {
        if (button->text() == text)
            return QTest::mouseClick(button, Qt::LeftButton);
    }
    QFAIL(qPrintable(u"no button "_s + text));
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

QByteArray TestFileKeeping::content()
{
    QFile file(m_file);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestFileKeeping::savedWithItsLayout()
{
    label(u"Open"_s, u"AJAR"_s);
    QVERIFY(m_window->editing()->save());
    QCOMPARE(content(), QByteArray(door).replace("OPEN", "AJAR"));
    document().history().undo();
    QVERIFY(m_window->editing()->save());
    QCOMPARE(content(), door);
}

void TestFileKeeping::reloaded()
{
    QVERIFY(notice().isHidden());
    const quint32 number = state(u"Closed"_s)->identity.number;
    change("\"Closed\"", "\"Shut\"");
    QTRY_VERIFY(notice().isVisible());
    QCOMPARE(notice().text(), u"Another program changed door.json."_s);
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
    QVERIFY(m_window->editing()->save());
    QCOMPARE(content(), door);
}

void TestFileKeeping::mergedByKeys()
{
    label(u"Closed"_s, u"CLOSED"_s);
    change("\"Open\"", "\"Ajar\"");
    QTRY_VERIFY(notice().isVisible());
    QCOMPARE(buttons(), u"Reload Merge Keep Mine"_s);
    QTest::keyClick(m_window, Qt::Key_F6);
    QTRY_VERIFY(notice().isAncestorOf(m_window->focusWidget()));
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab);
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Space);
    QVERIFY(notice().isHidden());
    QCOMPARE(state(u"Closed"_s)->label, u"CLOSED"_s);
    QVERIFY(state(u"Ajar"_s));
    QVERIFY(document().isModified());
    QVERIFY(m_window->editing()->save());
    QCOMPARE(content(),
        QByteArray(door)
            .replace("\"Open\"", "\"Ajar\"")
            .replace("\"Closed\": {}", "\"Closed\": {\"label\": \"CLOSED\"}"));
}

void TestFileKeeping::conflictsAreSaid()
{
    label(u"Open"_s, u"MINE"_s);
    change("OPEN", "THEIRS");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Merge"_s);
    QVERIFY2(
        notice().text().contains(u"state \"Open\": \"label\" was changed here and in the file"),
        qPrintable(notice().text()));
    QCOMPARE(state(u"Open"_s)->label, u"MINE"_s);
    answer(u"Got It"_s);
    QVERIFY(notice().isHidden());
}

void TestFileKeeping::replacedRemovedAndBack()
{
    // As editors do that write another file and put it in the place.
    const QString other = write(u"other"_s, QByteArray(door).replace("OPEN", "THEIRS"));
    QVERIFY(QFile::remove(m_file));
    QVERIFY(QFile::rename(other, m_file));
    QTRY_COMPARE(notice().text(), u"Another program changed door.json."_s);
    answer(u"Reload"_s);
    QCOMPARE(state(u"Open"_s)->label, u"THEIRS"_s);
    // The file that came is watched as the one before.
    change("THEIRS", "AGAIN");
    QTRY_VERIFY(notice().isVisible());
    answer(u"Reload"_s);
    QCOMPARE(state(u"Open"_s)->label, u"AGAIN"_s);

    const QByteArray last = content();
    QVERIFY(QFile::remove(m_file));
    QTRY_VERIFY(notice().text().startsWith(u"door.json was removed by another program."));
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
    QTRY_VERIFY(notice().text().contains(u"cannot be read: door.json:1:8"));
    QCOMPARE(buttons(), u"Keep Mine"_s);
    answer(u"Keep Mine"_s);
    QVERIFY(notice().isHidden());
    QCOMPARE(state(u"Open"_s)->label, u"OPEN"_s);
    QVERIFY(document().isModified());
    QVERIFY(m_window->editing()->save());
    QCOMPARE(content(), door);
}

void TestFileKeeping::ownSavesAreNotTold()
{
    for (const QString &text : { u"A"_s, u"B"_s, u"C"_s }) {
        label(u"Open"_s, text);
        QVERIFY(m_window->editing()->save());
        QTest::qWait(60);
        QVERIFY(notice().isHidden());
    }
    QTest::qWait(250);
    QVERIFY(notice().isHidden());
}

void TestFileKeeping::savingOverAsks_data()
{
    QTest::addColumn<QString>("button");
    QTest::addColumn<bool>("isSaved");
    QTest::addColumn<QByteArray>("after");
    const QByteArray theirs = QByteArray(door).replace("\"Door\"", "\"Gate\"");
    const auto mine = [](QByteArray text) { return text.replace("OPEN", "MINE"); };
    QTest::newRow("cancel") << u"Cancel"_s << false << theirs;
    QTest::newRow("over it") << u"Save Over It"_s << true << mine(door);
    QTest::newRow("both") << u"Merge and Save"_s << true << mine(theirs);
}

void TestFileKeeping::savingOverAsks()
{
    QFETCH(QString, button);
    QFETCH(bool, isSaved);
    QFETCH(QByteArray, after);
    label(u"Open"_s, u"MINE"_s);
    change("\"Door\"", "\"Gate\"");
    QString said;
    QTimer::singleShot(0, this, [&] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        if (!box)
            return;
        said = box->text();
        for (QAbstractButton *each : box->buttons()) {
            if (each->text().remove(u'&') == button)
                each->click();
        }
    });
    QCOMPARE(m_window->editing()->save(), isSaved);
    QCOMPARE(said, u"Another program changed door.json since it was read."_s);
    QCOMPARE(content(), after);
    QCOMPARE(document().isModified(), !isSaved);
}

} // namespace

const TestClass<TestFileKeeping, QApplication> registered;
#include "tst_filekeeping.moc"
