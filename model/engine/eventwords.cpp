// SPDX-License-Identifier: Apache-2.0
#include "model/engine/eventwords.h"

using namespace Qt::StringLiterals;

namespace instar {

QString eventWords(const Rules &rules, const World &before, const Event &event)
{
    const Running *running = before.find(event.operation);
    switch (event.kind) {
    case Event::Kind::Submit:
        return u"submit "_s + event.request->id;
    case Event::Kind::Begin:
        return u"begin "_s + running->id;
    case Event::Kind::Expire:
        return u"time over for "_s + running->id;
    case Event::Kind::End:
        return u"end %1 %2"_s.arg(running->id,
            rules.triggerName(event.outcome == Rules::None ? running->planned : event.outcome));
    case Event::Kind::Fire:
        return u"fire "_s + before.tree.path(event.resource);
    case Event::Kind::Cancel:
    case Event::Kind::Wait:
        break;
    }
    return {};
}

QString withAnswers(
    const Rules &rules, const QString &words, std::span<const std::pair<int, bool>> answers)
{
    QStringList given;
    for (const auto &[label, answer] : answers)
        given += (answer ? QString() : u"!"_s) + rules.labels()[label];
    return given.isEmpty() ? words : u"%1 (%2)"_s.arg(words, given.join(u", "_s));
}

} // namespace instar
