// SPDX-License-Identifier: Apache-2.0
#include "model/formats/likeness.h"

#include "model/formats/rowtree.h"
#include "model/machine/identity.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Things of one kind in one place, and which can therefore be one another.
struct Kin
{
    Name what = Name::None;
    QString machine; ///< of states
    bool operator==(const Kin &) const = default;
};
size_t qHash(const Kin &kin, size_t seed = 0)
{
    return qHashMulti(seed, int(kin.what), kin.machine);
}

/// Where a thing is spoken of, and what is said there: a number a place, in order of size.
using Profile = std::vector<size_t>;

/// One of the rows in which a thing is spoken of, and how.
struct Place
{
    qsizetype row = 0;
    size_t how = 0;
};

/// A thing that the other pack has not, by its name.
struct Stranger
{
    Renaming name;        ///< with nothing that it would be called
    bool isBelow = false; ///< a type below another stranger: it follows that one
    std::vector<Place> places;
    size_t known = 0; ///< what it is called in both packs; 0: that is not known
};

/// What a row says with all strangers called the same, and which of them it names in which order.
struct SaidRow
{
    size_t said = 0, whole = 0;                      ///< whole: with those in it that are known
    std::vector<std::pair<size_t, qsizetype>> named; ///< how, and who
    std::vector<qsizetype> tellers;                  ///< the strangers that it says something of
};

bool isEnginesOwn(const Mention &mention)
{
    static const QStringList outcomes = Pack().outcomeNames();
    return mention.text == u"*" || mention.what == Name::Property
        || (mention.what == Name::Outcome && outcomes.contains(mention.text))
        || (mention.what == Name::Refusal && knownRefusals().contains(mention.text));
}

Kin kinOf(const Mention &mention)
{
    return { mention.what, mention.what == Name::State ? mention.machine : QString() };
}

/// States of machines that `other` has not stand under no machine, too: any of those may be meant.
QHash<Kin, QSet<QString>> ownNames(const Pack &pack, const Pack &other)
{
    QHash<Kin, QSet<QString>> names;
    visitNames(pack, [&](const Mention &mention) {
        if (!mention.isOwn)
            return;
        names[kinOf(mention)].insert(mention.text);
        if (mention.what == Name::State && !other.machine(mention.machine))
            names[{ mention.what, {} }].insert(mention.text);
    });
    return names;
}

const QString veil = u"?"_s; ///< what strangers are called while rows are compared

/// One of two packs, and what of it the other has not.
class Side
{
public:
    Side(const Pack &pack, const QHash<Kin, QSet<QString>> &others) : m_pack(pack)
    {
        QStringList types;
        visitNames(pack, [&](const Mention &mention) {
            if (!mention.isOwn || isEnginesOwn(mention))
                return;
            const Kin kin = kinOf(mention);
            const bool hasKin = others.contains(kin);
            if (others.value(hasKin ? kin : Kin { kin.what, {} }).contains(mention.text))
                return;
            Stranger stranger { { kin.what, kin.machine, mention.text, {} }, false, {}, 0 };
            if (kin.what == Name::Type) {
                stranger.isBelow = std::ranges::any_of(types,
                    [&](const QString &type) { return mention.text.startsWith(type + u'/'); });
                types += mention.text;
            }
            m_byText[mention.text].append(strangers.size());
            strangers.append(stranger);
        });
    }

    void readRows()
    {
        // Where others are meant, too, their name stands beside that of the stranger, as it does
        // after a renaming.
        QList<Renaming> veils;
        for (const Stranger &stranger : std::as_const(strangers)) {
            veils += stranger.name;
            veils.last().to = veil;
        }
        Pack veiled = m_pack;
        changeNames(
            &veiled,
            [&](const Mention &mention) { return find(mention) < 0 ? mention.text : veil; },
            [&](const Mention &mention) { return namesMeant(m_pack, mention, veils); });
        visit(rowTree(m_pack), rowTree(veiled), {}, {}, {});
        visitNames(m_pack, [&](const Mention &mention) { note(mention); });
        for (SaidRow &row : m_said)
            say(row);
    }

    Profile profileOf(const Stranger &stranger) const
    {
        Profile profile;
        for (const Place &place : stranger.places)
            profile.push_back(qHashMulti(m_said[size_t(place.row)].whole, place.how));
        std::ranges::sort(profile);
        return profile;
    }

    /// What it is called in both packs is known. Gives those of which more is said now.
    QSet<qsizetype> learn(qsizetype number, size_t known)
    {
        strangers[number].known = known;
        QSet<qsizetype> others;
        for (const Place &place : std::as_const(strangers[number].places)) {
            SaidRow &row = m_said[size_t(place.row)];
            say(row);
            others.unite({ row.tellers.begin(), row.tellers.end() });
        }
        return others;
    }

    QList<Stranger> strangers;

private:
    /// Which stranger a text names; -1: none.
    qsizetype find(const Mention &mention) const
    {
        const auto known = m_byText.constFind(mention.text);
        if (known == m_byText.cend())
            return -1;
        for (const qsizetype number : *known) {
            if (isMeant(m_pack, mention, strangers[number].name))
                return number;
        }
        return -1;
    }

    void say(SaidRow &row) const
    {
        row.whole = row.said;
        for (const auto &[how, who] : row.named)
            row.whole = qHashMulti(row.whole, how, strangers[who].known);
    }

    /// Hashes rows with all strangers called the same, and adds what lies in a stranger to it.
    void visit(const RowTree &row, const RowTree &veiled, const QString &pointer,
        const QString &way, const std::vector<std::pair<qsizetype, qsizetype>> &around)
    {
        size_t hash = qHashMulti(0, row.word, veiled.id, way);
        for (const RowTree::Member &member : veiled.members) {
            if (!member.isDrawing)
                hash = qHashMulti(hash, member.key, member.json);
        }
        const auto number = qsizetype(m_said.size());
        m_rows.insert(pointer, number);
        m_said.push_back({ .said = hash, .named = {}, .tellers = {} });
        for (const auto &[stranger, length] : around) {
            if (way.size() > length)
                place(stranger, number, qHash(way.sliced(length)));
        }
        for (size_t i = 0; i < row.lists.size(); ++i) {
            const RowList &list = row.lists[i];
            const QString keys = pointerTo(list.keys);
            for (size_t k = 0; k < list.rows.size(); ++k) {
                const RowTree &one = list.rows[k];
                const RowTree &other = veiled.lists[i].rows[k];
                const QString last = list.isSingle ? QString() : pointerTo({ one.key });
                const QString lastVeiled = list.isKeyed ? pointerTo({ other.key }) : u"/#"_s;
                std::vector<std::pair<qsizetype, qsizetype>> inner = around;
                if (list.isKeyed && one.key != other.key) {
                    const Mention own { one.key, one.own, machineIn(pointer), {}, {}, true };
                    if (const qsizetype found = find(own); found >= 0)
                        inner.emplace_back(found, (way + keys + lastVeiled).size());
                }
                visit(one, other, pointer + keys + last, way + keys + lastVeiled, inner);
            }
        }
    }
    QString machineIn(const QString &pointer) const
    {
        if (!pointer.startsWith(u"/machines/"))
            return {};
        return pointer.section(u'/', 2, 2).replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
    }

    void place(qsizetype stranger, qsizetype row, size_t how)
    {
        strangers[stranger].places.push_back({ row, how });
        m_said[size_t(row)].tellers.push_back(stranger);
    }

    void note(const Mention &mention)
    {
        const qsizetype number = find(mention);
        if (number < 0)
            return;
        QString at = mention.pointer;
        while (!at.isEmpty() && !m_rows.contains(at))
            at.truncate(at.lastIndexOf(u'/'));
        const QString member = mention.pointer.sliced(at.size());
        const size_t how = qHashMulti(0, member.section(u'/', 1, 1), mention.relation);
        const qsizetype row = m_rows.value(at);
        m_said[size_t(row)].named.emplace_back(how, number);
        place(number, row, how);
    }

    const Pack &m_pack;
    QHash<QString, QList<qsizetype>> m_byText; ///< numbers of strangers
    QHash<QString, qsizetype> m_rows;          ///< pointer -> what stands there
    std::vector<SaidRow> m_said;
};

/// How much two profiles have in common, from 0 to 1.
double commonPart(const Profile &a, const Profile &b)
{
    Profile both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return double(both.size()) / double(std::max<size_t>(std::max(a.size(), b.size()), 1));
}

/// Finds each other's strangers. What is known of one tells more of those that are named with it:
/// they are looked at again, and nothing else is.
class Pairing
{
public:
    Pairing(Side &a, Side &b) : m_sides { &a, &b }
    {
        for (size_t side = 0; side < 2; ++side) {
            m_keys[side].resize(size_t(m_sides[side]->strangers.size()));
            for (qsizetype i = 0; i < m_sides[side]->strangers.size(); ++i)
                sort(side, i);
        }
    }

    /// Up to the first that makes others of one kind: states of its machine, types below it.
    QList<Renaming> found()
    {
        do {
            pairAlone();
        } while (!hasMadeKin() && (pairTwins() || pairAlike()) && !hasMadeKin());
        std::ranges::sort(m_found);
        QList<Renaming> renamings;
        for (const auto &[one, other] : m_found) {
            Renaming renaming = m_sides[0]->strangers[one].name;
            renaming.to = m_sides[1]->strangers[other].name.from;
            const bool fits =
                renaming.what != Name::Type || renaming.from.count(u'/') == renaming.to.count(u'/');
            if (fits)
                renamings += renaming;
        }
        return renamings;
    }

private:
    /// Those of which the same is said on either side.
    using Group = std::array<std::vector<qsizetype>, 2>;

    bool hasMadeKin() const
    {
        return std::ranges::any_of(m_found, [this](const auto &pair) {
            const Name what = m_sides[0]->strangers[pair.first].name.what;
            return what == Name::Machine || what == Name::Type;
        });
    }
    bool isOpen(size_t side, qsizetype number) const
    {
        const Stranger &stranger = m_sides[side]->strangers[number];
        return !stranger.known && !stranger.isBelow;
    }

    /// Puts it with those of which the same is said now.
    void sort(size_t side, qsizetype number)
    {
        if (!isOpen(side, number))
            return;
        const Stranger &stranger = m_sides[side]->strangers[number];
        const Profile profile = m_sides[side]->profileOf(stranger);
        const size_t key = qHashRange(profile.begin(), profile.end(),
            qHash(Kin { stranger.name.what, stranger.name.machine }));
        size_t &before = m_keys[side][size_t(number)];
        if (before == key)
            return;
        leave(side, number);
        before = key;
        m_groups[key][side].push_back(number);
        m_changed.insert(key);
    }
    void leave(size_t side, qsizetype number)
    {
        const size_t key = m_keys[side][size_t(number)];
        if (const auto group = m_groups.find(key); group != m_groups.end()) {
            std::erase((*group)[side], number);
            m_changed.insert(key);
        }
    }

    void take(qsizetype a, qsizetype b)
    {
        m_found.emplace_back(a, b);
        leave(0, a);
        leave(1, b);
        const size_t known = m_found.size();
        for (const auto &[side, number] : { std::pair(size_t(0), a), std::pair(size_t(1), b) })
            m_doubtful[side].unite(m_sides[side]->learn(number, known));
    }
    void sortDoubtful()
    {
        for (size_t side = 0; side < 2; ++side) {
            const QSet<qsizetype> all = std::exchange(m_doubtful[side], {});
            for (const qsizetype number : all)
                sort(side, number);
        }
    }

    /// Those that nothing else is like.
    void pairAlone()
    {
        while (!m_changed.isEmpty()) {
            const QSet<size_t> keys = std::exchange(m_changed, {});
            for (const size_t key : keys) {
                const Group group = m_groups.value(key);
                if (group[0].size() == 1 && group[1].size() == 1)
                    take(group[0].front(), group[1].front());
            }
            sortDoubtful();
        }
    }

    /// Of several that nothing tells apart, the first is the first.
    bool pairTwins()
    {
        const size_t before = m_found.size();
        const QHash<size_t, Group> groups = m_groups;
        for (Group group : groups) {
            if (group[0].size() != group[1].size())
                continue;
            std::ranges::sort(group[0]);
            std::ranges::sort(group[1]);
            for (size_t i = 0; i < group[0].size(); ++i)
                take(group[0][i], group[1][i]);
        }
        sortDoubtful();
        return m_found.size() > before;
    }

    struct Likely
    {
        double part = 0;
        qsizetype a = 0, b = 0;
    };
    bool pairAlike()
    {
        const size_t before = m_found.size();
        std::array<std::vector<Profile>, 2> profiles;
        for (size_t side = 0; side < 2; ++side) {
            for (qsizetype i = 0; i < m_sides[side]->strangers.size(); ++i)
                profiles[side].push_back(isOpen(side, i)
                        ? m_sides[side]->profileOf(m_sides[side]->strangers[i])
                        : Profile());
        }
        QHash<size_t, QList<qsizetype>> places; // what is said there -> who of the others
        for (qsizetype i = 0; i < qsizetype(profiles[1].size()); ++i) {
            for (const size_t hash : profiles[1][size_t(i)])
                places[hash] += i;
        }
        QList<Likely> all;
        for (qsizetype i = 0; i < qsizetype(profiles[0].size()); ++i) {
            QSet<qsizetype> candidates;
            for (const size_t hash : profiles[0][size_t(i)]) {
                const QList<qsizetype> some = places.value(hash);
                if (some.size() <= MostAlike)
                    candidates.unite(QSet<qsizetype>(some.begin(), some.end()));
            }
            for (const qsizetype other : candidates) {
                const Renaming &one = m_sides[0]->strangers[i].name,
                               &two = m_sides[1]->strangers[other].name;
                const double part = one.what == two.what && one.machine == two.machine
                    ? commonPart(profiles[0][size_t(i)], profiles[1][size_t(other)])
                    : 0;
                if (part > 0.5)
                    all.append({ part, i, other });
            }
        }
        std::ranges::sort(all, [](const Likely &x, const Likely &y) {
            return std::tuple(-x.part, x.a, x.b) < std::tuple(-y.part, y.a, y.b);
        });
        for (const Likely &likely : all) {
            if (isOpen(0, likely.a) && isOpen(1, likely.b))
                take(likely.a, likely.b);
        }
        sortDoubtful();
        return m_found.size() > before;
    }

    static constexpr qsizetype MostAlike = 50; ///< what so many share tells none of them

    const std::array<Side *, 2> m_sides;
    std::array<std::vector<size_t>, 2> m_keys; ///< of each stranger: its group
    QHash<size_t, Group> m_groups;
    QSet<size_t> m_changed;                    ///< groups
    std::array<QSet<qsizetype>, 2> m_doubtful; ///< of which more may be said than when sorted
    std::vector<std::pair<qsizetype, qsizetype>> m_found;
};

/// Drops types that follow another one, and what would be called like something that stays.
QList<Renaming> leading(const QList<Renaming> &all)
{
    QList<Renaming> result;
    for (const Renaming &each : all) {
        const bool follows =
            each.what == Name::Type && std::ranges::any_of(result, [&](const Renaming &other) {
                return other.what == Name::Type && each.from.startsWith(other.from + u'/')
                    && each.to == other.to + each.from.sliced(other.from.size());
            });
        if (!follows)
            result += each;
    }
    return result;
}

} // namespace

Likeness likeness(const Pack &pack, const Pack &other)
{
    Likeness result { leading(renamings(pack, other)), pack };
    result.pack = renamed(result.pack, result.renamings);
    qsizetype left = std::numeric_limits<qsizetype>::max();
    while (true) {
        Side a(result.pack, ownNames(other, result.pack)), b(other, ownNames(result.pack, other));
        const qsizetype now = a.strangers.size();
        if (now == 0 || b.strangers.isEmpty() || now >= std::exchange(left, now))
            return result;
        a.readRows();
        b.readRows();
        QList<Renaming> found = Pairing(a, b).found();
        if (found.isEmpty())
            return result;
        result.pack = renamed(std::move(result.pack), found);
        for (Renaming &each : found) {
            const auto machine = std::ranges::find_if(result.renamings, [&](const Renaming &done) {
                return done.what == Name::Machine && done.to == each.machine;
            });
            if (machine != result.renamings.end())
                each.machine = machine->from;
        }
        result.renamings += found;
    }
}

} // namespace instar
