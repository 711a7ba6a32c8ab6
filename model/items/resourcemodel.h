// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/engine/world.h"
#include "model/items/liveconformance.h"
#include "model/items/statuscategory.h"

#include <QAbstractItemModel>
#include <QPointer>
#include <QUrl>

#include <functional>
#include <unordered_map>

namespace instar {

/// Filter of a tree: shows the resources with every word in their name, type or state, and their
/// ancestors.
///
/// "state:updating" and "type:subnet" look in one place only; a word without a place looks in all
/// three.
struct ResourceFilter
{
    enum class Place { Anywhere, Name, Type, State };
    struct Word
    {
        Place place = Place::Anywhere;
        QString text;
        bool operator==(const Word &) const = default;
    };
    QList<Word> words;
    bool operator==(const ResourceFilter &) const = default;

    static ResourceFilter parsed(const QString &text);
    bool isEmpty() const { return words.isEmpty(); }
};

/// Resources that match a filter; evaluated branch by branch, in one pass over each.
class FilteredResources
{
public:
    const ResourceFilter &filter() const { return m_filter; }
    void set(const ResourceFilter &filter, const Rules &rules, const World &world);
    /// Evaluates one branch again after a change.
    void refresh(quint32 branch, const Rules &rules, const World &world);
    bool shows(Resource resource) const;
    /// Number of resources that match by themselves.
    qsizetype matches() const { return m_matches; }
    /// Returns true if a resource matches by itself; `tree` is that of the last world.
    bool fits(const Tree &tree, Resource resource) const;

private:
    void prepare(const Rules &rules, const Tree &tree);
    void look(quint32 branch, const Tree &tree);

    ResourceFilter m_filter;
    std::vector<bool> m_shown;           ///< by resource
    QHash<quint32, qsizetype> m_matched; ///< branch -> how many match
    qsizetype m_matches = 0;
    // Per word of the filter: the types, and the codes, that contain it.
    std::vector<std::vector<bool>> m_types, m_codes;
};

/// MIME type of a dragged resource, beside text and URL: its path.
inline constexpr char resourceMime[] = "application/x-instar-resource";
/// The path of a dragged resource, or of a dragged text that is one; empty if it is something else.
QString draggedPath(const QMimeData &data);

/// Tree of a Controller's resources. Only rows that were requested are known: a million resources
/// below a collapsed row cost nothing. Text and roles only: colours belong to the views.
class ResourceModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Name, TypeTitle, StateWord, Etag, InProgress, Expected, ColumnCount };
    enum Role {
        Path = Qt::UserRole, ///< QString
        Word,                ///< QString: the state that it shows
        StatusCategoryOf,    ///< int: a StatusCategory
        Icon,                ///< QString: the type's icon
        Serial,              ///< quint32: the operation that runs on it; 0: none
        Below,               ///< qlonglong: how many resources are below it
        Deviates,            ///< bool: a server violated the rules there
        Full, ///< QString: the whole row, tab-separated; of the header: the titles of the cells
    };

    explicit ResourceModel(const Controller &controller, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QStringList mimeTypes() const override;
    /// A resource as its path, and as its URL where it has one.
    QMimeData *mimeData(const QModelIndexList &indexes) const override;
    /// URL of a resource for other programs; empty if there is none.
    using Address = std::function<QUrl(const QString &path)>;
    void setAddress(Address address) { m_address = std::move(address); }

    /// Adds the column of what the rules allow; null removes it.
    void setConformance(const LiveConformance *conformance);

    /// Invalid if the resource does not exist, or the filter hides it.
    QModelIndex indexOf(const QString &path) const;
    Resource resource(const QModelIndex &index) const;
    QString path(const QModelIndex &index) const;

    void setFilter(const ResourceFilter &filter);
    const ResourceFilter &filter() const { return m_filtered.filter(); }
    /// The first row that matches the filter by itself, not by its descendants.
    QModelIndex firstMatch() const;
    bool isMatch(const QModelIndex &index) const;
    /// Number of resources that match the filter by themselves; all if there is no filter.
    qsizetype matches() const;
    /// Number of resources known by row.
    qsizetype known() const;

private:
    struct Level
    {
        QList<Resource> children;
        QStringList names; ///< detect a number that was given to another resource
    };
    struct Spot
    {
        Resource parent = NoResource;
        int row = -1;
    };

    const Tree &tree() const { return m_controller.world().tree; }
    Level levelOf(Resource parent) const; ///< as it is now
    const Level &level(Resource parent) const;
    QModelIndex indexOf(Resource resource, int column = 0) const;
    bool isKnown(Resource resource) const;
    void remember(Resource parent, const Level &level, qsizetype from) const;
    void forget(Resource resource);

    void follow(const Update &update);
    /// Removes and inserts rows.
    void reshape(const Update &update);
    void compareAll();
    void compare(const QList<Resource> &parents);
    void removeGone(Resource parent, const Level &now);
    void insertNew(Resource parent, const Level &now);
    void announce(Resource parent);
    /// Emits dataChanged() for the rows of a level that have moved.
    void announce(Resource parent, const Extent &extent);
    QList<Resource> parents() const; ///< whose children are known by row
    QString operationText(Resource resource) const;
    QString expected(Resource resource) const; ///< empty: none
    QString stateTip(Resource resource) const;
    const Running *operationOn(Resource resource, bool *asTarget) const;

    const Controller &m_controller;
    QPointer<const LiveConformance> m_conformance;
    Address m_address;
    FilteredResources m_filtered;
    std::vector<StatusCategory> m_statusCategories;       ///< by state
    mutable std::unordered_map<Resource, Level> m_levels; ///< by parent; NoResource: the top
    mutable std::vector<Spot> m_spots;                    ///< resource -> where it is shown
};

} // namespace instar
