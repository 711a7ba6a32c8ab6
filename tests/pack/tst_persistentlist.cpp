// SPDX-License-Identifier: Apache-2.0
// A list that shares with its copies is, whatever is done to which of them, the list that QList is.

#include "model/pack/persistentlist.h"
#include "tests/support/testclass.h"

#include <QTest>

#include <rapidcheck.h>

#include <ranges>

using namespace instar;

class TestPersistentList : public QObject
{
    Q_OBJECT
private slots:
    void isAsQList();
    void copiesShare();
};

namespace {

struct Pair
{
    PersistentList<QString> tried;
    QList<QString> known;
};

bool areSame(const Pair &pair)
{
    return pair.tried.size() == pair.known.size() && pair.tried.isEmpty() == pair.known.isEmpty()
        && std::ranges::equal(pair.tried, pair.known)
        && std::ranges::equal(std::views::reverse(pair.tried), std::views::reverse(pair.known))
        && (pair.known.isEmpty()
            || (pair.tried.first() == pair.known.first()
                && pair.tried.last() == pair.known.last()));
}

} // namespace

void TestPersistentList::isAsQList()
{
    QVERIFY(rc::check([] {
        std::vector<Pair> copies(1);
        const int steps = *rc::gen::inRange(0, 300);
        for (int i = 0; i < steps; ++i) {
            const size_t which = *rc::gen::inRange<size_t>(0, copies.size());
            const QString word = QString::number(i);
            Pair &pair = copies[which];
            switch (*rc::gen::inRange(0, 8)) {
            case 0:
                if (copies.size() < 6) {
                    copies.push_back(Pair(pair));
                    break;
                }
                pair = Pair(copies.front());
                break;
            case 1:
            case 2:
                if (!pair.known.isEmpty()) {
                    const qsizetype index = *rc::gen::inRange<qsizetype>(0, pair.known.size());
                    pair.tried.change(index) = word;
                    pair.known[index] = word;
                    break;
                }
                [[fallthrough]];
            default:
                pair.tried.append(word);
                pair.known.append(word);
            }
        }
        RC_ASSERT(std::ranges::all_of(copies, areSame));
        for (const Pair &a : copies) {
            for (const Pair &b : copies)
                RC_ASSERT((a.tried == b.tried) == (a.known == b.known));
        }
    }));
}

/// Of what a copy does not change nothing is copied.
void TestPersistentList::copiesShare()
{
    PersistentList<int> list;
    for (int i = 0; i < 1000; ++i)
        list.append(i);
    PersistentList<int> copy = list;
    copy.change(500) = -1;
    qsizetype shared = 0;
    for (qsizetype i = 0; i < list.size(); ++i)
        shared += &std::as_const(list)[i] == &std::as_const(copy)[i];
    QVERIFY2(shared >= 900 && shared < 1000, qPrintable(QString::number(shared)));
}

const instar::TestClass<TestPersistentList> registered;
#include "tst_persistentlist.moc"
