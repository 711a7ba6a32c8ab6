// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/cells.h"
#include "model/pack/persistentlist.h"

#include <QHash>
#include <QList>
#include <QSharedData>
#include <QString>

#include <optional>

namespace instar {

/// Handle of a resource; another resource may get it after the resource is removed.
using Resource = quint32;
inline constexpr Resource NoResource = ~Resource(0);

/// Returns the index of the first '/' at or after `from`; -1: there is none. Building a tree of a
/// million resources calls this function four million times, and for so few characters
/// QStringView::indexOf() takes twice as long.
inline qsizetype slashFrom(QStringView path, qsizetype from)
{
    if (from >= path.size())
        return -1;
    const char16_t *begin = path.utf16();
    const char16_t *found =
        std::char_traits<char16_t>::find(begin + from, size_t(path.size() - from), u'/');
    return found ? found - begin : -1;
}

/// Returns the type path of a path of /type/name pairs: "racks/servers".
QString typePathOf(QStringView path);
/// True if a path consists of /type/name pairs without empty parts.
bool isResourcePath(const QString &path);

/// Tree of the existing resources, copy-on-write. Each top-level resource has a branch: an array of
/// its subtree in preorder, so that every subtree is a range.
class Tree
{
public:
    /// Position of a resource, which changes when resources of its branch are created or removed.
    struct Place
    {
        quint32 branch = ~0u; ///< ~0u: the resource does not exist
        quint32 position = 0;
        bool operator==(const Place &) const = default;
    };
    /// Range of positions in a branch.
    struct Range
    {
        quint32 branch = ~0u;
        quint32 begin = 0, end = 0;
        bool operator==(const Range &) const = default;
        quint32 size() const { return end - begin; }
    };

    explicit Tree(int codeCount = 0, Qt::CaseSensitivity nameCase = Qt::CaseSensitive);

    Qt::CaseSensitivity caseSensitivity() const { return m_case; }
    qsizetype size() const { return m_size; }

    /// Returns the type of a type path such as "racks/servers"; adds it if it is new.
    int typeAt(const QString &typePath);
    int typeCount() const { return int(m_types.size()); }
    const QString &typePath(int type) const { return m_types[type].path; }
    /// Returns the type of a path segment below `parentType` (-1: at the top level); -1: none.
    int childType(int parentType, QStringView segment) const;

    /// Returns the resource at a path of /type/name pairs; NoResource if there is none.
    Resource find(QStringView path) const;
    Resource child(Resource parent, int type, QStringView name) const;
    /// Adds a resource as the last child. `segment`: spelling of its type; empty: the type's own.
    Resource create(Resource parent, int type, const QString &name, Code code, quint64 stamp,
        QStringView segment = {});
    /// Removes a resource and everything below it.
    void remove(Resource resource);
    bool exists(Resource resource) const
    {
        return resource < Resource(m_places.size()) && m_places[resource].branch != ~0u;
    }

    Place place(Resource resource) const { return m_places[resource]; }
    Resource at(quint32 branch, quint32 position) const
    {
        return this->branch(branch).order[position];
    }
    Range subtree(Resource resource) const;
    Resource parent(Resource resource) const { return m_parentOf[resource]; }
    QList<Resource> children(Resource resource) const;
    /// Returns the resources of the collection at a path, such as "/racks/r1/servers"; absent if
    /// its type is unknown or its parent does not exist.
    std::optional<QList<Resource>> collection(QStringView path) const;
    int depth(Resource resource) const;
    const QString &name(Resource resource) const { return m_names[resource]; }
    int type(Resource resource) const { return m_typeOf[resource]; }
    QString path(Resource resource) const;
    /// Returns the branches in the order of their creation.
    const QList<quint32> &branches() const { return m_branchOrder; }
    bool hasBranch(quint32 branch) const
    {
        return branch < quint32(m_branches.size()) && m_branches[branch];
    }
    /// Returns a branch's sort key in branches(): newer branches have greater ranks.
    quint64 rank(quint32 branch) const { return this->branch(branch).rank; }
    quint32 branchSize(quint32 index) const { return quint32(branch(index).order.size()); }
    /// Returns every resource in preorder.
    QList<Resource> resources() const;

    Code code(Resource resource) const;
    quint64 stamp(Resource resource) const;
    void setCode(Resource resource, Code code);
    /// Sets each code c of a range to map[c], stamps to `stamp`; returns how many codes changed.
    qint64 apply(const Range &range, std::span<const Code> map, quint64 stamp);
    void stampRange(const Range &range, quint64 stamp);
    /// Returns the number of a branch's resources per code.
    std::span<const quint32> branchCounts(quint32 index) const
    {
        return branch(index).cells.counts();
    }
    /// Returns the number of all resources per code.
    const QList<qint64> &counts() const { return m_counts; }

    friend class TreeBuilder;

private:
    struct Branch : QSharedData
    {
        quint64 rank = 0;
        QList<Resource> order; ///< position -> resource, in preorder
        QList<quint32> size;   ///< position -> size of the subtree there, its root included
        Cells cells;
    };
    struct TypeEntry
    {
        QString path, segment;
        int parent = -1;
        QList<int> children;
    };

    const Branch &branch(quint32 index) const { return *m_branches[index].constData(); }
    Branch &mutableBranch(quint32 branch) { return *m_branches.change(branch); }
    bool isSameName(QStringView a, QStringView b) const { return a.compare(b, m_case) == 0; }
    size_t hashOf(Resource parent, int type, QStringView name) const;
    void indexAdd(Resource resource);
    void indexRemove(Resource resource);
    void indexGrow();
    Resource newSlot(Resource parent, int type, const QString &name, QStringView segment);
    void freeSlot(Resource resource);

    Qt::CaseSensitivity m_case;
    int m_codeCount;
    qsizetype m_size = 0;
    QList<TypeEntry> m_types;
    QList<int> m_topTypes;
    PersistentList<QSharedDataPointer<Branch>> m_branches; ///< null: the branch was removed
    QList<quint32> m_freeBranches;
    QList<quint32> m_branchOrder;
    quint64 m_nextRank = 0;
    PersistentList<Place, 512> m_places; ///< by resource
    QList<Resource> m_parentOf;          ///< by resource
    QList<QString> m_names;              ///< by resource
    QList<quint16> m_typeOf;             ///< by resource
    QHash<Resource, QString> m_spelling; ///< type segments that are spelled unlike the type's own
    QList<Resource> m_free;              ///< handles to be reused
    QList<Resource> m_index;   ///< hash table with open addressing; the key is (parent, type, name)
    qsizetype m_indexUsed = 0; ///< entries and tombstones
    QList<qint64> m_counts;
};

/// Bulk loader of a tree; parents must be added before their children.
class TreeBuilder
{
public:
    TreeBuilder(int codeCount, Qt::CaseSensitivity nameCase) : m_tree(codeCount, nameCase) { }

    /// Returns the tree so far, for adding types and for find().
    Tree &tree() { return m_tree; }
    Resource add(
        Resource parent, int type, const QString &name, Code code, QStringView segment = {});
    void setCode(Resource resource, Code code) { m_codes[resource] = code; }
    /// Returns the tree, with siblings in the order of add(); all resources get the stamp.
    Tree finished(quint64 stamp) &&;

private:
    Tree m_tree;
    std::vector<Code> m_codes; ///< by resource
    std::vector<Resource> m_firstChild, m_lastChild, m_nextSibling;
    std::vector<Resource> m_tops;
};

} // namespace instar
