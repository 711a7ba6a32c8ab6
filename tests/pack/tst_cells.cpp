// SPDX-License-Identifier: Apache-2.0
#include "model/pack/cells.h"
#include "tests/support/property.h"
#include "tests/support/testclass.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace instar;
using namespace Qt::StringLiterals;

class TestCells : public QObject
{
    Q_OBJECT

private slots:
    void nothing();
    void againstAnArray();
    void manyChangesOfAll();
    void manyOneByOne();
};

namespace {

constexpr int CodeCount = 7;

/// What Cells promises, without any of its cleverness.
struct Array
{
    std::vector<Code> codes;
    std::vector<quint64> stamps;

    qint64 apply(int begin, int end, const std::vector<Code> &map, quint64 stamp)
    {
        qint64 changed = 0;
        for (int i = begin; i < end; ++i) {
            changed += codes[size_t(i)] != map[codes[size_t(i)]];
            codes[size_t(i)] = map[codes[size_t(i)]];
            if (stamp)
                stamps[size_t(i)] = stamp;
        }
        return changed;
    }
};

QString difference(const Cells &cells, const Array &array)
{
    if (cells.size() != int(array.codes.size()))
        return QStringLiteral("size %1, expected %2").arg(cells.size()).arg(array.codes.size());
    std::vector<quint32> counts(CodeCount);
    for (int i = 0; i < cells.size(); ++i) {
        ++counts[array.codes[size_t(i)]];
        if (cells.code(i) != array.codes[size_t(i)])
            return QStringLiteral("code %1 at %2, expected %3")
                .arg(cells.code(i))
                .arg(i)
                .arg(array.codes[size_t(i)]);
        if (cells.stamp(i) != array.stamps[size_t(i)])
            return QStringLiteral("stamp %1 at %2, expected %3")
                .arg(cells.stamp(i))
                .arg(i)
                .arg(array.stamps[size_t(i)]);
    }
    return std::ranges::equal(cells.counts(), counts) ? QString() : QStringLiteral("counts differ");
}

int below(int limit)
{
    return limit <= 0 ? 0 : *rc::gen::resize(100, rc::gen::inRange(0, limit));
}

Code anyCode()
{
    return Code(below(CodeCount));
}

std::vector<Code> anyMap()
{
    std::vector<Code> map(CodeCount);
    std::iota(map.begin(), map.end(), Code(0));
    for (int changes = 1 + below(4); changes > 0; --changes)
        map[anyCode()] = anyCode();
    return map;
}

/// One random change to both.
void change(Cells &cells, Array &array, quint64 &stamp)
{
    const int size = cells.size();
    int begin = below(size + 1);
    int end = below(size + 1);
    if (below(4) == 0)
        begin = begin / 128 * 128; // whole blocks, too
    if (begin > end)
        std::swap(begin, end);
    switch (below(8)) {
    case 0:
    case 1:
    case 2: {
        const std::vector<Code> map = anyMap();
        const quint64 given = below(2) ? ++stamp : 0;
        RC_ASSERT(cells.apply(begin, end, map, given) == array.apply(begin, end, map, given));
        break;
    }
    case 3:
        if (size > 0) {
            const int at = std::min(begin, size - 1);
            const Code code = anyCode();
            cells.set(at, code);
            array.codes[size_t(at)] = code;
        }
        break;
    case 4:
        cells.apply(begin, end, {}, ++stamp);
        std::fill(array.stamps.begin() + begin, array.stamps.begin() + end, stamp);
        break;
    case 5: {
        const Code code = anyCode();
        cells.insert(begin, code, ++stamp);
        array.codes.insert(array.codes.begin() + begin, code);
        array.stamps.insert(array.stamps.begin() + begin, stamp);
        break;
    }
    case 6:
        end = std::min(end, begin + 1 + below(300));
        cells.erase(begin, end);
        array.codes.erase(array.codes.begin() + begin, array.codes.begin() + end);
        array.stamps.erase(array.stamps.begin() + begin, array.stamps.begin() + end);
        break;
    default:
        if (size > 0) {
            const int at = below(size);
            RC_ASSERT(cells.code(at) == array.codes[size_t(at)]);
            RC_ASSERT(cells.stamp(at) == array.stamps[size_t(at)]);
        }
        break;
    }
}

} // namespace

void TestCells::nothing()
{
    Cells cells(CodeCount);
    QCOMPARE(cells.size(), 0);
    QCOMPARE(cells.counts().size(), size_t(CodeCount));
    QVERIFY(std::ranges::all_of(cells.counts(), [](quint32 count) { return count == 0; }));
    cells.insert(0, 3, 9);
    QCOMPARE(cells.code(0), Code(3));
    QCOMPARE(cells.stamp(0), quint64(9));
    QCOMPARE(cells.counts()[3], quint32(1));
    cells.erase(0, 1);
    QCOMPARE(cells.size(), 0);
    QCOMPARE(cells.counts()[3], quint32(0));
}

void TestCells::againstAnArray()
{
    QVERIFY(holdsFor(400, 100, [] {
        static constexpr int sizes[] { 1, 2, 100, 127, 128, 129, 255, 256, 257, 300, 511, 513, 1000,
            2000 };
        const int size = below(2) ? sizes[below(14)] : 1 + below(2000);
        Array array;
        for (int i = 0; i < size; ++i)
            array.codes.push_back(Code((i * i) % CodeCount));
        array.stamps.assign(array.codes.size(), 5);
        quint64 stamp = 5;
        Cells cells(CodeCount);
        cells.assign(array.codes, 5);
        const int changes = 1 + below(60);
        for (int i = 0; i < changes; ++i)
            change(cells, array, stamp);
        const QString found = difference(cells, array);
        if (!found.isEmpty())
            RC_FAIL(found.toStdString());
    }));
}

/// Pending maps compose.
void TestCells::manyChangesOfAll()
{
    Cells cells(CodeCount);
    const int size = 100'000;
    cells.assign(std::vector<Code>(size_t(size), 0), 1);
    const std::vector<Code> up { 1, 2, 3, 4, 5, 6, 0 };
    for (int i = 0; i < 1000; ++i)
        QCOMPARE(cells.apply(0, size, up, quint64(i) + 2), qint64(size));
    QCOMPARE(cells.code(size / 2), Code(1000 % CodeCount));
    QCOMPARE(cells.stamp(size - 1), quint64(1001));
    QCOMPARE(cells.counts()[1000 % CodeCount], quint32(size));
}

/// Cells that come or go at the end cost no more than so many words, whatever their number: each is
/// asked for and changed in between, as the engine does.
void TestCells::manyOneByOne()
{
    Cells cells(CodeCount);
    const int size = 200'000;
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < size; ++i) {
        cells.insert(i, 1, 1);
        cells.set(i, 2);
        cells.apply(i, i + 1, {}, 5);
    }
    const std::vector<Code> up { 1, 2, 3, 4, 5, 6, 0 };
    QCOMPARE(cells.apply(0, size, up, 7), qint64(size));
    QCOMPARE(cells.counts()[3], quint32(size));
    for (int i = size; i > 0; --i) {
        QCOMPARE(cells.code(i - 1), Code(3));
        cells.erase(i - 1, i);
    }
    QCOMPARE(cells.counts()[3], quint32(0));
    QVERIFY2(clock.elapsed() < 10'000,
        qPrintable(u"%1 ms"_s.arg(clock.elapsed()))); // minutes, were each as dear as all
}

const instar::TestClass<TestCells> registered;
#include "tst_cells.moc"
