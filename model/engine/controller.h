// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/admission.h"
#include "model/engine/operationlog.h"

#include <QElapsedTimer>
#include <QTimer>

#include <span>

namespace instar {

class Controller;

/// Events on a Controller since the last update of its views.
struct Update
{
    std::span<const Record> records; ///< oldest first
    DirtyRegion dirty;               ///< of all records
};

/// Throttle for a Controller's signals: gathers events and emits them once per frame, so that views
/// redraw once however much happens. Views may be one frame behind the world, unless flush() is
/// called.
class Updates : public QObject
{
    Q_OBJECT
public:
    explicit Updates(Controller &controller);

    /// Emits the gathered events at once.
    void flush();

signals:
    void happened(const instar::Update &update);
    void timePassed();
    /// Emitted when another moment or world is shown, or records were dropped: views must reload.
    void rewound();
    /// Emitted after happened() or rewound().
    void changed();

private:
    void scheduleFlush();

    Controller &m_controller;
    DirtyRegion m_dirty;
    qsizetype m_records = 0; ///< number of records gathered
    bool m_timePassed = false;
    QTimer m_frame { this };
    QElapsedTimer m_lastFlush;
};

/// Run of a local Simulator or a real server, whose resources clients change through operations.
/// The interface has no control of time: only a Simulator can be played, paused and stepped back.
class Controller : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    virtual const Rules &rules() const = 0;
    virtual const World &world() const = 0;
    /// Operations submitted through this controller; those of a server's other clients are unknown.
    virtual const OperationLog &operations() const = 0;
    /// Records up to the moment shown, oldest first; a long run may keep only the newest.
    virtual const QList<Record> &records() const = 0;
    /// Number of records dropped before the first of records(). Grows, without a signal, when a
    /// record is added.
    virtual qsizetype forgotten() const { return 0; }
    /// Records after the moment shown, next first, if the user stepped back.
    virtual const QList<Record> &later() const;
    /// All operations, also those submitted after the moment shown, as they are at the run's end.
    virtual const OperationLog &everyOperation() const { return operations(); }

    virtual QString etag(Resource resource) const { return instar::etag(world(), resource); }
    /// Returns the etag of the resource at a path; empty if the resource is absent.
    QString etagAt(const QString &path) const;
    /// Returns true for a simulator, where cancel() and end() work; false for a server.
    virtual bool isLocal() const { return true; }
    Admission admission(const Request &request) const;
    /// Signals once per frame, for views.
    Updates &updates() const;

    /// Submits an operation; one without an id gets "op1", "op2", ... Returns its serial.
    virtual quint32 submit(Request request) = 0;
    /// Cancels a running or waiting operation; does nothing for others, or at a server.
    virtual void cancel(quint32 serial) = 0;
    /// Ends an operation's current attempt, if any, with this outcome; does nothing at a server.
    virtual void end(quint32 serial, Rules::TriggerId outcome) = 0;

signals:
    /// An event happened; world(), operations() and records() contain its effects. Receivers may
    /// submit more at once (re-entrant); later receivers then see the newer record first.
    void recorded(const instar::Record &record);
    /// Time passed, to world().now.
    void timePassed();
    /// The rules and the world were replaced, and all their ids are invalid; rewound() follows.
    void rulesChanged();
    /// Another moment, or another world, is shown: views must reload.
    void rewound();

private:
    mutable Updates *m_updates = nullptr; ///< created on demand
};

} // namespace instar
