// SPDX-License-Identifier: Apache-2.0
#include "model/items/words.h"

#include "model/pack/pack.h"

#include <QCoreApplication>

namespace instar {

namespace {

struct ItemWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::ItemWords)
};

} // namespace

QString timeText(qint64 ms)
{
    return u"%1.%2 s"_s.arg(ms / 1000).arg(ms % 1000, 3, 10, QChar(u'0'));
}

QString spreadText(int requests, std::optional<double> microseconds)
{
    const QString fired = ItemWords::tr("%Ln fired", nullptr, requests);
    if (!microseconds)
        return requests == 1 ? fired : ItemWords::tr("%1 at the same virtual moment").arg(fired);
    if (requests == 1)
        return fired;
    const double spread = *microseconds;
    const QString within = spread < 1000 ? u"%1 µs"_s.arg(spread, 0, 'f', spread < 10 ? 1 : 0)
        : spread < 1'000'000 ? u"%1 ms"_s.arg(spread / 1000, 0, 'f', spread < 10'000 ? 2 : 0)
                             : u"%1 s"_s.arg(spread / 1'000'000, 0, 'f', 2);
    return ItemWords::tr("%1 within %2").arg(fired, within);
}

QString displayName(const QString &id)
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
        return displayName(value);
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

} // namespace instar
