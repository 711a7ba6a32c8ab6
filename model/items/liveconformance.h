// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/conformancemonitor.h"
#include "model/conformance/verdict.h"
#include "model/items/statuscategory.h"
#include "model/items/tracks.h"

#include <QDateTime>
#include <QObject>

namespace instar {

/// Violation of the rules by a server, with the verdict on it.
struct JudgedViolation
{
    LiveViolation unexplained;
    qint64 time = 0;                       ///< virtual ms
    std::optional<HistoryVerdict> verdict; ///< nothing: not judged yet
    /// Switch values under which the history conforms. Absent until they are searched.
    std::optional<ExplainingSwitches> explainingSwitches {};

    /// The unexplained request or observation: "/a/b was seen Failed".
    QString what() const;
    /// The shortest part of the history that violates; nothing until it is judged.
    std::optional<History> shortest() const;
};

/// Live conformance of a server, for the views. Judges violations in background tasks. Rules and
/// conformance monitor must outlive it.
class LiveConformance : public QObject
{
    Q_OBJECT
public:
    LiveConformance(
        const Rules &rules, const ConformanceMonitor &monitor, QObject *parent = nullptr);

    const Rules &rules() const { return m_rules; }
    const ConformanceMonitor &monitor() const { return m_monitor; }
    /// Violations, oldest first; as many as the conformance monitor keeps.
    const QList<JudgedViolation> &judgedViolations() const { return m_judgedViolations; }
    qint64 violationCount() const { return m_violationCount; } ///< also of those no longer kept
    /// Violation by its number, from 0; null if it is no longer kept.
    const JudgedViolation *judgedViolation(qint64 number) const;
    /// Moment at which the request was sent that showed a violation, in µs since 1970.
    qint64 sentAt(const JudgedViolation &violation) const;
    const QDateTime &start() const { return m_start; } ///< time 0 of the conformance monitor
    /// The newest violation at a resource; null if there is none.
    const JudgedViolation *judgedViolationAt(const QString &path) const;
    /// Observed and expected states so far.
    const Tracks &tracks() const { return m_tracks; }
    /// Adds a record's observed states to the tracks. `now`: the world after the record.
    void addObserved(const Record &record, const World &now) { m_tracks.addObserved(record, now); }
    /// Adds the expected states of `trees` to the tracks and judges new violations. `shown`: the
    /// current world; `start`: time 0 of the conformance monitor.
    void addExpected(const World &shown, const QStringList &trees, const QDateTime &start = {});

signals:
    /// The allowed states may have changed, or a violation was judged.
    void changed();
    void violated();

private:
    void judge(const JudgedViolation &fresh, const World &shown);

    const Rules &m_rules;
    const ConformanceMonitor &m_monitor;
    QList<JudgedViolation> m_judgedViolations;
    Tracks m_tracks;
    qint64 m_violationCount = 0;
    QDateTime m_start;
};

// Texts that compare a server with the rules.

/// "follows the rules", "breaks the rules", ...
QString outcomeText(HistorySearch::Outcome outcome);
/// Category in whose colours an outcome is shown.
StatusCategory statusCategoryOf(HistorySearch::Outcome outcome);
/// "Updating, Failed or absent"
QString allowedText(const ConformanceMonitor::Allowed &allowed);
/// The words that a resource may show: "Updating, Failed or absent"; or in parentheses why they are
/// unknown.
QString expectedText(const LiveConformance &conformance, const QString &path);

/// "/a/b was seen Failed, where the rules allow Succeeded."
QString violationText(const JudgedViolation &judgedViolation);
/// The violated row with its source; empty if the violation is not judged yet or has no row.
QString brokenRuleText(const JudgedViolation &judgedViolation);
/// "With orphanPolicy=fail nothing would be wrong."; empty if no known switch values explain it.
QString explainingSwitchesText(const JudgedViolation &judgedViolation, const Rules &rules);
/// Shortest history that shows the violation, by time, a line each: "0.012 s  PUT /a/b: r1 was
/// accepted".
QStringList shortestTrace(const JudgedViolation &judgedViolation);

} // namespace instar
