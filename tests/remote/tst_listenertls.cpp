// SPDX-License-Identifier: Apache-2.0
// The listener with TLS.

#include "tests/remote/party.h"
#include "tests/remote/scriptedserver.h"
#include "tests/support/testclass.h"

#include <QSslConfiguration>
#include <QSslSocket>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestListenerTls : public QObject
{
    Q_OBJECT

private slots:
    void tls();
    void tlsAndStrangers();
    void tooManyConnections();

private:
    const TestCertificate m_own = TestCertificate::make();
};

void TestListenerTls::tls()
{
    Party party({ .certificate = m_own.certificate, .key = m_own.key });
    QVERIFY(party.listener.isSecure());
    ClientOf<QSslSocket> client(party);
    QSslConfiguration configuration = client.sslConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(m_own.certificate));
    client.setSslConfiguration(configuration);
    client.connectToHostEncrypted(u"127.0.0.1"_s, party.listener.port());
    QTRY_VERIFY_WITH_TIMEOUT(client.isEncrypted(), Patience);

    client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /later "
                "HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'", Patience);
    party.answerLater(0);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "200 'PUT /a hello'\n200 '/later'", Patience);

    client.bytes.clear(); // large both ways, and more requests than may wait
    const QByteArray body(5'000'000, 'x');
    client.send("PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + body
        + QByteArray("GET /big100000 HTTP/1.1\r\nHost: x\r\n\r\n").repeated(200));
    const QByteArray big = "\n200 '" + QByteArray(100'000, 'x') + '\'';
    QTRY_COMPARE_WITH_TIMEOUT(client.bytes.count("HTTP/1.1 200"), 201, Patience);
    QTRY_VERIFY_WITH_TIMEOUT(
        client.answers() == "200 'PUT /b " + body + '\'' + big.repeated(200), Patience);

    client.bytes.clear();
    client.send("PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 500000000\r\n\r\n" + body);
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "413 closes", Patience);
    QTRY_VERIFY_WITH_TIMEOUT(client.isClosed(), Patience);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);
}

void TestListenerTls::tlsAndStrangers()
{
    Party party({ .headerSeconds = 1, .certificate = m_own.certificate, .key = m_own.key });
    Client plain(party), silent(party);
    plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(plain.isClosed() && silent.isClosed(), Patience);
    QCOMPARE(party.asked, 0);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);

    HttpListener listener([](HttpListener::Ticket, const HttpRequest &, const QString &) {});
    const Result<quint16> port = listener.listen({ .certificate = m_own.certificate, .key = "x" });
    QVERIFY(!port && port.error().contains("key"_L1));
}

/// One connection too many is told so in words that its client can read.
void TestListenerTls::tooManyConnections()
{
    Party party({ .mostConnections = 1, .certificate = m_own.certificate, .key = m_own.key });
    Client first(party);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
    ClientOf<QSslSocket> client(party);
    QSslConfiguration configuration = client.sslConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(m_own.certificate));
    client.setSslConfiguration(configuration);
    client.connectToHostEncrypted(u"127.0.0.1"_s, party.listener.port());
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "503 closes", Patience);
    QCOMPARE(party.asked, 0);
}

} // namespace

const instar::TestClass<TestListenerTls> registered;
#include "tst_listenertls.moc"
