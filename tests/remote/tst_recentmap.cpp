// SPDX-License-Identifier: Apache-2.0
#include "model/remote/recentmap.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRecentMap : public QObject
{
    Q_OBJECT

private slots:
    void forgetsWhatNobodyAsksFor();
    void newValues();
};

void TestRecentMap::forgetsWhatNobodyAsksFor()
{
    constexpr int most = 100;
    RecentMap<int> map(most);
    map.insert(u"asked for"_s, 7);
    map.insert(u"left alone"_s, 8);
    for (int i = 1; i <= 1000; ++i) {
        map.insert(QString::number(i), i);
        QCOMPARE(map.value(u"asked for"_s), 7);
        QVERIFY2(map.size() <= 2 * most, qPrintable(QString::number(map.size())));
        QCOMPARE(map.value(QString::number(i)), i);
    }
    QCOMPARE(map.value(u"left alone"_s), 0);
    for (int i = 1000; i > 1000 - most + 1; --i)
        QCOMPARE(map.value(QString::number(i)), i);
    QCOMPARE(map.value(u"100"_s), 0);
    QVERIFY(map.size() >= most);
}

/// Also of what is about to be forgotten.
void TestRecentMap::newValues()
{
    RecentMap<int> map(2);
    map.insert(u"a"_s, 1);
    map.insert(u"b"_s, 2);
    map.insert(u"c"_s, 3);
    map.insert(u"a"_s, 10);
    QCOMPARE(map.size(), 3);
    map.insert(u"d"_s, 4);
    QCOMPARE(map.value(u"a"_s), 10);
    map.insert(u"a"_s, 11);
    QCOMPARE(map.value(u"a"_s), 11);
}

const TestClass<TestRecentMap> registered;

#include "tst_recentmap.moc"
