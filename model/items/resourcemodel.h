// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "model/engine/world.h"
#include "model/items/forecast.h"
#include "model/items/statuscategory.h"

#include <QAbstractItemModel>
#include <QPointer>
#include <QUrl>

#include <functional>
#include <unordered_map>

namespace instar {

/// Which resources a tree shows: those that have every word in their name, type or state, and their
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

/// What a filter leaves of a world; worked out branch by branch, in one pass over each.
class FilteredResources
{
public:
    const ResourceFilter &filter() const { return m_filter; }
    void set(const ResourceFilter &filter, const Rules &rules, const World &world);
    /// Looks at one branch again: something in it has changed.
    void refresh(quint32 branch, const Rules &rules, const World &world);
    bool shows(Resource resource) const;
    /// How many resources match by themselves.
    qsizetype matches() const { return m_matches; }
    /// Whether one has every word itself; the tree is that of the world which was looked at last.
    bool fits(const Tree &tree, Resource resource) const;

private:
    void prepare(const Rules &rules, const Tree &tree);
    void look(quint32 branch, const Tree &tree);

    ResourceFilter m_filter;
    std::vector<bool> m_shown;           ///< resource ->
    QHash<quint32, qsizetype> m_matched; ///< branch -> how many match
    qsizetype m_matches = 0;
    // Per word of the filter: whether a type, or a code, has it.
    std::vector<std::vector<bool>> m_types, m_codes;
};

/// As what a resource is dragged, beside text and URL: its path.
inline constexpr char resourceMime[] = "application/x-instar-resource";
/// The path of the resource that is dragged, or of a text that is one; empty: it is something else.
QString draggedPath(const QMimeData &data);

/// The resources of a Controller as a tree. Only what somebody has looked at is known by row; a
/// million resources below a collapsed row cost nothing. Text and meaning only: colours belong to
/// the views.
class ResourceModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Name, TypeTitle, StateWord, Etag, InProgress, Foretold, ColumnCount };
    enum Role {
        Path = Qt::UserRole, ///< QString
        Word,                ///< QString: the state that it shows
        StatusCategoryOf,    ///< int: a StatusCategory
        Icon,                ///< QString: the type's icon
        Serial,              ///< quint32: the operation that runs on it; 0: none
        Below,               ///< qlonglong: how many resources are below it
        Deviates,            ///< bool: a server showed something of it that the rules do not allow
        Full, ///< QString: a whole row, tab-separated; of the header: what its cells are
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
    /// Where other programs find a resource; empty: nowhere.
    using Address = std::function<QUrl(const QString &path)>;
    void setAddress(Address address) { m_address = std::move(address); }

    /// With it comes the column of what the rules allow; null: there is none.
    void setForecast(const Forecast *forecast);

    /// Invalid where there is no such resource, or the filter hides it.
    QModelIndex indexOf(const QString &path) const;
    Resource resource(const QModelIndex &index) const;
    QString path(const QModelIndex &index) const;

    void setFilter(const ResourceFilter &filter);
    const ResourceFilter &filter() const { return m_filtered.filter(); }
    /// The first row that matches the filter by itself, and not for what is below it.
    QModelIndex firstMatch() const;
    bool isMatch(const QModelIndex &index) const;
    /// How many resources match the filter by themselves; all of them where there is none.
    qsizetype matches() const;
    /// How many resources are known by row.
    qsizetype known() const;

private:
    struct Level
    {
        QList<Resource> children;
        QStringList names; ///< a number may be given to another resource: the name tells
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
    /// Rows that were made or removed.
    void reshape(const Update &update);
    void compareAll();
    void compare(const QList<Resource> &parents);
    void removeGone(Resource parent, const Level &now);
    void insertNew(Resource parent, const Level &now);
    void announce(Resource parent);
    /// The rows of a level that have moved.
    void announce(Resource parent, const Extent &extent);
    QList<Resource> parents() const; ///< whose children are known by row
    QString operationText(Resource resource) const;
    QString foretold(Resource resource) const; ///< empty: nothing is
    QString stateTip(Resource resource) const;
    const Running *operationOn(Resource resource, bool *asTarget) const;

    const Controller &m_controller;
    QPointer<const Forecast> m_forecast;
    Address m_address;
    FilteredResources m_filtered;
    std::vector<StatusCategory> m_statusCategories;       ///< state ->
    mutable std::unordered_map<Resource, Level> m_levels; ///< by parent; NoResource: the top
    mutable std::vector<Spot> m_spots;                    ///< resource -> where it is shown
};

} // namespace instar
