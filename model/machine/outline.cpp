// SPDX-License-Identifier: Apache-2.0
#include "model/machine/outline.h"

#include "model/machine/names.h"
#include "model/machine/rowat.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What a row says in short: its texts and words, those about it left out.
class ShortWords : public Visitor
{
public:
    explicit ShortWords(const auto &row)
    {
        if constexpr (requires { row.about; })
            m_left << &row.about;
        if constexpr (requires { row.sources; })
            m_left << &row.sources;
    }
    void row(const char *name, const char *, const char *) { kind = QString::fromLatin1(name); }
    void bare(const char *, const auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *key, const T &member, const Holds &holds, const char *)
    {
        if (m_left.contains(&member))
            return;
        if constexpr (std::is_same_v<T, QString>)
            add(member);
        else if constexpr (std::is_same_v<T, QStringList>)
            add(member.join(u", "_s));
        else if constexpr (std::is_enum_v<T>)
            add(QString::fromLatin1(holds.words[size_t(member)]));
        else if constexpr (IsRowList<T>) {
            if (holds.required || !counts.isEmpty())
                counts += counts.isEmpty()
                    ? u"%1 %2"_s.arg(member.size()).arg(QLatin1StringView(key))
                    : QString::number(member.size());
        }
    }
    void operator()(
        const char *key, const auto &member, const auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }

    QString kind;
    QStringList words, counts;

private:
    void add(const QString &text)
    {
        if (!text.isEmpty())
            words += text;
    }
    QList<const void *> m_left;
};

class Outliner : public Visitor
{
public:
    Outliner(OutlineNode &parent) : m_parent(parent) { }

    void bare(const char *, const auto &, const Holds &, const char *) { }
    template<typename T>
    void operator()(const char *key, const T &member, const Holds &holds, const char *)
    {
        const QString name = QString::fromLatin1(key);
        if constexpr (IsRowList<T>)
            addList(name, member, holds);
        else if constexpr (IsRow<T>)
            addRow(m_parent, name, name, member);
        else if constexpr (IsRowOrNone<T>) {
            if (member)
                addRow(m_parent, name, name, *member);
        }
    }
    void operator()(
        const char *key, const auto &member, const auto &, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
    }

    static OutlineNode shortOf(const QString &key, const QString &title, const auto &row)
    {
        constexpr qsizetype mostWords = 4, mostCounts = 2;
        ShortWords words(row);
        describe(words, row);
        OutlineNode node;
        node.key = key;
        node.kindName = words.kind;
        if constexpr (requires { row.identity.number; })
            node.number = row.identity.number;
        if (title.isEmpty()) {
            node.title = words.words.mid(0, mostWords).join(u" · "_s);
            if (node.title.isEmpty())
                node.title = words.kind;
        } else {
            node.title = title;
            node.detail = words.counts.isEmpty() ? words.words.value(0)
                                                 : words.counts.mid(0, mostCounts).join(u" · "_s);
        }
        return node;
    }
    static void addRow(
        OutlineNode &parent, const QString &key, const QString &title, const auto &row)
    {
        OutlineNode node = shortOf(key, title, row);
        node.pointer = parent.pointer + pointerTo({ key });
        Outliner inner(node);
        describe(inner, row);
        parent.children += node;
    }

private:
    template<typename T>
    void addList(const QString &key, const QList<T> &rows, const Holds &holds)
    {
        OutlineNode list;
        list.kind = OutlineNode::Kind::List;
        list.pointer = m_parent.pointer + pointerTo({ key });
        if (holds.inside)
            list.pointer += pointerTo({ QString::fromLatin1(holds.inside) });
        list.key = list.title = key;
        list.detail = QString::number(rows.size());
        for (qsizetype i = 0; i < rows.size(); ++i) {
            if constexpr (requires { idOf(rows[i]); })
                addRow(list, idOf(rows[i]), idOf(rows[i]), rows[i]);
            else
                addRow(list, QString::number(i), {}, rows[i]);
        }
        m_parent.children += list;
    }

    OutlineNode &m_parent;
};

struct SeeShort
{
    QString key;
    OutlineNode found {};
    void row(const auto &row)
    {
        bool isNumber = false;
        key.toInt(&isNumber);
        found = Outliner::shortOf(key, isNumber ? QString() : key, row);
    }
    void list(const auto &, const Holds &) { }
};

struct SeeListKey
{
    QString key;
    QStringList keys {};
    void row(const auto &row)
    {
        eachMember(row, [this]<typename T>(const char *own, const T &, const Holds &holds) {
            if (!IsRowList<T> || key != QLatin1StringView(own))
                return;
            keys = { key };
            if (holds.inside)
                keys += QString::fromLatin1(holds.inside);
        });
    }
    void list(const auto &, const Holds &) { }
};

struct SeeRows
{
    qsizetype most;
    QStringList keys {};
    void row(const auto &) { }
    void list(const auto &rows, const Holds &)
    {
        for (qsizetype i = 0; i < qMin(most, rows.size()); ++i) {
            if constexpr (requires { idOf(rows[i]); })
                keys += idOf(rows[i]);
            else
                keys += QString::number(i);
        }
    }
};

} // namespace

QString listUnder(const Pack &pack, const QString &row, const QString &key)
{
    SeeListKey see { key };
    seeRowAt(pack, row, see);
    return see.keys.isEmpty() ? QString() : row + pointerTo(see.keys);
}

QStringList rowsUnder(const Pack &pack, const QString &list, qsizetype most)
{
    SeeRows see { most };
    seeRowAt(pack, list, see);
    for (QString &key : see.keys)
        key = list + pointerTo({ key });
    return see.keys;
}

OutlineNode outline(const Pack &pack)
{
    OutlineNode root = Outliner::shortOf({}, pack.id, pack);
    Outliner outliner(root);
    describe(outliner, pack);
    return root;
}

OutlineNode outlineOf(const Pack &pack, const QString &row)
{
    SeeShort see { keysOf(row).value(keysOf(row).size() - 1) };
    seeRowAt(pack, row, see);
    if (see.found.kindName.isEmpty())
        return {};
    see.found.pointer = row;
    return see.found;
}

QString placeText(const Pack &pack, const QString &pointer)
{
    QString at = pointer;
    OutlineNode node;
    while (!at.isEmpty() && (node = outlineOf(pack, at)).pointer.isEmpty())
        at = pointerAround(at);
    if (at.isEmpty())
        return pack.id;
    const QStringList keys = keysOf(at);
    const QString machine =
        keys.size() > 2 && keys[0] == u"machines" ? keys[1] + u" · "_s : QString();
    return machine + node.title;
}

} // namespace instar
