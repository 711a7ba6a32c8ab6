// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/httpparser.h"

#include <QObject>
#include <QSslConfiguration>
#include <QUrl>

#include <memory>
#include <optional>

namespace instar {

/// How one request of a burst fared.
struct BurstShot
{
    qint64 offsetNs =
        -1; ///< from the release until the system had taken all of it; -1: it never did
    double waitMs =
        -1; ///< from the beginning of its sending to the answer's first byte; -1: there is none
    double durationMs = -1; ///< to the end of the answer, or until it was given up
    std::optional<HttpResponse> response;
    QString problem; ///< why there is no response; empty where there is one
    bool operator==(const BurstShot &) const = default;
};

/// What became of requests that were released together.
struct BurstReport
{
    qint64 spreadNs = 0;    ///< between the first and the last request that was sent
    QList<BurstShot> shots; ///< in the order of the requests
    bool operator==(const BurstReport &) const = default;
};

/// Sends prepared requests together, each on a connection of its own that was opened before, and
/// keeps the connections for later. They still leave one after the other: the report says how far
/// apart.
class Burst : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        int connectMs = 10'000; ///< until a connection is there
        int answerMs = 120'000; ///< until an answer is
        int mostWarm = 256;     ///< connections that are kept between bursts
        HttpLimits limits { .headerBytes = 256 * 1024, .bodyBytes = 64 * 1024 * 1024 };
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    };

    /// Of `origin` scheme, host and port count.
    Burst(const QUrl &origin, Options options, QObject *parent = nullptr);
    ~Burst() override;

    /// Opens connections until so many wait for requests.
    void warm(int count);
    int warmed() const; ///< connections that could send at once

    /// Releases complete requests (as bytes) as soon as each has a connection, at the earliest when
    /// control is back in the event loop. Returns a number for the signals, from 1. Bursts do not
    /// wait for each other.
    quint64 fire(const QList<QByteArray> &requests);
    /// Gives up everything: what is under way ends with a problem.
    void close();

signals:
    /// The requests are sent, or on their way.
    void released(quint64 burst);
    void answered(quint64 burst, int index, const instar::BurstShot &shot);
    /// Every request has its response or problem.
    void finished(quint64 burst, const instar::BurstReport &report);

private:
    struct Line;
    struct Salvo;

    Line *open();
    Line *takeWarm();
    void ready(Line *line);
    void unable(Line *line, const QString &problem);
    void releaseWhenReady(Salvo &salvo);
    void release(quint64 id);
    bool replace(Line *line);
    void giveUp(quint64 id);
    static QList<std::pair<int, QString>> send(Salvo &salvo);
    void sent(Line *line);
    bool read(Line *line);
    void closed(Line *line);
    void finish(Line *line, std::optional<HttpResponse> response, const QString &problem);
    void conclude(quint64 id, int index, const BurstShot &shot);
    void drop(Line *line);
    Salvo *salvo(quint64 id) const;
    static qint64 now(); ///< ns

    QUrl m_origin;
    Options m_options;
    std::vector<std::unique_ptr<Line>> m_lines;
    std::vector<std::unique_ptr<Salvo>> m_salvos;
    quint64 m_last = 0;
};

} // namespace instar
