// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"
#include "model/engine/operationlog.h"
#include "model/engine/step.h"

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

#include <span>

namespace instar {

class Controller;

/// What has happened on a Controller since those who show it were told last.
struct Update
{
    std::span<const Record> records; ///< oldest first
    Extent extent;                   ///< of them all
};

/// Gathers what happens on a Controller and tells it once a frame, so that showing it costs a frame
/// however much happens in between. What is shown may be a frame older than the world: whoever
/// looks for something that has just happened asks for tell() first.
class Updates : public QObject
{
    Q_OBJECT
public:
    explicit Updates(Controller &controller);

    /// Tells at once what has been gathered.
    void tell();

signals:
    void happened(const instar::Update &update);
    void timePassed();
    /// Another moment or world is shown, or more happened than is kept: compare everything.
    void rewound();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void tellSoon();

    Controller &m_controller;
    Extent m_extent;
    qsizetype m_records = 0; ///< gathered
    bool m_timePassed = false;
    QBasicTimer m_frame;
    QElapsedTimer m_told;
};

/// What is running: resources that clients change through operations. Local (Simulator) or a real
/// server. Time is no matter of the interface: what can be played, paused and stepped back is a
/// Simulator.
class Controller : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    virtual const Rules &rules() const = 0;
    virtual const World &world() const = 0;
    /// What was asked for here. What others ask of a server shows in the world only.
    virtual const OperationLog &operations() const = 0;
    /// What has happened up to now, oldest first; of a long run perhaps only the newest.
    virtual const QList<Record> &records() const = 0;
    /// How many records came before the first one of these, and are kept no more. Grows in steps,
    /// and without a signal of its own: another record has come, or comes, with each. Whoever keeps
    /// places in records() reckons with it.
    virtual qsizetype forgotten() const { return 0; }
    /// What followed the moment shown before somebody stepped back, next first. Nothing where there
    /// is no stepping back.
    virtual const QList<Record> &later() const;
    /// operations(), and with them those that were asked for after the moment shown: all as they
    /// stood when the last of later() had happened.
    virtual const OperationLog &everyOperation() const { return operations(); }

    /// The etag of a resource that is there.
    virtual QString etag(Resource resource) const { return instar::etag(world(), resource); }
    /// Whether work can be ended and operations withdrawn by hand. What a server does is its own
    /// affair.
    virtual bool isOurs() const { return true; }
    /// What would become of a request, asked without doing it.
    Admission admission(const Request &request) const;
    /// The same as the signals below, once a frame: for whoever shows what happens.
    Updates &updates() const;

    /// Asks for an operation; one without an id gets "op1", "op2", ... Returns its serial.
    virtual quint32 submit(Request request) = 0;
    /// Withdraws a running operation. Nothing happens where it does not run, or is not ours; so
    /// with end().
    virtual void cancel(quint32 serial) = 0;
    /// Ends the running piece of an operation's work by hand.
    virtual void end(quint32 serial, Rules::TriggerId outcome) = 0;

signals:
    /// Something happened; world(), operations() and records() already know. Receivers may ask for
    /// more at once; those behind them then hear of that first.
    void recorded(const instar::Record &record);
    /// Time passed, to world().now.
    void timePassed();
    /// The rules are others from now on, and the world has come under them; rewound() follows. For
    /// whoever keeps names or numbers of theirs.
    void rulesChanged();
    /// Another moment, or another world, is shown: compare everything.
    void rewound();

private:
    mutable Updates *m_updates = nullptr; ///< made when somebody asks for it
};

} // namespace instar
