// SPDX-License-Identifier: Apache-2.0
// `instar-cli rules` as a process: the rules of a pack, to be read.

#include "model/json/library.h"
#include "tests/support/testclass.h"

#include <QProcess>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRulesPrinted : public QObject
{
    Q_OBJECT

private slots:
    void everyPack_data();
    void everyPack();
    void underASwitch();
    void page();
    void refused_data();
    void refused();

private:
    struct Printed
    {
        int exit = -1;
        QString out, err;
    };
    static Printed ran(const QStringList &arguments)
    {
        QProcess process;
        process.start(qEnvironmentVariable("INSTAR_CLI"), QStringList(u"rules"_s) + arguments,
            QIODevice::ReadOnly);
        if (!process.waitForFinished(120'000))
            return {};
        return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError()) };
    }
};

void TestRulesPrinted::everyPack_data()
{
    QTest::addColumn<QString>("id");
    for (const QString &id : builtInPacks())
        QTest::newRow(qPrintable(id)) << id;
}

void TestRulesPrinted::everyPack()
{
    QFETCH(const QString, id);
    const Printed printed = ran({ id });
    QCOMPARE(printed.exit, 0);
    QCOMPARE(printed.err, QString());
    QVERIFY(printed.out.startsWith(u"Affected resources\n"_s));
    const Result<Pack> pack = loadPack(id);
    for (const QString &operation : pack->operationNames())
        QVERIFY2(printed.out.contains(operation), qPrintable(operation));
}

void TestRulesPrinted::underASwitch()
{
    const QString id = u"network-controller"_s;
    const QString usual = ran({ id }).out;
    const Printed other = ran({ id, u"--switch"_s, u"siblingsRunConcurrently=true"_s });
    QCOMPARE(other.exit, 0);
    QVERIFY(other.out != usual);
    QVERIFY(other.out.contains(u"Operations on siblings run concurrently"_s));
    QVERIFY(!usual.contains(u"Operations on siblings run concurrently"_s));
}

void TestRulesPrinted::page()
{
    const Printed printed = ran({ u"blazar"_s, u"--format"_s, u"html"_s });
    QCOMPARE(printed.exit, 0);
    QVERIFY(printed.out.startsWith(u"<!DOCTYPE html>"_s));
    QVERIFY(printed.out.trimmed().endsWith(u"</html>"_s));
}

void TestRulesPrinted::refused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no such pack") << QStringList { u"nonsense"_s } << u"nonsense"_s;
    QTest::newRow("no such switch")
        << QStringList { u"blazar"_s, u"--switch"_s, u"x=y"_s } << u"x"_s;
    QTest::newRow("no such format")
        << QStringList { u"blazar"_s, u"--format"_s, u"pdf"_s } << u"pdf"_s;
}

void TestRulesPrinted::refused()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, says);
    const Printed printed = ran(arguments);
    QCOMPARE(printed.exit, 2);
    QCOMPARE(printed.out, QString());
    QVERIFY2(printed.err.contains(says), qPrintable(printed.err));
    QCOMPARE(printed.err.count(u'\n'), 1);
}

const instar::TestClass<TestRulesPrinted> registered;
#include "tst_rulesprinted.moc"
