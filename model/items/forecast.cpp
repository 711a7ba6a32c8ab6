// SPDX-License-Identifier: Apache-2.0
#include "model/items/forecast.h"

#include "model/task.h"

#include <algorithm>

namespace instar {

namespace {

constexpr int MostReadings = 64;
constexpr qint64 MostMetWhenJudged = 20'000; ///< that are met when a departure is judged

bool isDepartureAt(const Departure &departure, const QString &path, const Prediction &prediction)
{
    return prediction.treeOf(departure.path) == prediction.treeOf(path)
        && departure.path.compare(path, Qt::CaseInsensitive) == 0;
}

/// Says what is wrong instead of what came when the rules were left.
void blame(Departure &departure, const Violation &violation)
{
    departure.what = violation.what;
    const auto *seen = std::get_if<Observation>(&violation.what);
    if (seen && seen->isOfResource())
        departure.path = seen->path;
    for (const AskedThen &asked : std::as_const(departure.history.requests)) {
        if (seen ? asked.request.id == seen->operation
                 : asked == std::get<AskedThen>(violation.what))
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

} // namespace

QString Deviation::what() const
{
    const auto *asked = std::get_if<AskedThen>(&departure.what);
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

} // namespace instar
