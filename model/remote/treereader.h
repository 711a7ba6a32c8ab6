// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/connection.h"
#include "model/remote/wirerules.h"

#include <QSet>

namespace instar {

/// Reader of a server's collections and single resources. Includes all descendants, which may be
/// nested in the resource's document or listed in separate collections.
class TreeReader : public QObject
{
    Q_OBJECT
public:
    TreeReader(Connection &connection, const WireRules &wire);

    /// Reads all top-level collections, then emits allRead(). Does nothing while isReadingAll().
    void readAll(Exchange::Purpose purpose);
    bool isReadingAll() const { return m_open > 0; }
    /// Reads one resource. While a reading of it is open, schedules one more after that. For
    /// Purpose::Load temporary refusals (429, 503) are retried.
    void read(const QString &path, Exchange::Purpose purpose = Exchange::Purpose::Poll);
    bool isReading(const QString &path) const
    {
        return m_reading.contains(path) || m_inner.contains(path);
    }
    /// Earliest time (ms since 1970) at which the server wants a resource or collection to be read
    /// again: from its last answer, or from a temporary refusal (429, 503), which holds for all.
    qint64 notBefore(const QString &path) const
    {
        return std::max(m_notBeforeAll, m_notBefore.value(path));
    }
    qint64 notBeforeAll() const { return m_notBeforeAll; }
    bool isReading() const { return isReadingAll() || !m_reading.isEmpty() || !m_inner.isEmpty(); }
    /// Drops open readings; they emit nothing any more.
    void stop();
    /// Why a resource or collection could not be read.
    enum class Failure {
        NoAnswer,     ///< the server may be unreachable
        NoToken,      ///< the token command gave none
        Unauthorized, ///< 401
        Forbidden,    ///< 403
        Unusable,     ///< another answer, or the pack cannot express the request
    };

signals:
    void collectionRead(const instar::CollectionObservation &read);
    void resourceRead(const instar::ResourceObservation &read);
    void failed(const QString &path, instar::TreeReader::Failure failure, const QString &problem);
    void progressed(int done, int known); ///< pages read, and pages known so far, in readAll()
    void allRead();                       ///< readAll() has ended

private:
    /// State of reading a collection page by page, or a single resource, and then the separate
    /// collections below, until all is reported as one.
    struct Pages
    {
        CollectionObservation read;
        Exchange::Purpose purpose = Exchange::Purpose::Poll;
        QSet<QString> visited; ///< URLs read, to detect cycles of pages
        QString single;        ///< the path of the resource; empty: it is a collection
        int inner = 0;         ///< collections below that are not read yet
        /// State of reading the parent resource, `parent->read.resources[parentIndex]`; null: none.
        std::shared_ptr<Pages> parent;
        qsizetype parentIndex = 0;

        bool belongsToReadAll() const
        {
            return single.isEmpty() && (!parent || parent->belongsToReadAll());
        }
    };
    enum class Page {
        Last,
        Another, ///< the next page is being read
        Unreadable,
    };
    void readCollection(const QString &path, const std::shared_ptr<Pages> &pages);
    void readPage(const QUrl &url, const std::shared_ptr<Pages> &pages);
    void takePage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages);
    Page addPage(const Connection::Answer &answer, const std::shared_ptr<Pages> &pages);
    void readInner(const std::shared_ptr<Pages> &pages);
    void report(const std::shared_ptr<Pages> &pages);
    void innerEnded(const std::shared_ptr<Pages> &pages);
    void pageEnded();
    void take(const QString &path, const QUrl &requestedUrl, const Connection::Answer &answer);
    void noteDelay(const QString &path, const Connection::Answer &answer);
    void reportFailure(const QString &path, const Connection::Answer &answer);
    QString refusalText(const Connection::Answer &answer) const;

    Connection &m_connection;
    const WireRules &m_wire;
    QHash<QString, bool> m_reading;          ///< path -> read once more afterwards
    QHash<QString, int> m_inner;             ///< path -> readings waiting for collections below
    int m_open = 0, m_done = 0, m_known = 0; ///< pages of readAll(): awaited, read, known so far
    QHash<QString, qint64> m_notBefore;      ///< path -> when to read it again, ms since 1970
    qint64 m_notBeforeAll = 0;
    quint64 m_generation = 0; ///< incremented by stop(): answers to earlier requests are ignored
};

} // namespace instar
