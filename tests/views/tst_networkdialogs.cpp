// SPDX-License-Identifier: Apache-2.0
// The dialog that connects to a server.

#include "tests/support/testclass.h"
#include "tests/views/panelsupport.h"
#include "views/look.h"
#include "views/panels/connectdialog.h"
#include "views/panels/notice.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

ConnectDialog::Options twoSystems()
{
    return { .systems = { { u"a"_s, u"System A"_s }, { u"b"_s, u"System B"_s } } };
}

/// Letters that lead to two fields of the form; empty: none does.
QString sharedKeys(const QWidget &dialog)
{
    QString seen, twice;
    static const QRegularExpression key(u"&(\\w)"_s);
    const auto look = [&](const QWidget *widget, const QString &text) {
        const QString letter = key.match(text).captured(1).toLower();
        if (letter.isEmpty() || !widget->isVisibleTo(&dialog))
            return;
        twice += seen.contains(letter) ? letter : QString();
        seen += letter;
    };
    for (const QLabel *label : dialog.findChildren<QLabel *>())
        look(label, label->text());
    for (const QAbstractButton *button : dialog.findChildren<QAbstractButton *>())
        look(button, button->text());
    return twice;
}

/// What the form asks for beside URL and system, from top to bottom.
QString fieldsOf(const ConnectDialog &dialog)
{
    QStringList shown;
    const auto *form = dialog.findChild<QFormLayout *>();
    if (!form)
        return { u"no form"_s };
    for (int row = 0; row < form->rowCount(); ++row) {
        const QLayoutItem *item = form->itemAt(row, QFormLayout::FieldRole);
        const QWidget *field = item ? item->widget() : nullptr;
        const bool isText = qobject_cast<const QLineEdit *>(field);
        if (isText && field->isVisibleTo(&dialog) && field->accessibleName() != u"URL")
            shown += field->accessibleName();
    }
    return shown.join(u", "_s);
}

class TestNetworkDialogs : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qApp->setStyleSheet(styleSheet(Theme::light())); }
    void urls_data();
    void urls();
    void connects_data();
    void connects();
    void recentConnections();
    void connectKeys();
    void typedSecretsAreHidden();
    void kinds();
    void everyControlHasAName();
    void tabReachesEverything();
};

void TestNetworkDialogs::urls_data()
{
    // problem: how it begins; empty: none
    const Rows<QString, QString> row("url", "problem");
    row("", "Give the server's URL");
    row("server.example", "Begin the URL with");
    row("server.example:8443", "Begin the URL with");
    row("ftp://server.example", "Only http:// and https://");
    row("http://", "This is not a URL|The URL contains no host name");
    row("http://a b", "This is not a URL");
    row("http://[::1", "This is not a URL");
    row("http://h:0", "Port 0 is not valid");
    row("http://h:70000", "This is not a URL");
    row("http://me:secret@h", "Remove the user name and password");
    row("http://h/?a=1", "Remove the part of the URL that begins with");
    row("http://h/#a", "Remove the part of the URL that begins with");
    row("http://h", "");
    row("HTTPS://h:8443/base/", "");
    row("http://[::1]:8080", "");
    row("http://127.0.0.1:1", "");
}

void TestNetworkDialogs::urls()
{
    QFETCH(QString, url);
    QFETCH(QString, problem);
    const QString found = serverUrlProblem(url);
    if (problem.isEmpty()) {
        QCOMPARE(found, QString());
        return;
    }
    bool fits = false;
    for (const QString &one : problem.split(u'|'))
        fits = fits || found.startsWith(one);
    QVERIFY2(fits, qPrintable(found));
    QVERIFY(!found.contains(u"secret"));
}

void TestNetworkDialogs::connects_data()
{
    // hint: of the notice where there is no problem
    const Rows<ConnectChoice, QString, QString> add("choice", "problem", "hint");
    using Kind = CredentialKind;
    const QString here = u"http://127.0.0.1:8080"_s, there = u"http://server.example"_s,
                  secure = u"https://server.example"_s;
    const auto row = [&](const char *name, const QString &url, Kind kind, const QString &user,
                         const QString &secret, const char *problem,
                         const char *hint = "Connecting only reads the resource tree of") {
        const ConnectChoice choice { url, u"a"_s, kind, user, secret };
        add(name, choice, QString::fromUtf8(problem), QString::fromUtf8(hint));
    };
    row("nothing", here, Kind::None, {}, {}, "");
    row("no URL", {}, Kind::None, {}, {}, "Give the server's URL");
    row("no token", here, Kind::Bearer, {}, {}, "Paste the token");
    row("a token here", here, Kind::Bearer, {}, u"t"_s, "");
    row("a token in the open", there, Kind::Bearer, {}, u"t"_s, "", "Over HTTP, anyone");
    row("no name", secure, Kind::Basic, {}, u"p"_s, "Type the user name");
    row("a colon", secure, Kind::Basic, u"a:b"_s, {}, "A user name cannot contain");
    row("a name", secure, Kind::Basic, u"a"_s, u" p "_s, "");
    row("a key's header", secure, Kind::ApiKey, u"X-Odd"_s, u"k"_s, "");
    row("no key", secure, Kind::ApiKey, u"X-Api-Key"_s, {}, "Paste the key");
    row("no header", secure, Kind::ApiKey, u"two words"_s, u"k"_s,
        "This is not a valid header name");
    row("a header that says something else", secure, Kind::ApiKey, u"Host"_s, u"k"_s,
        "This is not a valid header name");
    row("a key in the open", there, Kind::ApiKey, u"X-Odd"_s, u"k"_s, "", "Over HTTP, anyone");
    row("a command", secure, Kind::Command, u"print-token --for me"_s, {}, "");
    row("no command", secure, Kind::Command, {}, {}, "Type the command");
    row("a command's token in the open", there, Kind::Command, u"t"_s, {}, "", "Over HTTP, anyone");
}

void TestNetworkDialogs::connects()
{
    QFETCH(ConnectChoice, choice);
    QFETCH(QString, problem);
    QFETCH(QString, hint);
    ConnectDialog dialog(twoSystems());
    dialog.setChoice(choice);
    QCOMPARE(dialog.choice(), choice); // every field comes back
    const QString said = dialog.findChild<Notice *>()->text();
    auto *accept = dialog.findChild<QPushButton *>(u"primary"_s);
    if (problem.isEmpty()) {
        QCOMPARE(dialog.problem(), QString());
        QVERIFY2(said.startsWith(hint), qPrintable(said));
        QVERIFY(accept->isEnabled());
    } else {
        QVERIFY2(dialog.problem().startsWith(problem), qPrintable(dialog.problem()));
        QCOMPARE(said, dialog.problem());
        QVERIFY(!accept->isEnabled());
    }
    using Kind = CredentialKind;
    static const QMap<Kind, QString> fields { { Kind::None, {} }, { Kind::Bearer, u"Token"_s },
        { Kind::Basic, u"Name, Password"_s }, { Kind::ApiKey, u"Header, Value"_s },
        { Kind::Command, u"Command"_s } };
    QCOMPARE(fieldsOf(dialog), fields.value(choice.credentials));
    QVERIFY(dialog.choice().readOnly);
}

void TestNetworkDialogs::recentConnections()
{
    ConnectDialog::Options options = twoSystems();
    const ConnectChoice first { .url = u"https://one"_s,
        .pack = u"b"_s,
        .credentials = CredentialKind::Basic,
        .user = u"me"_s };
    const ConnectChoice second { .url = u"http://two"_s, .pack = u"a"_s };
    options.recent = { first, second };
    ConnectDialog dialog(options);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QCOMPARE(dialog.choice(), first); // the last one again
    auto *list = named<QComboBox>(dialog, u"Recent connections"_s);
    QCOMPARE(list->currentText(), u"https://one  —  %1"_s.arg(options.systems[1].second));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(dialog.choice(), second);
    QTest::keyClick(list, Qt::Key_Up);
    named<QLineEdit>(dialog, u"Password"_s)->setText(u"secret"_s);
    QCOMPARE(dialog.recent(), options.recent); // nothing was chosen yet
    dialog.accept();
    QCOMPARE(dialog.choice().secret, u"secret"_s);
    QCOMPARE(dialog.recent(), options.recent); // without the secret

    ConnectDialog none(twoSystems());
    QVERIFY(!named<QComboBox>(none, u"Recent connections"_s)->isVisibleTo(&none));

    QList<ConnectChoice> many;
    for (int i = 0; i < 15; ++i)
        many = remembered(many, { .url = u"http://h%1"_s.arg(i), .secret = u"secret"_s });
    QCOMPARE(many.size(), 10);
    QCOMPARE(many.first().url, u"http://h14"_s);
    QCOMPARE(many.first().secret, QString());
    QCOMPARE(remembered(many, many[3]).size(), 10);
    QCOMPARE(remembered(many, many[3]).first(), many[3]);
}

void TestNetworkDialogs::connectKeys()
{
    ConnectDialog dialog(twoSystems());
    dialog.open();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QVERIFY(named<QLineEdit>(dialog, u"URL"_s)->hasFocus());
    QTest::keyClicks(QApplication::focusWidget(), u"ftp://server"_s);
    const auto *notice = dialog.findChild<Notice *>();
    QCOMPARE(notice->tone(), Notice::Tone::Wrong);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(dialog.isVisible()); // not yet
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"localhost:8080"_s);
    QCOMPARE(notice->tone(), Notice::Tone::Good); // and says what is meant
    QVERIFY2(notice->text().contains(u"http://localhost:8080"), qPrintable(notice->text()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"server"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(dialog.choice(), (ConnectChoice { .url = u"https://server"_s, .pack = u"a"_s }));

    dialog.open();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QCOMPARE(dialog.result(), int(QDialog::Rejected));
}

void TestNetworkDialogs::typedSecretsAreHidden()
{
    ConnectDialog dialog(twoSystems());
    dialog.setChoice({ .url = u"https://h"_s,
        .pack = u"a"_s,
        .credentials = CredentialKind::Bearer,
        .secret = u"t"_s });
    auto *token = named<QLineEdit>(dialog, u"Token"_s);
    QCOMPARE(token->echoMode(), QLineEdit::Password);
    token->actions().last()->trigger();
    QCOMPARE(token->echoMode(), QLineEdit::Normal);
}

/// What is usual need not be typed; what was typed for one kind is not shown to another.
void TestNetworkDialogs::kinds()
{
    ConnectDialog dialog(twoSystems());
    auto *kind = named<QComboBox>(dialog, u"Sign in with"_s);
    const auto choose = [&](CredentialKind one) { kind->setCurrentIndex(int(one)); };
    choose(CredentialKind::ApiKey);
    QCOMPARE(dialog.choice().user, u"X-Api-Key"_s);
    choose(CredentialKind::Basic);
    auto *password = named<QLineEdit>(dialog, u"Password"_s);
    QCOMPARE(password->echoMode(), QLineEdit::Password);
    password->setText(u"secret"_s);
    named<QLineEdit>(dialog, u"Name"_s)->setText(u"alice"_s);
    choose(CredentialKind::Command);
    QCOMPARE(dialog.choice(),
        (ConnectChoice { .pack = u"a"_s, .credentials = CredentialKind::Command }));
    choose(CredentialKind::ApiKey);
    QCOMPARE(dialog.choice().user, u"X-Api-Key"_s);
    QCOMPARE(dialog.choice().secret, QString());
    dialog.setChoice({ .url = u"https://h"_s, .pack = u"a"_s });
    choose(CredentialKind::Basic);
    QCOMPARE(dialog.choice().secret, QString()); // it was another connection's
}

void TestNetworkDialogs::everyControlHasAName()
{
    QWidget all;
    new ConnectDialog({}, &all);
    QCOMPARE(namelessControls(all), QString());
}

void TestNetworkDialogs::tabReachesEverything()
{
    ConnectDialog::Options options = twoSystems();
    options.recent = { { .url = u"https://h"_s, .pack = u"a"_s } };
    for (int kind = 0; kind <= int(CredentialKind::Command); ++kind) {
        options.recent.first().credentials = CredentialKind(kind);
        ConnectDialog connects(options);
        connects.show();
        QVERIFY(QTest::qWaitForWindowActive(&connects));
        QCOMPARE(unreachableControls(connects), QString());
        QCOMPARE(sharedKeys(connects), QString());
    }
}

} // namespace

const instar::TestClass<TestNetworkDialogs, QApplication> registered;
#include "tst_networkdialogs.moc"
