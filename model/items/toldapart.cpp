// SPDX-License-Identifier: Apache-2.0
#include "model/items/toldapart.h"

#include <QMap>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Cut = std::function<QString(qsizetype, const QString &)>;

constexpr qsizetype lettersBefore = 6; ///< of a long word, shown before the difference

/// Length of the common prefix.
qsizetype alikeIn(const QStringList &texts, const QList<qsizetype> &places)
{
    const QString &first = texts[places.first()];
    qsizetype alike = first.size();
    for (const qsizetype place : places) {
        const auto [mine, other] = std::ranges::mismatch(first.first(alike), texts[place]);
        alike = std::min(alike, qsizetype(other - texts[place].cbegin()));
    }
    return alike;
}

/// Start of the differing part, behind a comma, a point or a blank; if that does not advance beyond
/// `least`, some letters before the difference.
qsizetype partBefore(const QString &text, qsizetype differs, qsizetype least)
{
    for (const QString &end : { u", "_s, u" · "_s, u" "_s }) {
        const qsizetype found = text.lastIndexOf(end, differs - end.size());
        const qsizetype begin = found + end.size();
        if (found >= 0 && begin > least && begin <= differs)
            return begin;
    }
    return std::max(differs - lettersBefore, least + 1);
}

void tell(const QStringList &texts, const QList<qsizetype> &places, qsizetype from, const Cut &cut,
    QStringList *seen)
{
    QMap<QString, QList<qsizetype>> looks;
    for (const qsizetype place : places)
        looks[cut(place, texts[place])] += place;
    if (looks.size() > 1) { // their beginnings differ after all
        for (const auto &[look, own] : looks.asKeyValueRange()) {
            for (const qsizetype place : own)
                (*seen)[place] = look;
            if (own.size() > 1)
                tell(texts, own, 0, cut, seen);
        }
        return;
    }
    looks.clear();
    const qsizetype alike = alikeIn(texts, places);
    const bool areSame = std::ranges::all_of(
        places, [&](qsizetype place) { return texts[place] == texts[places.first()]; });
    if (areSame || alike <= from)
        return;
    const qsizetype begin = partBefore(texts[places.first()], alike, from);
    for (const qsizetype place : places) {
        (*seen)[place] = cut(place, u"… "_s + texts[place].sliced(begin));
        looks[(*seen)[place]] += place;
    }
    for (const QList<qsizetype> &same : std::as_const(looks)) {
        if (same.size() > 1)
            tell(texts, same, begin, cut, seen);
    }
}

} // namespace

void tellApart(
    const QStringList &texts, const QList<qsizetype> &places, const Cut &cut, QStringList *seen)
{
    QMap<QString, QList<qsizetype>> looks;
    for (const qsizetype place : places)
        looks[seen->at(place)] += place;
    for (const QList<qsizetype> &same : std::as_const(looks)) {
        if (same.size() > 1)
            tell(texts, same, 0, cut, seen);
    }
}

} // namespace instar
