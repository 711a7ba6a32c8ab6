// SPDX-License-Identifier: Apache-2.0
#include "model/pack/pathtemplate.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

/// What is in the holes, as "a=1 b=2"; "no" where the path is another one.
QString fitted(
    const QString &form, const QString &path, Qt::CaseSensitivity names = Qt::CaseSensitive)
{
    const auto filling = PathTemplate(form).match(path, names);
    if (!filling)
        return u"no"_s;
    QStringList parts;
    for (auto it = filling->cbegin(); it != filling->cend(); ++it)
        parts += it.key() + u'=' + it.value();
    return parts.join(u' ');
}

} // namespace

class TestPathTemplate : public QObject
{
    Q_OBJECT
private slots:
    void fits_data();
    void fits();
    void ignoresCase();
    void filledFits();
};

void TestPathTemplate::fits_data()
{
    const Rows<QString, QString, QString> row("form", "path", "filling");
    row("words only", u"/a/b"_s, u"/a/b"_s, u""_s);
    row("another word", u"/a/b"_s, u"/a/c"_s, u"no"_s);
    row("shorter", u"/a/{x}"_s, u"/a"_s, u"no"_s);
    row("longer", u"/a/{x}"_s, u"/a/1/b"_s, u"no"_s);
    row("a hole", u"/a/{x}"_s, u"/a/1"_s, u"x=1"_s);
    row("case of words", u"/a/{x}"_s, u"/A/1"_s, u"no"_s);
    row("two in a part", u"/{x},{y}"_s, u"/1,2"_s, u"x=1 y=2"_s);
    row("the first is short", u"/{x},{y}"_s, u"/1,2,3"_s, u"x=1 y=2,3"_s);
    row("none is empty", u"/{x},{y}"_s, u"/,2"_s, u"no"_s);
    row("words around", u"/a-{x}.json"_s, u"/a-1.json"_s, u"x=1"_s);
    row("nothing between them", u"/a-{x}.json"_s, u"/a-.json"_s, u"no"_s);
    row("the end is missing", u"/a-{x}.json"_s, u"/a-1.xml"_s, u"no"_s);
    row("action with a colon", u"/v/{x}:start"_s, u"/v/1:start"_s, u"x=1"_s);
}

void TestPathTemplate::fits()
{
    QFETCH(QString, form);
    QFETCH(QString, path);
    QFETCH(QString, filling);
    QCOMPARE(fitted(form, path), filling);
    if (filling != u"no")
        QCOMPARE(
            PathTemplate(form).filled(*PathTemplate(form).match(path, Qt::CaseSensitive)), path);
}

void TestPathTemplate::ignoresCase()
{
    QCOMPARE(fitted(u"/Boxes/{x}"_s, u"/boxes/Big"_s, Qt::CaseInsensitive), u"x=Big"_s);
}

void TestPathTemplate::filledFits()
{
    QVERIFY(holdsFor(200, 50, [] {
        const QStringList pieces { u"a"_s, u"{x}"_s, u"b-{y}"_s, u"{z}.c"_s, u"d"_s };
        QString form;
        for (const int which : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5)))
            form += u'/' + pieces[which];
        const PathTemplate path(form);
        PathTemplate::HoleValues values;
        for (const QString &hole : path.holes())
            values.insert(hole, QString::number(*rc::gen::inRange(0, 1000)));
        const auto found = path.match(path.filled(values), Qt::CaseSensitive);
        RC_ASSERT(found && *found == values);
    }));
}

const instar::TestClass<TestPathTemplate> registered;
#include "tst_pathtemplate.moc"
