// SPDX-License-Identifier: Apache-2.0
#include "views/panels/verdict.h"

#include "model/engine/world.h"
#include "model/formats/jsontext.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct VerdictWords
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
        const QString code =
            admission.http ? u"%1 %2"_s.arg(admission.http).arg(admission.code) : admission.code;
        if (!admission.needs.isEmpty())
            return { Tone::Refused,
                VerdictWords::tr("would be refused: %1; needs %2 (tick it under More)")
                    .arg(code, admission.needs),
                admission.message, admission.rule };
        return { Tone::Refused, VerdictWords::tr("would be refused: %1").arg(code),
            admission.message, admission.rule };
    }
    case Admission::Verdict::Replayed:
        return { Tone::Accepted,
            VerdictWords::tr("answered again as %1 was").arg(idOf(admission.other)),
            VerdictWords::tr("Its request id is known."), {} };
    case Admission::Verdict::Observed:
        return { Tone::Accepted, VerdictWords::tr("done at once"),
            VerdictWords::tr("It moves nothing."), {} };
    case Admission::Verdict::Waits:
        return { Tone::Accepted,
            VerdictWords::tr("accepted: waits for %1").arg(idOf(admission.other)),
            VerdictWords::tr("It is judged again when that one has ended."), admission.rule };
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
        ? VerdictWords::tr("accepted: creates it, and moves it to %1").arg(state)
        : VerdictWords::tr("accepted: moves it to %1").arg(state);
    if (details.isEmpty() && admission.transition >= 0) {
        if (const QString why = rowText(rules, rules.row(rules.transition(admission.transition)));
            !why.isEmpty())
            details += why;
    }
    if (canceled.isEmpty())
        return { Tone::Accepted, moves, {}, details.join(u" — "_s) };
    return { Tone::Cancels,
        VerdictWords::tr("%1, and cancels %2").arg(moves, canceled.join(u", "_s)), {},
        details.join(u" — "_s) };
}

Verdict verdictAmongOthers(
    const Rules &rules, const World &world, const Admission &admission, const QString &path)
{
    const Verdict alone = verdict(rules, world, admission);
    if (alone.tone == Verdict::Tone::Refused)
        return alone;
    const Resource unasked = farthestUnasked(rules, world, path);
    if (unasked == NoResource)
        return alone;
    return { Verdict::Tone::Cancels,
        VerdictWords::tr("may be refused: %1 is %2, for which nobody asked here")
            .arg(world.tree.path(unasked).section(u'/', -1), shownWord(rules, world, unasked)),
        VerdictWords::tr("Otherwise %1").arg(alone.text), {} };
}

QString bodyProblem(const Rules &rules, const Request &request)
{
    const QList<WireRequest> &rows = rules.pack().wire.requests;
    const bool isRead = rows.isEmpty() || std::ranges::any_of(rows, [&](const WireRequest &row) {
        return row.ask == request.op && !row.body.isEmpty();
    });
    if (!isRead || request.body.isEmpty())
        return {};
    const auto document = JsonText::parse(request.body, {});
    if (document && document->root().is(Value::Kind::Object))
        return {};
    if (document)
        return VerdictWords::tr("line 1: it is %1").arg(document->root().kindName());
    static const QRegularExpression place(u"^:(\\d+):(\\d+): "_s);
    const auto found = place.match(document.error());
    return VerdictWords::tr("line %1, column %2: %3")
        .arg(found.captured(1), found.captured(2), document.error().mid(found.capturedLength()));
}

} // namespace instar
