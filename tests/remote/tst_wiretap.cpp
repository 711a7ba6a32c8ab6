// SPDX-License-Identifier: Apache-2.0
// What is overheard on a connection, however its bytes are cut.

#include "model/remote/servedexchanges.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// What a tap tells, a line an exchange that is over: "PUT /a 201 body | sent body".
class Ear
{
public:
    Ear()
        : exchanges([this](const Exchange &exchange) {
              if (exchange.isOver())
                  heard += u"%1 %2 %3 %4%5"_s.arg(exchange.method, QUrl(exchange.url).path())
                               .arg(exchange.status)
                               .arg(QString::fromUtf8(exchange.responseBody),
                                   exchange.requestBody.isEmpty()
                                       ? QString()
                                       : u" | "_s + QString::fromUtf8(exchange.requestBody));
          }),
          tap(std::make_unique<Wiretap>(
              exchanges, [this](const QString &why) { missed += why; }, u"http://s"_s, u"c:1"_s))
    { }

    QStringList heard, missed;
    ServedExchanges exchanges;
    std::unique_ptr<Wiretap> tap;
};

const QByteArray get = "GET /a HTTP/1.1\r\nHost: s\r\n\r\n";
const QByteArray head = "HEAD /h HTTP/1.1\r\nHost: s\r\n\r\n";
const QByteArray put = "PUT /b HTTP/1.1\r\nHost: s\r\nContent-Length: 2\r\n\r\n{}";
const QByteArray chunkedPut = "PUT /c HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "1\r\n[\r\n1\r\n]\r\n0\r\n\r\n";
const QByteArray ok = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes";
const QByteArray headOk = "HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n";
const QByteArray chunkedOk = "HTTP/1.1 201 Made\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "4\r\nmade\r\n0\r\n\r\n";
const QByteArray more = "HTTP/1.1 100 Continue\r\n\r\n";
const QByteArray untilEnd = "HTTP/1.1 200 OK\r\n\r\nall of it";

} // namespace

class TestWiretap : public QObject
{
    Q_OBJECT
private slots:
    void hears_data();
    void hears();
    void cutAnywhere();
    void untilTheEnd();
    void endsInTheMiddle();
    void garbageIsSaid();
};

void TestWiretap::hears_data()
{
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QByteArray>("answered");
    QTest::addColumn<QStringList>("heard");
    QTest::newRow("one") << get << ok << QStringList { u"GET /a 200 yes"_s };
    QTest::newRow("one after the other")
        << get + put << ok + chunkedOk
        << QStringList { u"GET /a 200 yes"_s, u"PUT /b 201 made | {}"_s };
    QTest::newRow("chunks") << chunkedPut << chunkedOk << QStringList { u"PUT /c 201 made | []"_s };
    QTest::newRow("HEAD has no body")
        << head + get << headOk + ok << QStringList { u"HEAD /h 200 "_s, u"GET /a 200 yes"_s };
    QTest::newRow("two HEADs") << head + head + get
                               << headOk + headOk
            + ok << QStringList { u"HEAD /h 200 "_s, u"HEAD /h 200 "_s, u"GET /a 200 yes"_s };
    QTest::newRow("100 is no answer")
        << put << more + ok << QStringList { u"PUT /b 200 yes | {}"_s };
    QTest::newRow("nobody asked") << QByteArray() << ok << QStringList();
}

void TestWiretap::hears()
{
    QFETCH(QByteArray, asked);
    QFETCH(QByteArray, answered);
    QFETCH(QStringList, heard);
    Ear ear;
    ear.tap->fromClient(asked);
    ear.tap->fromServer(answered);
    QCOMPARE(ear.heard, heard);
    QVERIFY(!ear.tap->isWaiting());
    QVERIFY(ear.missed.isEmpty());
}

void TestWiretap::cutAnywhere()
{
    QVERIFY(holdsFor(300, 100, [] {
        const QByteArray asked = get + chunkedPut + head + put,
                         answered = ok + more + chunkedOk + headOk + ok;
        Ear ear;
        ear.tap->fromClient(asked.left(get.size()));
        const auto feed = [&](const QByteArray &bytes, void (Wiretap::*to)(QByteArrayView)) {
            for (qsizetype at = 0; at < bytes.size();) {
                const qsizetype size = *rc::gen::inRange<qsizetype>(1, 40);
                (ear.tap.get()->*to)(
                    QByteArrayView(bytes).sliced(at).first(std::min(size, bytes.size() - at)));
                at += size;
            }
        };
        feed(asked.mid(get.size()), &Wiretap::fromClient);
        feed(answered, &Wiretap::fromServer);
        RC_ASSERT(ear.heard
            == (QStringList { u"GET /a 200 yes"_s, u"PUT /c 201 made | []"_s, u"HEAD /h 200 "_s,
                u"PUT /b 200 yes | {}"_s }));
    }));
}

void TestWiretap::untilTheEnd()
{
    Ear ear;
    ear.tap->fromClient(get);
    ear.tap->fromServer(untilEnd);
    QVERIFY(ear.tap->isWaiting());
    ear.tap->serverEnded();
    QCOMPARE(ear.heard, QStringList { u"GET /a 200 all of it"_s });
}

void TestWiretap::endsInTheMiddle()
{
    Ear ear;
    ear.tap->fromClient(put + get);
    ear.tap->fromServer(ok.left(20));
    ear.tap->serverEnded();
    // It may have happened: that is an exchange without an answer.
    QCOMPARE(ear.heard, (QStringList { u"PUT /b 0  | {}"_s, u"GET /a 0 "_s }));
    Ear other;
    other.tap->fromClient(put);
    other.tap.reset();
    QCOMPARE(other.heard, QStringList { u"PUT /b 0  | {}"_s });
}

/// What follows it is not read, and somebody is told so.
void TestWiretap::garbageIsSaid()
{
    Ear ear;
    ear.tap->fromClient(get + QByteArray("\x16\x03\x01\0\x01 no HTTP\r\n\r\n", 18) + put);
    ear.tap->fromServer(ok);
    ear.tap->fromClient(put);
    QCOMPARE(ear.heard, QStringList { u"GET /a 200 yes"_s });
    QCOMPARE(ear.missed.size(), 1);
    QVERIFY(ear.missed.first().contains(u"c:1"_s));
    Ear garbled;
    garbled.tap->fromClient(put);
    garbled.tap->fromServer("SSH-2.0\r\n\r\n");
    QCOMPARE(garbled.heard, QStringList { u"PUT /b 0  | {}"_s });
    QVERIFY(garbled.missed.isEmpty()); // an answer that is none leaves open what happened
}

const instar::TestClass<TestWiretap> registered;
#include "tst_wiretap.moc"
