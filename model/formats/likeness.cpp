// SPDX-License-Identifier: Apache-2.0
#include "model/formats/likeness.h"

#include "model/formats/rowtree.h"
#include "model/machine/identity.h"

#include <QHash>
#include <QSet>

#include <algorithm>

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

/// A thing that the other pack has not, by its name.
struct Stranger
{
    Renaming name;        ///< with nothing that it would be called
    bool isBelow = false; ///< a type below another stranger: it follows that one
    Profile profile;
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
            Stranger stranger { { kin.what, kin.machine, mention.text, {} }, false, {} };
            if (kin.what == Name::Type) {
                stranger.isBelow = std::ranges::any_of(types,
                    [&](const QString &type) { return mention.text.startsWith(type + u'/'); });
                types += mention.text;
            }
            m_byText[mention.text].append(strangers.size());
            strangers.append(stranger);
        });
    }

    void makeProfiles()
    {
        Pack veiled = m_pack;
        changeNames(&veiled,
            [&](const Mention &mention) { return find(mention) < 0 ? mention.text : u"?"_s; });
        visit(rowTree(m_pack), rowTree(veiled), {}, {}, {});
        visitNames(m_pack, [&](const Mention &mention) { note(mention); });
        for (Stranger &stranger : strangers)
            std::ranges::sort(stranger.profile);
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

    /// Hashes rows with all strangers called the same, and adds what lies in a stranger to it.
    void visit(const RowTree &row, const RowTree &veiled, const QString &pointer,
        const QString &way, const std::vector<std::pair<qsizetype, qsizetype>> &around)
    {
        size_t hash = qHashMulti(0, row.word, veiled.id, way);
        for (const RowTree::Member &member : veiled.members) {
            if (!member.isDrawing)
                hash = qHashMulti(hash, member.key, member.json);
        }
        m_rows.insert(pointer, hash);
        for (const auto &[number, length] : around) {
            if (way.size() > length)
                strangers[number].profile.push_back(qHashMulti(hash, way.sliced(length)));
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
                    if (const qsizetype number = find(own); number >= 0)
                        inner.emplace_back(number, (way + keys + lastVeiled).size());
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

    void note(const Mention &mention)
    {
        const qsizetype number = find(mention);
        if (number < 0)
            return;
        QString at = mention.pointer;
        while (!at.isEmpty() && !m_rows.contains(at))
            at.truncate(at.lastIndexOf(u'/'));
        const QString member = mention.pointer.sliced(at.size());
        strangers[number].profile.push_back(
            qHashMulti(m_rows.value(at), member.section(u'/', 1, 1), mention.relation));
    }

    const Pack &m_pack;
    QHash<QString, QList<qsizetype>> m_byText; ///< numbers of strangers
    QHash<QString, size_t> m_rows;             ///< pointer -> what stands there
};

/// How much two profiles have in common, from 0 to 1.
double commonPart(const Profile &a, const Profile &b)
{
    Profile both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return double(both.size()) / double(std::max<size_t>(std::max(a.size(), b.size()), 1));
}

/// Finds each other's strangers.
class Pairing
{
public:
    Pairing(const Side &a, const Side &b) : m_a(a), m_b(b) { m_taken.resize(b.strangers.size()); }

    QList<Renaming> found()
    {
        for (const bool twins : { false, true }) {
            if (m_found.isEmpty())
                pairSame(twins);
        }
        if (m_found.isEmpty())
            pairAlike();
        return m_found;
    }

private:
    void take(qsizetype a, qsizetype b)
    {
        m_taken[b] = true;
        Renaming renaming = m_a.strangers[a].name;
        renaming.to = m_b.strangers[b].name.from;
        const bool fits =
            renaming.what != Name::Type || renaming.from.count(u'/') == renaming.to.count(u'/');
        if (fits)
            m_found += renaming;
    }

    /// Those that nothing tells apart; of several that nothing tells apart, the first is the first.
    void pairSame(bool twins)
    {
        QHash<size_t, QList<qsizetype>> ones, others;
        const auto add = [](QHash<size_t, QList<qsizetype>> &all,
                             const QList<Stranger> &strangers) {
            for (qsizetype i = 0; i < strangers.size(); ++i) {
                const Stranger &stranger = strangers[i];
                const Kin kin { stranger.name.what, stranger.name.machine };
                if (!stranger.isBelow)
                    all[qHashRange(stranger.profile.begin(), stranger.profile.end(), qHash(kin))] +=
                        i;
            }
        };
        add(ones, m_a.strangers);
        add(others, m_b.strangers);
        for (qsizetype i = 0; i < m_a.strangers.size(); ++i) {
            const Stranger &stranger = m_a.strangers[i];
            const Kin kin { stranger.name.what, stranger.name.machine };
            const size_t hash =
                qHashRange(stranger.profile.begin(), stranger.profile.end(), qHash(kin));
            const QList<qsizetype> mine = ones.value(hash), theirs = others.value(hash);
            if (stranger.isBelow || mine.size() != theirs.size() || (mine.size() > 1 && !twins))
                continue;
            take(i, theirs[mine.indexOf(i)]);
        }
    }

    struct Likely
    {
        double part = 0;
        qsizetype a = 0, b = 0;
    };
    void pairAlike()
    {
        QHash<size_t, QList<qsizetype>> places; // what is said there -> who of the others
        for (qsizetype i = 0; i < m_b.strangers.size(); ++i) {
            for (const size_t hash : m_b.strangers[i].profile)
                places[hash] += i;
        }
        QList<Likely> all;
        for (qsizetype i = 0; i < m_a.strangers.size(); ++i) {
            const Stranger &stranger = m_a.strangers[i];
            QSet<qsizetype> candidates;
            for (const size_t hash : stranger.profile) {
                const QList<qsizetype> some = places.value(hash);
                if (some.size() <= MostAlike)
                    candidates.unite(QSet<qsizetype>(some.begin(), some.end()));
            }
            for (const qsizetype other : candidates)
                consider(i, other, &all);
        }
        std::ranges::sort(all, [](const Likely &x, const Likely &y) {
            return std::tuple(-x.part, x.a, x.b) < std::tuple(-y.part, y.a, y.b);
        });
        QSet<qsizetype> done;
        for (const Likely &likely : all) {
            if (done.contains(likely.a) || m_taken[likely.b])
                continue;
            done.insert(likely.a);
            take(likely.a, likely.b);
        }
    }
    void consider(qsizetype a, qsizetype b, QList<Likely> *all) const
    {
        const Stranger &one = m_a.strangers[a], &other = m_b.strangers[b];
        if (one.isBelow || other.isBelow || one.name.what != other.name.what
            || one.name.machine != other.name.machine)
            return;
        const double part = commonPart(one.profile, other.profile);
        if (part > 0.5)
            all->append({ part, a, b });
    }

    static constexpr qsizetype MostAlike = 50; ///< what so many share tells none of them

    const Side &m_a, &m_b;
    QList<bool> m_taken;
    QList<Renaming> m_found;
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
        a.makeProfiles();
        b.makeProfiles();
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
