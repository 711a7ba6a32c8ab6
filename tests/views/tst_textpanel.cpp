// SPDX-License-Identifier: Apache-2.0
#include "model/pack/check.h"
#include "model/pack/names.h"
#include "tests/support/packtext.h"
#include "tests/support/randompack.h"
#include "tests/support/testclass.h"
#include "tests/views/packlab.h"
#include "tests/views/panelsupport.h"
#include "views/document/document.h"
#include "views/editing/jsonedit.h"
#include "views/editing/textpanel.h"
#include "views/look.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include <rapidcheck.h>

using namespace instar;
using namespace Qt::StringLiterals;

/// The document as text.
class TestTextPanel : public QObject
{
    Q_OBJECT

private slots:
    void tokens();
    void typedIntoTheDocument();
    void oneLineIsOneStep();
    void undoIsTheDocuments();
    void fixes();
    void brokenTextIsKept();
    void changedElsewhereMeanwhile();
    void changesFromElsewhereKeepTheRest();
    void lineEndsStay_data();
    void lineEndsStay();
    void selectionFollows();
    void completesByKeys();
    void completesNames();
    void diagnosticsStandInPlace();
    void columnsCountCharacters();
    void keepsTheIndentation();
    void coloursAreNotTyped();
    void randomEditsStayInStep();
};

namespace {

const QByteArray text = R"({
 "id": "lab",
 "title": "Läb \u00e9",
 "x-note": {"kept":   [1,  2]},
 "types": {
  "racks": {"machine": "rack"}
 },
 "operations": {
  "start": {"duration": 5000},
  "stop": {"duration": 1000}
 },
 "machines": {
  "rack": {
   "rest": "up",
   "states": {
    "none": {"kind": "initial"},
    "up": {}
   },
   "transitions": [
    {"from": "none", "on": "start", "to": "up"},
    {"from": "up", "on": "stop", "to": "none"}
   ]
  }
 }
}
)";

/// A panel on a document, to be seen.
struct Lab
{
    explicit Lab(const QByteArray &bytes = text)
        : document(packOf(bytes), {}, bytes), panel(document)
    {
        panel.resize(600, 500);
        panel.show();
        panel.activateWindow();
        panel.edit().setFocus();
        if (!QTest::qWaitForWindowActive(&panel))
            qFatal("the window is not active");
    }
    void stand(const QString &before, const QString &behind = {})
    {
        const qsizetype at = panel.edit().text().indexOf(before + behind);
        if (at < 0)
            qFatal("no %s", qPrintable(before + behind));
        panel.edit().goTo(int(at + before.size()));
    }
    void type(const QString &keys) { QTest::keyClicks(&panel.edit(), keys); }
    /// Until it is read.
    void enter(const QString &keys)
    {
        type(keys);
        panel.finish();
    }
    void enterAt(const QString &before, const QString &keys)
    {
        stand(before);
        enter(keys);
    }
    QString block() { return panel.edit().textCursor().block().text(); }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&panel.edit(), Qt::Key(key), modifiers);
    }
    QToolButton *button(const QString &name) { return panels::button(panel, name); }

    Document document;
    TextPanel panel;
};

} // namespace

/// Keys, texts, values and signs have colours of their own, in a broken line, too.
void TestTextPanel::tokens()
{
    JsonEdit edit;
    edit.setPlainText(u" {\"a\\\"b\" : [\"c\", -1e3 , true], \"open: {"_s);
    QTest::qWait(1); // a new editor is coloured when events are handled
    const auto ranges = edit.document()->firstBlock().layout()->formats();
    QStringList found;
    for (const QTextLayout::FormatRange &range : ranges) {
        const QTextCharFormat &format = range.format;
        const QColor colour = format.foreground().color();
        found += format.fontWeight() == QFont::DemiBold ? u"key"_s
            : colour == theme().accent                  ? u"text"_s
            : colour == theme().dimText                 ? u"sign"_s
                                                        : u"value"_s;
        found.last() += u" %1 %2"_s.arg(range.start).arg(range.length);
    }
    QCOMPARE(found.join(u", "_s),
        u"sign 1 1, key 2 6, sign 9 1, sign 11 1, text 12 3, sign 15 1, value 17 4, sign 22 1, value 24 4, sign 28 2, text 31 8"_s);
}

void TestTextPanel::typedIntoTheDocument()
{
    Lab lab;
    const quint32 number = lab.document.pack().machines[0].states[1].identity.number;
    lab.stand(u"\"up"_s, u"\": {}"_s);
    lab.type(u"per"_s);
    QTRY_COMPARE(lab.document.pack().machines[0].states[1].id, u"upper"_s);
    QCOMPARE(lab.document.pack().machines[0].states[1].identity.number, number);
    QByteArray expected = text;
    QCOMPARE(lab.document.text(), expected.replace("\"up\": {}", "\"upper\": {}"));
    QCOMPARE(lab.panel.unread(), QString());
}

void TestTextPanel::oneLineIsOneStep()
{
    Lab lab;
    lab.stand(u"Läb"_s);
    for (const QChar letter : u"oratory"_s) {
        lab.enter(letter);
    }
    QCOMPARE(lab.document.pack().title, u"Läboratory é"_s);
    QCOMPARE(lab.document.history().count(), 1);
    lab.enterAt(u"\"duration\": 500"_s, u"7"_s);
    QCOMPARE(lab.document.history().count(), 2);
}

void TestTextPanel::undoIsTheDocuments()
{
    Lab lab;
    lab.enterAt(u"\"duration\": 500"_s, u"7"_s);
    QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    undo.ignore();
    QApplication::sendEvent(&lab.panel.edit(), &undo);
    QVERIFY(!undo.isAccepted()); // so that the window's action gets it
    const int place = lab.panel.edit().textCursor().position();
    lab.document.history().undo();
    QCOMPARE(lab.panel.edit().text(), QString::fromUtf8(text));
    QVERIFY(std::abs(lab.panel.edit().textCursor().position() - place) <= 1);
    // What cannot be read yet is nobody else's.
    lab.enter(u"}"_s);
    QVERIFY(!lab.panel.unread().isEmpty());
    QApplication::sendEvent(&lab.panel.edit(), &undo);
    QVERIFY(undo.isAccepted());
    QKeyEvent redo(QEvent::ShortcutOverride, Qt::Key_Y, Qt::ControlModifier);
    redo.ignore();
    QApplication::sendEvent(&lab.panel.edit(), &redo);
    QVERIFY(redo.isAccepted());
    lab.press(Qt::Key_Z, Qt::ControlModifier);
    lab.press(Qt::Key_Y, Qt::ControlModifier);
    QVERIFY(lab.panel.edit().text() != QString::fromUtf8(text));
    lab.press(Qt::Key_Z, Qt::ControlModifier);
    lab.panel.finish();
    QCOMPARE(lab.panel.edit().text(), QString::fromUtf8(text));
    QCOMPARE(lab.panel.unread(), QString());
}

void TestTextPanel::fixes()
{
    Lab lab;
    lab.enterAt(u"{\"machine\": \"ra"_s, u"a"_s); // of "rack"
    QCOMPARE(lab.document.pack().types[0].machine, u"raack"_s);
    lab.panel.setDiagnostics(check(lab.document.pack()));
    QVERIFY(lab.button(u"Use “rack”"_s)->isVisible());
    lab.press(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(lab.document.pack().types[0].machine, u"rack"_s);
}

void TestTextPanel::brokenTextIsKept()
{
    Lab lab;
    QSignalSpy told(&lab.panel, &TextPanel::unreadChanged);
    lab.enterAt(u"\"stop\": {\"duration\": 1000}"_s, u","_s);
    QCOMPARE(told.size(), 1);
    QVERIFY(lab.panel.unread().contains(u"expected a key"_s));
    QCOMPARE(lab.document.text(), text);
    const auto *message = lab.panel.findChild<QLabel *>();
    QVERIFY2(message->text().startsWith(u"Line 11: "_s), qPrintable(message->text()));
    QCOMPARE(lab.panel.edit().marks().size(), 1);
    QCOMPARE(lab.panel.edit().marks()[0].line, 11);
    // A wrong value is told as well as broken JSON.
    lab.enter(u" \"pause\": {\"duration\": -1}"_s);
    QVERIFY2(lab.panel.unread().contains(u"-1"_s), qPrintable(lab.panel.unread()));
    QCOMPARE(lab.panel.edit().marks()[0].line, 10);
    lab.stand(u"{\"duration\": -"_s, u"1}"_s);
    lab.press(Qt::Key_Backspace);
    lab.panel.finish();
    QCOMPARE(lab.panel.unread(), QString());
    QCOMPARE(lab.document.pack().operations.last().id, u"pause"_s);
    QCOMPARE(told.last()[0].toString(), QString());
    // Or it is dropped.
    lab.enterAt(u"{"_s, u"{"_s);
    QVERIFY(!lab.panel.unread().isEmpty());
    QTest::mouseClick(lab.button(u"Discard"_s), Qt::LeftButton);
    QCOMPARE(lab.panel.unread(), QString());
    QCOMPARE(lab.panel.edit().text().toUtf8(), lab.document.text());
    QVERIFY(!lab.button(u"Discard"_s)->isVisible());
}

void TestTextPanel::changedElsewhereMeanwhile()
{
    Lab lab;
    lab.enterAt(u"{"_s, u"{"_s);
    Pack other = lab.document.pack();
    other.about = u"changed"_s;
    lab.document.edit(u"elsewhere"_s, other);
    QVERIFY(lab.panel.edit().text().startsWith(u"{{"_s)); // nothing is lost
    QVERIFY(lab.button(u"Use This Text"_s)->isVisible());
    lab.press(Qt::Key_Backspace);
    lab.enter(u" "_s);
    QVERIFY(!lab.panel.unread().isEmpty()); // it can be read, but is older
    QCOMPARE(lab.document.pack().about, u"changed"_s);
    QTest::mouseClick(lab.button(u"Use This Text"_s), Qt::LeftButton);
    QCOMPARE(lab.document.text(), "{ " + text.sliced(1));
    QCOMPARE(lab.document.pack().about, QString());
    QCOMPARE(lab.panel.unread(), QString());
    lab.document.history().undo();
    QCOMPARE(lab.document.pack().about, u"changed"_s);
    QVERIFY(lab.panel.edit().text().contains(u"changed"_s));
    // What was typed and taken back is nothing to decide about.
    lab.enterAt(u"{"_s, u"{"_s);
    lab.document.history().undo();
    lab.press(Qt::Key_Backspace);
    lab.panel.finish();
    QCOMPARE(lab.panel.unread(), QString());
    QCOMPARE(lab.panel.edit().text().toUtf8(), lab.document.text());
}

void TestTextPanel::changesFromElsewhereKeepTheRest()
{
    Lab lab;
    const Pack now = renamed(lab.document.pack(), Name::Operation, u"start"_s, u"begin"_s);
    lab.document.edit(u"rename"_s, now);
    QVERIFY(lab.panel.edit().text().contains(u"\"begin\""_s));
    QCOMPARE(packOf(lab.panel.edit().text().toUtf8()), now);
    // Out of sight it costs nothing, and is right when it is seen.
    lab.panel.hide();
    lab.document.history().undo();
    QVERIFY(lab.panel.edit().text().contains(u"\"begin\""_s));
    lab.panel.show();
    QCOMPARE(lab.panel.edit().text(), QString::fromUtf8(text));
}

void TestTextPanel::lineEndsStay_data()
{
    const Rows<QByteArray, QByteArray> row("bytes", "end");
    row("line feeds", text, "\n");
    QByteArray windows = text;
    row("carriage returns, too", windows.replace("\n", "\r\n"), "\r\n");
    QByteArray strange = text;
    strange.replace("Läb", "L\xC2\xA0 \xE2\x80\xA8 \xF0\x9F\x90\x9B");
    row("strange spaces", strange, "\n");
}

void TestTextPanel::lineEndsStay()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, end);
    Lab lab(bytes);
    lab.enterAt(u"\"duration\": 500"_s, u"7"_s);
    bytes.replace("\"duration\": 5000", "\"duration\": 50070");
    QCOMPARE(lab.document.text(), bytes);
    lab.stand(u"\"id\": \"lab\","_s);
    lab.press(Qt::Key_Return);
    lab.panel.finish();
    bytes.replace("\"id\": \"lab\",", "\"id\": \"lab\"," + end + " ");
    QCOMPARE(lab.document.text(), bytes);
    QCOMPARE(lab.panel.unread(), QString());
    QSignalSpy chosen(&lab.panel, &TextPanel::rowChosen);
    lab.stand(u"{\"from\": \"up"_s);
    QCOMPARE(chosen.last()[0].toString(), u"/machines/rack/transitions/1/from"_s);
}

void TestTextPanel::selectionFollows()
{
    Lab lab;
    QSignalSpy chosen(&lab.panel, &TextPanel::rowChosen);
    lab.stand(u"{\"from\": \"up"_s);
    QCOMPARE(chosen.last()[0].toString(), u"/machines/rack/transitions/1/from"_s);
    lab.stand(u"\"Läb"_s);
    QCOMPARE(chosen.last()[0].toString(), u"/title"_s);
    // Somebody who types here is not moved away.
    const int place = lab.panel.edit().textCursor().position();
    lab.panel.showRow(u"/operations/stop"_s);
    QCOMPARE(lab.panel.edit().textCursor().position(), place);
    lab.panel.edit().clearFocus();
    lab.panel.showRow(u"/operations/stop"_s);
    QCOMPARE(lab.block(), u"  \"stop\": {\"duration\": 1000}"_s);
    // A change elsewhere leaves the cursor where it is.
    lab.stand(u"äb"_s);
    lab.panel.edit().clearFocus();
    const int column = lab.panel.edit().textCursor().positionInBlock();
    QVERIFY(column > 5);
    Pack changed = lab.document.pack();
    changed.operations.first().duration = 77;
    lab.document.edit(u"change"_s, changed);
    QVERIFY(lab.panel.edit().toPlainText().contains(u"77"_s));
    QCOMPARE(lab.panel.edit().textCursor().positionInBlock(), column);
    // The row that is chosen while it is hidden is found when it is shown.
    lab.panel.hide();
    lab.panel.showRow(u"/machines/rack/states/up"_s);
    lab.panel.show();
    QCOMPARE(lab.block(), u"    \"up\": {}"_s);
}

void TestTextPanel::completesByKeys()
{
    Lab lab;
    lab.stand(u"\"up\": {"_s);
    lab.type(u"\"ki"_s);
    QAbstractItemView *popup = lab.panel.edit().completer().popup();
    QVERIFY(popup->isVisible());
    QTest::keyClick(popup, Qt::Key_Return);
    QTRY_VERIFY(!popup->isVisible());
    QCOMPARE(lab.block(), u"    \"up\": {\"kind}"_s);
    lab.type(u"\": \"transitiona"_s);
    QVERIFY(popup->isVisible());
    QTest::keyClick(popup, Qt::Key_Tab);
    lab.type(u"\""_s);
    QCOMPARE(lab.block(), u"    \"up\": {\"kind\": \"transitional\"}"_s);
    lab.panel.finish();
    QCOMPARE(lab.document.pack().machines[0].states[1].kind, State::Kind::Transitional);
}

void TestTextPanel::completesNames()
{
    Lab lab;
    QAbstractItemView *popup = lab.panel.edit().completer().popup();
    lab.stand(u"\"on\": \"stop\", \"to\": \""_s, u"none"_s);
    for (int i = 0; i < 4; ++i)
        lab.press(Qt::Key_Delete);
    QVERIFY(!popup->isVisible());
    lab.type(u"u"_s);
    QVERIFY(popup->isVisible());
    // Escape closes the popup and leaves what was typed; Ctrl+Space opens it again.
    QTest::keyClick(popup, Qt::Key_Escape);
    QVERIFY(!popup->isVisible());
    lab.press(Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(popup->isVisible());
    QStringList offered;
    for (int i = 0; i < popup->model()->rowCount(); ++i)
        offered += popup->model()->index(i, 0).data().toString();
    QVERIFY2(offered.contains(u"up"), qPrintable(offered.join(u' ')));
}

void TestTextPanel::diagnosticsStandInPlace()
{
    Lab lab;
    lab.panel.setDiagnostics({ { Diagnostic::Severity::Warning, u"/machines/rack/transitions/1"_s,
        u"it is doubtful"_s, u"doubt"_s } });
    QCOMPARE(lab.panel.edit().marks().size(), 1);
    QCOMPARE(lab.panel.edit().marks()[0].line, 21);
    const auto *message = lab.panel.findChild<QLabel *>();
    QCOMPARE(message->text(), QString());
    lab.stand(u"{\"from\": \"up"_s);
    QCOMPARE(message->text(), u"it is doubtful"_s);
    lab.stand(u"\"id\""_s);
    QCOMPARE(message->text(), QString());
}

/// A character that takes two places of a text is one column, as in an editor's status line.
void TestTextPanel::columnsCountCharacters()
{
    QByteArray other = text;
    const QString clef = QString::fromUtf8("\xF0\x9D\x84\x9E");
    const QString line =
        u"    {\"label\": \"%1%1\", \"from\": \"up\", \"on\": \"stop\", \"to\": \"none\"}"_s.arg(
            clef);
    other.replace(R"(    {"from": "up", "on": "stop", "to": "none"})", line.toUtf8());
    Lab lab(other);
    JsonEdit &edit = lab.panel.edit();
    const int place = int(edit.text().indexOf(u"\"up\", \"on\": \"stop"_s));
    const QString before = edit.text().left(place).section(u'\n', -1);
    QCOMPARE(before.count(clef), 2);
    const int column = int(before.size() - 2) + 1;
    QCOMPARE(edit.positionOf(21, column), place);
    QCOMPARE(edit.positionOf(21, 1), place - int(before.size()));
    QCOMPARE(edit.positionOf(21, 1000), place - int(before.size() - line.size()));
    // Who is led to a row stands before it.
    edit.clearFocus();
    lab.panel.showRow(u"/machines/rack/transitions/1/from"_s);
    QCOMPARE(edit.textCursor().position(),
        int(edit.text().indexOf(u"\"from\": \"up\", \"on\": \"stop"_s)));
}

void TestTextPanel::keepsTheIndentation()
{
    Lab lab;
    lab.stand(u"\"up\": {"_s);
    lab.press(Qt::Key_Return);
    QCOMPARE(lab.block(), u"     "_s);
    QCOMPARE(lab.panel.edit().textCursor().block().next().text(), u"    }"_s);
    lab.stand(u"\"id\": \"lab\","_s);
    lab.press(Qt::Key_Return);
    QCOMPARE(lab.block(), u" "_s);
    lab.press(Qt::Key_Tab);
    QCOMPARE(lab.block(), u"  "_s);
}

void TestTextPanel::coloursAreNotTyped()
{
    Lab lab;
    lab.panel.hide();
    applyTheme(Theme::dark());
    Pack other = lab.document.pack();
    other.about = u"changed"_s;
    lab.document.edit(u"elsewhere"_s, other);
    lab.panel.finish();
    QCOMPARE(lab.panel.unread(), QString());
    lab.panel.show();
    QCOMPARE(lab.panel.edit().text().toUtf8(), lab.document.text());
    applyTheme(Theme::light());
}

/// Whatever is done here, there and back: both say the same, unless it is told that they do not.
void TestTextPanel::randomEditsStayInStep()
{
    Lab lab;
    const bool holds = rc::check("the text and the document stay in step", [&] {
        for (int i = 0; i < 8; ++i) {
            JsonEdit &edit = lab.panel.edit();
            switch (*rc::gen::inRange(0, 6)) {
            case 0:
            case 1: {
                const auto keys =
                    *rc::gen::element(u"x"_s, u"\""_s, u"{"_s, u"}"_s, u","_s, u" "_s);
                edit.goTo(*rc::gen::inRange(0, int(edit.text().size())));
                lab.enter(keys);
                break;
            }
            case 2:
                edit.goTo(*rc::gen::inRange(0, int(edit.text().size())));
                lab.press(Qt::Key_Delete);
                lab.panel.finish();
                break;
            case 3:
                if (!lab.panel.unread().isEmpty())
                    lab.button(u"Discard"_s)->click();
                lab.document.history().undo();
                break;
            case 4:
                if (!lab.panel.unread().isEmpty())
                    lab.button(u"Discard"_s)->click();
                lab.document.history().redo();
                break;
            default: {
                Pack pack = lab.document.pack();
                pack.about = QString::number(*rc::gen::inRange(0, 3));
                lab.document.edit(u"about"_s, pack);
            }
            }
            if (lab.panel.unread().isEmpty()) {
                RC_ASSERT(edit.text().toUtf8() == lab.document.text());
                RC_ASSERT(packOf(edit.text().toUtf8()) == lab.document.pack());
            }
        }
        if (!lab.panel.unread().isEmpty())
            lab.button(u"Discard"_s)->click();
        while (lab.document.history().canUndo())
            lab.document.history().undo();
        RC_ASSERT(lab.document.text() == text);
        RC_ASSERT(lab.panel.edit().text().toUtf8() == text);
    });
    QVERIFY(holds);
}

const TestClass<TestTextPanel, QApplication> registered;

#include "tst_textpanel.moc"
