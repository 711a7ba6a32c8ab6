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
    qint64 offsetNs = -1;   ///< from the release until the system took its last byte; -1: never
    double waitMs = -1;     ///< from the start of sending to the answer's first byte; -1: no answer
    double durationMs = -1; ///< from the start of sending until the answer ended or was given up
    std::optional<HttpResponse> response {};
    QString problem {}; ///< why there is no response; empty: there is one
    bool operator==(const BurstShot &) const = default;
};

/// Results of requests that were released together.
struct BurstReport
{
    qint64 spreadNs = 0;    ///< between the first and the last request that was sent
    QList<BurstShot> shots; ///< in the order of the requests
    bool operator==(const BurstReport &) const = default;
};

/// Sends prepared requests at the same time, each over its own connection opened beforehand, and
/// keeps the connections for later. The requests still leave one after another; the report gives
/// the spread.
class Burst : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        int connectMs = 10'000; ///< limit for opening all connections of a burst
        int answerMs = 120'000; ///< limit for all answers, from the release
        int mostWarm = 256;     ///< idle connections kept between bursts
        HttpLimits limits { .headerBytes = 256 * 1024, .bodyBytes = 64 * 1024 * 1024 };
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    };

    /// Uses the scheme, host and port of `origin`.
    Burst(const QUrl &origin, Options options, QObject *parent = nullptr);
    ~Burst() override;

    /// Opens connections until `count` are idle or opening.
    void warm(int count);
    int warmed() const; ///< idle connections that can send at once

    /// Releases complete requests (as bytes) as soon as each has a connection, at the earliest when
    /// control returns to the event loop. Returns the burst's number for the signals, from 1.
    /// Bursts do not wait for each other.
    quint64 fire(const QList<QByteArray> &requests);
    /// Aborts everything: pending requests end with a problem.
    void close();

signals:
    /// The requests have left, or their last bytes are being sent.
    void released(quint64 burst);
    void answered(quint64 burst, int index, const instar::BurstShot &shot);
    /// Every request has a response or a problem.
    void finished(quint64 burst, const instar::BurstReport &report);

private:
    struct Line;
    struct Group;

    Line *open();
    Line *takeWarm();
    void ready(Line *line);
    void fail(Line *line, const QString &problem);
    void releaseWhenReady(Group &group);
    void release(quint64 id);
    bool replace(Line *line);
    void giveUp(quint64 id);
    void send(Group &group);
    void sent(Line *line);
    bool read(Line *line);
    void closed(Line *line);
    void finish(Line *line, std::optional<HttpResponse> response, const QString &problem);
    void conclude(quint64 id, int index, const BurstShot &shot);
    void drop(Line *line);
    Group *group(quint64 id) const;
    static qint64 now(); ///< ns

    QUrl m_origin;
    Options m_options;
    std::vector<std::unique_ptr<Line>> m_lines;
    std::vector<std::unique_ptr<Group>> m_groups;
    quint64 m_last = 0;
    bool m_isSending = false;
};

} // namespace instar
