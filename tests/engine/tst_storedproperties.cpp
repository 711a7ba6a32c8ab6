// SPDX-License-Identifier: Apache-2.0
#include "model/engine/operation.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestStoredProperties : public QObject
{
    Q_OBJECT

private slots:
    void emptyOnes();
    void areReadOnceAndLate();
    void compare();
    void copiesAreIndependent();
};

void TestStoredProperties::emptyOnes()
{
    QVERIFY(Properties().isEmpty());
    QVERIFY(Properties(QJsonObject()).isEmpty());
    QCOMPARE(Properties().object(), QJsonObject());
    QVERIFY(Properties() == Properties(QJsonObject()));
    QVERIFY(!Properties({ { u"a"_s, 1 } }).isEmpty());
}

void TestStoredProperties::areReadOnceAndLate()
{
    int times = 0;
    const Properties properties = Properties::readBy([&times] {
        ++times;
        return QJsonObject { { u"a"_s, 1 } };
    });
    Properties copy; // asks nothing
    copy = properties;
    QVERIFY(!copy.isEmpty() && copy == properties);
    QCOMPARE(times, 0);
    QCOMPARE(copy.value(u"a"_s).toInt(), 1);
    QVERIFY(properties.value(u"b"_s).isUndefined());
    QCOMPARE(times, 1);
}

void TestStoredProperties::compare()
{
    const QJsonObject object { { u"a"_s, 1 } };
    const Properties read = Properties::readBy([object] { return object; });
    QVERIFY(read == Properties(object));
    QVERIFY(read == object);
    QVERIFY(read != Properties());
    QVERIFY(read != Properties({ { u"a"_s, 2 } }));
}

void TestStoredProperties::copiesAreIndependent()
{
    const Properties before = Properties::readBy([] { return QJsonObject { { u"a"_s, 1 } }; });
    Properties after = before;
    after.insert(u"b"_s, 2);
    QCOMPARE(after.object(), (QJsonObject { { u"a"_s, 1 }, { u"b"_s, 2 } }));
    QCOMPARE(before.object(), (QJsonObject { { u"a"_s, 1 } }));
}

const instar::TestClass<TestStoredProperties> registered;
#include "tst_storedproperties.moc"
