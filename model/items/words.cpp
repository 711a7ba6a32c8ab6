// SPDX-License-Identifier: Apache-2.0
#include "model/items/words.h"

#include "model/pack/pack.h"

#include <QCoreApplication>
#include <QMap>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ItemWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ItemWords)
};

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

/// Returns the places by their elided text.
QMap<QString, QList<qsizetype>> grouped(const QList<qsizetype> &places, const QStringList &elided)
{
    QMap<QString, QList<qsizetype>> groups;
    for (const qsizetype place : places)
        groups[elided[place]] += place;
    return groups;
}

/// Elides texts with an equal beginning that is longer than `from`.
void elideAlike(const QStringList &texts, const QList<qsizetype> &places, qsizetype from,
    const Elide &elide, QStringList *elided)
{
    QStringList beginnings = *elided;
    for (const qsizetype place : places)
        beginnings[place] = elide(place, texts[place]);
    qsizetype begin = 0;
    if (grouped(places, beginnings).size() > 1) { // their beginnings differ after all
        *elided = beginnings;
    } else {
        const qsizetype alike = alikeIn(texts, places);
        const bool areSame = std::ranges::all_of(
            places, [&](qsizetype place) { return texts[place] == texts[places.first()]; });
        if (areSame || alike <= from)
            return;
        begin = partBefore(texts[places.first()], alike, from);
        for (const qsizetype place : places)
            (*elided)[place] = elide(place, u"… "_s + texts[place].sliced(begin));
    }
    for (const QList<qsizetype> &same : grouped(places, *elided)) {
        if (same.size() > 1)
            elideAlike(texts, same, begin, elide, elided);
    }
}

} // namespace

QString timeText(qint64 ms)
{
    return u"%1.%2 s"_s.arg(ms / 1000).arg(ms % 1000, 3, 10, QChar(u'0'));
}

QString spreadText(int requests, std::optional<double> microseconds)
{
    const QString what = ItemWords::tr("%Ln fired", nullptr, requests);
    if (!microseconds)
        return requests == 1 ? what : ItemWords::tr("%1 at the same virtual moment").arg(what);
    if (requests == 1)
        return what;
    const double spread = *microseconds;
    const QString within = spread < 1000 ? u"%1 µs"_s.arg(spread, 0, 'f', spread < 10 ? 1 : 0)
        : spread < 1'000'000 ? u"%1 ms"_s.arg(spread / 1000, 0, 'f', spread < 10'000 ? 2 : 0)
                             : u"%1 s"_s.arg(spread / 1'000'000, 0, 'f', 2);
    return ItemWords::tr("%1 within %2").arg(what, within);
}

QString spelledOut(const QString &id)
{
    QString name;
    for (const QChar letter : id) {
        const bool begins = letter.isUpper() && !name.isEmpty() && name.back().isLower();
        name += begins ? u' ' + QString(letter.toLower()) : QString(letter);
    }
    return name.isEmpty() ? name : name.front().toUpper() + name.mid(1);
}

QString switchValueText(const Switch &row, const QString &value)
{
    if (!row.isBoolean())
        return spelledOut(value);
    return value == u"true"_s ? ItemWords::tr("On") : ItemWords::tr("Off");
}

QString rowText(const QStringList &cells)
{
    QStringList clean = cells;
    for (QString &cell : clean) {
        cell.replace(u"\r\n"_s, u" "_s);
        for (const char16_t bad : { u'\t', u'\n', u'\r' })
            cell.replace(bad, u' ');
    }
    return clean.join(u'\t');
}

void elideDistinctly(const QStringList &texts, const QList<qsizetype> &places, const Elide &elide,
    QStringList *elided)
{
    for (const QList<qsizetype> &same : grouped(places, *elided)) {
        if (same.size() > 1)
            elideAlike(texts, same, 0, elide, elided);
    }
}

} // namespace instar
