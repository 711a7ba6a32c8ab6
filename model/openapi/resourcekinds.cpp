// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/resourcekinds.h"

#include "model/pack/nearest.h"
#include "model/pack/pathtemplate.h"

#include <QHash>
#include <QSet>
#include <QUrl>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Node of the trie of path segments.
struct PathNode
{
    QString segment;   ///< with hole names made unique within the path
    QStringList holes; ///< names of its holes
    QString path;      ///< from the base to this node
    QList<int> operations;
    std::vector<std::unique_ptr<PathNode>> children;
    QHash<QString, PathNode *> byForm; ///< the segment with empty holes -> child

    bool isPlainHole() const { return holes.size() == 1 && segment == u'{' + holes.first() + u'}'; }
    /// The child that is a single hole with operations: an item of this collection.
    const PathNode *item() const
    {
        const auto found = std::ranges::find_if(children,
            [](const auto &child) { return child->isPlainHole() && !child->operations.isEmpty(); });
        return found == children.end() ? nullptr : found->get();
    }
};

/// "a{id}b" as "a{}b", and the names of its holes.
QString formOf(const QString &segment, QStringList *holes)
{
    QString form;
    qsizetype at = 0;
    for (;;) {
        const qsizetype open = segment.indexOf(u'{', at);
        const qsizetype close = open < 0 ? -1 : segment.indexOf(u'}', open);
        if (close < 0)
            break;
        form += segment.sliced(at, open - at) + u"{}"_s;
        *holes += segment.sliced(open + 1, close - open - 1).trimmed();
        at = close + 1;
    }
    return form + segment.sliced(at);
}

/// Joins the last words without a hole between them; empty words stand for holes.
QString typeWord(const QStringList &words)
{
    const auto isEmpty = [](const QString &word) { return word.isEmpty(); };
    auto end = words.cend();
    while (end != words.cbegin() && (end - 1)->isEmpty())
        --end;
    const auto begin = std::find_if(std::make_reverse_iterator(end), words.crend(), isEmpty).base();
    return QStringList(begin, end).join(u'-');
}

class KindFinder
{
public:
    explicit KindFinder(const ApiDescription &description) : m_description(description) { }

    ResourceKinds find()
    {
        const QStringList common = commonWords();
        m_result.base = m_description.base;
        for (const QString &word : common)
            m_result.base += u'/' + word;
        for (int i = 0; i < m_description.operations.size(); ++i)
            add(i, common.size());
        findListings(m_root);
        findValues(m_root);
        m_result.values.removeIf([&](const QString &hole) { return m_namingHoles.contains(hole); });
        visit(m_root, -1, {}, {});
        for (const Listing &listing : std::as_const(m_listings))
            addListing(listing);
        for (const int number : std::as_const(m_root.operations))
            leaveOut(number, u"the path names no resource"_s);
        return std::move(m_result);
    }

private:
    /// Common first words of all paths, such that every path continues.
    QStringList commonWords() const
    {
        QStringList common;
        bool isFirst = true;
        for (const ApiOperation &operation : m_description.operations) {
            QStringList words = operation.path.split(u'/', Qt::SkipEmptyParts);
            if (!words.isEmpty())
                words.removeLast();
            qsizetype same = 0;
            while (same < words.size() && !words[same].contains(u'{')
                && (isFirst || (same < common.size() && common[same] == words[same])))
                ++same;
            common = words.first(same);
            isFirst = false;
        }
        // The last common word belongs to the collection if only holes follow it.
        const auto followsHole = [&](const ApiOperation &operation) {
            const QStringList words = operation.path.split(u'/', Qt::SkipEmptyParts);
            return words[common.size()].contains(u'{');
        };
        if (!common.isEmpty() && std::ranges::any_of(m_description.operations, followsHole))
            common.removeLast();
        return common;
    }

    void add(int number, qsizetype skipped)
    {
        const ApiOperation &operation = m_description.operations[number];
        const QStringList words =
            verbsApart(operation.path.split(u'/', Qt::SkipEmptyParts).sliced(skipped));
        PathNode *node = &m_root;
        QSet<QString> taken { u"base"_s, u"version"_s };
        for (const QString &word : words) {
            QStringList holes;
            const QString form = decoded(formOf(word, &holes));
            PathNode *&child = node->byForm[form];
            if (!child) {
                node->children.push_back(std::make_unique<PathNode>());
                child = node->children.back().get();
                child->segment = named(form, &holes, taken);
                child->holes = holes;
                child->path = node->path + (isVerb(word) ? QString() : u"/"_s) + child->segment;
            }
            for (const QString &hole : std::as_const(child->holes))
                taken.insert(hole);
            node = child;
        }
        if (withMethod(*node, operation.method) < 0)
            node->operations += number;
        else
            leaveOut(number,
                u"the path differs from another path only in the names of its placeholders"_s);
    }

    static bool isVerb(const QString &word) { return word.startsWith(u':') && word.size() > 1; }

    /// Splits "{pet}:stop" into "{pet}" and ":stop".
    static QStringList verbsApart(const QStringList &words)
    {
        QStringList apart;
        for (const QString &word : words) {
            const qsizetype end = word.indexOf(u'}');
            if (word.startsWith(u'{') && isVerb(word.sliced(end + 1))
                && !word.sliced(end + 1).contains(u'{'))
                apart += { word.first(end + 1), word.sliced(end + 1) };
            else
                apart += word;
        }
        return apart;
    }

    /// Decodes percent-encoding, which some descriptions use.
    static QString decoded(const QString &word)
    {
        const QString text = QUrl::fromPercentEncoding(word.toUtf8());
        return text.contains(u'/') || text.count(u'{') != word.count(u'{') ? word : text;
    }

    /// Returns the form with unused names for its holes.
    static QString named(const QString &form, QStringList *holes, QSet<QString> taken)
    {
        QString segment = form;
        qsizetype at = 0;
        for (QString &hole : *holes) {
            hole = freshName(hole.isEmpty() ? u"name"_s : hole, taken, "");
            taken.insert(hole);
            at = segment.indexOf(u"{}"_s, at);
            segment.insert(at + 1, hole);
            at += hole.size() + 2;
        }
        return segment;
    }

    const ApiOperation &operation(int number) const { return m_description.operations[number]; }

    int withMethod(const PathNode &node, const QString &method) const
    {
        const auto found = std::ranges::find_if(
            node.operations, [&](int number) { return operation(number).method == method; });
        return found == node.operations.end() ? -1 : *found;
    }

    bool isListing(int number) const
    {
        const ApiShape *shape = m_description.shape(operation(number).success());
        return shape && (shape->isList || (!shape->listKey.isEmpty() && shape->holdsObjects));
    }

    // ---- Lists, and holes with one value everywhere

    /// Returns a path's segments with empty holes.
    static QStringList formsOf(const QString &path)
    {
        QStringList forms;
        for (const QString &word : path.split(u'/', Qt::SkipEmptyParts)) {
            QStringList holes;
            forms += formOf(word, &holes);
        }
        return forms;
    }

    bool lists(const PathNode &node) const
    {
        const int get = withMethod(node, u"GET"_s);
        return get >= 0 && isListing(get) && node.holes.isEmpty();
    }

    void findListings(const PathNode &node)
    {
        if (lists(node))
            m_lists.insert(formsOf(node.path));
        for (const auto &child : node.children)
            findListings(*child);
    }

    /// Collects the lists below a node, except those below another resource.
    void listsBelow(const PathNode &node, QList<QStringList> *lists) const
    {
        for (const auto &child : node.children) {
            if (this->lists(*child))
                *lists += formsOf(child->path);
            if (child->holes.isEmpty() || child->operations.isEmpty())
                listsBelow(*child, lists);
        }
    }

    /// Finds holes with one value everywhere: those of no resource that all lists below contain.
    void findValues(const PathNode &node)
    {
        if (!node.operations.isEmpty())
            m_namingHoles += node.holes;
        if (node.isPlainHole() && node.operations.isEmpty()) {
            QList<QStringList> lists;
            listsBelow(node, &lists);
            const qsizetype at = formsOf(node.path).size() - 1;
            const auto isListedWithout = [&](QStringList forms) {
                forms.removeAt(at);
                if (at > 0 && forms[at - 1] != u"{}")
                    forms.removeAt(at - 1);
                return m_lists.contains(forms);
            };
            if (std::ranges::any_of(lists, isListedWithout))
                m_namingHoles += node.holes.first();
            else if (!lists.isEmpty() && !m_result.values.contains(node.holes.first()))
                m_result.values += node.holes.first();
        }
        for (const auto &child : node.children)
            findValues(*child);
    }

    bool isValue(const QString &hole) const { return m_result.values.contains(hole); }

    /// The holes of a path that identify resources.
    QStringList tellingHoles(const QString &path) const
    {
        QStringList holes = PathTemplate(path).holes();
        holes.removeIf([&](const QString &hole) { return isValue(hole); });
        return holes;
    }

    /// Returns the holes that a list's path lacks, compared with a collection's, each together with
    /// the word before it; nothing if the paths are equal or differ otherwise.
    static std::optional<QStringList> leftOutOf(const QString &collection, const QString &list)
    {
        const QStringList words = collection.split(u'/', Qt::SkipEmptyParts),
                          whole = formsOf(collection), part = formsOf(list);
        QStringList leftOut;
        qsizetype at = 0;
        for (qsizetype i = 0; i < whole.size(); ++i) {
            const bool isPair = i + 1 < whole.size() && whole[i] != u"{}" && whole[i + 1] == u"{}";
            if (at < part.size() && part[at] == whole[i]
                && (!isPair || (at + 1 < part.size() && part[at + 1] == u"{}"))) {
                ++at;
            } else if (isPair) {
                leftOut += words[++i].sliced(1).chopped(1);
            } else {
                return {};
            }
        }
        return at == part.size() && !leftOut.isEmpty() ? std::optional(leftOut) : std::nullopt;
    }

    struct Listing
    {
        const PathNode *node;
        int above;
        QStringList words, holes;
    };

    /// Adds a list without items below its path: as a wider list of a known collection, else as a
    /// type of its own.
    void addListing(const Listing &listing)
    {
        const int get = listing.node->operations.first();
        for (const auto &[item, kind] : m_itemsInOrder) {
            const auto leftOut = leftOutOf(item->path.section(u'/', 0, -2), listing.node->path);
            if (!leftOut)
                continue;
            const QString name = m_result.kinds[kind].path.section(u'/', -1);
            const auto isOfName = [&](const QString &hole) {
                return name.contains(u'{' + hole + u'}');
            };
            if (std::ranges::all_of(*leftOut, isOfName))
                addList(kind, get, listing.node->path);
            else
                leaveOut(get,
                    u"the operation lists resources of several parents; the import uses the list of each parent instead"_s);
            return;
        }
        lone(*listing.node, listing.above, listing.words, listing.holes);
    }

    void addList(int kind, int number, const QString &path)
    {
        const QString whole = m_result.kinds[kind].path, of = whole.section(u'/', 0, -2);
        const QStringList told = tellingHoles(path), known = PathTemplate(whole).holes();
        const auto isKnown = [&](const QString &hole) { return known.contains(hole); };
        if (told.size() == PathTemplate(of).holes().size())
            addOperation(kind, number, ApiRole::List, path, of);
        else if (std::ranges::all_of(told, isKnown))
            addOperation(kind, number, ApiRole::List, path, whole);
        else
            leaveOut(number,
                u"the operation selects its collection by a part of the resources' names"_s);
    }

    // ---- Kinds

    /// Visits a node and its descendants. `words` and `holes`: those between the resource `above`
    /// and the node.
    void visit(const PathNode &node, int above, QStringList words, QStringList holes)
    {
        if (!node.holes.isEmpty()) {
            for (const QString &hole : node.holes) {
                if (!isValue(hole))
                    holes += u'{' + hole + u'}';
            }
            if (!node.operations.isEmpty()) {
                above = item(node, above, words, holes);
                words.clear();
                holes.clear();
            } else {
                words += QString(); // separator: the next words are nearer to the resource
            }
        } else if (!node.segment.isEmpty()) {
            words += isVerb(node.segment) ? node.segment.sliced(1) : node.segment;
            const bool isListOnly =
                lists(node) && node.operations.size() == 1 && node.children.empty();
            if (isListOnly) {
                m_listings += Listing { &node, above, words, holes };
            } else if (!node.operations.isEmpty() && !node.item()) {
                const int made = lone(node, above, words, holes);
                if (made >= 0) {
                    above = made;
                    words.clear();
                    holes.clear();
                }
            }
        }
        for (const auto &child : node.children)
            visitChild(node, *child, above, words, holes);
    }

    void visitChild(const PathNode &node, const PathNode &child, int above,
        const QStringList &words, const QStringList &holes)
    {
        visit(child, above, words, holes);
        // The collection's operations list and create the items.
        if (&child == node.item() && !node.operations.isEmpty() && node.holes.isEmpty())
            addCollection(node, m_items.value(&child, -1));
    }

    int item(const PathNode &node, int above, const QStringList &words, const QStringList &holes)
    {
        const QString known = typeWord(words);
        const QString segment = known.isEmpty() ? node.holes.last() : known;
        const int kind = addKind(segment, holes.join(u','), above);
        m_items.insert(&node, kind);
        m_itemsInOrder.emplace_back(&node, kind);
        for (const int number : node.operations)
            addOperation(kind, number, roleOf(number), node.path, m_result.kinds[kind].path);
        return kind;
    }

    ApiRole roleOf(int number) const
    {
        const QString &method = operation(number).method;
        return method == u"GET"   ? ApiRole::Read
            : method == u"PUT"    ? ApiRole::Replace
            : method == u"PATCH"  ? ApiRole::Change
            : method == u"DELETE" ? ApiRole::Remove
                                  : ApiRole::Act;
    }

    void addCollection(const PathNode &node, int kind)
    {
        if (kind < 0)
            return;
        const QString of = m_result.kinds[kind].path.section(u'/', 0, -2);
        const qsizetype holes = PathTemplate(of).holes().size();
        const bool isWhole = holes == tellingHoles(node.path).size(); // else names have more holes
        for (const int number : node.operations) {
            const QString &method = operation(number).method;
            if (method == u"GET")
                addList(kind, number, node.path);
            else if (method == u"POST")
                addOperation(kind, number, ApiRole::Make, node.path,
                    isWhole ? of : m_result.kinds[kind].path);
            else
                leaveOut(number, u"the operation applies to a whole collection"_s);
        }
    }

    /// Adds a path that ends in a word and has no items: as a collection, as an action of the
    /// resource above, or as a resource. Returns the resource that contains longer paths; -1: none.
    int lone(const PathNode &node, int above, const QStringList &words, const QStringList &holes)
    {
        const int get = withMethod(node, u"GET"_s), post = withMethod(node, u"POST"_s);
        if (get >= 0 && post >= 0 && isListing(get) && holes.isEmpty()
            && node.operations.size() == 2) {
            // Its items have no path of their own.
            addCollection(node, addKind(typeWord(words), u"{name}"_s, above));
            return -1;
        }
        const bool isOnlyPost = node.operations.size() == 1 && post >= 0;
        if (isOnlyPost && above >= 0 && holes.isEmpty()) {
            addOperation(
                above, post, ApiRole::Act, node.path, m_result.kinds[above].path, words.last());
            return -1;
        }
        const int kind = addKind(typeWord(words), holes.join(u','), above);
        for (const int number : node.operations)
            addOperation(
                kind, number, roleOf(number), node.path, m_result.kinds[kind].path, words.last());
        return isOnlyPost ? -1 : kind;
    }

    /// Adds a kind. Without a name it is a singleton, which is named after its type.
    int addKind(const QString &segment, const QString &name, int above)
    {
        const QString parentType = above < 0 ? QString() : m_result.kinds[above].type + u'/';
        QString word = segment;
        word.replace(u'#', u'-').replace(u'*', u'-').replace(u'{', u'(').replace(u'}', u')');
        const QString type = freshName(parentType + word, m_types);
        m_types.insert(type);
        word = type.section(u'/', -1);
        const QString around = above < 0 ? QString() : m_result.kinds[above].path;
        m_result.kinds.append({ .type = type,
            .path = around + u'/' + word + u'/' + (name.isEmpty() ? word : name),
            .parent = above,
            .isAlone = name.isEmpty() });
        return int(m_result.kinds.size()) - 1;
    }

    void addOperation(int kind, int number, ApiRole role, QString path, const QString &of,
        const QString &name = {})
    {
        if (operation(number).path.endsWith(u'/'))
            path += u'/';
        m_result.kinds[kind].operations +=
            { number, role, name.isEmpty() ? operation(number).method.toLower() : name, path, of };
    }

    void leaveOut(int number, const QString &why)
    {
        m_result.remarks += { operation(number).line,
            u"%1 (%2 %3) is left out: %4"_s.arg(
                operation(number).id, operation(number).method, operation(number).path, why) };
    }

    const ApiDescription &m_description;
    PathNode m_root;
    QHash<const PathNode *, int> m_items;
    std::vector<std::pair<const PathNode *, int>> m_itemsInOrder;
    QSet<QStringList> m_lists; ///< formsOf() of paths that list
    QList<Listing> m_listings; ///< paths that do nothing else
    QStringList m_namingHoles; ///< holes that distinguish resources
    QSet<QString> m_types;
    ResourceKinds m_result;
};

} // namespace

bool ResourceKind::has(ApiRole role) const
{
    return std::ranges::find(operations, role, &KindOperation::role) != operations.end();
}

ResourceKinds resourceKinds(const ApiDescription &description)
{
    return KindFinder(description).find();
}

} // namespace instar
