// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/step.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace instar {

struct TimelineSheet;

/// Timelines of traces from one initial state, at one scale, with a line where they diverge.
class TraceView : public QWidget
{
    Q_OBJECT
public:
    struct Trace
    {
        QString title;
        QList<Event> events;
    };
    explicit TraceView(QWidget *parent = nullptr);
    ~TraceView() override;

    /// Shows traces; `sharedEvents`: length of their common prefix, in events.
    void show(
        const Rules &rules, const World &world, const QList<Trace> &traces, qsizetype sharedEvents);
    void clear();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Drawn
    {
        QString title;
        std::unique_ptr<TimelineSheet> sheet;
        qint64 divergesAt = 0; ///< time of the first event after the common prefix; virtual ms
    };
    void scale();

    std::vector<Drawn> m_drawn;
};

} // namespace instar
