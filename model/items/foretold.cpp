// SPDX-License-Identifier: Apache-2.0
#include "model/items/foretold.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct ForetoldWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Foretold)
};

/// "Updating, Failed or absent"
QString listed(const QStringList &words)
{
    QStringList named;
    for (const QString &word : words)
        named += word.isEmpty() ? ForetoldWords::tr("absent") : word;
    named.sort();
    if (named.size() < 2)
        return named.join(QString());
    const QString last = named.takeLast();
    //: "Updating, Failed" and "Succeeded"
    return ForetoldWords::tr("%1 or %2").arg(named.join(u", "_s), last);
}

QString whyText(Prediction::Why why)
{
    switch (why) {
    case Prediction::Why::NotSeen:
        return ForetoldWords::tr("not seen at rest yet");
    case Prediction::Why::Departed:
        return ForetoldWords::tr("not explained; followed again once it rests");
    case Prediction::Why::TooMany:
        return ForetoldWords::tr("too much is possible to follow; followed again once it rests");
    case Prediction::Why::TooLong:
        return ForetoldWords::tr(
            "it has not come to rest for too long; followed again once it does");
    case Prediction::Why::Connected:
        return ForetoldWords::tr("a reference joined it with something that was at work");
    case Prediction::Why::Unwatched:
        return ForetoldWords::tr("the connection was lost; followed again once it rests");
    }
    return {};
}

} // namespace

QString allowedText(const Prediction::Allowed &allowed)
{
    const QString words = listed(allowed.words);
    return allowed.all ? words : ForetoldWords::tr("%1, and perhaps more").arg(words);
}

QString foretoldText(const Forecast &forecast, const QString &path)
{
    if (const auto allowed = forecast.prediction().allowed(path))
        return allowedText(*allowed);
    const auto why = forecast.prediction().lostWhy(path);
    return u'(' + whyText(why.value_or(Prediction::Why::NotSeen)) + u')';
}

QString foretoldBeside(const Forecast &forecast, const QString &path, const QString &seen)
{
    auto others = forecast.prediction().allowed(path);
    if (!others || others->words.removeAll(seen) == 0)
        return foretoldText(forecast, path);
    if (others->words.isEmpty() && others->all)
        return ForetoldWords::tr("same");
    return others->words.isEmpty() ? ForetoldWords::tr("same, and perhaps more")
                                   : ForetoldWords::tr("same, or %1").arg(allowedText(*others));
}

QString followedAnewText(const Forecast &forecast, const QString &path)
{
    return forecast.deviationAt(path) && forecast.prediction().allowed(path)
        ? ForetoldWords::tr("Since then it is followed anew, from what was seen.")
        : QString();
}

bool isDeviating(const Forecast &forecast, const QString &path)
{
    return forecast.deviationAt(path) != nullptr;
}

QString deviationText(const Deviation &deviation)
{
    const QString what = deviation.what();
    if (!deviation.verdict || !deviation.verdict->violation)
        return ForetoldWords::tr(
            "%1, which nothing explains that was asked for here: another client, or a broken rule.")
            .arg(what);
    const QStringList &allowed = deviation.verdict->violation->allowed;
    if (allowed.isEmpty())
        return ForetoldWords::tr(
            "%1, which nothing explains that was asked for here: another client, or a broken rule.")
            .arg(what);
    if (deviation.verdict->violation->isEtag)
        return ForetoldWords::tr("%1: the state may be so then, the etag may not.").arg(what);
    return ForetoldWords::tr("%1, where the rules allow %2.").arg(what, listed(allowed));
}

QString brokenRuleText(const Deviation &deviation)
{
    if (!deviation.verdict || !deviation.verdict->violation)
        return {};
    const Violation &violation = *deviation.verdict->violation;
    return violation.source.isEmpty() ? violation.rule
                                      : u"%1 [%2]"_s.arg(violation.rule, violation.source);
}

QString readingText(const Deviation &deviation, const Rules &rules)
{
    if (!deviation.readings || deviation.readings->explaining.isEmpty())
        return {};
    QStringList others; // what is otherwise than here
    const Switches &switches = deviation.readings->explaining.first();
    for (auto it = switches.cbegin(); it != switches.cend(); ++it) {
        if (rules.switches().value(it.key()) != *it)
            others += u"%1=%2"_s.arg(it.key(), *it);
    }
    return ForetoldWords::tr("With %1 nothing would be wrong.").arg(others.join(u", "_s));
}

QStringList shortestStory(const Deviation &deviation)
{
    const std::optional<History> shortest = deviation.shortest();
    if (!shortest)
        return {};
    QList<std::pair<double, QString>> story;
    for (const AskedThen &asked : shortest->requests)
        story.append(
            { asked.sent, u"%1 %2: %3"_s.arg(asked.request.op, asked.request.path, told(asked)) });
    for (const Observation &seen : shortest->observations)
        story.append({ seen.from, told(seen) });
    std::ranges::stable_sort(story, {}, &std::pair<double, QString>::first);
    QStringList lines;
    for (const auto &[time, text] : std::as_const(story))
        lines += ForetoldWords::tr("%1 s  %2")
                     .arg((time - story.first().first) / 1000, 0, 'f', 3)
                     .arg(text);
    return lines;
}

} // namespace instar
