// SPDX-License-Identifier: Apache-2.0
#include "model/engine/controller.h"

namespace instar {

Admission Controller::admission(const Request &request) const
{
    return instar::admission(rules(), world(), request);
}

QString Controller::etagAt(const QString &path) const
{
    const Resource resource = world().tree.find(path);
    return resource == NoResource ? QString() : etag(resource);
}

const QList<Record> &Controller::later() const
{
    static const QList<Record> none;
    return none;
}

Updates &Controller::updates() const
{
    if (!m_updates)
        m_updates = new Updates(const_cast<Controller &>(*this)); // only to become the parent
    return *m_updates;
}

constexpr qint64 FrameMs = 16;

Updates::Updates(Controller &controller) : QObject(&controller), m_controller(controller)
{
    m_frame.setTimerType(Qt::PreciseTimer);
    m_frame.callOnTimeout(this, &Updates::flush);
    connect(&controller, &Controller::recorded, this, [this](const Record &record) {
        m_dirty.add(record.dirty);
        ++m_records;
        scheduleFlush();
    });
    connect(&controller, &Controller::timePassed, this, [this] {
        m_timePassed = true;
        scheduleFlush();
    });
    connect(&controller, &Controller::rewound, this, [this] {
        m_frame.stop();
        m_timePassed = false;
        m_dirty = {};
        m_records = 0;
        emit rewound();
        emit changed();
    });
}

void Updates::scheduleFlush()
{
    if (m_frame.isActive())
        return;
    const qint64 since = m_lastFlush.isValid() ? m_lastFlush.elapsed() : FrameMs;
    m_frame.start(int(std::clamp(FrameMs - since, qint64(0), FrameMs)));
}

void Updates::flush()
{
    if (!m_frame.isActive())
        return;
    m_frame.stop();
    m_lastFlush.start();
    if (m_records > 0) {
        const QList<Record> records = m_controller.records(); // receivers may submit more
        const qsizetype count = std::exchange(m_records, 0);
        const DirtyRegion dirty = std::exchange(m_dirty, {});
        if (count > records.size()) // some of the gathered records were dropped already
            emit rewound();
        else
            emit happened({ std::span(records).last(size_t(count)), dirty });
        emit changed();
    }
    if (std::exchange(m_timePassed, false))
        emit timePassed();
}

} // namespace instar
