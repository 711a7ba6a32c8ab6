// SPDX-License-Identifier: Apache-2.0
#include "model/pack/nearest.h"

#include <QVarLengthArray>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype LongestName = 100; // letters; a longer name is no typing error

/// Damerau-Levenshtein distance (optimal string alignment).
int distance(const QString &a, const QString &b)
{
    using Steps = QVarLengthArray<int, 128>;
    Steps beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (int i = 1; i <= a.size(); ++i) {
        std::swap(beforeLast, last);
        std::swap(last, row);
        row[0] = i;
        for (int j = 1; j <= b.size(); ++j) {
            const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = qMin(replaced, qMin(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = qMin(row[j], beforeLast[j - 2] + 1);
        }
    }
    return row.back();
}

} // namespace

QString nearest(const QString &name, const QStringList &candidates)
{
    QString best;
    if (name.isEmpty())
        return best; // any candidate could be meant
    const QString folded = name.left(LongestName).toLower();
    int fewestEdits = int(qMin<qsizetype>(name.size(), 12) / 3) + 1; // limit: one per three letters
    for (const QString &candidate : candidates) {
        if (name.size() > LongestName || qAbs(candidate.size() - name.size()) > fewestEdits)
            continue;
        const int edits = distance(folded, candidate.toLower());
        const bool hasBetterBegin =
            best.isEmpty() || (candidate.startsWith(name.at(0)) && best.at(0) != name.at(0));
        if (edits < fewestEdits || (edits == fewestEdits && hasBetterBegin)) {
            best = candidate;
            fewestEdits = edits;
        }
    }
    const auto beginsSimilarly = [&](const QString &candidate) { // "leaseNameExists" for "leese"
        constexpr qsizetype fewestLetters = 3;                   // fewer letters fit too many names
        const qsizetype size = folded.size();
        const QString head = candidate.left(size + 1).toLower();
        return size >= fewestLetters && head.size() > size
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
