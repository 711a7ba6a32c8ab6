// SPDX-License-Identifier: Apache-2.0
#include "views/panels/verdict.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(instar::Verdict)
};

QString rowText(const Rules &rules, const Row &row)
{
    const QString source = rules.pack().sourceText(row);
    if (row.about.isEmpty())
        return source;
    return source.isEmpty() ? row.about : u"%1 [%2]"_s.arg(row.about, source);
}

} // namespace

Verdict verdict(const Rules &rules, const World &world, const Admission &admission)
{
    using Tone = Verdict::Tone;
    const auto idOf = [&](quint32 serial) {
        const Running *running = world.find(serial);
        return running ? running->id : QString::number(serial);
    };
    QStringList details;
    switch (admission.verdict) {
    case Admission::Verdict::Refused: {
        details += admission.message;
        if (!admission.rule.isEmpty())
            details += admission.rule;
        details.removeAll(QString());
        const QString code =
            admission.http ? u"%1 %2"_s.arg(admission.http).arg(admission.code) : admission.code;
        return { Tone::Refused, Words::tr("refused: %1").arg(code), details.join(u" — "_s) };
    }
    case Admission::Verdict::Replayed:
        return { Tone::Accepted, Words::tr("answered again as %1 was").arg(idOf(admission.other)),
            Words::tr("Its request id is known.") };
    case Admission::Verdict::Observed:
        return { Tone::Accepted, Words::tr("done at once"), Words::tr("It moves nothing.") };
    case Admission::Verdict::Accepted:
        break;
    }

    QStringList canceled;
    for (size_t i = 0; i < admission.cancels.size(); ++i) {
        canceled += idOf(admission.cancels[i]);
        const int row = admission.cancelRows[i];
        const QString why = row >= 0 ? rowText(rules, rules.pack().conflicts[row]) : QString();
        if (!why.isEmpty() && !details.contains(why))
            details += why;
    }
    const QString state = rules.state(rules.stateOf(admission.entered)).id;
    const QString moves = admission.target == NoResource
        ? Words::tr("accepted: creates it, and moves it to %1").arg(state)
        : Words::tr("accepted: moves it to %1").arg(state);
    if (details.isEmpty() && admission.transition >= 0) {
        if (const QString why = rowText(rules, rules.row(rules.transition(admission.transition)));
            !why.isEmpty())
            details += why;
    }
    if (canceled.isEmpty())
        return { Tone::Accepted, moves, details.join(u" — "_s) };
    return { Tone::Cancels, Words::tr("%1, and cancels %2").arg(moves, canceled.join(u", "_s)),
        details.join(u" — "_s) };
}

} // namespace instar
