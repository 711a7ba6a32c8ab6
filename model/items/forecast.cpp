// SPDX-License-Identifier: Apache-2.0
#include "model/items/forecast.h"

#include "model/task.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostReadings = 64;
constexpr qint64 MostMetWhenJudged = 20'000; ///< states searched when a violation is judged

bool isDepartureAt(const Departure &departure, const QString &path, const Prediction &prediction)
{
    return prediction.treeOf(departure.path) == prediction.treeOf(path)
        && departure.path.compare(path, Qt::CaseInsensitive) == 0;
}

/// Replaces the first unexplained item by the violation that the verdict names.
void blame(Departure &departure, const Violation &violation)
{
    departure.what = violation.what;
    const auto *seen = std::get_if<Observation>(&violation.what);
    if (seen && seen->isOfResource())
        departure.path = seen->path;
    for (const RecordedRequest &asked : std::as_const(departure.history.requests)) {
        if (seen ? asked.request.id == seen->operation
                 : asked == std::get<RecordedRequest>(violation.what))
            departure.path = asked.request.path;
    }
}

Deviation judged(
    const Departure &departure, const Rules &rules, const std::function<bool(qint64)> &goesOn)
{
    const Budget budget { .states = MostMetWhenJudged, .goesOn = goesOn };
    Deviation deviation { departure, {}, {} };
    if (const auto verdict = verdictOn(departure.history, rules, budget))
        deviation.verdict = *verdict;
    if (deviation.verdict && deviation.verdict->violation)
        blame(deviation.departure, *deviation.verdict->violation);
    const std::optional<History> shortest = deviation.shortest();
    if (shortest && !rules.pack().switches.isEmpty())
        deviation.readings = readingsThatExplain(*shortest, rules.pack(), budget, MostReadings);
    return deviation;
}

/// "Updating, Failed or absent"
QString listed(const QStringList &words)
{
    QStringList named;
    for (const QString &word : words)
        named += word.isEmpty() ? Forecast::tr("absent") : word;
    named.sort();
    if (named.size() < 2)
        return named.join(QString());
    const QString last = named.takeLast();
    //: "Updating, Failed" and "Succeeded"
    return Forecast::tr("%1 or %2").arg(named.join(u", "_s), last);
}

QString whyText(Prediction::Why why)
{
    switch (why) {
    case Prediction::Why::NotSeen:
        return Forecast::tr("not yet seen at rest");
    case Prediction::Why::Departed:
        return Forecast::tr("violated; checked again once it rests");
    case Prediction::Why::TooMany:
        return Forecast::tr("too many possible states; checked again once it rests");
    case Prediction::Why::TooLong:
        return Forecast::tr("not at rest for too long; checked again once it rests");
    case Prediction::Why::Connected:
        return Forecast::tr("a reference connected it to a tree in transition");
    case Prediction::Why::Unwatched:
        return Forecast::tr("the connection was lost; checked again once it rests");
    }
    return {};
}

} // namespace

QString Deviation::what() const
{
    const auto *asked = std::get_if<RecordedRequest>(&departure.what);
    return asked ? told(*asked) : told(std::get<Observation>(departure.what));
}

std::optional<History> Deviation::shortest() const
{
    if (!verdict || verdict->minimal.isEmpty())
        return {};
    return minimalPart(departure.history, verdict->minimal);
}

Forecast::Forecast(const Rules &rules, const Prediction &prediction, QObject *parent)
    : QObject(parent), m_rules(rules), m_prediction(prediction), m_tracks(rules)
{ }

const Deviation *Forecast::deviationAt(const QString &path) const
{
    for (qsizetype i = m_deviations.size(); i-- > 0;) {
        if (isDepartureAt(m_deviations[i].departure, path, m_prediction))
            return &m_deviations[i];
    }
    return nullptr;
}

void Forecast::look(const World &shown, const QStringList &trees)
{
    m_tracks.foretell(m_prediction, shown, trees);
    const QList<Departure> &departures = m_prediction.departures();
    const auto fresh =
        qsizetype(std::min<qint64>(m_prediction.departed() - m_departed, departures.size()));
    m_departed = m_prediction.departed();
    for (const Departure &departure : departures.last(fresh)) {
        m_deviations += Deviation { departure, {}, {} };
        m_tracks.depart(departure.path, shown.now);
        judge(departure);
    }
    if (m_deviations.size() > departures.size())
        m_deviations.remove(0, m_deviations.size() - departures.size());
    emit changed();
    if (fresh > 0)
        emit diverged();
}

void Forecast::judge(const Departure &departure)
{
    Task::start(
        this, tr("Judging what a server did"),
        [rules = m_rules, departure](Progress &progress) {
            return judged(departure, rules, [&progress](qint64) { return !progress.isCanceled(); });
        },
        [this, departure](const Deviation &found) {
            for (Deviation &one : m_deviations) {
                if (one.departure.at == departure.at && one.departure.path == departure.path)
                    one = found;
            }
            emit changed();
        });
}

QString allowedText(const Prediction::Allowed &allowed)
{
    const QString words = listed(allowed.words);
    return allowed.all ? words : Forecast::tr("%1, and perhaps more").arg(words);
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
        return Forecast::tr("same");
    return others->words.isEmpty() ? Forecast::tr("same, and perhaps more")
                                   : Forecast::tr("same, or %1").arg(allowedText(*others));
}

QString followedAnewText(const Forecast &forecast, const QString &path)
{
    return forecast.deviationAt(path) && forecast.prediction().allowed(path)
        ? Forecast::tr("Since then it is checked anew, from its observed state.")
        : QString();
}

QString deviationText(const Deviation &deviation)
{
    const QString what = deviation.what();
    const bool isBroken = deviation.verdict && deviation.verdict->violation;
    const QStringList allowed = isBroken ? deviation.verdict->violation->allowed : QStringList();
    if (allowed.isEmpty())
        return Forecast::tr(
            "%1, which no request from here explains: another client acted, or a rule was broken.")
            .arg(what);
    if (deviation.verdict->violation->isEtag)
        return Forecast::tr("%1: the rules allow this state, but not this etag.").arg(what);
    return Forecast::tr("%1, where the rules allow %2.").arg(what, listed(allowed));
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
    QStringList others; // settings that differ from the current ones
    const Switches &switches = deviation.readings->explaining.first();
    for (auto it = switches.cbegin(); it != switches.cend(); ++it) {
        if (rules.switches().value(it.key()) != *it)
            others += u"%1=%2"_s.arg(it.key(), *it);
    }
    return Forecast::tr("With %1 there is no violation.").arg(others.join(u", "_s));
}

QStringList shortestTrace(const Deviation &deviation)
{
    const std::optional<History> shortest = deviation.shortest();
    if (!shortest)
        return {};
    QList<std::pair<double, QString>> trace;
    for (const RecordedRequest &asked : shortest->requests)
        trace.append(
            { asked.sent, u"%1 %2: %3"_s.arg(asked.request.op, asked.request.path, told(asked)) });
    for (const Observation &seen : shortest->observations)
        trace.append({ seen.from, told(seen) });
    std::ranges::stable_sort(trace, {}, &std::pair<double, QString>::first);
    QStringList lines;
    for (const auto &[time, text] : std::as_const(trace))
        lines +=
            Forecast::tr("%1 s  %2").arg((time - trace.first().first) / 1000, 0, 'f', 3).arg(text);
    return lines;
}

} // namespace instar
