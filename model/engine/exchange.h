// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace instar {

/// From when a question left until its answer was there: what the answer tells was so in between.
struct AnswerInterval
{
    quint64 exchange = 0; ///< what is told of a later one may know better
    QDateTime sent;       ///< UTC, with ms
    double duration = 0;  ///< ms
};

/// One HTTP request and what came back.
struct Exchange
{
    struct Header
    {
        QString name, value;
        bool operator==(const Header &) const = default;
    };
    enum class Purpose {
        Load, ///< reads the tree
        Fire, ///< a client's operation
        Poll, ///< asks how an operation or resource stands
        Other,
        SignIn, ///< asks for a token
    };

    quint64 number = 0; ///< in order of sending, from 1
    Purpose purpose = Purpose::Other;
    QDateTime sent;       ///< UTC, with ms
    double duration = -1; ///< ms until the whole answer was there; -1: none yet
    double wait = -1;     ///< ms until its first byte; -1: not known
    QString client;       ///< who asked, as in Request::client
    QString operation;    ///< id of the operation it belongs to; empty: none
    QString method, url;
    QList<Header> requestHeaders, responseHeaders; ///< secrets are masked already
    QByteArray requestBody, responseBody;
    int status = 0; ///< 0: no answer
    QString reason;
    QString problem; ///< why there is no answer, or none that can be understood
    QString etag;
    std::optional<double> retryAfter; ///< seconds
    bool operator==(const Exchange &) const = default;

    bool isOver() const { return duration >= 0; }
    /// As long as there is no answer: the moment of sending.
    AnswerInterval interval() const { return { number, sent, isOver() ? duration : 0 }; }
};

/// An operation whose end is not known yet, and that is asked about again and again.
struct PolledOperation
{
    QString id, url;
    QDateTime
        due; ///< when it is asked about next, UTC; invalid: an answer is awaited, or polling pauses
    bool operator==(const PolledOperation &) const = default;
};

} // namespace instar
