// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>

#include <chrono>
#include <optional>

namespace instar {

/// Returns the present time, in µs since 1970 (UTC).
inline qint64 microsecondsNow()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

enum class CredentialKind {
    None,
    Bearer,
    Basic,
    ApiKey,
    Command, ///< a command that prints a bearer token
};

/// Interval between a request and its answer: the answer was true at some moment between the two.
struct AnswerInterval
{
    quint64 exchange = 0; ///< number of the exchange; later exchanges have greater numbers
    QDateTime sent;       ///< UTC, with ms
    double duration = 0;  ///< ms
};

/// HTTP request and its response.
struct Exchange
{
    struct Header
    {
        QString name, value;
        bool operator==(const Header &) const = default;
    };
    enum class Purpose {
        Load, ///< read of the tree
        Fire, ///< a client's operation
        Poll, ///< read of the status of an operation or resource
        Other,
        SignIn, ///< request for a token
    };

    quint64 number = 0; ///< in order of sending, from 1
    Purpose purpose = Purpose::Other;
    QDateTime sent;       ///< UTC, with ms
    int microseconds = 0; ///< since `sent`, less than 1,000; 0 if the source gives only ms
    double duration = -1; ///< ms until the complete response; -1: none yet
    double wait = -1;     ///< ms until the response's first byte; -1: unknown
    QString client;       ///< sender, as in Request::client
    QString operation;    ///< id of the operation that the exchange belongs to; empty: none
    QString method, url;
    QList<Header> requestHeaders, responseHeaders; ///< secrets are masked already
    QByteArray requestBody, responseBody;
    int status = 0;  ///< 0: no response
    QString reason;  ///< the status in words: "Not Found"
    QString problem; ///< why there is no response, or no readable one; empty: no error
    QString etag;
    std::optional<double> retryAfter; ///< seconds
    bool operator==(const Exchange &) const = default;

    bool isOver() const { return duration >= 0; }
    /// Sets the time of sending, in µs since 1970.
    void setSent(qint64 moment)
    {
        sent = QDateTime::fromMSecsSinceEpoch(moment / 1000, Qt::UTC);
        microseconds = int(moment % 1000);
    }
    /// Returns the interval from request to response; 0 ms long until the response is complete.
    AnswerInterval interval() const { return { number, sent, isOver() ? duration : 0 }; }
};

} // namespace instar
