// SPDX-License-Identifier: Apache-2.0
#include "model/pack/nearest.h"

#include <QVarLengthArray>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype longest = 100; // letters; longer names are no typing errors

/// Damerau-Levenshtein distance (optimal string alignment): letters to insert, delete, replace or
/// swap with a neighbour.
int distance(const QString &a, const QString &b)
{
    using Steps = QVarLengthArray<int, 128>;
    Steps before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (int i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = i;
        for (int j = 1; j <= b.size(); ++j) {
            const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = qMin(replaced, qMin(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = qMin(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

} // namespace

QString nearest(const QString &name, const QStringList &candidates)
{
    QString best;
    if (name.isEmpty())
        return best; // it could be anything
    const QString folded = name.left(longest).toLower();
    int least = int(qMin<qsizetype>(name.size(), 12) / 3) + 1;
    for (const QString &candidate : candidates) {
        if (name.size() > longest || qAbs(candidate.size() - name.size()) > least)
            continue;
        const int edits = distance(folded, candidate.toLower());
        const bool begins = candidate.startsWith(name.first(qMin<qsizetype>(1, name.size())));
        if (edits < least
            || (edits == least && (best.isEmpty() || (begins && best.at(0) != name.at(0))))) {
            best = candidate;
            least = edits;
        }
    }
    const auto beginsSimilarly = [&](const QString &candidate) { // "leese" for "leaseNameExists"
        constexpr qsizetype fewest = 3; // letters; fewer fit too many names
        const qsizetype size = folded.size();
        const QString head = candidate.left(size + 1).toLower();
        return size >= fewest && head.size() > size
            && std::min(distance(folded, head), distance(folded, head.first(size))) <= size / 5;
    };
    const auto longer = std::ranges::find_if(candidates, beginsSimilarly);
    return best.isEmpty() && longer != candidates.end() ? *longer : best;
}

QStringList sortedNames(const QSet<QString> &names)
{
    QStringList result = names.values();
    result.sort();
    return result;
}

QString suggestion(const QString &name, const QStringList &candidates)
{
    const QString best = nearest(name, candidates);
    return best.isEmpty() ? QString() : u"; did you mean \"%1\"?"_s.arg(best);
}

QString noSuch(const QString &kind, const QString &name, const QStringList &candidates)
{
    constexpr qsizetype mostListed = 20;
    QStringList listed = candidates.first(std::min(candidates.size(), mostListed));
    if (listed.size() < candidates.size())
        listed.last() += u" ..."_s;
    return u"there is no %1 \"%2\"%3 (%4)"_s.arg(
        kind, name.left(100).simplified(), suggestion(name, candidates), listed.join(u", "_s));
}

} // namespace instar
