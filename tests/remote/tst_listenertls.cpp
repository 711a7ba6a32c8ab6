// SPDX-License-Identifier: Apache-2.0
// The listener with TLS, and an independent client.

#include "tests/remote/party.h"
#include "tests/support/testclass.h"

#include <QProcess>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTemporaryDir>
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
    void curl();

private:
    bool makeCertificate();

    QTemporaryDir m_folder;
    QByteArray m_certificate, m_key;
};

/// False: there is no openssl, or no TLS.
bool TestListenerTls::makeCertificate()
{
    if (!m_key.isEmpty())
        return true;
    const QString openssl = QStandardPaths::findExecutable(u"openssl"_s);
    if (openssl.isEmpty() || !QSslSocket::supportsSsl())
        return false;
    const QString key = m_folder.filePath(u"key.pem"_s);
    const QString certificate = m_folder.filePath(u"certificate.pem"_s);
    QProcess process;
    process.start(openssl,
        { u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-days"_s, u"2"_s,
            u"-subj"_s, u"/CN=localhost"_s, u"-addext"_s,
            u"subjectAltName=DNS:localhost,IP:127.0.0.1"_s, u"-keyout"_s, key, u"-out"_s,
            certificate });
    if (!process.waitForFinished(Patience) || process.exitCode() != 0)
        qFatal("openssl: %s", process.readAllStandardError().constData());
    QFile keyFile(key), certificateFile(certificate);
    if (!keyFile.open(QFile::ReadOnly) || !certificateFile.open(QFile::ReadOnly))
        qFatal("openssl wrote nothing");
    m_key = keyFile.readAll();
    m_certificate = certificateFile.readAll();
    return true;
}

void TestListenerTls::tls()
{
    if (!makeCertificate())
        QSKIP("needs openssl, and Qt with TLS");
    Party party({ .certificate = m_certificate, .key = m_key });
    QVERIFY(party.listener.isSecure());
    ClientOf<QSslSocket> client(party);
    QSslConfiguration configuration = client.sslConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(m_certificate));
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
    if (!makeCertificate())
        QSKIP("needs openssl, and Qt with TLS");
    Party party({ .headerSeconds = 1, .certificate = m_certificate, .key = m_key });
    Client plain(party), silent(party);
    plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(plain.isClosed() && silent.isClosed(), Patience);
    QCOMPARE(party.asked, 0);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 0, Patience);

    HttpListener listener([](HttpListener::Ticket, const HttpRequest &, const QString &) {});
    const Result<quint16> port = listener.listen({ .certificate = m_certificate, .key = "x" });
    QVERIFY(!port && port.error().contains("key"_L1));
}

/// One connection too many is told so in words that its client can read.
void TestListenerTls::tooManyConnections()
{
    if (!makeCertificate())
        QSKIP("needs openssl, and Qt with TLS");
    Party party({ .mostConnections = 1, .certificate = m_certificate, .key = m_key });
    Client first(party);
    QTRY_COMPARE_WITH_TIMEOUT(party.listener.connections(), 1, Patience);
    ClientOf<QSslSocket> client(party);
    QSslConfiguration configuration = client.sslConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(m_certificate));
    client.setSslConfiguration(configuration);
    client.connectToHostEncrypted(u"127.0.0.1"_s, party.listener.port());
    QTRY_COMPARE_WITH_TIMEOUT(client.answers(), "503 closes", Patience);
    QCOMPARE(party.asked, 0);
}

/// What an independent client makes of the answers.
void TestListenerTls::curl()
{
    const QString program = QStandardPaths::findExecutable(u"curl"_s);
    if (program.isEmpty())
        QSKIP("needs curl");
    Party party;
    const QString url = u"http://127.0.0.1:%1"_s.arg(party.listener.port());
    QByteArray out, err;
    const auto run = [&](const QStringList &arguments) {
        QProcess process;
        process.start(program, QStringList { u"-sSv"_s, u"--max-time"_s, u"20"_s } + arguments);
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, Patience + 5000);
        out = process.readAllStandardOutput();
        err = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, err.constData());
    };
    run({ url + u"/1"_s, url + u"/2"_s });
    QCOMPARE(out, "GET /1GET /2");
    QVERIFY2(err.contains("Re-using existing connection"), err.constData());

    QFile file(m_folder.filePath(u"body"_s));
    QVERIFY(file.open(QFile::WriteOnly));
    const QByteArray body = QByteArray("0123456789").repeated(200'000);
    file.write(body);
    file.close();
    run({ u"-T"_s, file.fileName(), u"-H"_s, u"Transfer-Encoding: chunked"_s, url + u"/up"_s });
    QVERIFY(out == "PUT /up " + body);
    run({ u"-T"_s, file.fileName(), url + u"/up"_s });
    QVERIFY(out == "PUT /up " + body);

    run({ u"-I"_s, url + u"/abcdef"_s, url + u"/x"_s });
    QCOMPARE(out.count("HTTP/1.1 200 OK"), 2);
    QVERIFY2(out.contains("Content-Length: 12\r\n"), out.constData());

    run({ u"-H"_s, u"Expect: 100-continue"_s, u"-d"_s, u"hello"_s, url + u"/e"_s });
    QCOMPARE(out, "POST /e hello");
    QVERIFY2(err.contains("HTTP/1.1 100 Continue"), err.constData());

    run({ u"-0"_s, url + u"/old"_s });
    QCOMPARE(out, "GET /old");
    QVERIFY2(err.contains("Closing connection"), err.constData());

    if (!makeCertificate())
        return;
    Party secure({ .certificate = m_certificate, .key = m_key });
    run({ u"--cacert"_s, m_folder.filePath(u"certificate.pem"_s),
        u"https://127.0.0.1:%1/s"_s.arg(secure.listener.port()) });
    QCOMPARE(out, "GET /s");
}

} // namespace

const instar::TestClass<TestListenerTls> registered;
#include "tst_listenertls.moc"
