// SPDX-License-Identifier: Apache-2.0
#include "model/pack/rows.h"

#include "model/pack/names.h"
#include "model/pack/tree.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace instar {

QByteArray jsonOf(const QJsonValue &value)
{
    return QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact).sliced(1).chopped(1);
}

QStringList keysOf(const QString &pointer)
{
    QStringList keys = pointer.split(u'/').sliced(1);
    for (QString &key : keys)
        key = key.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
    return keys;
}

QString parentPointer(const QString &pointer)
{
    return pointer.first(qMax<qsizetype>(pointer.lastIndexOf(u'/'), 0));
}

QString machineAround(const Pack &pack, QString pointer)
{
    QString machine;
    for (; !pointer.isEmpty() && machine.isEmpty(); pointer = parentPointer(pointer))
        withRowAt(pack, pointer, [&](const auto &row) { machine = machineFor(pack, row); });
    return machine;
}

QString machineOfPath(const Pack &pack, const QString &path)
{
    const QString type = typePathOf(path);
    const Type *own = pack.type(u"*"_s);
    for (const Type &row : pack.types) {
        if (row.path.compare(type, pack.caseSensitivity()) == 0)
            own = &row;
    }
    return own ? own->machine : QString();
}

namespace {

/// Returns a node that sums up a row by its texts (but not its reasons) and its lists' sizes.
OutlineNode summaryNode(const QString &key, const QString &title, const auto &row)
{
    constexpr qsizetype mostWords = 4, mostCounts = 2;
    QStringList words, counts;
    eachMember(row, [&]<typename T>(const char *name, const T &member, const MemberSpec &spec) {
        if (name == "about"_L1 || name == "source"_L1)
            return;
        if constexpr (std::is_same_v<T, QString>)
            words += member;
        else if constexpr (std::is_same_v<T, QStringList>)
            words += member.join(u", "_s);
        else if constexpr (std::is_enum_v<T>)
            words += QString::fromLatin1(spec.words[size_t(member)]);
        else if constexpr (IsRowList<T>) {
            if (spec.required || !counts.isEmpty())
                counts += counts.isEmpty()
                    ? u"%1 %2"_s.arg(member.size()).arg(QLatin1StringView(name))
                    : QString::number(member.size());
        }
    });
    words.removeAll(QString());
    OutlineNode node;
    node.key = key;
    node.kindName = headingOf(row).name;
    if constexpr (requires { row.identity.number; })
        node.identity = row.identity.number;
    if (title.isEmpty()) {
        node.title = words.mid(0, mostWords).join(u" · "_s);
        if (node.title.isEmpty())
            node.title = node.kindName;
    } else {
        node.title = title;
        node.detail = counts.isEmpty() ? words.value(0) : counts.mid(0, mostCounts).join(u" · "_s);
    }
    return node;
}

void addChildren(OutlineNode &node, const auto &row);

void addRow(OutlineNode &parent, const QString &key, const QString &title, const auto &row)
{
    OutlineNode node = summaryNode(key, title, row);
    node.pointer = parent.pointer + pointerTo({ key });
    addChildren(node, row);
    parent.children += node;
}

template<typename T>
void addList(OutlineNode &parent, const QString &key, const QList<T> &rows, const MemberSpec &spec)
{
    OutlineNode list;
    list.kind = OutlineNode::Kind::List;
    list.pointer = parent.pointer + pointerTo({ key });
    if (spec.wrapper)
        list.pointer += pointerTo({ QString::fromLatin1(spec.wrapper) });
    list.key = list.title = key;
    list.detail = QString::number(rows.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QString own = keyOfRow(rows, i);
        addRow(
            list, own, requires { idOf(rows[i]); } ? own : QString(), rows[i]);
    }
    parent.children += list;
}

void addChildren(OutlineNode &node, const auto &row)
{
    eachMember(row, [&]<typename T>(const char *key, const T &member, const MemberSpec &spec) {
        const QString name = QString::fromLatin1(key);
        if constexpr (IsRowList<T>)
            addList(node, name, member, spec);
        else if constexpr (IsRow<T>)
            addRow(node, name, name, member);
        else if constexpr (IsRowOrNone<T>) {
            if (member)
                addRow(node, name, name, *member);
        }
    });
}

} // namespace

QString listUnder(const Pack &pack, const QString &row, const QString &key)
{
    QString list;
    withRowAt(pack, row, [&](const auto &found) {
        eachMember(found, [&]<typename T>(const char *own, const T &, const MemberSpec &spec) {
            if (!IsRowList<T> || key != QLatin1StringView(own))
                return;
            list = row + pointerTo({ key });
            if (spec.wrapper)
                list += pointerTo({ QString::fromLatin1(spec.wrapper) });
        });
    });
    return list;
}

QStringList rowsUnder(const Pack &pack, const QString &list, qsizetype most)
{
    QStringList pointers;
    withListAt(pack, list, [&](const auto &rows, const MemberSpec &) {
        for (qsizetype i = 0; i < qMin(most, rows.size()); ++i)
            pointers += list + pointerTo({ keyOfRow(rows, i) });
    });
    return pointers;
}

OutlineNode outline(const Pack &pack)
{
    OutlineNode root = summaryNode({}, pack.id, pack);
    addChildren(root, pack);
    return root;
}

OutlineNode outlineOf(const Pack &pack, const QString &row)
{
    OutlineNode node;
    withRowAt(pack, row, [&](const auto &found) {
        const QString key = row.isEmpty() ? QString() : keysOf(row).last();
        bool isNumber = false;
        key.toInt(&isNumber);
        node = summaryNode(key, isNumber ? QString() : key, found);
        node.pointer = row;
    });
    return node;
}

QString locationText(const Pack &pack, const QString &pointer)
{
    QString row = pointer;
    OutlineNode node;
    while (!row.isEmpty() && (node = outlineOf(pack, row)).pointer.isEmpty())
        row = parentPointer(row);
    if (row.isEmpty())
        return pack.id;
    const QStringList keys = keysOf(row);
    const QString machine =
        keys.size() > 2 && keys[0] == u"machines" ? keys[1] + u" · "_s : QString();
    return machine + node.title;
}

} // namespace instar
