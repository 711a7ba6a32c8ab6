// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/connection.h"
#include "model/remote/messages.h"

#include <QSet>

namespace instar {

/// Reads resources from a server, whole collections or single ones: with what is below them,
/// whether their documents hold it or collections of its own do.
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
    /// that. For Purpose::Load a refusal that passes (429, 503) is answered by asking again.
    void read(const QString &path, Exchange::Purpose purpose = Exchange::Purpose::Poll);
    bool isReading(const QString &path) const
    {
        return m_asked.contains(path) || m_inner.contains(path);
    }
    /// When the server wants a resource or collection to be read again, ms since 1970: what its
    /// last answer said, or one that refused a reading for now (429, 503), which counts for all.
    qint64 notBefore(const QString &path) const
    {
        return std::max(m_notBeforeAll, m_notBefore.value(path));
    }
    qint64 notBeforeAll() const { return m_notBeforeAll; }
    bool isReading() const { return isReadingAll() || !m_asked.isEmpty() || !m_inner.isEmpty(); }
    /// Somebody else has told something about a resource: what is the same as before counts again.
    void forget(const QString &path);
    /// Everything counts again, also what is the same.
    void forgetAll() { m_told.clear(); }
    /// Forgets what is open; nothing is told about it any more.
    void stop();
    static constexpr int NotSignedIn = -2; ///< in place of a status

signals:
    void collectionRead(const instar::CollectionSighting &read);
    void resourceRead(const instar::Sighting &read);
    /// A collection or resource is byte for byte as it was told last.
    void sameRead(const QString &path, const instar::AnswerInterval &when);
    /// `status` is the answer's; 0: there was none; NotSignedIn: nobody lets us ask; -1: there was
    /// none of use, or the pack has no words for the question.
    void failed(const QString &path, int status, const QString &problem);
    void progressed(int done, int known);
    void allRead();

private:
    /// A collection that is read page by page, or a single resource; then what is below its
    /// resources and not in their documents, before all is told as one.
    struct Pages
    {
        CollectionSighting read;
        Exchange::Purpose purpose = Exchange::Purpose::Poll;
        QSet<QString> seen;            ///< URLs, so that a circle of pages ends
        QString single;                ///< the path of the resource; empty: it is a collection
        int inner = 0;                 ///< collections below that are not read yet
        std::shared_ptr<Pages> around; ///< it is below one of its resources: that at `place`
        qsizetype place = 0;

        bool isOfAll() const { return single.isEmpty() && (!around || around->isOfAll()); }
    };
    enum class Page {
        Last,
        Another, ///< it is asked for
        Useless, ///< or nothing new
    };
    void readCollection(const QString &path, const std::shared_ptr<Pages> &pages);
    void readPage(const QUrl &url, const std::shared_ptr<Pages> &pages);
    void takePage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages);
    Page addPage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages);
    bool readInner(const std::shared_ptr<Pages> &pages);
    void tell(const std::shared_ptr<Pages> &pages);
    void innerEnded(const std::shared_ptr<Pages> &pages);
    void pageEnded();
    bool isSame(const QString &path, const QByteArray &body) const;
    void take(const QString &path, const QUrl &asked, const Connection::Answer &answer);
    void noteDelay(const QString &path, const Connection::Answer &answer);
    QString refusalText(const Connection::Answer &answer) const;

    Connection &m_connection;
    const Messages &m_messages;
    QString m_version;
    QHash<QString, bool> m_asked;            ///< path -> to be asked once more
    QHash<QString, int> m_inner;             ///< path -> readings of what is below it
    QHash<QString, QByteArray> m_told;       ///< path of a collection or resource -> digest
    int m_open = 0, m_done = 0, m_known = 0; ///< pages
    QHash<QString, qint64> m_notBefore;      ///< path -> when to read it again, ms since 1970
    qint64 m_notBeforeAll = 0;
    quint64 m_turn = 0; ///< answers to earlier turns are forgotten
};

} // namespace instar
