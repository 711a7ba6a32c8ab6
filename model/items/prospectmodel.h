// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/prospect.h"

#include <QAbstractListModel>

namespace instar {

/// A story in a list, in words.
struct StoryText
{
    QString title; ///< where it leads; of many resources the first ones
    QString whole; ///< the same with all of them
    QString note;  ///< how the operations stand then, and what waits
    bool operator==(const StoryText &) const = default;
};

/// What can happen, a row a story; above those of a kind a row that says how many there are. Text
/// only.
class ProspectModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        StoryOf = Qt::UserRole, ///< int: of Prospect::stories; -1: what stands above some
        Whole,                  ///< QString: the title with all that it leaves out
        Note,                   ///< QString: beside the title, what is said in passing
        Orders,                 ///< QString: how many orders lead there
        Full,                   ///< QString: all of it; for the clipboard and screen readers
    };
    using QAbstractListModel::QAbstractListModel;

    void show(const Prospect &prospect);
    /// Says that everything may be otherwise, though it is not.
    void retell();
    const Prospect &prospect() const { return m_prospect; }
    /// The row of a story; -1: there is none.
    int rowOf(int story) const { return int(m_rows.indexOf(Entry { story, {} })); }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Entry
    {
        int story = -1;
        QString heading;
        bool operator==(const Entry &) const = default;
    };
    void addStories(const QList<int> &stories, const QString &heading, qint64 count);
    void addOrders();

    Prospect m_prospect;
    QList<StoryText> m_texts; ///< of each story
    QList<Entry> m_rows;
};

/// Endings that leave most resources failed come first, then those in which most operations did not
/// succeed; those that are alike stay in their order.
void sortByHarm(Prospect *prospect, const Rules &rules);

/// "A PUT Rack-1": who asks, for what, on which resource.
QString askedText(const Request &request);
/// The stories in words: what a story leaves otherwise than it was ("Rack-1 and 2 below Failed,
/// Transit gone"), and how its operations stand then. What few of them share comes first.
QList<StoryText> storyTexts(const Prospect &prospect);
/// On what the clock would go on after a story, if it did not stand; empty: on nothing.
QString waitsText(const Prospect::Story &story);
/// One step of a story, for people.
QString stepText(const Prospect &prospect, const Prospect::Story &story, qsizetype step);
/// "24 orders lead there."
QString ordersText(double orders);
/// How much was looked at, and whether that was everything.
QString lookedAtText(const Prospect &prospect);

} // namespace instar
