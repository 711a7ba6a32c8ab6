// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/sentences.h"
#include "tests/support/staging.h"

namespace instar {

/// "/a 7", the etag of every resource, one a line.
inline QString etagsOf(const Controller &controller)
{
    QStringList lines;
    for (const Resource resource : controller.world().tree.resources())
        lines += controller.world().tree.path(resource) + u' ' + controller.etag(resource);
    lines.sort();
    return lines.join(u'\n');
}

/// Hears a controller's signals, and notes what does not fit to what the controller shows.
class Witness : public QObject
{
public:
    explicit Witness(const Controller &controller) : m_controller(controller)
    {
        begin();
        connect(&controller, &Controller::recorded, this,
            [this](const Record &record) { hear(record); });
        connect(&controller, &Controller::rewound, this, [this] { begin(); });
        connect(&controller, &Controller::timePassed, this, [this] { watchTime(); });
    }

    /// What is shown now must be what was shown with the last record.
    QStringList complaints()
    {
        if (shown() != m_shown)
            complain(QStringLiteral("the world changed without a record"));
        return m_complaints;
    }
    int heard() const { return m_heard; }

private:
    void begin()
    {
        m_log = m_controller.operations();
        m_records = m_controller.records().size();
        m_shown = shown();
        m_time = m_controller.world().now;
    }
    void hear(const Record &record)
    {
        ++m_heard;
        const QList<Record> &records = m_controller.records();
        if (records.size() != m_records + 1 || told(records.last()) != told(record))
            complain(QStringLiteral("the signal does not bring the newest record"));
        m_records = records.size();
        if (record.event.time != m_controller.world().now)
            complain(QStringLiteral("a record of another time than the world's"));
        watchTime();
        m_log.apply(m_controller.rules(), record, m_controller.world());
        if (m_log != m_controller.operations())
            complain(QStringLiteral("the operations are not what the records add up to"));
        const Tree &tree = m_controller.world().tree;
        QList<qint64> counts(m_controller.rules().codeCount());
        for (const Resource resource : tree.resources())
            ++counts[tree.code(resource)];
        if (counts != tree.counts())
            complain(QStringLiteral("the counts are not those of a recount"));
        m_shown = shown();
    }
    void watchTime()
    {
        if (m_controller.world().now < m_time)
            complain(QStringLiteral("time went back"));
        m_time = m_controller.world().now;
    }
    QString told(const Record &record) const
    {
        QStringList lines;
        for (const Change &change : record.changes)
            lines += changeText(m_controller.rules(), m_controller.operations(), change);
        return lines.join(u'\n');
    }
    QString shown() const
    {
        return shownTree(m_controller.rules(), m_controller.world()) + etagsOf(m_controller);
    }
    void complain(const QString &what)
    {
        if (!m_complaints.contains(what))
            m_complaints += what;
    }

    const Controller &m_controller;
    OperationLog m_log;
    qsizetype m_records = 0;
    qint64 m_time = 0;
    QString m_shown;
    QStringList m_complaints;
    int m_heard = 0;
};

} // namespace instar
