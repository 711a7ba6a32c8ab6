// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/resourcekinds.h"

#include "model/pack/nearest.h"
#include "model/pack/pathtemplate.h"

#include <QHash>
#include <QRegularExpression>
#include <QUrl>

#include <memory>
#include <vector>

namespace instar {

namespace {

/// Node of a trie of paths: one segment, "pets" or "{petId}" (with a placeholder, called a hole).
struct PathNode
{
    QString segment;       ///< names of holes are unique in a path
    QStringList holes;     ///< names of the segment's holes
    QString path;          ///< from the base to this node
    QList<int> operations; ///< on exactly this path, in ApiDescription::operations
    int kind = -1;         ///< of the resource that this path names; -1: none
    std::vector<std::unique_ptr<PathNode>> children;
    QHash<QString, PathNode *> byForm; ///< formOf() the child's segment -> child

    bool isPlainHole() const { return holes.size() == 1 && segment == u'{' + holes.first() + u'}'; }
    /// The child "{id}" with operations, if this path is a collection; else null.
    const PathNode *item() const
    {
        const auto found = std::ranges::find_if(children,
            [](const auto &child) { return child->isPlainHole() && !child->operations.isEmpty(); });
        return found == children.end() ? nullptr : found->get();
    }
};

QStringList segmentsOf(const QString &path)
{
    return path.split(u'/', Qt::SkipEmptyParts);
}

const QRegularExpression &holeRule()
{
    static const QRegularExpression rule(u"\\{([^}/]*)\\}"_s);
    return rule;
}

/// Removes the names of holes: "a{id}b" becomes "a{}b".
QString formOf(QString text)
{
    return text.replace(holeRule(), u"{}"_s);
}

QStringList formsOf(const QString &path)
{
    return segmentsOf(formOf(path));
}

/// Joins the words after the last hole, ignoring holes at the end. An empty word stands for a hole.
QString typeWord(const QStringList &words)
{
    const auto isEmpty = [](const QString &word) { return word.isEmpty(); };
    auto end = words.cend();
    while (end != words.cbegin() && (end - 1)->isEmpty())
        --end;
    const auto begin = std::find_if(std::make_reverse_iterator(end), words.crend(), isEmpty).base();
    return QStringList(begin, end).join(u'-');
}

/// Finder of the kinds of resources, and of the operations of each, in a trie of all paths.
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
    /// Returns the words with which all paths begin, such as "api" and "v1"; every path is longer.
    QStringList commonWords() const
    {
        QStringList common = segmentsOf(m_description.operations.value(0).path);
        for (const ApiOperation &operation : m_description.operations) {
            const QStringList words = segmentsOf(operation.path);
            qsizetype same = 0;
            while (same < common.size() && same + 1 < words.size() && words[same] == common[same]
                && !words[same].contains(u'{'))
                ++same;
            common.resize(same);
        }
        // The last common word is a collection if a hole follows it: "/pets/{petId}".
        const auto continuesWithHole = [&](const ApiOperation &operation) {
            return segmentsOf(operation.path)[common.size()].contains(u'{');
        };
        if (!common.isEmpty() && std::ranges::any_of(m_description.operations, continuesWithHole))
            common.removeLast();
        return common;
    }

    /// Adds an operation to the trie, without the first `skipped` segments of its path.
    void add(int number, qsizetype skipped)
    {
        const ApiOperation &operation = m_description.operations[number];
        const QStringList words = verbsApart(segmentsOf(operation.path).sliced(skipped));
        PathNode *node = &m_root;
        QSet<QString> taken { u"base"_s, u"version"_s };
        for (const QString &word : words) {
            const QString form = decoded(formOf(word));
            PathNode *&child = node->byForm[form];
            if (!child) {
                node->children.push_back(std::make_unique<PathNode>());
                child = node->children.back().get();
                for (const QRegularExpressionMatch &hole : holeRule().globalMatch(word))
                    child->holes += hole.captured(1).trimmed();
                child->segment = withHoleNames(form, &child->holes, taken);
                child->path = node->path + (isVerb(word) ? QString() : u"/"_s) + child->segment;
            }
            for (const QString &hole : std::as_const(child->holes))
                taken.insert(hole);
            node = child;
        }
        if (withMethod(*node, operation.method) >= 0) {
            leaveOut(number,
                u"the path differs from another path only in the names of its placeholders"_s);
            return;
        }
        node->operations += number;
        if (isListPath(*node))
            m_lists.insert(formsOf(node->path));
    }

    static bool isVerb(const QString &word) { return word.startsWith(u':') && word.size() > 1; }

    /// Splits "{pet}:stop" into "{pet}" and ":stop".
    static QStringList verbsApart(const QStringList &words)
    {
        static const QRegularExpression rule(u"^(\\{[^}]*\\})(:[^{]+)$"_s);
        QStringList apart;
        for (const QString &word : words) {
            const QRegularExpressionMatch match = rule.match(word);
            apart += match.hasMatch() ? match.capturedTexts().sliced(1) : QStringList { word };
        }
        return apart;
    }

    /// Decodes "%20", unless it stands for a character that has a meaning in templates.
    static QString decoded(const QString &word)
    {
        const QString text = QUrl::fromPercentEncoding(word.toUtf8());
        return text.contains(u'/') || text.count(u'{') != word.count(u'{') ? word : text;
    }

    /// Inserts the names of holes into a form; a name that is taken gets a number.
    static QString withHoleNames(const QString &form, QStringList *holes, QSet<QString> taken)
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

    /// Returns the operation of a path with this method; -1: none.
    int withMethod(const PathNode &node, const QString &method) const
    {
        const auto found = std::ranges::find_if(
            node.operations, [&](int number) { return operation(number).method == method; });
        return found == node.operations.end() ? -1 : *found;
    }

    /// True if an operation is answered with a list of objects.
    bool isListing(int number) const
    {
        const ApiShape *shape = m_description.shape(operation(number).success());
        return shape && (shape->isList || (!shape->listKey.isEmpty() && shape->holdsObjects));
    }

    /// True if GET of a path that ends in a word lists objects.
    bool isListPath(const PathNode &node) const
    {
        const int get = withMethod(node, u"GET"_s);
        return get >= 0 && isListing(get) && node.holes.isEmpty();
    }

    /// Collects the lists below a path, but not those below another resource.
    void listsBelow(const PathNode &node, QList<QStringList> *lists) const
    {
        for (const auto &child : node.children) {
            if (isListPath(*child))
                *lists += formsOf(child->path);
            if (child->holes.isEmpty() || child->operations.isEmpty())
                listsBelow(*child, lists);
        }
    }

    /// Finds holes with one value everywhere, such as an account. No resource ends in such a hole,
    /// and every list has it: "{group}" of "/{group}/pets" is none if there is also "/pets".
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

    /// Returns the holes of a path except those with one value everywhere.
    QStringList identifyingHoles(const QString &path) const
    {
        QStringList holes = PathTemplate(path).holes();
        holes.removeIf([&](const QString &hole) { return isValue(hole); });
        return holes;
    }

    /// Returns the holes of a collection's path that are missing in the path of a list, each with
    /// the word before it: "id" for "/a/{id}/b" and "/b". Nothing if no hole is missing, or if the
    /// paths differ otherwise.
    static std::optional<QStringList> holesOutside(const QString &collection, const QString &list)
    {
        const QStringList words = segmentsOf(collection), whole = formsOf(collection),
                          part = formsOf(list);
        QStringList leftOut;
        qsizetype at = 0;
        for (qsizetype i = 0; i < whole.size(); ++i) {
            const bool isPair = i + 1 < whole.size() && whole[i] != u"{}" && whole[i + 1] == u"{}";
            const bool isPairInList = at + 1 < part.size() && part[at + 1] == u"{}";
            if (at < part.size() && part[at] == whole[i] && (!isPair || isPairInList)) {
                ++at;
            } else if (isPair) {
                leftOut += words[++i].sliced(1).chopped(1);
            } else {
                return {};
            }
        }
        return at == part.size() && !leftOut.isEmpty() ? std::optional(leftOut) : std::nullopt;
    }

    /// Path whose only operation is GET of a list, and the arguments of its visit().
    struct Listing
    {
        PathNode *node;
        int above;
        QStringList words, holes;
    };

    /// Adds a listing to the kind that it lists across collections; if there is none, adds a kind.
    void addListing(const Listing &listing)
    {
        const int get = listing.node->operations.first();
        for (const PathNode *item : std::as_const(m_items)) {
            const auto leftOut = holesOutside(item->path.section(u'/', 0, -2), listing.node->path);
            if (!leftOut)
                continue;
            const QString name = m_result.kinds[item->kind].path.section(u'/', -1);
            const auto isOfName = [&](const QString &hole) {
                return name.contains(u'{' + hole + u'}');
            };
            if (std::ranges::all_of(*leftOut, isOfName))
                addList(item->kind, get, listing.node->path);
            else
                leaveOut(get,
                    u"the operation lists resources of several parents; the import uses the list of each parent instead"_s);
            return;
        }
        addLeaf(*listing.node, listing.above, listing.words, listing.holes);
    }

    /// Adds an operation that lists a collection, or resources whose names have a certain part.
    void addList(int kind, int number, const QString &path)
    {
        const QString whole = m_result.kinds[kind].path, of = whole.section(u'/', 0, -2);
        const QStringList holes = identifyingHoles(path), all = PathTemplate(whole).holes();
        const auto isOfName = [&](const QString &hole) { return all.contains(hole); };
        if (holes.size() == PathTemplate(of).holes().size())
            addOperation(kind, number, ApiRole::List, path, of);
        else if (std::ranges::all_of(holes, isOfName))
            addOperation(kind, number, ApiRole::List, path, whole);
        else
            leaveOut(number,
                u"the operation selects its collection by a part of the resources' names"_s);
    }

    /// Adds the kinds and operations of a path and of all longer paths. `above` is the kind of the
    /// resource around the path (-1: none), `words` and `holes` are the segments below it.
    void visit(PathNode &node, int above, QStringList words, QStringList holes)
    {
        if (!node.holes.isEmpty()) {
            for (const QString &hole : node.holes) {
                if (!isValue(hole))
                    holes += u'{' + hole + u'}';
            }
            if (!node.operations.isEmpty()) {
                above = addItem(node, above, words, holes);
                words.clear();
                holes.clear();
            } else {
                words += QString(); // see typeWord()
            }
        } else if (!node.segment.isEmpty()) {
            words += isVerb(node.segment) ? node.segment.sliced(1) : node.segment;
            const bool isListOnly =
                isListPath(node) && node.operations.size() == 1 && node.children.empty();
            if (isListOnly) {
                m_listings += Listing { &node, above, words, holes };
            } else if (!node.operations.isEmpty() && !node.item()) {
                const int made = addLeaf(node, above, words, holes);
                if (made >= 0) {
                    above = made;
                    words.clear();
                    holes.clear();
                }
            }
        }
        for (const auto &child : node.children) {
            visit(*child, above, words, holes);
            if (child.get() == node.item() && !node.operations.isEmpty() && node.holes.isEmpty())
                addCollection(node, child->kind);
        }
    }

    /// Adds and returns the kind of a path that ends in a hole.
    int addItem(PathNode &node, int above, const QStringList &words, const QStringList &holes)
    {
        const QString word = typeWord(words);
        const QString segment = word.isEmpty() ? node.holes.last() : word;
        node.kind = addKind(segment, holes.join(u','), above);
        m_items += &node;
        for (const int number : node.operations)
            addOperation(
                node.kind, number, roleOf(number), node.path, m_result.kinds[node.kind].path);
        return node.kind;
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

    /// Adds the operations on a collection of a kind: GET lists its resources, POST creates one.
    void addCollection(const PathNode &node, int kind)
    {
        const QString of = m_result.kinds[kind].path.section(u'/', 0, -2);
        const bool isWhole = // else the path has a part of the resources' names
            PathTemplate(of).holes().size() == identifyingHoles(node.path).size();
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

    /// Adds a path that ends in a word and has no items. GET of a list together with POST makes a
    /// collection of resources without paths of their own; a lone POST is an action of the resource
    /// above; any other path is a resource. Returns the kind that contains longer paths; -1: none.
    int addLeaf(const PathNode &node, int above, const QStringList &words, const QStringList &holes)
    {
        const int get = withMethod(node, u"GET"_s), post = withMethod(node, u"POST"_s);
        const bool isCollection =
            get >= 0 && post >= 0 && node.operations.size() == 2 && isListing(get);
        if (isCollection && holes.isEmpty()) {
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

    /// Adds a kind whose type ends in `segment`. `name` is the template of the resources' names;
    /// empty: a singleton with the name of its type.
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
            .isSingleton = name.isEmpty() });
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
    QList<const PathNode *> m_items; ///< paths that end in a hole and have a kind
    QSet<QStringList> m_lists;       ///< formsOf() of paths for which isListPath() is true
    QList<Listing> m_listings;
    QStringList m_namingHoles; ///< holes in names of resources: these have many values
    QSet<QString> m_types;     ///< types of the kinds
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
