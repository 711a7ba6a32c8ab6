// SPDX-License-Identifier: Apache-2.0
#include "model/formats/difference.h"

#include "model/formats/rowpairs.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Difference::Kind;

QJsonValue valueOf(const QByteArray &json)
{
    return QJsonDocument::fromJson('[' + json + ']').array().at(0);
}

/// The whole row as a file has it.
QJsonObject objectOf(const RowTree &row)
{
    QJsonObject object;
    for (const RowTree::Member &member : row.members)
        object.insert(member.key, valueOf(member.json));
    for (const RowList &list : row.lists) {
        QJsonObject keyed;
        QJsonArray rows;
        for (const RowTree &one : list.rows) {
            if (list.isKeyed)
                keyed.insert(one.key, objectOf(one));
            else
                rows.append(objectOf(one));
        }
        QJsonValue value = list.isKeyed ? QJsonValue(keyed) : QJsonValue(rows);
        if (list.isSingle)
            value = rows.at(0);
        if (list.keys.size() > 1)
            value = QJsonObject { { list.keys.last(), value } };
        if (!list.rows.empty())
            object.insert(list.keys.first(), value);
    }
    return object;
}

using Places = std::optional<std::pair<size_t, size_t>>;

/// Where a row that was moved stands in both lists; where that is the same number, where among the
/// rows that both have. Nothing: there, too, and those that were moved past it tell.
Places placesOf(const RowPairs &pairs, size_t row)
{
    const qsizetype match = pairs.other()[row];
    if (match != qsizetype(row))
        return { { row, size_t(match) } };
    size_t own = 0, there = 0;
    for (size_t i = 0; i < pairs.other().size(); ++i) {
        const qsizetype other = pairs.other()[i];
        own += i < row && other != RowPairs::None;
        there += other != RowPairs::None && other < match;
    }
    return own == there ? Places() : Places({ own, there });
}

/// Walks two packs, the first one as it is and with the names that the other has.
class Comparison
{
public:
    Comparison(const QList<Renaming> &renamings, Placement placement) : m_placement(placement)
    {
        for (const Renaming &each : renamings)
            m_renamed.insert(wordsOf(each.what, each.machine, each.from));
    }

    void compare(const RowTree &own, const RowTree &now, const RowTree &other)
    {
        tellName(own, now);
        QJsonObject from, to;
        for (const RowTree::Member &member : now.members) {
            const RowTree::Member *there = memberOf(other, member.key);
            if (!counts(member) || (there && there->json == member.json))
                continue;
            // Where both are spelled the same, the same name means something else.
            const QByteArray &spelled = memberOf(own, member.key)->json;
            from.insert(
                member.key, valueOf(there && there->json == spelled ? member.json : spelled));
            if (there)
                to.insert(member.key, valueOf(there->json));
        }
        for (const RowTree::Member &member : other.members) {
            if (counts(member) && !memberOf(now, member.key))
                to.insert(member.key, valueOf(member.json));
        }
        if (m_places) {
            from.insert(u"order"_s, qint64(m_places->first));
            to.insert(u"order"_s, qint64(m_places->second));
            m_places.reset();
        }
        if (!from.isEmpty() || !to.isEmpty())
            tell(Kind::Changed, own, from, to);
        for (size_t i = 0; i < now.lists.size(); ++i)
            compareLists(own.lists[i], now.lists[i], other);
    }

    QList<Difference> differences;

private:
    static QString wordsOf(Name what, const QString &machine, const QString &id)
    {
        const QString in = what == Name::State ? machine : QString();
        return QStringList { QString::number(int(what)), in, id }.join(u'\n');
    }
    bool counts(const RowTree::Member &member) const
    {
        return m_placement == Placement::Compared || !member.isDrawing;
    }
    void tell(Kind kind, const RowTree &row, const QJsonObject &from, const QJsonObject &to)
    {
        const bool isInBoth = kind == Kind::Renamed || kind == Kind::Changed;
        differences.append({ kind, row.word, placeAt(m_where),
            isInBoth ? placeAt(m_there) : QString(), from, to });
    }
    static QString placeAt(const QStringList &keys)
    {
        return pointerTo(keys).sliced(keys.isEmpty() ? 0 : 1);
    }
    /// Types below one that is called otherwise follow it; that is not said again.
    void tellName(const RowTree &own, const RowTree &now)
    {
        const bool hasOwnSegment =
            own.own == Name::Type && own.id.section(u'/', -1) != now.id.section(u'/', -1);
        if (own.id == now.id
            || !(hasOwnSegment || m_renamed.contains(wordsOf(own.own, m_where.value(1), own.id))))
            return;
        tell(Kind::Renamed, own, { { u"id"_s, own.id } }, { { u"id"_s, now.id } });
    }

    void compareLists(const RowList &own, const RowList &now, const RowTree &other)
    {
        static const RowList nothing;
        const auto there = std::ranges::find(other.lists, now.keys, &RowList::keys);
        const RowList &others = there == other.lists.end() ? nothing : *there;
        RowPairs pairs(now.rows, others.rows);
        if (now.isSingle)
            pairs.pairSingle();
        else if (now.isKeyed)
            pairs.pairById();
        else
            pairs.pairByMeaning(m_placement);
        const bool isOrdered = !now.isKeyed && !now.isSingle && !now.anyOrder;
        const std::vector<bool> moved =
            isOrdered ? pairs.moved() : std::vector<bool>(now.rows.size());
        m_where += now.keys;
        m_there += now.keys;
        for (size_t i = 0; i < now.rows.size(); ++i) {
            const qsizetype match = pairs.other()[i];
            const bool isAlone = match == RowPairs::None || now.isSingle;
            const Place place(m_where, now.isSingle ? QString() : own.rows[i].key);
            const Place otherPlace(m_there, isAlone ? QString() : others.rows[size_t(match)].key);
            if (moved[i])
                m_places = placesOf(pairs, i);
            if (match == RowPairs::None)
                tell(Kind::Removed, own.rows[i], objectOf(own.rows[i]), {});
            else
                compare(own.rows[i], now.rows[i], others.rows[size_t(match)]);
        }
        for (size_t i = 0; i < others.rows.size(); ++i) {
            const Place place(m_where, now.isSingle ? QString() : others.rows[i].key);
            if (!pairs.isTaken(i))
                tell(Kind::Added, others.rows[i], {}, objectOf(others.rows[i]));
        }
        m_where.resize(m_where.size() - now.keys.size());
        m_there.resize(m_there.size() - now.keys.size());
    }

    /// As long as it lives, the place is one inside.
    class Place
    {
    public:
        Place(QStringList &where, const QString &key) : m_where(where), m_length(where.size())
        {
            if (!key.isEmpty())
                where += key;
        }
        ~Place() { m_where.resize(m_length); }
        Q_DISABLE_COPY_MOVE(Place)

    private:
        QStringList &m_where;
        qsizetype m_length;
    };

    Placement m_placement;
    QSet<QString> m_renamed;
    QStringList m_where, m_there; ///< keys
    Places m_places;              ///< of a row that was moved
};

QString textOf(const QJsonValue &value)
{
    if (value.isUndefined())
        return u"nothing"_s;
    const QByteArray list = QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(list.sliced(1, list.size() - 2));
}

QString wordOf(Kind kind)
{
    static const QStringList words { u"added"_s, u"removed"_s, u"renamed"_s, u"changed"_s };
    return words[int(kind)];
}

} // namespace

QList<Difference> difference(
    const Pack &a, const Pack &b, const Likeness &likeness, Placement placement)
{
    Comparison comparison(likeness.renamings, placement);
    comparison.compare(rowTree(a), rowTree(likeness.pack), rowTree(b));
    return std::move(comparison.differences);
}

QList<Difference> difference(const Pack &a, const Pack &b, Placement placement)
{
    return difference(a, b, likeness(a, b), placement);
}

QString pointerIn(Side side, const Difference &difference)
{
    const bool isIn = difference.kind
        != (side == Side::First ? Difference::Kind::Added : Difference::Kind::Removed);
    const QString &keys =
        side == Side::Second && !difference.there.isEmpty() ? difference.there : difference.where;
    return isIn && !keys.isEmpty() ? u'/' + keys : QString();
}

bool isForPeople(const Difference &difference)
{
    static const QStringList rows { u"source"_s, u"note"_s };
    static const QStringList keys { u"$schema"_s, u"title"_s, u"about"_s, u"label"_s, u"origin"_s,
        u"source"_s };
    const auto isPlain = [](const QString &key) {
        return keys.contains(key) || key.startsWith("x-"_L1);
    };
    if (rows.contains(difference.row))
        return true;
    switch (difference.kind) {
    case Kind::Added:
    case Kind::Removed:
        return false;
    case Kind::Renamed: {
        static const QStringList known = Pack().outcomeNames() + knownRefusals();
        return !known.contains(difference.from.value("id"_L1).toString())
            && !known.contains(difference.to.value("id"_L1).toString());
    }
    case Kind::Changed:
        break;
    }
    return std::ranges::all_of(difference.from.keys() + difference.to.keys(), isPlain);
}

QJsonObject differenceJson(const Difference &difference)
{
    const auto object = [](const QJsonObject &row, bool isThere) {
        return isThere ? QJsonValue(row) : QJsonValue();
    };
    return { { u"kind"_s, wordOf(difference.kind) }, { u"row"_s, difference.row },
        { u"where"_s, difference.where },
        { u"from"_s, object(difference.from, difference.kind != Kind::Added) },
        { u"to"_s, object(difference.to, difference.kind != Kind::Removed) } };
}

QString differenceText(const Difference &difference)
{
    const QString begin = QStringList { wordOf(difference.kind), difference.row, difference.where }
                              .join(u' ')
                              .trimmed();
    const QJsonObject &from = difference.from, &to = difference.to;
    switch (difference.kind) {
    case Kind::Added:
        return begin + u": "_s + textOf(to);
    case Kind::Removed:
        return begin + u": "_s + textOf(from);
    case Kind::Renamed:
        return begin + u" -> "_s + to.value("id"_L1).toString();
    case Kind::Changed:
        break;
    }
    QStringList keys = from.keys() + to.keys(), members;
    keys.removeDuplicates();
    keys.sort();
    for (const QString &key : std::as_const(keys))
        members += u"%1 %2 -> %3"_s.arg(key, textOf(from.value(key)), textOf(to.value(key)));
    return begin + u": "_s + members.join(u", "_s);
}

} // namespace instar
