// SPDX-License-Identifier: Apache-2.0
#include "model/engine/seenetags.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

SeenEtags::SeenEtags(const QList<ScenarioStep> &steps) : m_steps(steps)
{
    for (const ScenarioStep &step : steps) {
        if (step.seenAt)
            m_seen.insert({ *step.seenAt, step.request.path }, {});
    }
}

bool SeenEtags::isDemanded(const ScenarioStep &step) const
{
    const auto first = m_seen.lowerBound({ indexOf(step), {} });
    return first != m_seen.cend() && first.key().first == indexOf(step);
}

void SeenEtags::look(const ScenarioStep &step, const Controller &controller,
    const std::function<QString(const QString &)> &at)
{
    for (auto it = m_seen.begin(); it != m_seen.end(); ++it) {
        if (it.key().first != indexOf(step))
            continue;
        const QString &path = it.key().second;
        const Resource resource = controller.world().tree.find(at ? at(path) : path);
        *it = resource == NoResource ? QString() : controller.etag(resource);
    }
}

Request SeenEtags::demanding(const ScenarioStep &step, Request request) const
{
    if (!step.seenAt)
        return request;
    const QString seen = m_seen.value({ *step.seenAt, step.request.path });
    request.ifMatch = seen.isEmpty() ? u"\"none was seen\""_s : seen;
    return request;
}

} // namespace instar
