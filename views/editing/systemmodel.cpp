// SPDX-License-Identifier: Apache-2.0
#include "views/editing/systemmodel.h"

#include "model/pack/rows.h"
#include "views/document/document.h"

#include <QFont>
#include <QMap>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Titles of lists in a pack, by key. The tree shows the lists in this order.
const QList<std::pair<QLatin1StringView, const char *>> &listTitles()
{
    static const QList<std::pair<QLatin1StringView, const char *>> titles {
        { "types"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Types") },
        { "machines"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Machines") },
        { "operations"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Operations") },
        { "outcomes"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Outcomes") },
        { "conditions"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Conditions") },
        { "conflicts"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Conflicts") },
        { "refusals"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Refusals") },
        { "stamp"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Stamps") },
        { "switches"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Switches") },
        { "sources"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Sources") },
        { "wire"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Wire") },
        { "sample"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Sample tree") },
        { "states"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "States") },
        { "transitions"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Transitions") },
        { "constraints"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Constraints") },
        { "work"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Work") },
        { "timer"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Timer") },
        { "references"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "References") },
        { "requests"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Requests") },
        { "answers"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Answers") },
        { "documents"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Documents") },
        { "follow"_L1, QT_TRANSLATE_NOOP("instar::SystemModel", "Follow") },
    };
    return titles;
}

/// Row of listTitles() with a key.
auto listNamed(const QString &key)
{
    return std::ranges::find_if(listTitles(), [&](const auto &row) { return key == row.first; });
}

QString listTitle(const QString &key)
{
    if (const auto row = listNamed(key); row != listTitles().end())
        return SystemModel::tr(row->second);
    return key.isEmpty() ? key : key[0].toUpper() + key.sliced(1);
}

constexpr int itemRoles[] = { Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
    SystemModel::PointerRole, SystemModel::IdRole, SystemModel::IsListRole,
    SystemModel::DetailRole };

/// Item of a node, below the item with the id `parentId`.
QStandardItem *newItem(const OutlineNode &node, const QString &parentId)
{
    const bool isSection = node.identity == 0 && !node.kindName.isEmpty();
    const bool isList = node.kind == OutlineNode::Kind::List;
    const bool isNamedByKey = isList || isSection
        || (node.key == node.title && (node.key == u"wire" || node.key == u"follow"));
    const QString title = isNamedByKey ? listTitle(node.key) : node.title;
    const QString tip = node.detail.isEmpty() ? title : title + u" · "_s + node.detail;
    auto *item = new QStandardItem(title);
    item->setEditable(false);
    item->setToolTip(tip);
    item->setAccessibleText(tip);
    item->setData(node.pointer, SystemModel::PointerRole);
    item->setData(
        node.identity ? u'#' + QString::number(node.identity) : parentId + u'/' + node.key,
        SystemModel::IdRole);
    item->setData(isList, SystemModel::IsListRole);
    item->setData(node.detail, SystemModel::DetailRole);
    return item;
}

void addItems(QStandardItem &parent, const QList<OutlineNode> &nodes);

/// Adds types as a tree: a type of children below the type of their parents.
void addTypes(QStandardItem &list, const QList<OutlineNode> &types)
{
    QMap<QString, QStandardItem *> items; // by type path
    for (const OutlineNode &type : types) {
        QStandardItem *item = newItem(type, list.data(SystemModel::IdRole).toString());
        addItems(*item, type.children);
        items.insert(type.key, item);
    }
    for (const OutlineNode &type : types) {
        QString around = type.key;
        do
            around = around.section(u'/', 0, -2);
        while (!around.isEmpty() && !items.contains(around));
        if (!around.isEmpty())
            items[type.key]->setText(type.key.sliced(around.size() + 1));
        items.value(around, &list)->appendRow(items[type.key]);
    }
}

void addItems(QStandardItem &parent, const QList<OutlineNode> &nodes)
{
    for (const OutlineNode &node : nodes) {
        QStandardItem *item = newItem(node, parent.data(SystemModel::IdRole).toString());
        parent.appendRow(item);
        if (node.pointer == u"/types")
            addTypes(*item, node.children);
        else
            addItems(*item, node.children);
    }
}

/// True if two trees have the same rows, so that only their data can differ.
bool areSameRows(const QStandardItem &a, const QStandardItem &b)
{
    bool isSame =
        a.data(SystemModel::IdRole) == b.data(SystemModel::IdRole) && a.rowCount() == b.rowCount();
    for (int row = 0; isSame && row < a.rowCount(); ++row)
        isSame = areSameRows(*a.child(row), *b.child(row));
    return isSame;
}

/// Copies the data of a tree with the same rows.
void update(QStandardItem &item, const QStandardItem &source)
{
    for (int row = 0; row < item.rowCount(); ++row) {
        for (const int role : itemRoles)
            item.child(row)->setData(source.child(row)->data(role), role);
        update(*item.child(row), *source.child(row));
    }
}

} // namespace

SystemModel::SystemModel(Document &document, QObject *parent)
    : QStandardItemModel(parent), m_document(document)
{
    follow();
    connect(&document, &Document::changed, this, &SystemModel::follow);
}

void SystemModel::follow()
{
    OutlineNode all = outline(m_document.pack());
    std::ranges::stable_sort(
        all.children, {}, [](const OutlineNode &node) { return listNamed(node.key); });
    QStandardItem root;
    addItems(root, all.children);
    if (areSameRows(root, *invisibleRootItem())) {
        update(*invisibleRootItem(), root);
        return emit followed();
    }
    emit aboutToBuild();
    clear();
    QFont bold;
    bold.setBold(true);
    while (root.rowCount() > 0) {
        const QList<QStandardItem *> row = root.takeRow(0);
        row.first()->setFont(bold);
        appendRow(row);
    }
    emit built();
    emit followed();
}

QModelIndex SystemModel::withId(const QString &id) const
{
    return match(index(0, 0), IdRole, id, 1, Qt::MatchExactly | Qt::MatchRecursive).value(0);
}

QModelIndex SystemModel::at(const QString &pointer) const
{
    for (QString around = pointer; !around.isEmpty(); around = pointerAround(around)) {
        const QModelIndexList found =
            match(index(0, 0), PointerRole, around, 1, Qt::MatchExactly | Qt::MatchRecursive);
        if (!found.isEmpty())
            return found.first();
    }
    return {};
}

} // namespace instar
