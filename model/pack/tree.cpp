// SPDX-License-Identifier: Apache-2.0
#include "model/pack/tree.h"

#include <QVarLengthArray>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr Resource Tombstone = NoResource - 1; ///< index entry of a removed resource

/// FNV-1a hash of a text; of the case-folded text if case is insensitive.
size_t hashFolded(QStringView text, Qt::CaseSensitivity sensitivity)
{
    size_t hash = 0xcbf29ce484222325u;
    for (qsizetype i = 0; i < text.size(); ++i) {
        char32_t unit = text[i].unicode();
        if (sensitivity == Qt::CaseInsensitive && unit < 0x80) {
            unit = unit >= u'A' && unit <= u'Z' ? unit + 32 : unit;
        } else if (sensitivity == Qt::CaseInsensitive) {
            if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
                unit = QChar::surrogateToUcs4(char16_t(unit), text[++i].unicode());
            unit = QChar::toCaseFolded(unit);
        }
        hash = (hash ^ unit) * 0x100000001b3u;
    }
    return hash;
}

} // namespace

QString typePathOf(QStringView path)
{
    QString types;
    types.reserve(path.size());
    qsizetype begin = path.indexOf(u'/') + 1;
    bool isType = true;
    while (begin > 0) {
        const qsizetype end = path.indexOf(u'/', begin);
        if (isType) {
            if (!types.isEmpty())
                types += u'/';
            types += path.mid(begin, end < 0 ? -1 : end - begin);
        }
        isType = !isType;
        begin = end + 1;
    }
    return types;
}

bool isResourcePath(const QString &path)
{
    const QStringList parts = path.split(u'/');
    return path.startsWith(u'/') && parts.size() % 2 == 1 && !parts.sliced(1).contains(QString());
}

Tree::Tree(int codeCount, Qt::CaseSensitivity nameCase)
    : m_case(nameCase), m_codeCount(codeCount), m_counts(codeCount, 0)
{ }

int Tree::childType(int parentType, QStringView segment) const
{
    const QList<int> &candidates = parentType < 0 ? m_topTypes : m_types[parentType].children;
    for (const int type : candidates) {
        const QString &known = m_types[type].segment;
        if (known.size() == segment.size() && (known == segment || isSameName(known, segment)))
            return type;
    }
    return -1;
}

int Tree::typeAt(const QString &typePath)
{
    int type = -1;
    qsizetype end = 0;
    for (const auto segment : QStringView(typePath).tokenize(u'/')) {
        end += segment.size();
        int next = childType(type, segment);
        if (next < 0) {
            next = int(m_types.size());
            m_types.append({ typePath.left(end), segment.toString(), type, {} });
            (type < 0 ? m_topTypes : m_types[type].children).append(next);
        }
        type = next;
        ++end;
    }
    return type;
}

size_t Tree::hashOf(Resource parent, int type, QStringView name) const
{
    size_t hash =
        hashFolded(name, m_case) ^ (size_t(parent) * 0x9e3779b97f4a7c15u) ^ (size_t(type) << 48);
    hash ^= hash >> 32;
    return hash * 0xd6e8feb86659fd93u >> 16;
}

Resource Tree::child(Resource parent, int type, QStringView name) const
{
    if (m_index.isEmpty())
        return NoResource;
    const size_t mask = size_t(m_index.size()) - 1;
    const Resource *index = m_index.constData();
    for (size_t slot = hashOf(parent, type, name) & mask;; slot = (slot + 1) & mask) {
        const Resource candidate = index[slot];
        if (candidate == NoResource)
            return NoResource;
        if (candidate != Tombstone && m_typeOf[candidate] == type && m_parentOf[candidate] == parent
            && isSameName(m_names[candidate], name))
            return candidate;
    }
}

void Tree::indexAdd(Resource resource)
{
    if (2 * (m_indexUsed + 1) > m_index.size())
        indexGrow();
    const size_t mask = size_t(m_index.size()) - 1;
    size_t slot = hashOf(m_parentOf[resource], m_typeOf[resource], m_names[resource]) & mask;
    while (std::as_const(m_index)[qsizetype(slot)] != NoResource)
        slot = (slot + 1) & mask;
    m_index[qsizetype(slot)] = resource;
    ++m_indexUsed;
}

void Tree::indexRemove(Resource resource)
{
    const size_t mask = size_t(m_index.size()) - 1;
    size_t slot = hashOf(m_parentOf[resource], m_typeOf[resource], m_names[resource]) & mask;
    while (std::as_const(m_index)[qsizetype(slot)] != resource)
        slot = (slot + 1) & mask;
    m_index[qsizetype(slot)] = Tombstone;
}

void Tree::indexGrow()
{
    const QList<Resource> old = m_index;
    qsizetype wanted = 16;
    while (wanted < 4 * (m_size + 1))
        wanted *= 2;
    m_index = QList<Resource>(wanted, NoResource);
    m_indexUsed = 0;
    for (const Resource resource : old) {
        if (resource < Tombstone)
            indexAdd(resource);
    }
}

Resource Tree::find(QStringView path) const
{
    Resource resource = NoResource;
    int type = -1;
    qsizetype at = 0;
    while (at < path.size()) {
        if (path[at] != u'/')
            return NoResource;
        const qsizetype middle = path.indexOf(u'/', at + 1);
        if (middle < 0)
            return NoResource;
        qsizetype end = path.indexOf(u'/', middle + 1);
        if (end < 0)
            end = path.size();
        type = childType(type, path.sliced(at + 1, middle - at - 1));
        if (type < 0)
            return NoResource;
        resource = child(resource, type, path.sliced(middle + 1, end - middle - 1));
        if (resource == NoResource)
            return NoResource;
        at = end;
    }
    return resource;
}

std::optional<QList<Resource>> Tree::collection(QStringView path) const
{
    const qsizetype slash = path.lastIndexOf(u'/');
    const Resource parent = slash > 0 ? find(path.first(slash)) : NoResource;
    if (slash < 0 || (slash > 0 && parent == NoResource))
        return {};
    const int itemType = childType(slash > 0 ? type(parent) : -1, path.sliced(slash + 1));
    if (itemType < 0)
        return {};
    QList<Resource> all = children(parent);
    all.removeIf([&](Resource resource) { return type(resource) != itemType; });
    return all;
}

Resource Tree::newSlot(Resource parent, int type, const QString &name, QStringView segment)
{
    const Resource slot = m_free.isEmpty() ? Resource(m_places.size()) : m_free.takeLast();
    if (slot == Resource(m_places.size())) {
        m_places.append(Place {});
        m_parentOf.append(NoResource);
        m_names.append(QString());
        m_typeOf.append(0);
    }
    m_parentOf[slot] = parent;
    m_names[slot] = name;
    m_typeOf[slot] = quint16(type);
    if (!segment.isEmpty() && segment != m_types[type].segment)
        m_spelling.insert(slot, segment.toString());
    ++m_size;
    indexAdd(slot);
    return slot;
}

void Tree::freeSlot(Resource resource)
{
    m_names[resource].clear();
    m_places.change(resource) = Place {};
    m_spelling.remove(resource);
    m_free.append(resource);
}

Resource Tree::create(
    Resource parent, int type, const QString &name, Code code, quint64 stamp, QStringView segment)
{
    const Resource resource = newSlot(parent, type, name, segment);
    if (parent == NoResource) {
        quint32 index = quint32(m_branches.size());
        if (m_freeBranches.isEmpty())
            m_branches.append(QSharedDataPointer<Branch>());
        else
            index = m_freeBranches.takeLast();
        auto *branch = new Branch;
        branch->rank = m_nextRank++;
        branch->cells = Cells(m_codeCount);
        m_branches.change(index) = branch;
        m_branchOrder.append(index);
        m_places.change(resource) = { index, 0 };
        branch->order = { resource };
        branch->size = { 1 };
        branch->cells.insert(0, code, stamp);
    } else {
        const Place parentPlace = m_places[parent];
        Branch &branch = mutableBranch(parentPlace.branch);
        const quint32 position = parentPlace.position + branch.size[parentPlace.position];
        for (qsizetype i = position; i < branch.order.size(); ++i)
            ++m_places.change(branch.order[i]).position;
        branch.order.insert(position, resource);
        branch.size.insert(position, 1);
        for (Resource ancestor = parent; ancestor != NoResource; ancestor = m_parentOf[ancestor])
            ++branch.size[m_places[ancestor].position];
        branch.cells.insert(int(position), code, stamp);
        m_places.change(resource) = { parentPlace.branch, position };
    }
    ++m_counts[code];
    return resource;
}

void Tree::remove(Resource resource)
{
    const Range range = subtree(resource);
    Branch &branch = mutableBranch(range.branch);
    for (quint32 position = range.begin; position < range.end; ++position) {
        const Resource removed = branch.order[position];
        --m_counts[branch.cells.code(int(position))];
        indexRemove(removed);
        freeSlot(removed);
    }
    m_size -= range.size();
    if (range.begin == 0) {
        m_branches.change(range.branch) = nullptr;
        m_freeBranches.append(range.branch);
        m_branchOrder.removeOne(range.branch);
        return;
    }
    for (Resource ancestor = m_parentOf[resource]; ancestor != NoResource;
         ancestor = m_parentOf[ancestor])
        branch.size[m_places[ancestor].position] -= range.size();
    branch.order.remove(range.begin, range.size());
    branch.size.remove(range.begin, range.size());
    branch.cells.erase(int(range.begin), int(range.end));
    for (qsizetype i = range.begin; i < branch.order.size(); ++i)
        m_places.change(branch.order[i]).position -= range.size();
}

Tree::Range Tree::subtree(Resource resource) const
{
    const Place place = m_places[resource];
    return { place.branch, place.position,
        place.position + branch(place.branch).size[place.position] };
}

QList<Resource> Tree::children(Resource resource) const
{
    QList<Resource> result;
    if (resource == NoResource) {
        for (const quint32 index : m_branchOrder)
            result += branch(index).order.first();
        return result;
    }
    const Range range = subtree(resource);
    const Branch &own = branch(range.branch);
    for (quint32 position = range.begin + 1; position < range.end; position += own.size[position])
        result += own.order[position];
    return result;
}

int Tree::depth(Resource resource) const
{
    int depth = 0;
    for (Resource at = m_parentOf[resource]; at != NoResource; at = m_parentOf[at])
        ++depth;
    return depth;
}

QString Tree::path(Resource resource) const
{
    QVarLengthArray<QStringView, 16> parts; // of the path, in reverse order
    qsizetype size = 0;
    for (; resource != NoResource; resource = m_parentOf[resource]) {
        const auto spelling = m_spelling.constFind(resource);
        parts.append(m_names[resource]);
        parts.append(
            spelling == m_spelling.constEnd() ? m_types[m_typeOf[resource]].segment : *spelling);
        size += parts.last().size() + m_names[resource].size() + 2;
    }
    QString path;
    path.reserve(size);
    for (auto part = parts.crbegin(); part != parts.crend(); ++part)
        path.append(u'/').append(*part);
    return path;
}

QList<Resource> Tree::resources() const
{
    QList<Resource> all;
    all.reserve(m_size);
    for (const quint32 index : m_branchOrder)
        all += branch(index).order;
    return all;
}

Code Tree::code(Resource resource) const
{
    const Place place = m_places[resource];
    return branch(place.branch).cells.code(int(place.position));
}

quint64 Tree::stamp(Resource resource) const
{
    const Place place = m_places[resource];
    return branch(place.branch).cells.stamp(int(place.position));
}

void Tree::setCode(Resource resource, Code code)
{
    const Place place = m_places[resource];
    const Code before = this->code(resource);
    if (before == code)
        return;
    --m_counts[before];
    ++m_counts[code];
    mutableBranch(place.branch).cells.set(int(place.position), code);
}

qint64 Tree::apply(const Range &range, std::span<const Code> map, quint64 stamp)
{
    Cells &cells = mutableBranch(range.branch).cells;
    for (qsizetype code = 0; code < m_codeCount; ++code)
        m_counts[code] -= cells.counts()[size_t(code)];
    const qint64 moved = cells.apply(int(range.begin), int(range.end), map, stamp);
    for (qsizetype code = 0; code < m_codeCount; ++code)
        m_counts[code] += cells.counts()[size_t(code)];
    return moved;
}

void Tree::stampRange(const Range &range, quint64 stamp)
{
    mutableBranch(range.branch).cells.apply(int(range.begin), int(range.end), {}, stamp);
}

Resource TreeBuilder::add(
    Resource parent, int type, const QString &name, Code code, QStringView segment)
{
    const Resource resource = m_tree.newSlot(parent, type, name, segment);
    m_codes.push_back(code);
    m_firstChild.push_back(NoResource);
    m_lastChild.push_back(NoResource);
    m_nextSibling.push_back(NoResource);
    if (parent == NoResource) {
        m_tops.push_back(resource);
        return resource;
    }
    if (m_firstChild[parent] == NoResource)
        m_firstChild[parent] = resource;
    else
        m_nextSibling[m_lastChild[parent]] = resource;
    m_lastChild[parent] = resource;
    return resource;
}

Tree TreeBuilder::finished(quint64 stamp) &&
{
    for (const Resource top : m_tops) {
        const auto index = quint32(m_tree.m_branches.size());
        auto *branch = new Tree::Branch;
        branch->rank = m_tree.m_nextRank++;
        branch->cells = Cells(m_tree.m_codeCount);
        std::vector<Code> codes;
        Resource resource = top;
        while (resource != NoResource) {
            const auto position = quint32(branch->order.size());
            m_tree.m_places.change(resource) = { index, position };
            branch->order.append(resource);
            branch->size.append(1);
            codes.push_back(m_codes[resource]);
            ++m_tree.m_counts[m_codes[resource]];
            if (m_firstChild[resource] != NoResource) {
                resource = m_firstChild[resource];
                continue;
            }
            while (resource != top && m_nextSibling[resource] == NoResource)
                resource = m_tree.m_parentOf[resource];
            resource = resource == top ? NoResource : m_nextSibling[resource];
        }
        for (quint32 position = quint32(branch->order.size()) - 1; position > 0; --position) {
            const Resource parent = m_tree.m_parentOf[branch->order[position]];
            branch->size[m_tree.m_places[parent].position] += branch->size[position];
        }
        branch->order.squeeze();
        branch->size.squeeze();
        branch->cells.assign(std::move(codes), stamp);
        m_tree.m_branches.append(QSharedDataPointer<Tree::Branch>(branch));
        m_tree.m_branchOrder.append(index);
    }
    m_tree.m_parentOf.squeeze();
    m_tree.m_typeOf.squeeze();
    return std::move(m_tree);
}

} // namespace instar
