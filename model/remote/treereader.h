// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/connection.h"
#include "model/remote/messages.h"

#include <QSet>

namespace instar {

/// What was read, whole. `exchange` numbers the first question: what came later may know better.
struct CollectionRead
{
    QString path;
    QList<ResourceMessage> resources;
    quint64 exchange = 0;
    bool isMissing = false; ///< the server has no such collection
};
struct ResourceRead
{
    QString path;
    std::optional<ResourceMessage> resource; ///< nothing: there is no such resource
    quint64 exchange = 0;
    bool isSame = false; ///< byte for byte as it was told last; `resource` is left out
};

/// Reads resources from a server: whole collections with what their documents hold, or single ones.
/// A collection that is the same as when it was told last is not told again.
class TreeReader : public QObject
{
    Q_OBJECT
public:
    TreeReader(Connection &connection, const Messages &messages, QString version,
        QObject *parent = nullptr);

    /// Reads every collection of top-level resources, page by page; allRead() ends it. Does nothing
    /// while one is under way.
    void readAll(Exchange::Purpose purpose);
    bool isReadingAll() const { return m_open > 0; }
    /// Reads one resource. While an older question about it is open it is asked once more after
    /// that.
    void read(const QString &path);
    bool isReading(const QString &path) const { return m_asked.contains(path); }
    bool isReading() const { return isReadingAll() || !m_asked.isEmpty(); }
    /// Somebody else has told something about a resource: what is the same as before counts again.
    void forget(const QString &path);
    /// Everything counts again, also what is the same.
    void forgetAll() { m_told.clear(); }
    /// Forgets what is open; nothing is told about it any more.
    void stop();
    static constexpr int NotSignedIn = -2; ///< in place of a status

signals:
    void collectionRead(const instar::CollectionRead &read);
    void resourceRead(const instar::ResourceRead &read);
    /// `status` is the answer's; 0: there was none; NotSignedIn: nobody lets us ask; -1: there was
    /// none of use, or the pack has no words for the question.
    void failed(const QString &path, int status, const QString &problem);
    void progressed(int done, int known);
    void allRead();

private:
    struct Pages
    {
        CollectionRead read;
        QSet<QString> seen; ///< URLs, so that a circle of pages ends
    };
    void readPage(const QUrl &url, const std::shared_ptr<Pages> &pages, Exchange::Purpose purpose);
    void takePage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages,
        Exchange::Purpose purpose);
    void pageEnded();
    bool isSame(const QString &path, const QByteArray &body) const;
    void take(const QString &path, const Connection::Answer &answer);

    Connection &m_connection;
    const Messages &m_messages;
    QString m_version;
    QHash<QString, bool> m_asked;            ///< path -> to be asked once more
    QHash<QString, QByteArray> m_told;       ///< path of a collection or resource -> digest
    int m_open = 0, m_done = 0, m_known = 0; ///< pages
    quint64 m_turn = 0;                      ///< answers to earlier turns are forgotten
};

} // namespace instar
