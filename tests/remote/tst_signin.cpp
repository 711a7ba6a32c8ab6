// SPDX-License-Identifier: Apache-2.0
// Tokens and keys: what has to be said, and what of it is seen.

#include "model/remote/masking.h"
#include "tests/remote/errands.h"
#include "tests/support/testclass.h"

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

using Kind = Credential::Kind;

class TestSignIn : public QObject
{
    Q_OBJECT

private slots:
    void hides_data();
    void hides();
    void incomplete_data();
    void incomplete();
};

Credential client(const QUrl &issuer)
{
    return { .kind = Kind::ClientCredentials,
        .user = u"me"_s,
        .secret = u"hush-hush-1"_s,
        .issuer = issuer };
}

void TestSignIn::hides_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("none") << QByteArray("nothing") << QByteArray("nothing");
    QTest::newRow("as it is") << QByteArray("not with se/cret+1.") << QByteArray("not with ***.");
    QTest::newRow("in a URL") << QByteArray("?x=se%2Fcret%2B1&y") << QByteArray("?x=***&y");
    QTest::newRow("twice") << QByteArray("se/cret+1se/cret+1") << QByteArray("******");
    QTest::newRow("a short word") << QByteArray("tiny") << QByteArray("tiny");
}

void TestSignIn::hides()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, shown);
    QCOMPARE(withoutSecrets(text, { "se/cret+1", "tiny", "" }), shown);
}

void TestSignIn::incomplete_data()
{
    QTest::addColumn<Credential>("credential");
    QTest::addColumn<QString>("problem");
    const QUrl good(u"http://h/token"_s);
    const auto row = [](const char *name, const Credential &credential, const char *problem) {
        QTest::newRow(name) << credential << QString::fromUtf8(problem);
    };
    row("no parameter", { .kind = Kind::QueryKey, .user = {}, .secret = u"k"_s },
        "The parameter of the query");
    row("no key", { .kind = Kind::QueryKey, .user = u"k"_s }, "The API key is empty.");
    row("a key of two lines", { .kind = Kind::QueryKey, .user = u"k"_s, .secret = u"a\nb"_s },
        "The API key holds line breaks");
    Credential one = client(QUrl(u"ftp://me:hush-hush-1@h/token"_s));
    row("no web address", one, "\"ftp://h/token\" is no address of a server that gives tokens");
    one.issuer = QUrl();
    row("no address", one, "\"\" is no address of a server that gives tokens");
    one.issuer = QUrl(u"file:///etc/passwd"_s);
    row("a file", one, "\"file:///etc/passwd\" is no address");
    one.issuer = QUrl(u"http://me:hush-hush-1@h/token"_s);
    row("a user in the address", one, "The address of http://h/token must not hold a user.");
    one.issuer = good;
    one.user.clear();
    row("no client", one, "The client's id is empty.");
    one = client(good);
    one.secret.clear();
    row("no client's secret", one, "The client's secret is empty.");
    one = { .kind = Kind::Keystone, .user = {}, .secret = u"p"_s, .issuer = good };
    row("no user", one, "The user's name is empty.");
    one.user = u"me"_s;
    one.secret.clear();
    row("no password", one, "The password is empty.");
}

void TestSignIn::incomplete()
{
    QFETCH(const Credential, credential);
    QFETCH(const QString, problem);
    const Result<std::unique_ptr<Connection>> made =
        Connection::make({ .server = QUrl(u"http://127.0.0.1:1"_s), .credential = credential });
    QVERIFY(!made);
    QVERIFY2(made.error().startsWith(problem), qPrintable(made.error()));
    QVERIFY(!made.error().contains(u"hush"_s));
}

} // namespace

const instar::TestClass<TestSignIn> registered;
#include "tst_signin.moc"
