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
    std::optional<HistoryVerdict> verdict; ///< absent: not judged yet
    /// Switch values under which the history conforms; absent until they are searched.
    std::optional<ExplainingSwitches> explainingSwitches {};

    /// Returns the unexplained request or observation as a sentence.
    QString what() const;
    /// Returns the shortest violating part of the history; nothing until it is judged.
    std::optional<History> shortest() const;
};

/// Live conformance of a server, for the views. Judges violations in background tasks. The rules
/// and the conformance monitor must outlive it.
class LiveConformance : public QObject
{
    Q_OBJECT
public:
    LiveConformance(
        const Rules &rules, const ConformanceMonitor &monitor, QObject *parent = nullptr);

    const Rules &rules() const { return m_rules; }
    const ConformanceMonitor &monitor() const { return m_monitor; }
    /// Returns the violations that the conformance monitor keeps, oldest first.
    const QList<JudgedViolation> &judgedViolations() const { return m_judgedViolations; }
    qint64 violationCount() const { return m_violationCount; } ///< including those no longer kept
    /// Returns a violation by its number, from 0; null if it is no longer kept.
    const JudgedViolation *judgedViolation(qint64 number) const;
    /// Returns the time of sending the request that showed a violation, in µs since 1970.
    qint64 sentAt(const JudgedViolation &violation) const;
    const QDateTime &start() const { return m_start; } ///< time 0 of the conformance monitor
    /// Returns the newest violation at a resource; null if there is none.
    const JudgedViolation *judgedViolationAt(const QString &path) const;
    /// Returns the observed and expected states so far.
    const Tracks &tracks() const { return m_tracks; }
    /// Adds a record's observed states to the tracks. `now` is the world after the record.
    void addObserved(const Record &record, const World &now) { m_tracks.addObserved(record, now); }
    /// Adds the expected states of `trees` to the tracks and judges new violations. `shown` is the
    /// current world, `start` time 0 of the conformance monitor.
    void addExpected(const World &shown, const QStringList &trees, const QDateTime &start = {});

signals:
    /// The allowed states may have changed, or a violation was judged.
    void changed();
    void violated(); ///< the conformance monitor found new violations

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
/// Returns the category whose colours show an outcome.
StatusCategory statusCategoryOf(HistorySearch::Outcome outcome);
/// "Updating, Failed or absent"
QString allowedText(const ConformanceMonitor::Allowed &allowed);
/// Returns the words that a resource may show, or the reason why none is known, in parentheses.
QString expectedText(const LiveConformance &conformance, const QString &path);

/// Returns the violation with the states that the rules allow instead, as a sentence.
QString violationText(const JudgedViolation &judgedViolation);
/// Returns the violated row and its source; empty if the violation is not judged yet or has no row.
QString brokenRuleText(const JudgedViolation &judgedViolation);
/// Returns the switch values that explain a violation, as a sentence; empty if none are known.
QString explainingSwitchesText(const JudgedViolation &judgedViolation, const Rules &rules);
/// Returns the shortest violating history as lines by time: "0.012 s  PUT /a/b: r1 was accepted".
QStringList shortestTrace(const JudgedViolation &judgedViolation);

} // namespace instar
