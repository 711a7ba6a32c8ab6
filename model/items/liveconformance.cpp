// SPDX-License-Identifier: Apache-2.0
#include "model/items/liveconformance.h"

#include "model/task.h"

#include <cmath>

namespace instar {

namespace {

constexpr int MostSwitchValues = 64;        ///< combinations of switch values tried for a violation
constexpr qint64 MostJudgedStates = 20'000; ///< states searched for a violation

JudgedViolation judged(
    const LiveViolation &unexplained, const Rules &rules, const Progress &progress)
{
    const Budget budget { .states = MostJudgedStates, .isCanceled = &progress.flag() };
    JudgedViolation judgedViolation { unexplained };
    if (const auto verdict = verdictOn(unexplained.history, rules, budget))
        judgedViolation.verdict = *verdict;
    if (judgedViolation.verdict && judgedViolation.verdict->violation)
        judgedViolation.unexplained.setCause(judgedViolation.verdict->violation->what);
    const std::optional<History> shortest = judgedViolation.shortest();
    if (shortest && !rules.pack().switches.isEmpty())
        judgedViolation.explainingSwitches =
            switchesThatExplain(*shortest, rules.pack(), budget, MostSwitchValues);
    return judgedViolation;
}

/// "Updating, Failed or absent"
QString listed(const QStringList &words)
{
    auto named = mapped<QStringList>(words,
        [](const QString &word) { return word.isEmpty() ? LiveConformance::tr("absent") : word; });
    named.sort();
    if (named.size() < 2)
        return named.join(QString());
    const QString last = named.takeLast();
    //: "Updating, Failed" and "Succeeded"
    return LiveConformance::tr("%1 or %2").arg(named.join(u", "_s), last);
}

/// Returns the words that the rules allowed instead of the observed one, if they are known.
std::optional<ConformanceMonitor::Allowed> allowedInstead(const JudgedViolation &violation)
{
    const auto *observation = std::get_if<Observation>(&violation.unexplained.what);
    const bool isOfResource = observation && observation->isOfResource();
    const bool isConfirmed = violation.verdict && violation.verdict->violation;
    if (!isOfResource || !isConfirmed || violation.verdict->violation->allowed.isEmpty())
        return {};
    return ConformanceMonitor::Allowed { violation.verdict->violation->allowed };
}

QString whyText(ConformanceMonitor::Why why)
{
    const QString texts[] {
        LiveConformance::tr("not checked yet: the resource was never observed at rest"),
        LiveConformance::tr("a rule was broken; checked again when the resource rests"),
        LiveConformance::tr("too many states are possible; checked again when the resource rests"),
        LiveConformance::tr("in transition for too long; checked again when the resource rests"),
        LiveConformance::tr(
            "not checked: a reference connects the resource to a tree in transition"),
        LiveConformance::tr("the connection was lost; checked again when the resource rests"),
    }; // in the order of Why
    return texts[int(why)];
}

} // namespace

QString JudgedViolation::what() const
{
    return std::visit([](const auto &one) { return sentenceOf(one); }, unexplained.what);
}

std::optional<History> JudgedViolation::shortest() const
{
    if (!verdict || !verdict->violation)
        return {};
    return minimalPart(unexplained.history, verdict->violation->minimal);
}

LiveConformance::LiveConformance(
    const Rules &rules, const ConformanceMonitor &monitor, QObject *parent)
    : QObject(parent), m_rules(rules), m_monitor(monitor), m_tracks(rules)
{ }

const JudgedViolation *LiveConformance::judgedViolation(qint64 number) const
{
    const qint64 index = number - m_violationCount + m_judgedViolations.size();
    return index < 0 || index >= m_judgedViolations.size() ? nullptr : &m_judgedViolations[index];
}

const JudgedViolation *LiveConformance::judgedViolationAt(const QString &path) const
{
    for (qsizetype i = m_judgedViolations.size(); i-- > 0;) {
        const QString &at = m_judgedViolations[i].unexplained.path;
        if (at.compare(path, m_rules.pack().caseSensitivity()) == 0)
            return &m_judgedViolations[i];
    }
    return nullptr;
}

qint64 LiveConformance::sentAt(const JudgedViolation &violation) const
{
    const auto *observation = std::get_if<Observation>(&violation.unexplained.what);
    const double from = observation ? observation->from
                                    : std::get<RecordedRequest>(violation.unexplained.what).sent;
    return m_start.toMSecsSinceEpoch() * 1000 + std::llround(from * 1000);
}

void LiveConformance::addExpected(
    const World &shown, const QStringList &trees, const QDateTime &start)
{
    m_start = start;
    const qint64 startAt =
        start.isValid() ? shown.now - start.msecsTo(QDateTime::currentDateTimeUtc()) : 0;
    m_tracks.addExpected(m_monitor, shown, trees);
    const QList<LiveViolation> &violations = m_monitor.violations();
    const auto fresh = qsizetype(
        std::min<qint64>(m_monitor.violationCount() - m_violationCount, violations.size()));
    m_violationCount = m_monitor.violationCount();
    for (const LiveViolation &unexplained : violations.last(fresh)) {
        m_tracks.begin(unexplained, shown);
        judge(m_judgedViolations.emplaceBack(unexplained, startAt + qint64(unexplained.at)), shown);
    }
    if (m_judgedViolations.size() > violations.size())
        m_judgedViolations.remove(0, m_judgedViolations.size() - violations.size());
    emit changed();
    if (fresh > 0)
        emit violated();
}

void LiveConformance::judge(const JudgedViolation &fresh, const World &shown)
{
    Task::start(
        this, tr("Judging the server's behaviour"),
        [rules = m_rules, unexplained = fresh.unexplained](
            Progress &progress) { return judged(unexplained, rules, progress); },
        [this, fresh, shown](JudgedViolation result) {
            result.time = fresh.time + qint64(result.unexplained.at - fresh.unexplained.at);
            for (JudgedViolation &one : m_judgedViolations) {
                if (one.unexplained.at == fresh.unexplained.at
                    && one.unexplained.path == fresh.unexplained.path)
                    one = result;
            }
            m_tracks.begin(result.unexplained, shown); // the cause may be another resource
            m_tracks.addViolation(result.unexplained.path, result.time, allowedInstead(result));
            emit changed();
        });
}

QString outcomeText(HistorySearch::Outcome outcome)
{
    const QString texts[] { LiveConformance::tr("follows the rules"),
        LiveConformance::tr("breaks the rules"), LiveConformance::tr("undecided"),
        LiveConformance::tr("nothing judged") }; // in the order of HistorySearch::Outcome
    return texts[int(outcome)];
}

StatusCategory statusCategoryOf(HistorySearch::Outcome outcome)
{
    return outcome == HistorySearch::Outcome::Conforms ? StatusCategory::Rest
        : outcome == HistorySearch::Outcome::Violates  ? StatusCategory::Failed
                                                       : StatusCategory::Waiting;
}

QString allowedText(const ConformanceMonitor::Allowed &allowed)
{
    const QString words = listed(allowed.words);
    return allowed.all ? words : LiveConformance::tr("%1, and perhaps other states").arg(words);
}

QString expectedText(const LiveConformance &conformance, const QString &path)
{
    if (const auto allowed = conformance.monitor().allowed(path))
        return allowedText(*allowed);
    return u'(' + whyText(*conformance.monitor().lostWhy(path)) + u')';
}

QString violationText(const JudgedViolation &judgedViolation)
{
    const QString text = judgedViolation.what();
    const bool isBroken = judgedViolation.verdict && judgedViolation.verdict->violation;
    const QStringList allowed =
        isBroken ? judgedViolation.verdict->violation->allowed : QStringList();
    if (allowed.isEmpty())
        return LiveConformance::tr("%1. No request of this program explains that: another client "
                                   "acted, or the server broke a rule.")
            .arg(text);
    if (judgedViolation.verdict->violation->isEtag)
        return LiveConformance::tr("%1: the rules allow this state, but not this etag.").arg(text);
    return LiveConformance::tr("%1, but the rules allow only %2.").arg(text, listed(allowed));
}

QString brokenRuleText(const JudgedViolation &judgedViolation)
{
    return judgedViolation.verdict && judgedViolation.verdict->violation
        ? judgedViolation.verdict->violation->ruleText()
        : QString();
}

QString explainingSwitchesText(const JudgedViolation &judgedViolation, const Rules &rules)
{
    if (!judgedViolation.explainingSwitches
        || judgedViolation.explainingSwitches->explaining.isEmpty())
        return {};
    QStringList changed, rulesOfChanged; // switch values that differ from the current ones
    const Switches &switches = judgedViolation.explainingSwitches->explaining.first();
    for (auto it = switches.cbegin(); it != switches.cend(); ++it) {
        if (rules.switches().value(it.key()) == *it)
            continue;
        changed += u"%1=%2"_s.arg(it.key(), *it);
        const Switch &row = *rules.pack().findSwitch(it.key());
        const QString cited = rules.pack().sourceText(row);
        rulesOfChanged += cited.isEmpty() ? row.about : u"%1 [%2]"_s.arg(row.about, cited);
    }
    //: settings, and what they decide
    return LiveConformance::tr("With the switch values %1, there is no violation. %2")
        .arg(changed.join(u", "_s), rulesOfChanged.join(u' '));
}

QStringList shortestTrace(const JudgedViolation &judgedViolation)
{
    const std::optional<History> shortest = judgedViolation.shortest();
    if (!shortest)
        return {};
    std::multimap<double, QString> trace; // by time
    for (const RecordedRequest &each : shortest->requests)
        trace.emplace(
            each.sent, u"%1 %2: %3"_s.arg(each.request.op, each.request.path, sentenceOf(each)));
    for (const Observation &each : shortest->observations)
        trace.emplace(each.from, sentenceOf(each));
    QStringList lines;
    for (const auto &[time, text] : trace)
        lines += LiveConformance::tr("%1 s  %2")
                     .arg((time - trace.begin()->first) / 1000, 0, 'f', 3)
                     .arg(text);
    return lines;
}

} // namespace instar
