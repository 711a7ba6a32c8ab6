// SPDX-License-Identifier: Apache-2.0
#include "model/items/resourcemodel.h"

#include "model/items/liveconformance.h"
#include "model/items/words.h"

#include <QMimeData>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

ResourceFilter ResourceFilter::parsed(const QString &text)
{
    static const QList<std::pair<QString, Place>> places { { u"name:"_s, Place::Name },
        { u"type:"_s, Place::Type }, { u"state:"_s, Place::State } };
    ResourceFilter filter;
    for (const QString &part : text.simplified().split(u' ', Qt::SkipEmptyParts)) {
        Word word { Place::Anywhere, part };
        for (const auto &[prefix, place] : places) {
            if (part.startsWith(prefix, Qt::CaseInsensitive))
                word = { place, part.sliced(prefix.size()) };
        }
        if (!word.text.isEmpty())
            filter.words += word;
    }
    return filter;
}

void FilteredResources::set(const ResourceFilter &filter, const Rules &rules, const World &world)
{
    m_filter = filter;
    m_shown.clear();
    m_matched.clear();
    m_matches = 0;
    if (filter.isEmpty())
        return;
    prepare(rules, world.tree);
    for (const quint32 branch : world.tree.branches())
        look(branch, world.tree);
}

bool FilteredResources::shows(Resource resource) const
{
    return m_filter.isEmpty() || (resource < m_shown.size() && m_shown[resource]);
}

void FilteredResources::prepare(const Rules &rules, const Tree &tree)
{
    using Place = ResourceFilter::Place;
    const auto has = [](const QString &text, const ResourceFilter::Word &word) {
        return text.contains(word.text, Qt::CaseInsensitive);
    };
    m_types.assign(size_t(m_filter.words.size()), {});
    m_codes.assign(size_t(m_filter.words.size()), {});
    for (size_t i = 0; i < m_types.size(); ++i) {
        const ResourceFilter::Word &word = m_filter.words[qsizetype(i)];
        const bool byType = word.place == Place::Anywhere || word.place == Place::Type;
        const bool byState = word.place == Place::Anywhere || word.place == Place::State;
        for (int type = 0; type < tree.typeCount(); ++type)
            m_types[i].push_back(byType && has(tree.typePath(type).section(u'/', -1), word));
        for (int code = 0; code < rules.codeCount(); ++code)
            m_codes[i].push_back(byState && has(rules.shown(Code(code)), word));
    }
}

bool FilteredResources::fits(const Tree &tree, Resource resource) const
{
    using Place = ResourceFilter::Place;
    const auto type = size_t(tree.type(resource));
    for (size_t i = 0; i < m_types.size(); ++i) {
        const ResourceFilter::Word &word = m_filter.words[qsizetype(i)];
        const bool byName = word.place == Place::Anywhere || word.place == Place::Name;
        const bool fitting = m_types[i][type]
            || (byName && tree.name(resource).contains(word.text, Qt::CaseInsensitive))
            || (word.place != Place::Name && word.place != Place::Type
                && m_codes[i][tree.code(resource)]);
        if (!fitting)
            return false;
    }
    return true;
}

void FilteredResources::refresh(quint32 branch, const Rules &rules, const World &world)
{
    if (m_filter.isEmpty())
        return;
    if (m_types.front().size() != size_t(world.tree.typeCount()))
        prepare(rules, world.tree);
    m_matches -= m_matched.take(branch);
    if (world.tree.branches().contains(branch))
        look(branch, world.tree);
}

void FilteredResources::look(quint32 branch, const Tree &tree)
{
    const quint32 size = tree.branchSize(branch);
    qsizetype matched = 0;
    for (quint32 position = 0; position < size; ++position) {
        const Resource resource = tree.at(branch, position);
        if (resource >= m_shown.size())
            m_shown.resize(resource + 1);
        m_shown[resource] = fits(tree, resource);
        matched += m_shown[resource];
    }
    for (quint32 position = size; position-- > 1;) {
        const Resource resource = tree.at(branch, position);
        if (m_shown[resource])
            m_shown[tree.parent(resource)] = true;
    }
    m_matched.insert(branch, matched);
    m_matches += matched;
}

ResourceModel::ResourceModel(const Controller &controller, QObject *parent)
    : QAbstractItemModel(parent), m_controller(controller)
{
    m_statusCategories = statusCategoriesOf(m_controller.rules());
    connect(&controller.updates(), &Updates::happened, this, &ResourceModel::follow);
    connect(&controller.updates(), &Updates::rewound, this, &ResourceModel::compareAll);
}

// ---- Rows that are known

ResourceModel::Level ResourceModel::levelOf(Resource parent) const
{
    Level level;
    if (parent != NoResource && !tree().exists(parent))
        return level;
    level.children = tree().children(parent);
    if (!m_filtered.filter().isEmpty())
        level.children.removeIf([this](Resource child) { return !m_filtered.shows(child); });
    level.names.reserve(level.children.size());
    for (const Resource child : std::as_const(level.children))
        level.names += tree().name(child);
    return level;
}

const ResourceModel::Level &ResourceModel::level(Resource parent) const
{
    const auto known = m_levels.find(parent);
    if (known != m_levels.end())
        return known->second;
    const Level &level = m_levels.emplace(parent, levelOf(parent)).first->second;
    remember(parent, level, 0);
    return level;
}

void ResourceModel::remember(Resource parent, const Level &level, qsizetype from) const
{
    for (qsizetype row = from; row < level.children.size(); ++row) {
        const Resource child = level.children[row];
        if (child >= m_spots.size())
            m_spots.resize(child + 1);
        m_spots[child] = { parent, int(row) };
    }
}

void ResourceModel::forget(Resource resource)
{
    const auto known = m_levels.find(resource);
    if (known != m_levels.end()) {
        const Level level = std::move(known->second);
        m_levels.erase(known);
        for (const Resource child : level.children)
            forget(child);
    }
    m_spots[resource] = {};
}

bool ResourceModel::isKnown(Resource resource) const
{
    return resource == NoResource || (resource < m_spots.size() && m_spots[resource].row >= 0);
}

qsizetype ResourceModel::known() const
{
    qsizetype count = 0;
    for (const auto &[parent, level] : m_levels)
        count += level.children.size();
    return count;
}

bool ResourceModel::isMatch(const QModelIndex &index) const
{
    return index.isValid() && m_filtered.fits(tree(), resource(index));
}

QModelIndex ResourceModel::firstMatch() const
{
    QModelIndex row = index(0, 0);
    while (row.isValid() && !isMatch(row)) // an ancestor of a match
        row = index(0, 0, row);
    return row;
}

qsizetype ResourceModel::matches() const
{
    return m_filtered.filter().isEmpty() ? tree().size() : m_filtered.matches();
}

// ---- QAbstractItemModel

QModelIndex ResourceModel::indexOf(Resource resource, int column) const
{
    if (resource == NoResource || !isKnown(resource))
        return {};
    return createIndex(m_spots[resource].row, column, quintptr(resource));
}

QModelIndex ResourceModel::indexOf(const QString &path) const
{
    const Resource found = tree().find(path);
    if (found == NoResource || !m_filtered.shows(found))
        return {};
    QList<Resource> above;
    for (Resource up = tree().parent(found); up != NoResource; up = tree().parent(up))
        above.prepend(up);
    level(NoResource);
    for (const Resource parent : above)
        level(parent);
    return indexOf(found);
}

Resource ResourceModel::resource(const QModelIndex &index) const
{
    return index.isValid() ? Resource(index.internalId()) : NoResource;
}

QString ResourceModel::path(const QModelIndex &index) const
{
    const Resource shown = resource(index);
    return shown != NoResource && tree().exists(shown) ? tree().path(shown) : QString();
}

int ResourceModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(level(resource(parent)).children.size());
}

int ResourceModel::columnCount(const QModelIndex &) const
{
    return m_conformance ? ColumnCount : ColumnCount - 1;
}

QModelIndex ResourceModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= columnCount(parent) || row >= rowCount(parent))
        return {};
    return createIndex(row, column, quintptr(level(resource(parent)).children[row]));
}

QModelIndex ResourceModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOf(m_spots[Resource(index.internalId())].parent) : QModelIndex();
}

Qt::ItemFlags ResourceModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags usual = QAbstractItemModel::flags(index);
    return index.isValid() ? usual | Qt::ItemIsDragEnabled : usual;
}

QStringList ResourceModel::mimeTypes() const
{
    return { QString::fromLatin1(resourceMime), u"text/plain"_s, u"text/uri-list"_s };
}

QMimeData *ResourceModel::mimeData(const QModelIndexList &indexes) const
{
    const QString dragged = indexes.isEmpty() ? QString() : path(indexes.first());
    if (dragged.isEmpty())
        return nullptr;
    auto *data = new QMimeData;
    data->setData(QString::fromLatin1(resourceMime), dragged.toUtf8());
    data->setText(dragged);
    if (const QUrl url = m_address ? m_address(dragged) : QUrl(); !url.isEmpty())
        data->setUrls({ url });
    return data;
}

QString draggedPath(const QMimeData &data)
{
    if (data.hasFormat(QString::fromLatin1(resourceMime)))
        return QString::fromUtf8(data.data(QString::fromLatin1(resourceMime)));
    const QString text = data.hasUrls() ? QString() : data.text().trimmed();
    return text.startsWith(u'/') && !text.contains(u'\n') ? text : QString();
}

bool ResourceModel::hasChildren(const QModelIndex &parent) const
{
    const Resource above = resource(parent);
    if (parent.column() > 0)
        return false;
    const auto known = m_levels.find(above);
    if (known != m_levels.end())
        return !known->second.children.isEmpty();
    if (above == NoResource || !m_filtered.filter().isEmpty())
        return rowCount(parent) > 0;
    return tree().exists(above) && tree().subtree(above).size() > 1;
}

QVariant ResourceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const QStringList titles { tr("Name"), tr("Type"), tr("State"), tr("Etag"), tr("Busy"),
        tr("Rules") };
    if (role == Full)
        return rowText(QStringList(tr("Path")) + titles.mid(TypeTitle, columnCount() - TypeTitle));
    if (role == Qt::ToolTipRole && section == Expected)
        return tr("What the rules allow");
    return role == Qt::DisplayRole ? titles.value(section) : QVariant();
}

const Running *ResourceModel::operationOn(Resource resource, bool *asTarget) const
{
    const World &world = m_controller.world();
    const Tree::Place place = tree().place(resource);
    const Running *covering = nullptr;
    for (const quint32 serial : world.busy.value(place.branch)) {
        const Running *running = world.find(serial);
        if (!running)
            continue;
        if (running->target == resource) {
            *asTarget = true;
            return running;
        }
        const bool covers = std::ranges::any_of(running->cover, [&](const Tree::Range &range) {
            return range.branch == place.branch && range.begin <= place.position
                && place.position < range.end;
        });
        if (covers && !covering)
            covering = running;
    }
    *asTarget = false;
    return covering;
}

QString ResourceModel::operationText(Resource resource) const
{
    bool asTarget = false;
    const Running *running = operationOn(resource, &asTarget);
    if (!running)
        return {};
    const QString op = m_controller.rules().triggerName(running->op);
    if (asTarget)
        return u"%1 %2"_s.arg(op, running->id);
    const Resource target = running->target;
    const QString name =
        target != NoResource && tree().exists(target) ? tree().name(target) : running->path;
    //: an operation that moves this resource too, and the resource that it was asked for
    return tr("%1 on %2").arg(op, name);
}

QString ResourceModel::expected(Resource resource) const
{
    return m_conformance ? expectedText(*m_conformance, tree().path(resource)) : QString();
}

QVariant ResourceModel::data(const QModelIndex &index, int role) const
{
    const Resource shown = resource(index);
    if (shown == NoResource)
        return {};
    if (role == Qt::DisplayRole && index.column() == Name)
        return level(m_spots[shown].parent).names[index.row()];
    if (!tree().exists(shown))
        return {};

    const Rules &rules = m_controller.rules();
    const Code code = tree().code(shown);
    const QString typePath = tree().typePath(tree().type(shown));
    const Type *type = rules.typeRow(typePath);
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case TypeTitle:
            return type && type->path != u"*" && !type->title.isEmpty()
                ? type->title
                : typePath.section(u'/', -1);
        case StateWord:
            return shownWord(rules, m_controller.world(), shown);
        case Etag:
            return m_controller.etag(shown);
        case InProgress:
            return operationText(shown);
        case Expected:
            return m_conformance ? expectedBeside(*m_conformance, tree().path(shown),
                       shownWord(rules, m_controller.world(), shown))
                                 : QString();
        default:
            return {};
        }
    case Qt::ToolTipRole:
        if (index.column() == StateWord && m_conformance)
            return stateTip(shown);
        if (index.column() == Expected)
            return expected(shown);
        return index.column() == Name ? tree().path(shown) : data(index, Qt::DisplayRole);
    case Qt::AccessibleTextRole:
        return index.column() == Name
            ? u"%1, %2"_s.arg(tree().name(shown), shownWord(rules, m_controller.world(), shown))
            : index.column() == Expected ? expected(shown)
                                         : data(index, Qt::DisplayRole);
    case Path:
        return tree().path(shown);
    case Word:
        return shownWord(rules, m_controller.world(), shown);
    case StatusCategoryOf:
        return int(m_controller.world().unknownWords.contains(shown)
                ? StatusCategory::Absent // an unknown word has no colour
                : m_statusCategories[size_t(rules.stateOf(code))]);
    case Icon:
        return type && !type->icon.isEmpty() ? type->icon : u"generic"_s;
    case Serial: {
        bool asTarget = false;
        const Running *running = operationOn(shown, &asTarget);
        return running ? running->serial : 0;
    }
    case Deviates:
        return m_conformance && m_conformance->judgedViolationAt(tree().path(shown));
    case Below:
        return qlonglong(tree().subtree(shown).size()) - 1;
    case Full: {
        QStringList cells { tree().path(shown) };
        for (int column = TypeTitle; column < columnCount(); ++column)
            cells += data(index.siblingAtColumn(column), Qt::AccessibleTextRole).toString();
        return rowText(cells);
    }
    default:
        return {};
    }
}

// ---- What the rules allow

void ResourceModel::setConformance(const LiveConformance *conformance)
{
    beginResetModel();
    m_conformance = conformance;
    m_levels.clear();
    m_spots.clear();
    endResetModel();
    if (conformance)
        connect(conformance, &LiveConformance::changed, this, [this] {
            for (const Resource parent : parents())
                announce(parent);
        });
}

/// The observed word, the allowed words, and the violation if there is one.
QString ResourceModel::stateTip(Resource resource) const
{
    const QString path = tree().path(resource);
    QString tip = tr("%1; the rules allow %2")
                      .arg(shownWord(m_controller.rules(), m_controller.world(), resource),
                          expectedText(*m_conformance, path));
    if (const JudgedViolation *judgedViolation = m_conformance->judgedViolationAt(path))
        tip += u'\n' + violationText(*judgedViolation) + u'\n' + brokenRuleText(*judgedViolation)
            + u'\n' + followedAnewText(*m_conformance, path);
    return tip.trimmed();
}

// ---- Updates

void ResourceModel::setFilter(const ResourceFilter &filter)
{
    if (filter == m_filtered.filter())
        return;
    beginResetModel();
    m_filtered.set(filter, m_controller.rules(), m_controller.world());
    m_levels.clear();
    m_spots.clear();
    endResetModel();
}

void ResourceModel::follow(const Update &update)
{
    for (const Tree::Range &run : update.extent.runs())
        m_filtered.refresh(run.branch, m_controller.rules(), m_controller.world());
    // With a filter any change of state may add or remove rows.
    if (!m_filtered.filter().isEmpty()
        || std::ranges::any_of(update.extent.runs(), Extent::isWhole))
        reshape(update);
    for (const Resource parent : parents())
        announce(parent, update.extent);
}

/// A copy: listeners may open more levels.
QList<Resource> ResourceModel::parents() const
{
    QList<Resource> known;
    known.reserve(qsizetype(m_levels.size()));
    for (const auto &[parent, level] : m_levels)
        known += parent;
    return known;
}

void ResourceModel::reshape(const Update &update)
{
    // Known resources without a level, below which something was made or removed.
    QSet<Resource> unopened;
    for (const Record &record : update.records) {
        if (!std::ranges::any_of(record.extent.runs(), Extent::isWhole))
            continue;
        for (const Change &change : record.changes) {
            // The nearest existing resource: for a removed one, its nearest remaining ancestor.
            QString path = change.path;
            Resource found = NoResource;
            while (!path.isEmpty() && (found = tree().find(path)) == NoResource)
                path = path.section(u'/', 0, -3);
            for (Resource up = found; up != NoResource; up = tree().parent(up)) {
                if (isKnown(up) && !m_levels.contains(up) && tree().subtree(up).size() <= 2)
                    unopened.insert(up);
            }
        }
    }
    QSet<quint32> branches;
    for (const Tree::Range &run : update.extent.runs()) {
        if (Extent::isWhole(run) || !m_filtered.filter().isEmpty())
            branches.insert(run.branch);
    }
    QList<Resource> touched { NoResource };
    for (const auto &[parent, level] : m_levels) {
        Resource there = parent; // for a removed one, its nearest existing ancestor
        while (there != NoResource && !tree().exists(there))
            there = m_spots[there].parent;
        if (there != NoResource
            && (there != parent || branches.contains(tree().place(there).branch)))
            touched += there;
    }
    compare(touched);

    // An unopened row shows if it has children, which may have just changed.
    if (!unopened.isEmpty()) {
        emit layoutAboutToBeChanged();
        emit layoutChanged();
    }
}

void ResourceModel::compareAll()
{
    m_statusCategories = statusCategoriesOf(m_controller.rules()); // the rules may have changed
    m_filtered.set(m_filtered.filter(), m_controller.rules(), m_controller.world());
    QList<Resource> all = parents();
    all.removeIf(
        [this](Resource parent) { return parent != NoResource && !tree().exists(parent); });
    compare(all);
    for (const Resource parent : parents())
        announce(parent);
    emit layoutAboutToBeChanged();
    emit layoutChanged();
}

void ResourceModel::compare(const QList<Resource> &parents)
{
    // All removals come first: a freed number may be in use again elsewhere.
    std::vector<std::pair<Resource, Level>> now;
    QSet<Resource> seen;
    for (const Resource parent : parents) {
        if (m_levels.contains(parent) && !seen.contains(parent))
            now.emplace_back(parent, levelOf(parent));
        seen.insert(parent);
    }
    for (const auto &[parent, level] : now)
        removeGone(parent, level);
    for (const auto &[parent, level] : now) {
        if (!m_levels.contains(parent))
            continue;
        insertNew(parent, level);
    }
}

void ResourceModel::removeGone(Resource parent, const Level &now)
{
    const auto shown = m_levels.find(parent);
    if (shown == m_levels.end()
        || (std::ranges::equal(shown->second.children, now.children)
            && shown->second.names == now.names))
        return;
    Level &level = shown->second;

    // Rows that stay keep their order: rows move only by being removed and inserted.
    QHash<Resource, qsizetype> places;
    for (qsizetype i = 0; i < now.children.size(); ++i)
        places.insert(now.children[i], i);
    std::vector<bool> stays(size_t(level.children.size()));
    qsizetype last = -1;
    for (qsizetype row = 0; row < level.children.size(); ++row) {
        const qsizetype place = places.value(level.children[row], -1);
        if (place > last && now.names[place] == level.names[row]) {
            stays[size_t(row)] = true;
            last = place;
        }
    }
    for (qsizetype end = level.children.size(); end > 0;) {
        if (stays[size_t(end) - 1]) {
            --end;
            continue;
        }
        qsizetype begin = end - 1;
        while (begin > 0 && !stays[size_t(begin) - 1])
            --begin;
        beginRemoveRows(indexOf(parent), int(begin), int(end) - 1);
        for (qsizetype row = begin; row < end; ++row)
            forget(level.children[row]);
        level.children.remove(begin, end - begin);
        level.names.remove(begin, end - begin);
        remember(parent, level, begin);
        endRemoveRows();
        end = begin;
    }
}

void ResourceModel::insertNew(Resource parent, const Level &now)
{
    Level &level = m_levels.find(parent)->second;
    for (qsizetype begin = 0; begin < now.children.size();) {
        if (begin < level.children.size() && level.children[begin] == now.children[begin]) {
            ++begin;
            continue;
        }
        const Resource next = begin < level.children.size() ? level.children[begin] : NoResource;
        qsizetype end = begin;
        while (end < now.children.size() && now.children[end] != next)
            ++end;
        beginInsertRows(indexOf(parent), int(begin), int(end) - 1);
        for (qsizetype row = begin; row < end; ++row) {
            level.children.insert(row, now.children[row]);
            level.names.insert(row, now.names[row]);
        }
        remember(parent, level, begin);
        endInsertRows();
        begin = end;
    }
}

void ResourceModel::announce(Resource parent)
{
    const qsizetype size = m_levels.find(parent)->second.children.size();
    if (size > 0)
        emit dataChanged(index(0, TypeTitle, indexOf(parent)),
            index(int(size) - 1, columnCount() - 1, indexOf(parent)));
}

void ResourceModel::announce(Resource parent, const Extent &extent)
{
    if (parent != NoResource && !tree().exists(parent))
        return;
    const QList<Resource> children = level(parent).children;
    qsizetype first = 0, end = 0;
    if (parent == NoResource) { // every top-level resource begins a branch
        const auto hasMoved = [&](Resource top) { return extent.contains(tree().place(top)); };
        first = std::ranges::find_if(children, hasMoved) - children.begin();
        end = std::find_if(children.rbegin(), children.rend(), hasMoved).base() - children.begin();
    } else if (const Tree::Range run = extent.runOf(tree().place(parent).branch); run.size() > 0) {
        const auto rowAt = [&](quint32 position) {
            const auto row = std::ranges::lower_bound(children, position, {},
                [this](Resource child) { return tree().place(child).position; });
            return row - children.begin();
        };
        first = rowAt(run.begin);
        end = rowAt(run.end);
    }
    if (first < end)
        emit dataChanged(index(int(first), TypeTitle, indexOf(parent)),
            index(int(end) - 1, columnCount() - 1, indexOf(parent)));
}

} // namespace instar
