// SPDX-License-Identifier: Apache-2.0
#include "model/engine/admission.h"

using namespace Qt::StringLiterals;

namespace instar {

QString admissionText(const Rules &rules, const World &world, const Admission &admission)
{
    const auto idOf = [&](quint32 serial) {
        const Running *running = world.find(serial);
        return running ? running->id : QString::number(serial);
    };
    switch (admission.verdict) {
    case Admission::Verdict::Replayed:
        return u"answered again as operation %1 was: its request id is known"_s.arg(
            idOf(admission.other));
    case Admission::Verdict::Observed:
        return u"done at once: it changes nothing"_s;
    case Admission::Verdict::Refused:
        return u"refused: %1 (%2), by %3"_s.arg(admission.code)
            .arg(admission.http)
            .arg(admission.rule);
    case Admission::Verdict::Accepted:
        break;
    }
    QString text = admission.target == NoResource ? u"accepted: creates it, "_s : u"accepted: "_s;
    text += u"moves it to %1"_s.arg(rules.state(rules.stateOf(admission.entered)).id);
    QStringList canceled;
    for (size_t i = 0; i < admission.cancels.size(); ++i) {
        const Conflict &row = rules.pack().conflicts[admission.cancelRows[i]];
        canceled += u"cancels operation %1 by %2"_s.arg(
            idOf(admission.cancels[i]), rules.pack().sourceText(row));
    }
    return canceled.isEmpty() ? text : text + u"; "_s + canceled.join(u"; "_s);
}

} // namespace instar
