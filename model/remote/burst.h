// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/http/httpparser.h"

#include <QObject>
#include <QSslConfiguration>
#include <QUrl>

#include <memory>
#include <optional>

namespace instar {

/// Result of one request of a burst.
struct BurstShot
{
    qint64 offsetNs = -1;   ///< from the release until the last byte went to the kernel; -1: never
    double waitMs = -1;     ///< from the start of sending to the answer's first byte; -1: no answer
    qint64 sent = 0;        ///< start of sending, in µs since 1970; 0: not sent
    double durationMs = -1; ///< from the start of sending to the end of the answer, or the failure
    std::optional<HttpResponse> response {};
    QString problem {}; ///< the reason if there is no response
    bool operator==(const BurstShot &) const = default;
};

/// Results of requests that were released together.
struct BurstReport
{
    qint64 spreadNs = 0;    ///< time between the first and the last request that was sent
    QList<BurstShot> shots; ///< in the order of the requests
    bool operator==(const BurstReport &) const = default;
};

/// Client that sends prepared requests at almost the same time, each over a connection of its own
/// that is open already (warm), and keeps the connections for later bursts. The requests leave one
/// after another; the report gives the time between the first and the last.
class Burst : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        int connectMs = 10'000; ///< limit for opening all connections of a burst
        int answerMs = 120'000; ///< limit for all answers, from the release
        int mostWarm = 256;     ///< maximum of idle connections kept between bursts
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    };

    /// Uses the scheme, host and port of `origin`.
    Burst(const QUrl &origin, Options options, QObject *parent = nullptr);
    ~Burst() override;

    /// Opens connections until `count` are idle or opening.
    void warm(int count);
    int warmed() const; ///< number of idle connections, which can send at once

    /// Sends complete requests (as bytes; at least one) together. First waits until each has an
    /// open connection, and until control returns to the event loop. Returns the burst's number for
    /// the signals, from 1. Several bursts can wait for connections at the same time.
    quint64 fire(const QList<QByteArray> &requests);
    /// Closes all connections: pending requests end with a problem.
    void close();

signals:
    /// Every request of the burst was written to its connection; the last bytes may not have left.
    /// `sent`: start of sending, by request, in µs since 1970; 0: it was not sent.
    void released(quint64 burst, const QList<qint64> &sent);
    /// The request at `index` has a response or a problem.
    void answered(quint64 burst, int index, const instar::BurstShot &shot);
    /// Every request has a response or a problem.
    void finished(quint64 burst, const instar::BurstReport &report);

private:
    struct Channel; ///< a connection
    struct PendingBurst;

    Channel *open();
    Channel *freeChannel();
    void ready(Channel *channel);
    void fail(Channel *channel, const QString &problem);
    void releaseWhenReady(PendingBurst &burst);
    void release(quint64 id);
    bool replace(Channel *channel);
    void endOverdue(quint64 id);
    void send(PendingBurst &burst);
    void sent(Channel *channel);
    bool read(Channel *channel);
    void closed(Channel *channel);
    void finish(Channel *channel, std::optional<HttpResponse> response, const QString &problem);
    void conclude(quint64 id, int index, const BurstShot &shot);
    void drop(Channel *channel);
    PendingBurst *pending(quint64 id) const;

    QUrl m_origin;
    Options m_options;
    std::vector<std::unique_ptr<Channel>> m_channels;
    std::vector<std::unique_ptr<PendingBurst>> m_pending;
    quint64 m_last = 0;
    bool m_isSending = false;
};

} // namespace instar
