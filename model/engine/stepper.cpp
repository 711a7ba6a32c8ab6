// SPDX-License-Identifier: Apache-2.0
#include "model/engine/stepper.h"

#include "model/engine/watch.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

void Stepper::happen(const Event &event)
{
    w.now = std::max(w.now, event.time);
    m_timeless = event.timeless;
    Running *running = event.operation ? w.change(event.operation) : nullptr;
    if (running) {
        for (auto it = event.answers.cbegin(); it != event.answers.cend(); ++it)
            running->answers.insert(it.key(), it.value());
    }

    switch (event.kind) {
    case Event::Kind::Wait:
        return;
    case Event::Kind::Submit:
        submit(event.request, 0, event.answers);
        break;
    case Event::Kind::Fire: {
        if (!w.tree.exists(event.resource))
            return;
        const auto &timer = r.state(r.stateOf(w.tree.code(event.resource))).timer;
        if (!timer)
            return;
        auto request = QSharedPointer<Request>::create();
        request->op = timer->operation;
        request->path = w.tree.path(event.resource);
        request->id = u"clock.%1"_s.arg(w.lastSerial + 1);
        request->client = u"clock"_s;
        submit(request, 0, event.answers);
        break;
    }
    case Event::Kind::Begin:
        if (!running || running->phase != Running::Phase::Delayed)
            return;
        m_record.changes.push_back(
            { .kind = Change::Kind::Began, .operation = running->serial, .path = running->path });
        running->due = -1;
        work(event.operation);
        break;
    case Event::Kind::End: {
        if (!running || running->phase != Running::Phase::Attempting)
            return;
        const TriggerId ended = event.outcome == Rules::None ? running->planned : event.outcome;
        running->due = -1;
        running->planned = Rules::None;
        const auto &list = r.state(running->work).work;
        if (r.isGood(ended) && running->cursor + 1 < int(list.size())) {
            m_record.changes.push_back({ .kind = Change::Kind::Worked,
                .operation = running->serial,
                .path = running->path,
                .from = running->work,
                .to = running->work,
                .outcome = ended,
                .attempts = running->attempts });
            if (ended != r.succeeded)
                running->soFar = ended;
            ++running->cursor;
            work(event.operation);
        } else {
            outcome(
                event.operation, r.isGood(ended) && ended == r.succeeded ? running->soFar : ended);
        }
        break;
    }
    case Event::Kind::Cancel:
        if (!running)
            return;
        cancelRunning(event.operation, 0);
        break;
    }
    finishStep();
}

Asking Stepper::asking(const Running &running)
{
    return { .rules = r,
        .world = w,
        .request = running.request.get(),
        .answers = &running.answers,
        .required = running.requirer != 0,
        .asked = &m_record.asked,
        .timeless = m_timeless };
}

void Stepper::finishStep()
{
    do {
        while (!m_heard.empty()) {
            const Heard heard = m_heard.front();
            m_heard.erase(m_heard.begin());
            hear(heard.requirer, heard.outcome, heard.code, heard.message);
        }
        settleOrphans();
    } while (!m_heard.empty() || !m_orphans.empty() || (r.hasUntil() && askUntils()));
    if (!r.constraints().empty())
        std::ranges::move(
            watched(r, w, m_touched, m_timeless), std::back_inserter(m_record.changes));
    trimAgenda();
}

bool Stepper::askUntils()
{
    std::vector<quint32> waiting;
    for (const auto &running : w.running) {
        if (running->phase == Running::Phase::Until)
            waiting.push_back(running->serial);
    }
    bool went = false;
    for (const quint32 serial : waiting) {
        const Running *running = w.find(serial);
        if (!running || running->phase != Running::Phase::Until)
            continue;
        const Rules::Work &step = r.state(running->work).work[size_t(running->cursor)];
        if (!holds(step.until, target(*running), asking(*running)))
            continue;
        ++w.change(serial)->cursor;
        work(serial);
        went = true;
    }
    return went;
}

void Stepper::trimAgenda()
{
    const auto isStale = [this](const std::pair<qint64, quint32> &entry) {
        const Running *running = w.find(entry.second);
        return !running || running->due != entry.first;
    };
    if (w.agenda.size() > 4 * w.running.size() + 64) {
        std::erase_if(w.agenda, isStale);
        std::ranges::make_heap(w.agenda, std::greater());
    }
    while (!w.agenda.empty() && isStale(w.agenda.front())) {
        std::ranges::pop_heap(w.agenda, std::greater());
        w.agenda.pop_back();
    }
}

} // namespace instar
