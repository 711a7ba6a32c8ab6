// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/prediction.h"
#include "model/engine/verdict.h"
#include "model/items/tracks.h"

#include <QObject>

namespace instar {

/// Where a server left the rules, and what judging that has told.
struct Deviation
{
    Departure departure;
    std::optional<HistoryVerdict> verdict; ///< nothing: it is not judged yet
    /// Settings of the pack's switches under which nothing would have been wrong.
    std::optional<Readings> readings;

    /// What nothing explains: "/a/b was seen Failed".
    QString what() const;
    /// The shortest part that shows it, as a history of its own; nothing as long as it is not
    /// judged.
    std::optional<History> shortest() const;
};

/// The prediction beside what a server shows, for whoever shows it. Departures are judged beside
/// the event loop. Rules and prediction must outlive it.
class Forecast : public QObject
{
    Q_OBJECT
public:
    Forecast(const Rules &rules, const Prediction &prediction, QObject *parent = nullptr);

    const Rules &rules() const { return m_rules; }
    const Prediction &prediction() const { return m_prediction; }
    /// Oldest first; as many as the prediction keeps.
    const QList<Deviation> &deviations() const { return m_deviations; }
    /// The newest that is about a resource; null: there is none.
    const Deviation *deviationAt(const QString &path) const;
    /// What was seen and foretold until now.
    const Tracks &tracks() const { return m_tracks; }
    /// `shown` shows what a record tells.
    void show(const Record &record, const World &shown) { m_tracks.see(record, shown); }
    /// The prediction knows more, of top-level resources; the server is shown as it was seen.
    void look(const World &shown, const QStringList &trees);

signals:
    /// What is allowed may be something else, or a departure was judged.
    void changed();
    void diverged();

private:
    void judge(const Departure &departure);

    const Rules &m_rules;
    const Prediction &m_prediction;
    QList<Deviation> m_deviations;
    Tracks m_tracks;
    qint64 m_departed = 0; ///< of which this knows
};

// What the rules say beside what a server shows, in a person's words.

/// "Updating, Failed or absent"
QString allowedText(const Prediction::Allowed &allowed);
/// The words that a resource may show: "Updating, Failed or absent"; or, in brackets, why nobody
/// can say.
QString foretoldText(const Forecast &forecast, const QString &path);
/// The same beside the word that is seen: "same", "same, or Failed".
QString foretoldBeside(const Forecast &forecast, const QString &path, const QString &seen);

/// "/a/b was seen Failed, where the rules allow Succeeded."
QString deviationText(const Deviation &deviation);
/// Where something was wrong at a resource that is followed again: a sentence that says so.
QString followedAnewText(const Forecast &forecast, const QString &path);
/// The row that says otherwise, with its source; empty: not judged yet, or none is known.
QString brokenRuleText(const Deviation &deviation);
/// "With orphanPolicy=fail nothing would be wrong."; empty: under no setting of the switches, or it
/// is not known.
QString readingText(const Deviation &deviation, const Rules &rules);
/// The shortest history that shows it, a line each, in order of time: "12.0 ms  PUT /a/b: r1 was
/// accepted".
QStringList shortestTrace(const Deviation &deviation);

} // namespace instar
