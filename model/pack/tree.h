// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/cells.h"
#include "model/pack/persistentlist.h"

#include <QHash>
#include <QList>
#include <QSharedData>
#include <QString>
#include <QStringList>

#include <string>

namespace instar {

/// Names a resource for as long as it exists; afterwards the number may be given to another.
using Resource = quint32;
inline constexpr Resource NoResource = ~Resource(0);

/// The first '/' in a path from a place on; -1: there is none. A tree of a million resources asks
/// this four million times; QStringView::indexOf() takes twice as long for so few characters.
inline qsizetype slashFrom(QStringView path, qsizetype from)
{
    if (from >= path.size())
        return -1;
    const char16_t *begin = path.utf16();
    const char16_t *found =
        std::char_traits<char16_t>::find(begin + from, size_t(path.size() - from), u'/');
    return found ? found - begin : -1;
}

/// The type path of a path of /type/name pairs: "racks/servers".
QString typePathOf(QStringView path);
/// Whether a path consists of /type/name pairs, none of them empty.
bool isResourcePath(const QString &path);

/// The resources that exist: one contiguous preorder block, a branch, per top-level resource, so
/// that a subtree is a range. A copy shares everything until one of the two is changed.
class Tree
{
public:
    /// Where a resource is. Positions move when resources of its branch are created or removed.
    struct Place
    {
        quint32 branch = ~0u;
        quint32 position = 0;
        bool operator==(const Place &) const = default;
    };
    /// A run of neighbours in preorder.
    struct Range
    {
        quint32 branch = ~0u;
        quint32 begin = 0, end = 0;
        bool operator==(const Range &) const = default;
        quint32 size() const { return end - begin; }
    };

    explicit Tree(int codeCount = 0, Qt::CaseSensitivity names = Qt::CaseSensitive);

    Qt::CaseSensitivity caseSensitivity() const { return m_case; }
    qsizetype size() const { return m_size; }

    /// The type of resources at a type path such as "racks/servers"; made known where it is new.
    int typeAt(const QString &typePath);
    int typeCount() const { return int(m_types.size()); }
    const QString &typePath(int type) const { return m_types[type].path; }
    /// The type of children of `parentType` (-1: top level) under a path segment; -1 where nobody
    /// has named it.
    int childType(int parentType, QStringView segment) const;

    /// The resource at a path of /type/name pairs; NoResource where there is none.
    Resource find(QStringView path) const;
    Resource child(Resource parent, int type, QStringView name) const;
    /// Puts a new resource after everything below its parent. `segment` is the type's spelling in
    /// its path.
    Resource create(Resource parent, int type, const QString &name, Code code, quint64 stamp,
        QStringView segment = {});
    /// Removes a resource and everything below it.
    void remove(Resource resource);
    bool exists(Resource resource) const;

    Place place(Resource resource) const { return m_places[resource]; }
    Resource at(quint32 branch, quint32 position) const;
    Range subtree(Resource resource) const;
    Resource parent(Resource resource) const { return m_parentOf[resource]; }
    QList<Resource> children(Resource resource) const;
    int depth(Resource resource) const;
    const QString &name(Resource resource) const { return m_names[resource]; }
    int type(Resource resource) const { return m_typeOf[resource]; }
    QString path(Resource resource) const;
    /// Branches in the order of their making.
    const QList<quint32> &branches() const { return m_branchOrder; }
    bool hasBranch(quint32 branch) const
    {
        return branch < quint32(m_branches.size()) && m_branches[branch];
    }
    /// Where a branch stands among branches(): those made later have greater ranks.
    quint64 rank(quint32 branch) const { return this->branch(branch).rank; }
    quint32 branchSize(quint32 branch) const;
    /// Every resource in preorder.
    QList<Resource> resources() const;

    Code code(Resource resource) const;
    quint64 stamp(Resource resource) const;
    void setCode(Resource resource, Code code);
    /// Sends each code c of a range to map[c]; a stamp other than 0 is given to each. Returns how
    /// many changed.
    qint64 apply(const Range &range, std::span<const Code> map, quint64 stamp);
    void stampRange(const Range &range, quint64 stamp);
    std::span<const quint32> branchCounts(quint32 branch) const;
    /// How many resources have each code.
    const QList<qint64> &counts() const { return m_counts; }

    friend class TreeBuilder;

private:
    struct Branch : QSharedData
    {
        quint64 rank = 0;
        QList<Resource> order;
        QList<quint32> size; ///< of the subtree, itself included
        Cells cells;
    };
    struct TypeEntry
    {
        QString path, segment;
        int parent = -1;
        QList<int> children;
        bool operator==(const TypeEntry &) const = default;
    };

    const Branch &branch(quint32 index) const { return *m_branches[index].constData(); }
    Branch &changed(quint32 branch) { return *m_branches.change(branch); }
    bool same(QStringView a, QStringView b) const { return a.compare(b, m_case) == 0; }
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
    PersistentList<QSharedDataPointer<Branch>> m_branches; ///< null where a branch was removed
    QList<quint32> m_freeBranches;
    QList<quint32> m_branchOrder;
    quint64 m_nextRank = 0;
    PersistentList<Place, 512> m_places; ///< resource ->
    QList<Resource> m_parentOf;          ///< resource ->
    QList<QString> m_names;              ///< resource ->
    QList<quint16> m_typeOf;             ///< resource ->
    QHash<Resource, QString>
        m_spelling; ///< type segments written otherwise than in the type's path
    QList<Resource> m_free;
    QList<Resource> m_index;   ///< open addressing over (parent, type, name)
    qsizetype m_indexUsed = 0; ///< entries and graves
    QList<qint64> m_counts;
};

/// Loads many resources at once, in any order in which parents come before children.
class TreeBuilder
{
public:
    TreeBuilder(int codeCount, Qt::CaseSensitivity names) : m_tree(codeCount, names) { }

    /// For type look-ups, and for find(), which already sees what was added.
    Tree &tree() { return m_tree; }
    Resource add(
        Resource parent, int type, const QString &name, Code code, QStringView segment = {});
    void setCode(Resource resource, Code code) { m_codes[resource] = code; }
    /// The finished tree, siblings in the order in which they were added, every resource with the
    /// stamp.
    Tree finished(quint64 stamp) &&;

private:
    Tree m_tree;
    std::vector<Code> m_codes; ///< resource ->
    std::vector<Resource> m_firstChild, m_lastChild, m_nextSibling;
    std::vector<Resource> m_tops;
};

} // namespace instar
