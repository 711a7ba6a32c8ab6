// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event.h"

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

} // namespace instar
