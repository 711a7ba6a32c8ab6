// SPDX-License-Identifier: Apache-2.0
#include "model/pack/renames.h"
#include "tests/support/packtext.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

class TestRenames : public QObject
{
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void types_data();
    void types();
};

namespace {

Renames someRenames()
{
    Renames names;
    names.add(Name::State, u"full"_s, u"laden"_s, u"rack"_s);
    names.add(Name::State, u"one"_s, u"two"_s, u"rack"_s);
    names.add(Name::State, u"two"_s, u"one"_s, u"rack"_s);
    names.add(Name::State, u"left"_s, {}, u"rack"_s);
    names.add(Name::Operation, u"fill"_s, u"stuff"_s);
    names.add(Name::Outcome, u"partial"_s, u"half"_s);
    names.add(Name::Type, u"racks"_s, u"cases"_s);
    names.add(Name::Type, u"racks/slots"_s, u"cases/places"_s);
    names.add(Name::Type, u"boxes/lids"_s, u"lids"_s);
    names.add(Name::Type, u"bins"_s, {});
    return names;
}

} // namespace

void TestRenames::names_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("to");
    const QString rack = u"rack"_s, gone = u"-"_s;
    QTest::newRow("called otherwise") << u"full"_s << rack << u"laden"_s;
    QTest::newRow("of another machine") << u"full"_s << u"box"_s << u"full"_s;
    QTest::newRow("as it was") << u"idle"_s << rack << u"idle"_s;
    QTest::newRow("its name is another's now") << u"laden"_s << rack << gone;
    QTest::newRow("changed names") << u"one"_s << rack << u"two"_s;
    QTest::newRow("gone") << u"left"_s << rack << gone;
    QTest::newRow("an operation") << u"fill"_s << QString() << u"stuff"_s;
    QTest::newRow("an outcome") << u"partial"_s << QString() << u"half"_s;
    QTest::newRow("triggers share their names") << u"half"_s << QString() << gone;
}

void TestRenames::names()
{
    QFETCH(QString, from);
    QFETCH(QString, machine);
    const Renames names = someRenames();
    const auto now =
        machine.isEmpty() ? names.trigger(from) : names.now(Name::State, from, machine);
    QTEST(now.value_or(u"-"_s), "to");
}

void TestRenames::types_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("called otherwise") << u"racks"_s << u"cases"_s;
    QTest::newRow("one below") << u"racks/slots"_s << u"cases/places"_s;
    QTest::newRow("goes along") << u"racks/slots/pins"_s << u"cases/places/pins"_s;
    QTest::newRow("as it was") << u"boxes"_s << u"boxes"_s;
    QTest::newRow("elsewhere") << u"boxes/lids"_s << u"-"_s;
    QTest::newRow("its name is another's now") << u"cases"_s << u"-"_s;
    QTest::newRow("below one that is gone") << u"bins/tops"_s << u"-"_s;
}

void TestRenames::types()
{
    QFETCH(QString, from);
    QTEST(someRenames().type(from).value_or(u"-"_s), "to");
}

const instar::TestClass<TestRenames> registered;
#include "tst_renames.moc"
