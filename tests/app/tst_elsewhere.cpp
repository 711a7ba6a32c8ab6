// SPDX-License-Identifier: Apache-2.0
// Words and files from elsewhere: nothing is read that a text names, nothing blocks the window,
// and what is shown is what is there.

#include "model/foreigntext.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"
#include "tests/support/trap.h"
#include "views/htmlview.h"
#include "views/lessons/lessonpanel.h"
#include "views/tips.h"

#include <QDesktopServices>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListWidget>
#include <QToolTip>
#include <QTreeWidget>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

/// Asks for a file in every way that Qt's markup knows.
QString asking(const QString &file)
{
    return u"<img src='%1'><img src='file://%1'><body background='%1'>"
           "<p style=\"background-image: url('%1')\">x</p><link rel='stylesheet' href='%1'>"_s.arg(
               file);
}

/// The same value with `words` in front of every text that is for people.
QJsonValue with(const QJsonValue &value, const QString &words)
{
    static const QStringList forPeople { u"about"_s, u"title"_s, u"origin"_s, u"document"_s,
        u"section"_s, u"message"_s };
    if (value.isArray()) {
        QJsonArray all;
        for (const QJsonValue each : value.toArray())
            all += with(each, words);
        return all;
    }
    if (!value.isObject())
        return value;
    QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        it.value() = forPeople.contains(it.key()) && it->isString() ? words + it->toString()
                                                                    : with(*it, words);
    return object;
}

class TestElsewhere : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void trapsAreSprung();
    void packsAreOnlyWords();
    void lessonsAreOnlyWords();
    void linksLeadToTheWeb();
    void pagesLoadNothing();
    void labelsArePlain();
    void messageBoxesArePlain();
    void tipsArePlain();
    void rowsAreSpelledOut_data()
    {
        addRowsOf("kind", { u"label"_s, u"button"_s, u"list"_s, u"tree header"_s });
    }
    void rowsAreSpelledOut();

public slots:
    void asked(const QUrl &url) { m_asked += url.toString(); }

private:
    /// Shows the tips of all widgets of a window.
    void hoverOver(QWidget &window);
    QStringList m_asked; ///< links that the desktop was asked to open
};

void TestElsewhere::hoverOver(QWidget &window)
{
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        const QPoint place = widget->rect().center();
        QHelpEvent help(QEvent::ToolTip, place, widget->mapToGlobal(place));
        QApplication::sendEvent(widget, &help);
        QApplication::processEvents();
    }
    QToolTip::hideText();
}

/// Else the other tests could not fail.
void TestElsewhere::trapsAreSprung()
{
    const Trap trap;
    QTextBrowser browser;
    browser.setHtml(asking(trap.path()));
    browser.show();
    QTRY_VERIFY(trap.isSprung());
}

void TestElsewhere::packsAreOnlyWords()
{
    const Trap trap;
    const QByteArray text = valueOf(fileBytes(u":/instar/packs/network-controller.json"_s));
    const QJsonObject pack =
        with(QJsonDocument::fromJson(text).object(), asking(trap.path())).toObject();
    const QString file = write(u"hostile.pack.json"_s, QJsonDocument(pack).toJson());
    show(file);
    m_window->select(subnet);
    m_window->fire(u"PUT"_s);
    for (QDockWidget *dock : m_window->findChildren<QDockWidget *>())
        dock->show();
    QApplication::processEvents();
    hoverOver(*m_window);
    QApplication::processEvents();
    QVERIFY(!trap.isSprung());
}

void TestElsewhere::lessonsAreOnlyWords()
{
    const Trap trap;
    const QString path = trap.path();
    const QString file = write(u"hostile.md"_s,
        (u"# ![t](%1) <img src='%1'>\n\n"
         "```setup network-controller\nnothing\n```\n\n"
         "Look: ![a *picture*](%1), ![](file://%1) and <img src=\"%1\">.\n\n"
         "<img src=\"%1\">\n\n[here](file:///etc/passwd), [there][1], <file:///etc/hosts>, "
         "[web](https://example.org/a), [run](javascript:alert), \u202ecba\n\n"
         "[1]: file:///etc/group\n\n"
         "```do 0\nPUT /logicalNetworks/a as a\n```\n\n```check 0\na: InProgress\n```\n"_s.arg(
             path))
            .toUtf8());
    show(file);
    LessonPanel *panel = m_window->lesson();
    QVERIFY(panel);
    panel->advance();
    QApplication::processEvents();
    hoverOver(*m_window);
    QVERIFY(!trap.isSprung());
    QString said;
    for (const HtmlLabel *label : panel->findChildren<HtmlLabel *>())
        said += label->text();
    for (const QString &kept :
        { u"a picture"_s, u"href=\"https://example.org/a\""_s, u"here"_s, u"\\u202ecba"_s })
        QVERIFY2(said.contains(kept), qPrintable(said));
    for (const QString &gone : { u"href=\"file"_s, u"href=\"javascript"_s, u"<img"_s })
        QVERIFY2(!said.contains(gone), qPrintable(said));
}

void TestElsewhere::linksLeadToTheWeb()
{
    const QStringList schemes { u"file"_s, u"https"_s, u"data"_s, u"mailto"_s };
    for (const QString &scheme : schemes)
        QDesktopServices::setUrlHandler(scheme, this, "asked");
    HtmlLabel label;
    HtmlView view;
    for (const QString &link : { u"file:///etc/passwd"_s, u"data:text/html,x"_s, u"/etc/passwd"_s,
             u"mailto:a@b.example"_s, u"source:R9"_s, u"https:///etc"_s }) {
        emit label.linkActivated(link);
        emit view.anchorClicked(QUrl(link));
    }
    QCOMPARE(m_asked, QStringList());
    const QString link = u"https://good.example@bad.example/a"_s;
    emit label.linkActivated(link);
    emit view.anchorClicked(QUrl(link));
    QCOMPARE(m_asked, QStringList({ link, link }));
    QToolTip::hideText();
    view.show();
    emit view.highlighted(QUrl(link));
    QVERIFY2(QToolTip::text().contains(link), qPrintable(QToolTip::text()));
    for (const QString &scheme : schemes)
        QDesktopServices::unsetUrlHandler(scheme);
}

void TestElsewhere::pagesLoadNothing()
{
    for (const bool isMarkdown : { false, true }) {
        const Trap trap;
        const QString text = u"a\u202eb ![x](%1)\n\n"_s.arg(trap.path()) + asking(trap.path());
        HtmlView view;
        HtmlLabel label;
        if (isMarkdown) {
            view.setMarkdown(text);
            label.setMarkdown(text);
        } else {
            view.setHtml(text);
        }
        view.show();
        label.show();
        QApplication::processEvents();
        view.setSource(QUrl::fromLocalFile(trap.path()));
        view.reload();
        QApplication::processEvents();
        QVERIFY(!trap.isSprung());
        QVERIFY2(view.toPlainText().contains(u"a\\u202eb"_s), qPrintable(view.toPlainText()));
    }
}

void TestElsewhere::labelsArePlain()
{
    const Trap trap;
    QLabel label(asking(trap.path()));
    label.setWordWrap(true);
    label.show();
    QApplication::processEvents();
    label.setText(asking(trap.path()) + u'2');
    QApplication::processEvents();
    QVERIFY(!trap.isSprung());
    QCOMPARE(label.textFormat(), Qt::PlainText);
}

void TestElsewhere::messageBoxesArePlain()
{
    const Trap trap;
    QStringList formats;
    QTimer::singleShot(0, this, [&] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        for (const QLabel *label : box->findChildren<QLabel *>()) {
            if (label->textFormat() != Qt::PlainText && !label->text().isEmpty())
                formats += label->text();
        }
        box->accept();
    });
    m_program->open(m_folder.filePath(u"<img src='x.png'>.json"_s));
    QCOMPARE(formats, QStringList());
    QMessageBox box(QMessageBox::Warning, u"t"_s, asking(trap.path()));
    box.setInformativeText(asking(trap.path()));
    box.show();
    QApplication::processEvents();
    QVERIFY(!trap.isSprung());
}

void TestElsewhere::tipsArePlain()
{
    const Trap trap;
    const QString hostile = asking(trap.path()) + u"a\u202eb"_s;
    QWidget window;
    window.setToolTip(hostile);
    QListWidget list(&window);
    list.addItem(u"row"_s);
    list.item(0)->setToolTip(hostile);
    QTreeWidget tree(&window);
    tree.headerItem()->setToolTip(0, hostile);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QPushButton below(&list);
    const auto tipOf = [](QWidget *widget, const QPoint &place) {
        QToolTip::hideText();
        QHelpEvent help(QEvent::ToolTip, place, widget->mapToGlobal(place));
        QApplication::sendEvent(widget, &help);
        QApplication::processEvents();
        return QToolTip::text();
    };
    const QString shown = u"<qt>"_s + htmlText(hostile) + u"</qt>"_s;
    QCOMPARE(tipOf(&window, QPoint(1, 1)), shown);
    QCOMPARE(tipOf(list.viewport(), list.visualItemRect(list.item(0)).center()), shown);
    QCOMPARE(tipOf(tree.header()->viewport(), QPoint(5, 5)), shown);
    window.setToolTip(u"usual & plain"_s);
    QCOMPARE(tipOf(&window, QPoint(1, 1)), u"usual & plain"_s);
    QVERIFY(!trap.isSprung());
}

/// What Qt draws of a name that reads backwards is what it draws of the name as it is spelled out.
void TestElsewhere::rowsAreSpelledOut()
{
    QFETCH(QString, kind);
    const auto drawn = [&](const QString &text) {
        QLabel label(text);
        QPushButton button(text);
        QListWidget list;
        list.addItem(text);
        QTreeWidget tree;
        tree.setHeaderLabel(text);
        QWidget *widget = &label;
        if (kind == u"button")
            widget = &button;
        else if (kind == u"list")
            widget = &list;
        else if (kind == u"tree header")
            widget = &tree;
        widget->resize(300, 40);
        return widget->grab().toImage();
    };
    QCOMPARE(drawn(u"abc\u202edef"_s), drawn(u"abc\\u202edef"_s));
    QVERIFY(drawn(u"abc"_s) != drawn(u"def"_s));
}

} // namespace

const instar::TestClass<TestElsewhere, QApplication> registered;
#include "tst_elsewhere.moc"
