// SPDX-License-Identifier: Apache-2.0
#include "model/formats/difference.h"

#include "model/formats/rowtree.h"

#include <QHash>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Difference::Kind;
const RowTree::Member *memberOf(const RowTree &row, const QString &key)
{
    const auto found = std::ranges::find(row.members, key, &RowTree::Member::key);
    return found == row.members.end() ? nullptr : &*found;
}

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

/// Everything that a row says.
QByteArray whole(const RowTree &row, Placement placement)
{
    QByteArray all = row.word.toUtf8();
    for (const RowTree::Member &member : row.members) {
        if (placement == Placement::Compared || !member.isDrawing)
            all += '\n' + member.key.toUtf8() + ' ' + member.json;
    }
    for (const RowList &list : row.lists) {
        for (const RowTree &one : list.rows)
            all += "\n[" + one.id.toUtf8() + whole(one, placement) + ']';
    }
    return all;
}

/// What a row is about, as far as some of it tells; nothing: some of it tells too little.
using Topic = std::optional<QByteArray>;

Topic topicOf(const RowTree &row, const std::vector<const char *> &keys)
{
    if (keys.empty())
        return {};
    QByteArray topic = row.word.toUtf8();
    for (const char *key : keys) {
        const RowTree::Member *member = memberOf(row, QString::fromLatin1(key));
        topic += '\n' + (member ? member->json : QByteArray());
    }
    return topic;
}

/// All but one of what it is about.
Topic topicWithout(const RowTree &row, size_t left)
{
    std::vector<const char *> keys = row.about;
    if (left >= keys.size())
        return {};
    keys.erase(keys.begin() + ptrdiff_t(left));
    return topicOf(row, keys);
}

/// All but so many of the last of what it is about, but not less than half.
Topic topicBefore(const RowTree &row, size_t dropped)
{
    std::vector<const char *> keys = row.about;
    if (dropped > keys.size() || keys.size() - dropped < std::max<size_t>(keys.size() / 2, 1))
        return {};
    keys.resize(keys.size() - dropped);
    return topicOf(row, keys);
}

constexpr size_t MostTopics = 8;

/// Pairs the rows of two lists.
class Pairs
{
public:
    Pairs(const std::vector<RowTree> &a, const std::vector<RowTree> &b)
        : m_a(a), m_b(b), m_other(a.size(), None), m_taken(b.size())
    { }
    static constexpr qsizetype None = -1;

    /// Which of the second list each of the first is.
    const std::vector<qsizetype> &other() const { return m_other; }
    bool isTaken(size_t other) const { return m_taken[other]; }

    void pairById()
    {
        pairBy([](const RowTree &row) { return Topic(row.id.toUtf8()); });
    }
    void pairSingle()
    {
        pairBy([](const RowTree &row) { return Topic(row.word.toUtf8()); });
    }
    void pairByMeaning(Placement placement)
    {
        const auto same = [placement](const RowTree &row) { return Topic(whole(row, placement)); };
        pairEnds(same);
        pairBy([](const RowTree &row) {
            return row.number ? Topic(QByteArray::number(row.number)) : Topic();
        });
        pairBy(same);
        pairBy([](const RowTree &row) { return topicBefore(row, 0); });
        for (size_t left = MostTopics; left-- > 0;)
            pairBy([left](const RowTree &row) { return topicWithout(row, left); });
        for (size_t dropped = 2; dropped < MostTopics; ++dropped)
            pairBy([dropped](const RowTree &row) { return topicBefore(row, dropped); });
    }

    /// Rows of the first list that are not in the order of the others, as few as can be.
    std::vector<bool> moved() const
    {
        constexpr size_t nobody = ~size_t(0);
        std::vector<size_t> tails, before(m_other.size(), nobody); // of runs, by their length
        std::vector<bool> result(m_other.size());
        for (size_t i = 0; i < m_other.size(); ++i) {
            if (m_other[i] == None)
                continue;
            result[i] = true;
            const auto place = std::ranges::lower_bound(
                tails, m_other[i], {}, [this](size_t row) { return m_other[row]; });
            if (place != tails.begin())
                before[i] = *std::prev(place);
            if (place == tails.end())
                tails.push_back(i);
            else
                *place = i;
        }
        for (size_t i = tails.empty() ? nobody : tails.back(); i != nobody; i = before[i])
            result[i] = false;
        return result;
    }

private:
    void take(size_t a, size_t b)
    {
        m_other[a] = qsizetype(b);
        m_taken[b] = true;
    }
    /// What is the same at both ends, so that of equal rows the right ones are paired.
    void pairEnds(const auto &topic)
    {
        size_t first = 0, last = 0;
        const size_t most = std::min(m_a.size(), m_b.size());
        while (first < most && topic(m_a[first]) == topic(m_b[first])) {
            take(first, first);
            ++first;
        }
        while (last < most - first
            && topic(m_a[m_a.size() - 1 - last]) == topic(m_b[m_b.size() - 1 - last])) {
            take(m_a.size() - 1 - last, m_b.size() - 1 - last);
            ++last;
        }
    }
    /// Those of one topic, one after another.
    void pairBy(const auto &topic)
    {
        QHash<QByteArray, std::vector<size_t>> open;
        for (size_t i = m_b.size(); i-- > 0;) {
            if (m_taken[i])
                continue;
            if (const Topic own = topic(m_b[i]))
                open[*own].push_back(i);
        }
        for (size_t i = 0; i < m_a.size() && !open.isEmpty(); ++i) {
            if (m_other[i] != None)
                continue;
            const Topic own = topic(m_a[i]);
            const auto found = own ? open.find(*own) : open.end();
            if (found == open.end() || found->empty())
                continue;
            take(i, found->back());
            found->pop_back();
        }
    }

    const std::vector<RowTree> &m_a, &m_b;
    std::vector<qsizetype> m_other;
    std::vector<bool> m_taken;
};

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
        Pairs pairs(now.rows, others.rows);
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
            const bool isAlone = match == Pairs::None || now.isSingle;
            const Place place(m_where, now.isSingle ? QString() : own.rows[i].key);
            const Place otherPlace(m_there, isAlone ? QString() : others.rows[size_t(match)].key);
            if (moved[i])
                m_places = { i, size_t(match) };
            if (match == Pairs::None)
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
    QStringList m_where, m_there;                      ///< keys
    std::optional<std::pair<size_t, size_t>> m_places; ///< of a row that was moved
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
