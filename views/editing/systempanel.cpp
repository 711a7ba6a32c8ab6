// SPDX-License-Identifier: Apache-2.0
#include "views/editing/systempanel.h"

#include "model/pack/edits.h"
#include "model/pack/identity.h"
#include "model/pack/names.h"
#include "model/pack/nearest.h"
#include "model/pack/rows.h"
#include "model/pack/run.h"
#include "views/document/document.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/selection.h"

#include <QAction>
#include <QMap>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace instar {

namespace {

/// Sort key of one of the pack's lists ("machines") in the tree.
qsizetype sortKeyOf(const QString &list)
{
    static const QStringList order { u"types"_s, u"machines"_s, u"operations"_s, u"outcomes"_s,
        u"conditions"_s, u"conflicts"_s, u"refusals"_s, u"stamp"_s, u"switches"_s, u"sources"_s };
    const qsizetype position = order.indexOf(list);
    return position < 0 ? order.size() : position;
}

/// Title of one of the pack's lists, as in forms: "Machines".
QString listTitle(const QString &key)
{
    return key == u"sample" ? SystemModel::tr("Sample tree") : key.left(1).toUpper() + key.mid(1);
}

/// Item for a node; `parentId` is the id of the parent item.
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
    return item;
}

void addItems(QStandardItem &parent, const QList<OutlineNode> &nodes);

/// Adds types as a tree: each type below the type of its parents.
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

} // namespace

SystemModel::SystemModel(Document &document, QObject *parent)
    : QStandardItemModel(parent), m_document(document)
{
    build();
}

void SystemModel::build()
{
    OutlineNode all = outline(m_document.pack());
    std::ranges::stable_sort(
        all.children, {}, [](const OutlineNode &node) { return sortKeyOf(node.key); });
    QStandardItem root;
    addItems(root, all.children);
    clear();
    while (root.rowCount() > 0) {
        const QList<QStandardItem *> row = root.takeRow(0);
        row.first()->setFont(inBold(QFont()));
        appendRow(row);
    }
}

QModelIndex SystemModel::withId(const QString &id) const
{
    return match(index(0, 0), IdRole, id, 1, Qt::MatchExactly | Qt::MatchRecursive).value(0);
}

QModelIndex SystemModel::at(const QString &pointer) const
{
    for (QString around = pointer; !around.isEmpty(); around = parentPointer(around)) {
        const QModelIndexList found =
            match(index(0, 0), PointerRole, around, 1, Qt::MatchExactly | Qt::MatchRecursive);
        if (!found.isEmpty())
            return found.first();
    }
    return {};
}

SystemPanel::SystemPanel(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_selection(selection),
      m_model(new SystemModel(document, this)),
      m_tree(new QTreeView)
{
    build();
    for (const QString &list : { u"/types"_s, u"/machines"_s })
        m_tree->expand(m_model->at(list));
    connect(&document, &Document::changed, this, &SystemPanel::follow);
    connect(
        m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &SystemPanel::choose);
    connect(m_tree, &QTreeView::clicked, this, &SystemPanel::choose);
    connect(&selection, &Selection::rowsChosen, this, &SystemPanel::showSelected);
    for (const auto signal : { &QTreeView::expanded, &QTreeView::collapsed })
        connect(m_tree, signal, this, &SystemPanel::enable);
    enable();
}

void SystemPanel::build()
{
    m_tree->setModel(m_model);
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setAccessibleName(tr("System"));
    m_tree->setSelectionMode(QAbstractItemView::SingleSelection);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tree->setIndentation(14);

    auto *bar = filled(new QHBoxLayout, {});
    const auto action = [&](const QString &text, const QString &name, const QKeySequence &key,
                            auto act) {
        auto *made = new QAction(text, this);
        made->setShortcut(key);
        made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        made->setIcon(icon(name));
        connect(made, &QAction::triggered, this, act);
        m_tree->addAction(made);
        QToolButton *button = commandButton(made);
        button->setAutoRaise(true);
        bar->addWidget(button);
        return made;
    };
    m_add = action(tr("Add a row"), u"add"_s, Qt::Key_Insert, &SystemPanel::addRow);
    m_copy = action(tr("Duplicate"), u"duplicate"_s, Qt::CTRL | Qt::Key_D, &SystemPanel::copyRow);
    m_up = action(tr("Move up"), u"less"_s, Qt::ALT | Qt::Key_Up, [this] { moveRow(-1); });
    m_down = action(tr("Move down"), u"more"_s, Qt::ALT | Qt::Key_Down, [this] { moveRow(1); });
    m_delete = action(tr("Delete"), u"remove"_s, QKeySequence::Delete, &SystemPanel::deleteRow);
    bar->addStretch(1);

    filled(new QVBoxLayout(this), { { m_tree, 1 }, bar }, gap::small,
        { gap::small, gap::small, gap::small, gap::small });
    setFocusProxy(m_tree);
    setMinimumWidth(160);
}

QString SystemPanel::pointer() const
{
    return m_tree->currentIndex().data(SystemModel::PointerRole).toString();
}

void SystemPanel::showRow(const QString &pointer)
{
    const QModelIndex index = m_model->at(pointer);
    if (!index.isValid())
        return emit rowChosen(pointer); // the pack itself is not in the tree
    if (index == m_tree->currentIndex())
        emit rowChosen(pointer);
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
}

void SystemPanel::choose()
{
    enable();
    const QString at = pointer();
    if (at.isEmpty() || m_isFollowing)
        return;
    const QStringList keys = keysOf(at);
    if (keys.size() >= 2 && keys[0] == u"machines") {
        SelectedRows now { .machine = keys[1] };
        if (keys.size() >= 4 && keys[2] == u"states")
            now.states = { keys[3] };
        if (keys.size() >= 4 && keys[2] == u"transitions") {
            const int row = keys[3].toInt();
            const Transition there = m_document.pack().machine(keys[1])->transitions.value(row);
            now.transitions = { row };
            now.from = there.from.value(0);
            now.to = there.to.value(0) == SameState ? now.from : there.to.value(0);
            if (now.from == AnyState)
                now.from.clear();
            if (now.to == LastState)
                now.to.clear();
        }
        if (keys.size() >= 4 && keys[2] == u"notes")
            now.note = keys[3].toInt();
        m_isFollowing = true;
        m_selection.set(now);
        m_isFollowing = false;
    }
    emit rowChosen(
        m_tree->currentIndex().data(SystemModel::IsListRole).toBool() ? parentPointer(at) : at);
}

void SystemPanel::showSelected()
{
    const SelectedRows &now = m_selection.rows();
    if (m_isFollowing || now.machine.isEmpty())
        return;
    QStringList keys { u"machines"_s, now.machine };
    if (now.states.size() == 1 && now.transitions.isEmpty())
        keys += { u"states"_s, now.states.first() };
    else if (!now.transitions.isEmpty() && now.states.isEmpty())
        keys += { u"transitions"_s, QString::number(*std::ranges::min_element(now.transitions)) };
    else if (now.note >= 0)
        keys += { u"notes"_s, QString::number(now.note) };
    const QModelIndex index = m_model->at(pointerTo(keys)); // or the nearest enclosing row
    const quint32 number = numberAt(m_document.pack(), pointerTo(keys));
    m_isAwaited = index.data(SystemModel::IdRole) != u'#' + QString::number(number);
    if (m_isAwaited)
        return;
    m_isFollowing = true;
    m_tree->setCurrentIndex(index);
    m_isFollowing = false;
    m_tree->scrollTo(m_tree->currentIndex());
    emit rowChosen(pointer());
}

/// Shows a change of the document; the same rows stay expanded, and the same row stays current.
void SystemPanel::follow()
{
    QStringList expanded;
    const QString current = m_tree->currentIndex().data(SystemModel::IdRole).toString();
    const int scrolled = m_tree->verticalScrollBar()->value();
    const QModelIndexList all = m_model->match(m_model->index(0, 0), SystemModel::IdRole, QString(),
        -1, Qt::MatchStartsWith | Qt::MatchRecursive);
    for (const QModelIndex &index : all) {
        if (m_tree->isExpanded(index))
            expanded += index.data(SystemModel::IdRole).toString();
    }
    m_model->build();
    for (const QString &id : std::as_const(expanded))
        m_tree->expand(m_model->withId(id));
    if (const QModelIndex index = m_model->withId(current); index.isValid()) {
        m_isFollowing = true; // the same row as before: choose() emits nothing
        m_tree->setCurrentIndex(index);
        m_isFollowing = false;
        for (QModelIndex at = index.parent(); at.isValid(); at = at.parent())
            m_tree->expand(at); // the row may have moved into a closed one
    }
    m_tree->verticalScrollBar()->setValue(scrolled);
    enable();
    if (m_isAwaited)
        showSelected(); // the selected row was just added or renamed
}

void SystemPanel::enable()
{
    const QModelIndex current = m_tree->currentIndex();
    const bool isRow = current.isValid() && !current.data(SystemModel::IsListRole).toBool();
    const QString at = pointer();
    const bool isInList = isRow && indexInList(m_document.pack(), at) >= 0;
    m_add->setEnabled(current.isValid() && (!isRow || isInList));
    const QString parent = typeOfNewRow();
    const QString adding = parent.isEmpty() ? m_add->text() : tr("Add a type below %1").arg(parent);
    m_add->setToolTip(textWithKeys(adding, m_add->shortcut()));
    m_copy->setEnabled(isInList);
    m_delete->setEnabled(isInList);
    m_up->setEnabled(isInList && withRowMoved(m_document.pack(), at, -1));
    m_down->setEnabled(isInList && withRowMoved(m_document.pack(), at, 1));
}

QString SystemPanel::typeOfNewRow() const
{
    const QModelIndex current = m_tree->currentIndex();
    const QStringList keys = keysOf(pointer());
    if (keys.size() != 2 || keys[0] != u"types")
        return {};
    // The types inside a type stand below its other rows.
    const QModelIndex last = m_model->index(m_model->rowCount(current) - 1, 0, current);
    const bool showsTypes = m_tree->isExpanded(current)
        && parentPointer(last.data(SystemModel::PointerRole).toString()) == u"/types";
    return showsTypes ? keys[1] : keys[1].section(u'/', 0, -2);
}

void SystemPanel::addRow()
{
    const bool isList = m_tree->currentIndex().data(SystemModel::IsListRole).toBool();
    const Pack &pack = m_document.pack();
    const QString list = isList ? pointer() : parentPointer(pointer()), parent = typeOfNewRow();
    const QString id =
        parent.isEmpty() ? QString() : freshName(parent + u"/type"_s, idsOf(pack.types));
    // A new row follows the current one in the file, even if the tree nests types.
    const qsizetype position = isList ? -1 : indexInList(pack, pointer()) + 1;
    put(tr("Add a row"), withNewRow(pack, list, position, id));
}

void SystemPanel::copyRow()
{
    put(tr("Duplicate %1").arg(m_tree->currentIndex().data().toString()),
        withRowCopied(m_document.pack(), pointer()));
}

void SystemPanel::put(const QString &what, const std::optional<PackAndRow> &now)
{
    if (!now)
        return;
    m_document.edit(what, now->pack);
    showRow(now->pointer);
    emit rowAdded(now->pointer);
}

void SystemPanel::moveRow(int by)
{
    m_document.edit(tr("Move %1").arg(m_tree->currentIndex().data().toString()),
        withRowMoved(m_document.pack(), pointer(), by)->pack);
    m_tree->scrollTo(m_tree->currentIndex());
}

void SystemPanel::deleteRow()
{
    const QModelIndex current = m_tree->currentIndex();
    const QString name = current.data().toString();
    const auto isRow = [](const QModelIndex &index) {
        return index.isValid() && !index.data(SystemModel::IsListRole).toBool();
    };
    QModelIndex next = current.siblingAtRow(current.row() + 1);
    if (!isRow(next))
        next = current.siblingAtRow(current.row() - 1);
    if (!isRow(next))
        next = current.parent();
    const QString id = next.data(SystemModel::IdRole).toString();
    m_document.edit(tr("Delete %1").arg(name), *withoutRow(m_document.pack(), pointer()));
    m_tree->setCurrentIndex(m_model->withId(id));
    emit said(tr("Deleted %1").arg(name));
}

} // namespace instar
