// SPDX-License-Identifier: Apache-2.0
#include "model/pack/tree.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace instar;
using namespace Qt::StringLiterals;

class TestTree : public QObject
{
    Q_OBJECT

private slots:
    void paths();
    void spelling_data();
    void spelling();
    void pathsThatAreNone_data();
    void pathsThatAreNone();
    void againstAList();
    void builder();
    void builderAndCreateAgree();
    void copiesAreIndependent();
};

namespace {

constexpr int CodeCount = 5;

/// A tree as a list in preorder, with everything looked up the long way.
struct Naive
{
    struct Node
    {
        QString path;
        Code code = 0;
        quint64 stamp = 0;
    };
    std::vector<Node> nodes;

    int find(const QString &path) const
    {
        for (size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].path.compare(path, Qt::CaseInsensitive) == 0)
                return int(i);
        }
        return -1;
    }
    bool isIn(size_t node, const QString &above) const
    {
        const QString &path = nodes[node].path;
        return path.compare(above, Qt::CaseInsensitive) == 0
            || path.startsWith(above + u'/', Qt::CaseInsensitive);
    }
    void create(const QString &parent, const QString &path, Code code, quint64 stamp)
    {
        size_t at = nodes.size();
        for (size_t i = 0; i < nodes.size() && !parent.isEmpty(); ++i) {
            if (isIn(i, parent))
                at = i + 1;
        }
        nodes.insert(nodes.begin() + qsizetype(at), { path, code, stamp });
    }
};

QString difference(const Tree &tree, const Naive &naive)
{
    const QList<Resource> resources = tree.resources();
    if (tree.size() != qsizetype(naive.nodes.size()) || resources.size() != tree.size())
        return u"%1 resources, listed %2, expected %3"_s.arg(tree.size())
            .arg(resources.size())
            .arg(naive.nodes.size());
    QList<qint64> counts(CodeCount);
    for (size_t i = 0; i < naive.nodes.size(); ++i) {
        const Resource resource = resources[qsizetype(i)];
        const Naive::Node &node = naive.nodes[i];
        ++counts[node.code];
        const QString path = tree.path(resource);
        if (path != node.path)
            return u"%1, expected %2"_s.arg(path, node.path);
        if (!tree.exists(resource) || tree.find(path.toUpper()) != resource
            || tree.find(path) != resource)
            return path + u" is not found"_s;
        if (tree.code(resource) != node.code || tree.stamp(resource) != node.stamp)
            return path + u" has another code or stamp"_s;
        const Tree::Place place = tree.place(resource);
        if (tree.at(place.branch, place.position) != resource)
            return path + u" is not where it is"_s;
        if (tree.depth(resource) != path.count(u'/') / 2 - 1)
            return path + u" has another depth"_s;
        const QString above = path.section(u'/', 0, -3);
        if (tree.parent(resource) != (above.isEmpty() ? NoResource : tree.find(above)))
            return path + u" has another parent"_s;

        quint32 below = 0;
        QStringList children;
        for (size_t j = i; j < naive.nodes.size(); ++j) {
            below += naive.isIn(j, node.path);
            if (naive.isIn(j, node.path) && naive.nodes[j].path.count(u'/') == path.count(u'/') + 2)
                children.append(naive.nodes[j].path);
        }
        const Tree::Range range = tree.subtree(resource);
        if (range != Tree::Range { place.branch, place.position, place.position + below })
            return path + u" has another subtree"_s;
        QStringList found;
        for (const Resource child : tree.children(resource))
            found.append(tree.path(child));
        if (found != children)
            return u"%1 has children %2, expected %3"_s.arg(
                path, found.join(u' '), children.join(u' '));
    }
    if (tree.counts() != counts)
        return u"the counts differ"_s;
    quint32 sum = 0;
    if (!std::ranges::is_sorted(
            tree.branches(), std::less(), [&](quint32 branch) { return tree.rank(branch); }))
        return u"the ranks of branches are not in their order"_s;
    for (const quint32 branch : tree.branches()) {
        sum += tree.branchSize(branch);
        quint32 cells = 0;
        for (const quint32 count : tree.branchCounts(branch))
            cells += count;
        if (cells != tree.branchSize(branch))
            return u"the counts of a branch differ"_s;
    }
    return sum == naive.nodes.size() ? QString() : u"the branches hold another number"_s;
}

int below(int limit)
{
    return limit <= 0 ? 0 : *rc::gen::resize(100, rc::gen::inRange(0, limit));
}

std::vector<Code> anyMap()
{
    std::vector<Code> map;
    map.reserve(CodeCount);
    for (int i = 0; i < CodeCount; ++i)
        map.push_back(below(3) ? Code(i) : Code(below(CodeCount)));
    return map;
}

/// One random change to both.
void change(Tree &tree, Naive &naive, quint64 &stamp)
{
    static const QStringList types { u"racks"_s, u"racks/servers"_s, u"racks/servers/disks"_s,
        u"racks/fans"_s };
    const bool some = !naive.nodes.empty();
    const size_t node = size_t(below(int(naive.nodes.size())));
    const QString path = some ? naive.nodes[node].path : QString();
    const Resource resource = some ? tree.find(path) : NoResource;
    const int what = below(10);
    if (what < 4 || !some) {
        const int depth = some ? int(path.count(u'/') / 2) : 0;
        const bool top =
            !some || depth >= 3 || path.contains(u"fans", Qt::CaseInsensitive) || below(5) == 0;
        const QString type = top ? types[0]
            : depth == 2         ? types[2]
            : below(3)           ? types[1]
                                 : types[3];
        const QString segment =
            below(4) ? type.section(u'/', -1) : type.section(u'/', -1).toUpper();
        const QString name = u"N%1"_s.arg(below(12));
        const QString made = (top ? QString() : path) + u'/' + segment + u'/' + name;
        if (naive.find(made) >= 0)
            return;
        const Code code = Code(below(CodeCount));
        const Resource created = tree.create(
            top ? NoResource : resource, tree.typeAt(type), name, code, ++stamp, segment);
        naive.create(top ? QString() : path, made, code, stamp);
        RC_ASSERT(tree.path(created) == made);
    } else if (what == 4) {
        const Tree::Range range = tree.subtree(resource);
        std::set<Resource> gone;
        for (quint32 i = range.begin; i < range.end; ++i)
            gone.insert(tree.at(range.branch, i));
        tree.remove(resource);
        std::erase_if(naive.nodes, [&](const Naive::Node &each) {
            return each.path == path || each.path.startsWith(path + u'/');
        });
        for (const Resource each : gone)
            RC_ASSERT(!tree.exists(each));
        RC_ASSERT(tree.find(path) == NoResource);
    } else if (what == 5) {
        const Code code = Code(below(CodeCount));
        tree.setCode(resource, code);
        naive.nodes[node].code = code;
    } else if (what == 6) {
        ++stamp;
        tree.stampRange(tree.subtree(resource), stamp);
        for (size_t i = 0; i < naive.nodes.size(); ++i) {
            if (naive.isIn(i, path))
                naive.nodes[i].stamp = stamp;
        }
    } else {
        const std::vector<Code> map = anyMap();
        const quint64 given = below(2) ? ++stamp : 0;
        qint64 changed = 0;
        for (size_t i = 0; i < naive.nodes.size(); ++i) {
            if (!naive.isIn(i, path))
                continue;
            Naive::Node &each = naive.nodes[i];
            changed += each.code != map[each.code];
            each.code = map[each.code];
            each.stamp = given ? given : each.stamp;
        }
        RC_ASSERT(tree.apply(tree.subtree(resource), map, given) == changed);
    }
}

Tree seedTree()
{
    Tree tree(CodeCount, Qt::CaseInsensitive);
    const Resource rack = tree.create(NoResource, tree.typeAt(u"racks"_s), u"R1"_s, 0, 1);
    const Resource server = tree.create(rack, tree.typeAt(u"racks/servers"_s), u"S1"_s, 1, 1);
    tree.create(server, tree.typeAt(u"racks/servers/disks"_s), u"D1"_s, 2, 1);
    tree.create(rack, tree.typeAt(u"racks/servers"_s), u"S2"_s, 1, 1, u"SERVERS");
    return tree;
}

} // namespace

void TestTree::paths()
{
    const Tree tree = seedTree();
    QCOMPARE(tree.size(), 4);
    QStringList paths;
    for (const Resource resource : tree.resources())
        paths.append(tree.path(resource));
    QCOMPARE(paths,
        (QStringList { u"/racks/R1"_s, u"/racks/R1/servers/S1"_s,
            u"/racks/R1/servers/S1/disks/D1"_s, u"/racks/R1/SERVERS/S2"_s }));
    QCOMPARE(tree.typePath(tree.type(tree.find(u"/racks/r1/servers/s1/disks/d1"))),
        u"racks/servers/disks"_s);
    QCOMPARE(tree.childType(-1, u"RACKS"), tree.type(tree.find(u"/racks/R1")));
    QCOMPARE(tree.childType(-1, u"rooms"), -1);
}

void TestTree::spelling_data()
{
    const Rows<QString, QString> row("name", "other");
    row("letters", u"Pool-A"_s, u"pOOL-a"_s);
    row("umlauts", u"ÄÖÜ"_s, u"äöü"_s);
    row("Greek", u"ΣΑΣ"_s, u"σασ"_s);
    row("outside the first plane", QString::fromUcs4(U"\U00010400x"),
        QString::fromUcs4(U"\U00010428X"));
}

/// Names that are the same but for their case are the same; names that are not are not, where case
/// counts.
void TestTree::spelling()
{
    QFETCH(QString, name);
    QFETCH(QString, other);
    Tree folding(CodeCount, Qt::CaseInsensitive);
    const Resource made = folding.create(NoResource, folding.typeAt(u"racks"_s), name, 0, 1);
    QCOMPARE(folding.find(u"/RACKS/"_s + other), made);
    QCOMPARE(folding.path(made), u"/racks/"_s + name);

    Tree exact(CodeCount, Qt::CaseSensitive);
    const Resource one = exact.create(NoResource, exact.typeAt(u"racks"_s), name, 0, 1);
    QCOMPARE(exact.find(u"/racks/"_s + other), NoResource);
    const Resource two = exact.create(NoResource, exact.typeAt(u"racks"_s), other, 0, 1);
    QVERIFY(one != two);
    QCOMPARE(exact.find(u"/racks/"_s + name), one);
    QCOMPARE(exact.find(u"/racks/"_s + other), two);
}

void TestTree::pathsThatAreNone_data()
{
    QTest::addColumn<QString>("path");
    for (const QString &path : { u""_s, u"/"_s, u"racks/R1"_s, u"/racks"_s, u"/racks/"_s,
             u"/racks/R1/"_s, u"//R1"_s, u"/racks/R1/servers"_s, u"/racks/R2"_s,
             u"/racks/R1/disks/D1"_s, u"/servers/S1"_s, u"/racks/R1/servers/S1/disks/D1/x/y"_s })
        QTest::newRow(qPrintable(u"\"%1\""_s.arg(path))) << path;
}

void TestTree::pathsThatAreNone()
{
    QFETCH(QString, path);
    QCOMPARE(seedTree().find(path), NoResource);
    QCOMPARE(Tree(CodeCount).find(path), NoResource);
}

void TestTree::againstAList()
{
    QVERIFY(holdsFor(400, 100, [] {
        Tree tree(CodeCount, Qt::CaseInsensitive);
        Naive naive;
        quint64 stamp = 1;
        const int changes = 1 + below(120);
        for (int i = 0; i < changes; ++i) {
            change(tree, naive, stamp);
            if (i % 16 == 0 || i == changes - 1) {
                const QString found = difference(tree, naive);
                if (!found.isEmpty())
                    RC_FAIL(found.toStdString());
            }
        }
    }));
}

void TestTree::builder()
{
    TreeBuilder builder(CodeCount, Qt::CaseInsensitive);
    const int racks = builder.tree().typeAt(u"racks"_s);
    const int servers = builder.tree().typeAt(u"racks/servers"_s);
    const Resource a = builder.add(NoResource, racks, u"A"_s, 0);
    const Resource b = builder.add(NoResource, racks, u"B"_s, 0);
    const Resource b1 = builder.add(b, servers, u"1"_s, 1);
    const Resource a1 = builder.add(a, servers, u"1"_s, 1, u"Servers");
    builder.add(b, servers, u"2"_s, 1);
    QCOMPARE(builder.tree().find(u"/RACKS/b/servers/1"), b1);
    builder.setCode(a1, 3);
    const Tree tree = std::move(builder).finished(7);
    QStringList lines;
    for (const Resource resource : tree.resources())
        lines.append(u"%1 %2 %3"_s.arg(tree.path(resource))
                         .arg(tree.code(resource))
                         .arg(tree.stamp(resource)));
    QCOMPARE(lines,
        (QStringList { u"/racks/A 0 7"_s, u"/racks/A/Servers/1 3 7"_s, u"/racks/B 0 7"_s,
            u"/racks/B/servers/1 1 7"_s, u"/racks/B/servers/2 1 7"_s }));
    QCOMPARE(tree.counts(), (QList<qint64> { 2, 2, 0, 1, 0 }));
}

/// What was built at once is, and goes on, as what was made one by one.
void TestTree::builderAndCreateAgree()
{
    QVERIFY(holdsFor(150, 100, [] {
        Tree one(CodeCount, Qt::CaseInsensitive);
        Naive naive;
        quint64 stamp = 1;
        for (int i = below(60); i >= 0; --i)
            change(one, naive, stamp);
        TreeBuilder builder(CodeCount, Qt::CaseInsensitive);
        for (Naive::Node &node : naive.nodes) {
            const Resource known = one.find(node.path);
            const QString parent = node.path.section(u'/', 0, -3);
            builder.add(parent.isEmpty() ? NoResource : builder.tree().find(parent),
                builder.tree().typeAt(one.typePath(one.type(known))), one.name(known), node.code,
                node.path.section(u'/', -2, -2));
            node.stamp = 4;
        }
        Tree two = std::move(builder).finished(4);
        RC_ASSERT(difference(two, naive).isEmpty());
        for (int i = 0; i < 20; ++i)
            change(two, naive, stamp);
        const QString found = difference(two, naive);
        if (!found.isEmpty())
            RC_FAIL(found.toStdString());
    }));
}

void TestTree::copiesAreIndependent()
{
    QVERIFY(holdsFor(150, 100, [] {
        Tree tree(CodeCount, Qt::CaseInsensitive);
        Naive naive;
        quint64 stamp = 1;
        for (int i = below(60); i >= 0; --i)
            change(tree, naive, stamp);
        Tree copy = tree;
        Naive other = naive;
        for (int i = 0; i < 15; ++i) {
            change(tree, naive, stamp);
            change(copy, other, stamp);
        }
        RC_ASSERT(difference(tree, naive).isEmpty());
        RC_ASSERT(difference(copy, other).isEmpty());
    }));
}

const instar::TestClass<TestTree> registered;
#include "tst_tree.moc"
