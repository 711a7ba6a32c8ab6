// SPDX-License-Identifier: Apache-2.0
#include "views/editing/systemmodel.h"

#include "views/document/document.h"

#include <QFont>
#include <QGuiApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

struct SystemModel::Node
{
    QString id; ///< unlike that of any other; the same as long as the row is the same
    QString pointer, title, detail, tip;
    bool isList = false;
    Node *parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Node>> children;

    template<typename See>
    void each(const See &see) const
    {
        see(*this);
        for (const auto &child : children)
            child->each(see);
    }
    bool hasShapeOf(const Node &other) const
    {
        return id == other.id
            && std::ranges::equal(children, other.children,
                [](const auto &a, const auto &b) { return a->hasShapeOf(*b); });
    }
};

namespace {

/// Lists of a pack with their titles, in the order of the tree.
QString listTitle(const QString &key)
{
    static const QMap<QString, const char *> known {
        { u"types"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Types") },
        { u"machines"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Machines") },
        { u"states"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "States") },
        { u"transitions"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Transitions") },
        { u"constraints"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Constraints") },
        { u"work"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Work") },
        { u"timer"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Timer") },
        { u"operations"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Operations") },
        { u"outcomes"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Outcomes") },
        { u"conditions"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Conditions") },
        { u"conflicts"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Conflicts") },
        { u"refusals"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Refusals") },
        { u"stamp"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Stamps") },
        { u"switches"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Switches") },
        { u"sources"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Sources") },
        { u"references"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "References") },
        { u"wire"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Wire") },
        { u"requests"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Requests") },
        { u"answers"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Answers") },
        { u"documents"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Documents") },
        { u"follow"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Follow") },
        { u"sample"_s, QT_TRANSLATE_NOOP("instar::SystemModel", "Sample tree") },
    };
    if (const char *title = known.value(key))
        return SystemModel::tr(title);
    return key.isEmpty() ? key : key[0].toUpper() + key.sliced(1);
}

qsizetype placeOf(const QString &key)
{
    static const QStringList order { u"types"_s, u"machines"_s, u"operations"_s, u"outcomes"_s,
        u"conditions"_s, u"conflicts"_s, u"refusals"_s, u"stamp"_s, u"switches"_s, u"sources"_s,
        u"wire"_s, u"sample"_s };
    const qsizetype place = order.indexOf(key);
    return place < 0 ? order.size() : place;
}

/// Row of the type that contains another; -1: none.
qsizetype typeAround(const OutlineNode &types, const QString &path)
{
    for (QString around = path; around.contains(u'/');) {
        around = around.section(u'/', 0, -2);
        const auto found = std::ranges::find(types.children, around, &OutlineNode::key);
        if (found != types.children.end())
            return found - types.children.begin();
    }
    return -1;
}

} // namespace

namespace {

template<typename Node>
Node *addNode(Node &parent, const OutlineNode &from, const QString &inside)
{
    const bool isPart = from.identity == 0 && !from.kindName.isEmpty();
    const bool isNamedByKey = from.kind == OutlineNode::Kind::List || isPart
        || (from.key == from.title && (from.key == u"wire" || from.key == u"follow"));
    auto node = std::make_unique<Node>();
    node->id = from.identity ? u'#' + QString::number(from.identity) : inside + u'/' + from.key;
    node->pointer = from.pointer;
    node->title = isNamedByKey ? listTitle(from.key) : from.title;
    node->detail = from.detail;
    node->tip = node->title + (from.detail.isEmpty() ? QString() : u" · "_s + from.detail);
    node->isList = from.kind == OutlineNode::Kind::List;
    node->parent = &parent;
    node->row = int(parent.children.size());
    parent.children.push_back(std::move(node));
    return parent.children.back().get();
}

template<typename Node>
void addNodes(Node &parent, const QList<OutlineNode> &nodes);

/// Nests types in those that contain their resources.
template<typename Node>
void addTypes(Node &list, const OutlineNode &types)
{
    std::vector<Node *> made(size_t(types.children.size()), nullptr);
    const auto add = [&](const auto &self, qsizetype i) -> Node * {
        Node *&node = made[size_t(i)];
        if (node)
            return node;
        const OutlineNode &type = types.children[i];
        const qsizetype around = typeAround(types, type.key);
        Node &parent = around < 0 ? list : *self(self, around);
        node = addNode(parent, type, list.id);
        if (around >= 0)
            node->title = type.key.sliced(types.children[around].key.size() + 1);
        return node;
    };
    for (qsizetype i = 0; i < types.children.size(); ++i)
        addNodes(*add(add, i), types.children[i].children);
}

template<typename Node>
void addNodes(Node &parent, const QList<OutlineNode> &nodes)
{
    for (const OutlineNode &from : nodes) {
        Node *node = addNode(parent, from, parent.id);
        if (from.pointer == u"/types")
            addTypes(*node, from);
        else
            addNodes(*node, from.children);
    }
}

} // namespace

SystemModel::SystemModel(Document &document, QObject *parent)
    : QAbstractItemModel(parent), m_document(document), m_root(std::make_unique<Node>())
{
    follow();
    connect(&document, &Document::changed, this, &SystemModel::follow);
}

SystemModel::~SystemModel() = default;

void SystemModel::follow()
{
    OutlineNode all = outline(m_document.pack());
    std::ranges::stable_sort(
        all.children, {}, [](const OutlineNode &node) { return placeOf(node.key); });
    auto root = std::make_unique<Node>();
    addNodes(*root, all.children);
    if (root->hasShapeOf(*m_root)) {
        update(*m_root, *root);
        return emit followed();
    }
    emit aboutToBuild();
    beginResetModel();
    m_root = std::move(root);
    endResetModel();
    emit built();
    emit followed();
}

void SystemModel::update(Node &node, const Node &now)
{
    const bool isOther =
        node.title != now.title || node.detail != now.detail || node.tip != now.tip;
    node.pointer = now.pointer;
    node.title = now.title;
    node.detail = now.detail;
    node.tip = now.tip;
    if (isOther)
        emit dataChanged(indexOf(node), indexOf(node));
    for (size_t i = 0; i < node.children.size(); ++i)
        update(*node.children[i], *now.children[i]);
}

const SystemModel::Node *SystemModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<const Node *>(index.internalPointer()) : m_root.get();
}

QModelIndex SystemModel::indexOf(const Node &node) const
{
    return node.parent ? createIndex(node.row, 0, &node) : QModelIndex();
}

QModelIndex SystemModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, nodeOf(parent)->children[size_t(row)].get());
}

QModelIndex SystemModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOf(*nodeOf(index)->parent) : QModelIndex();
}

int SystemModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(nodeOf(parent)->children.size());
}

QVariant SystemModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node &node = *nodeOf(index);
    switch (role) {
    case Qt::DisplayRole:
        return node.title;
    case DetailRole:
        return node.detail;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return node.tip;
    case Qt::FontRole: {
        QFont font = QGuiApplication::font();
        font.setBold(node.parent == m_root.get());
        return font;
    }
    case PointerRole:
        return node.pointer;
    case IdRole:
        return node.id;
    case IsListRole:
        return node.isList;
    default:
        return {};
    }
}

QModelIndex SystemModel::withId(const QString &id) const
{
    const Node *found = nullptr;
    m_root->each([&](const Node &node) {
        if (node.id == id && node.parent)
            found = &node;
    });
    return found ? indexOf(*found) : QModelIndex();
}

QModelIndex SystemModel::at(const QString &pointer) const
{
    const Node *found = nullptr;
    m_root->each([&](const Node &node) {
        const bool isAround =
            node.parent && (pointer == node.pointer || pointer.startsWith(node.pointer + u'/'));
        if (isAround && (!found || node.pointer.size() > found->pointer.size()))
            found = &node;
    });
    return found ? indexOf(*found) : QModelIndex();
}

} // namespace instar
