// SPDX-License-Identifier: Apache-2.0
// Each remembered connection finds its own secret: in memory, in a wallet on a private message bus,
// and through the window's own dialog.

#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "model/formats/exchanges.h"
#include "model/formats/har.h"
#include "tests/remote/gate.h"
#include "tests/remote/reference.h"
#include "tests/support/testclass.h"
#include "views/panels/networkpanel.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QDialogButtonBox>
#include <QDirIterator>
#include <QLibrary>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// A desktop's wallet, as far as the keychain library asks it.
class Wallet : public QDBusVirtualObject
{
public:
    QMap<QString, QString> entries;

    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &bus) override
    {
        const QVariantList arguments = message.arguments();
        const QString key = arguments.value(2).toString();
        QVariant answer = 0;
        if (message.member() == u"networkWallet")
            answer = u"wallet"_s;
        else if (message.member() == u"open")
            answer = 1;
        else if (message.member() == u"entryType")
            answer = entries.contains(key) ? 1 : 0;
        else if (message.member() == u"readPassword")
            answer = entries.value(key);
        else if (message.member() == u"writePassword")
            entries.insert(key, arguments.value(3).toString());
        else if (message.member() == u"removeEntry")
            entries.remove(key);
        else
            return false;
        return bus.send(message.createReply(answer));
    }
};

using Texts = QMap<QString, QString>;

class TestKeychain : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanupTestCase();
    void ownSecret();
    void survives();
    void forgets();
    void gone();
    void dialogFindsIt();
    void nothingKept();
    void signsIn_data();
    void signsIn();
    void notLetIn();

private:
    QTemporaryDir m_folder;
    QProcess m_daemon;
    Wallet m_wallet;
    bool m_hasWallet = false; ///< and the library asks it
};

Credential bearer(const QString &token)
{
    return {
        .kind = Credential::Kind::Bearer, .user = {}, .secret = token, .certificate = {}, .key = {}
    };
}

/// Accounts that differ in one thing each.
QList<Account> accounts()
{
    const QUrl server(u"https://host:8443"_s);
    using Kind = Credential::Kind;
    return { { server, u"a"_s, Kind::Bearer, {} }, { server, u"b"_s, Kind::Bearer, {} },
        { server, u"a"_s, Kind::Basic, u"me"_s }, { server, u"a"_s, Kind::Basic, u"you"_s },
        { server, u"a"_s, Kind::Certificate, u"/me.pem"_s },
        { server, u"a"_s, Kind::ApiKey, u"X-Api-Key"_s },
        { server, u"a"_s, Kind::QueryKey, u"key"_s },
        { server, u"a"_s, Kind::ClientCredentials, u"me"_s, QUrl(u"https://host/token"_s) },
        { server, u"a"_s, Kind::ClientCredentials, u"me"_s, QUrl(u"https://host/tokens"_s) },
        { server, u"a"_s, Kind::Keystone, u"me@Default"_s, QUrl(u"https://host/token"_s) },
        { QUrl(u"https://host:8444"_s), u"a"_s, Kind::Bearer, {} },
        { QUrl(u"http://host:8443"_s), u"a"_s, Kind::Bearer, {} },
        { QUrl(u"https://host:8443/other"_s), u"a"_s, Kind::Bearer, {} } };
}

QString secretIn(Keychain &keychain, const Account &account)
{
    std::optional<Keychain::Found> found;
    keychain.read(account, [&](const Keychain::Found &told) { found = told; });
    if (!QTest::qWaitFor([&] { return found.has_value(); }))
        qFatal("no answer");
    return found->credential ? found->credential->secret : u"(none)"_s;
}

void keep(Keychain &keychain)
{
    int done = 0;
    qsizetype number = 0;
    for (const Account &account : accounts())
        keychain.write(
            account, bearer(u"secret %1"_s.arg(++number)), [&](const QString &) { ++done; });
    if (!QTest::qWaitFor([&] { return done == accounts().size(); }))
        qFatal("no answer");
}

/// A connection to a server that demands a token.
ConnectChoice choice(const QString &url, const QString &pack, const QString &token)
{
    return { .url = url,
        .pack = pack,
        .credentials = CredentialsKind::Bearer,
        .secret = token,
        .keepsInKeychain = true };
}

/// Fills in the dialog that is about to open: texts by the fields' names, what is kept and how one
/// signs in; and connects.
void fillWhenAsked(const QString &kind, const QMap<QString, QString> &texts)
{
    QTimer::singleShot(0, qApp, [=] {
        QWidget *dialog = QApplication::activeModalWidget();
        if (!dialog)
            qFatal("no dialog");
        for (QComboBox *box : dialog->findChildren<QComboBox *>()) {
            if (const int row = box->findText(kind); row >= 0)
                box->setCurrentIndex(row);
        }
        qsizetype filled = 0;
        for (QLineEdit *edit : dialog->findChildren<QLineEdit *>()) {
            if (edit->isVisibleTo(dialog) && texts.contains(edit->accessibleName())) {
                edit->setText(texts.value(edit->accessibleName()));
                ++filled;
            }
        }
        if (filled != texts.size())
            qFatal("not every field is there");
        for (QCheckBox *box : dialog->findChildren<QCheckBox *>()) {
            if (box->text().contains(u"keychain"_s))
                box->setChecked(true);
        }
        dialog->findChild<QPushButton *>(u"primary"_s)->click();
    });
}

/// A file below a folder in which a text stands; empty: none.
QString fileWith(const QString &folder, const QByteArray &text)
{
    for (QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
         it.hasNext();) {
        QFile file(it.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
            return file.fileName();
    }
    return {};
}

/// Chooses a row of the recent connections in the dialog that is about to open.
void chooseWhenAsked(int row)
{
    QTimer::singleShot(0, qApp, [row] {
        QWidget *dialog = QApplication::activeModalWidget();
        if (!dialog)
            qFatal("no dialog");
        dialog->findChild<QListWidget *>()->setCurrentRow(row);
        dialog->findChild<QPushButton *>(u"primary"_s)->click();
    });
}

} // namespace

void TestKeychain::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"instar-test"_s);
    QCoreApplication::setApplicationName(u"instar-test"_s);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    const QString program = QStandardPaths::findExecutable(u"dbus-daemon"_s);
    if (program.isEmpty() || QLibrary(u"secret-1"_s, 0).load())
        return;
    m_daemon.start(program, { u"--session"_s, u"--nofork"_s, u"--print-address"_s });
    QVERIFY(m_daemon.waitForReadyRead(10'000));
    const QString address = QString::fromUtf8(m_daemon.readLine()).trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address.toUtf8());
    qputenv("XDG_CURRENT_DESKTOP", "KDE");
    qputenv("KDE_SESSION_VERSION", "5");
    QDBusConnection bus = QDBusConnection::connectToBus(address, u"wallet"_s);
    QVERIFY(bus.registerVirtualObject(u"/modules/kwalletd5"_s, &m_wallet));
    m_hasWallet = bus.registerService(u"org.kde.kwalletd5"_s);
    QVERIFY(m_hasWallet);
}

void TestKeychain::init()
{
    QSettings().clear();
    m_wallet.entries.clear();
}

void TestKeychain::cleanupTestCase()
{
    m_daemon.terminate();
    m_daemon.waitForFinished();
}

void TestKeychain::ownSecret()
{
    Keychain keychain;
    keep(keychain);
    qsizetype number = 0;
    for (const Account &account : accounts())
        QCOMPARE(secretIn(keychain, account), u"secret %1"_s.arg(++number));
    // A server is the same however its address is written.
    Account same = accounts().first();
    same.server = QUrl(u"https://HOST:8443/"_s);
    QCOMPARE(secretIn(keychain, same), u"secret 1"_s);
    same.user = u"nobody"_s;
    QCOMPARE(secretIn(keychain, same), u"(none)"_s);
}

/// The next run finds them again.
void TestKeychain::survives()
{
    if (!m_hasWallet)
        QSKIP("no message bus, or libsecret would be asked");
    auto first = std::make_unique<Keychain>();
    keep(*first);
    first.reset();
    QCOMPARE(m_wallet.entries.size(), accounts().size());
    Keychain second;
    qsizetype number = 0;
    for (const Account &account : accounts())
        QCOMPARE(secretIn(second, account), u"secret %1"_s.arg(++number));
}

void TestKeychain::forgets()
{
    Keychain keychain;
    keep(keychain);
    bool isDone = false;
    keychain.forget(accounts()[1], [&](const QString &) { isDone = true; });
    QTRY_VERIFY(isDone);
    QCOMPARE(secretIn(keychain, accounts()[0]), u"secret 1"_s);
    QCOMPARE(secretIn(keychain, accounts()[1]), u"(none)"_s);
    QCOMPARE(secretIn(keychain, accounts()[2]), u"secret 3"_s);
}

/// Secrets go with the connections that were taken out, or keep none any more.
void TestKeychain::gone()
{
    ConnectChoice one = choice(u"https://a"_s, u"p"_s, {}),
                  two = choice(u"https://b"_s, u"p"_s, {});
    const QList<ConnectChoice> before { one, two };
    QCOMPARE(accountsGone(before, before), QList<Account>());
    QCOMPARE(accountsGone(before, { two }), QList<Account> { accountOf(one) });
    two.keepsInKeychain = false;
    QCOMPARE(accountsGone(before, { one, two }), QList<Account> { accountOf(before[1]) });
    QCOMPARE(accountsGone({ two }, {}), QList<Account>());
}

/// Two connections to one server: the older one still has its token, not that of the newer one.
void TestKeychain::dialogFindsIt()
{
    Server::Options guarded = Reference::still();
    guarded.http.token = "right";
    const Reference reference(
        u"network-controller"_s, { { .path = u"/logicalNetworks/ln"_s } }, guarded);
    Program program;
    const auto state = [&] {
        MainWindow *window =
            program.windows().isEmpty() ? nullptr : program.windows().last().data();
        return window ? window->network().panel()->state().kind : NetworkState::Kind::Closed;
    };
    const ConnectChoice older = choice(reference.origin(), u"network-controller"_s, u"right"_s);
    const ConnectChoice newer =
        choice(reference.origin(), u"network-controller-sync"_s, u"wrong"_s);
    QVERIFY(program.connectTo(older));
    QTRY_COMPARE(state(), NetworkState::Kind::Connected);
    QVERIFY(program.connectTo(newer));
    QTRY_COMPARE(state(), NetworkState::Kind::Unreachable);
    program.settings().setConnections({ newer, older });
    if (m_hasWallet)
        QTRY_COMPARE(m_wallet.entries.size(), 2);

    chooseWhenAsked(1);
    program.connectToServer(nullptr);
    QTRY_COMPARE(program.windows().size(), 3);
    QTRY_COMPARE(state(), NetworkState::Kind::Connected);
    QCOMPARE(program.settings().connections().first().pack, u"network-controller"_s);
    if (m_hasWallet)
        QCOMPARE(m_wallet.entries.size(), 2);
    for (const QPointer<MainWindow> &window : program.windows())
        delete window.data();
}

/// Where no token is kept nothing is tried without one, and somebody says so.
void TestKeychain::nothingKept()
{
    Program program;
    program.settings().setConnections(
        { choice(u"http://127.0.0.1:1"_s, u"network-controller"_s, {}) });
    QString said;
    QTimer reader; // the box has its own event loop
    connect(&reader, &QTimer::timeout, this, [&] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        if (!box)
            return;
        said = box->text();
        box->close();
    });
    reader.start(10);
    chooseWhenAsked(0);
    program.connectToServer(nullptr);
    QTRY_VERIFY(!said.isEmpty());
    QVERIFY2(said.contains(u"no token for http://127.0.0.1:1"_s), qPrintable(said));
    QVERIFY(program.windows().isEmpty());
}

void TestKeychain::signsIn_data()
{
    QTest::addColumn<QString>("wants");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<Texts>("texts"); // G: where the gate is
    const auto row = [](const char *wants, const QString &kind, const Texts &texts) {
        QTest::newRow(wants) << QString::fromUtf8(wants) << kind << texts;
    };
    row("header X-Odd", u"An API key in a header"_s,
        { { u"Header"_s, u"X-Odd"_s }, { u"Key"_s, Gate::key() } });
    row("query api_key", u"An API key in the query"_s, { { u"Key"_s, Gate::key() } });
    row("bearer", u"OAuth 2.0 client credentials"_s,
        { { u"Token URL"_s, u"G/token"_s }, { u"Client id"_s, u"the client"_s },
            { u"Client secret"_s, u"s3cret:of+the client/1"_s }, { u"Scope"_s, u"read"_s } });
    row("subject", u"A Keystone password"_s,
        { { u"Keystone URL"_s, u"G/identity/v3"_s }, { u"Name"_s, u"alice"_s },
            { u"Password"_s, u"pass word of alice"_s }, { u"Project"_s, u"lab"_s } });
}

/// Through the dialog, twice: typed, and then chosen with what the keychain holds. Nothing else
/// that is written holds it.
void TestKeychain::signsIn()
{
    QFETCH(const QString, wants);
    QFETCH(const QString, kind);
    QFETCH(Texts, texts);
    const Reference reference(u"network-controller"_s, { { .path = u"/logicalNetworks/ln"_s } });
    const Gate gate({ { u"upstream"_s, reference.origin() }, { u"wants"_s, wants } });
    QByteArray secret;
    for (auto it = texts.begin(); it != texts.end(); ++it) {
        if (it->startsWith(u"G/"))
            *it = gate.origin + it->mid(1);
        if (it.key() == u"Key" || it.key() == u"Client secret" || it.key() == u"Password")
            secret = it->toUtf8();
    }
    texts.insert(u"URL"_s, gate.origin);
    Program program;
    for (int round = 1; round <= 2; ++round) {
        if (round == 1)
            fillWhenAsked(kind, texts);
        else
            chooseWhenAsked(0);
        program.connectToServer(nullptr);
        QTRY_COMPARE(program.windows().size(), round);
        MainWindow *window = program.windows().last();
        const NetworkPanel *panel = window->network().panel();
        QTRY_COMPARE(panel->state().kind, NetworkState::Kind::Connected);
        window->network().setReadOnly(false);
        const QString path = u"/GatewayPools/p%1"_s.arg(round);
        window->controller().submit(
            { .op = u"PUT"_s, .path = path, .id = u"o%1"_s.arg(round), .client = u"me"_s });
        QTRY_VERIFY(window->controller().world().tree.find(path) != NoResource);
        const QByteArray told =
            exchangesHar(panel->exchanges()) + exchangesNdjson(panel->exchanges());
        QVERIFY(told.contains("***") && told.contains("\"PUT\""));
        for (const QByteArray &hidden :
            { secret, secret.toPercentEncoding(), QByteArray("-of-the-gate") })
            QVERIFY2(!told.contains(hidden), hidden.constData());
    }
    QCOMPARE(gate.counted("refused"), 0);
    if (m_hasWallet) {
        QCOMPARE(m_wallet.entries.size(), 1);
        QVERIFY(m_wallet.entries.first().contains(QString::fromUtf8(secret)));
    }
    QSettings().sync();
    QVERIFY(!fileWith(m_folder.path(), gate.origin.toUtf8()).isEmpty());
    for (const QString &folder :
        { m_folder.path(), QStandardPaths::writableLocation(QStandardPaths::AppDataLocation),
            QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) }) {
        QCOMPARE(fileWith(folder, secret), QString());
        QCOMPARE(fileWith(folder, "-of-the-gate"), QString());
    }
    for (const QPointer<MainWindow> &window : program.windows())
        delete window.data();
}

/// The window says why, in the server's words and without the secret.
void TestKeychain::notLetIn()
{
    const Gate gate({ { u"wants"_s, u"subject"_s } });
    Program program;
    fillWhenAsked(u"A Keystone password"_s,
        { { u"URL"_s, gate.origin }, { u"Keystone URL"_s, gate.origin }, { u"Name"_s, u"alice"_s },
            { u"Password"_s, u"not the password"_s } });
    program.connectToServer(nullptr);
    QTRY_COMPARE(program.windows().size(), 1);
    const NetworkPanel *panel = program.windows().last()->network().panel();
    QTRY_COMPARE(panel->state().kind, NetworkState::Kind::Unreachable);
    QCOMPARE(panel->state().detail,
        u"There is no token from %1/v3/auth/tokens: 401 The request you have made requires "
        "authentication."_s.arg(gate.origin));
    QVERIFY(!panel->state().retry.isValid());
    delete program.windows().last().data();
}

const instar::TestClass<TestKeychain, QApplication> registered;
#include "tst_keychain.moc"
