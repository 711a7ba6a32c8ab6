// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oraclepair.h"

#include "tests/support/oracle.h"
#include "tests/support/staging.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QStringList chosen(const QStringList &from, int bits)
{
    QStringList some;
    for (qsizetype i = 0; i < from.size(); ++i) {
        if (bits & (1 << i))
            some.append(from[i]);
    }
    return some;
}

oracle::Settings settingsOf(const std::vector<int> &numbers)
{
    oracle::Settings settings;
    settings.siblingsRunConcurrently = numbers[0] == 1;
    settings.midLevelCancelsSubtree = numbers[1] == 1;
    settings.etagOnCompletion = numbers[2] == 1;
    settings.ancestorsRestored = numbers[3] == 1;
    settings.orphans = oracle::Settings::Orphans(numbers[4]);
    return settings;
}

const Rules &rulesFor(const oracle::Settings &settings)
{
    static std::map<std::map<QString, QString>, Rules> all;
    const auto yes = [](bool on) { return on ? u"true"_s : u"false"_s; };
    const Switches switches {
        { u"siblingsRunConcurrently"_s, yes(settings.siblingsRunConcurrently) },
        { u"midLevelCancelsSubtree"_s, yes(settings.midLevelCancelsSubtree) },
        { u"etagOnCompletion"_s, yes(settings.etagOnCompletion) },
        { u"ancestorOutcome"_s, settings.ancestorsRestored ? u"restore"_s : u"operation"_s },
        { u"orphanPolicy"_s,
            QStringList { u"restore"_s, u"followTree"_s, u"fail"_s }[int(settings.orphans)] },
    };
    const auto found = all.find(switches.toStdMap());
    if (found != all.end())
        return found->second;
    return all.emplace(switches.toStdMap(), rulesOf(packNamed(u"network-controller"_s), switches))
        .first->second;
}

/// Engine and naive controller side by side: both get the same events, and are then compared.
class Pair
{
public:
    Pair(const Plan &plan, QMap<QString, int> &met)
        : m_met(met),
          m_settings(settingsOf(plan.switches)),
          m_specs(specsOf(plan)),
          m_oracle(m_settings, seedsOf(m_specs)),
          m_staging(rulesFor(m_settings), m_specs)
    {
        m_log = u"switches:"_s;
        const Switches &switches = m_staging.simulator.rules().switches();
        for (auto it = switches.cbegin(); it != switches.cend(); ++it)
            m_log += u' ' + it.key() + u'=' + it.value();
        m_log += u"\nresources:\n"_s;
        for (const ResourceSpec &spec : m_specs)
            m_log += u"  "_s + spec.path + u' ' + spec.state + u" -> "_s
                + spec.references.join(u' ') + u'\n';
        remember();
    }

    QString run(const std::vector<Draft> &drafts)
    {
        QString problem = difference();
        for (const Draft &draft : drafts) {
            static constexpr qint64 gaps[] { 0, 0, 100, 500, 1000, 1000, 2000, 5000 };
            if (problem.isEmpty())
                problem = advance(m_oracle.now() + gaps[draft.gap]);
            if (!problem.isEmpty())
                break;
            submit(draft);
            remember();
            problem = difference();
        }
        while (problem.isEmpty() && m_oracle.nextTime() >= 0)
            problem = advance(m_oracle.nextTime());
        if (problem.isEmpty()
            && nextEvent(m_staging.simulator.rules(), m_staging.simulator.world()).kind
                != Event::Kind::Wait)
            problem = u"the engine goes on when the oracle is quiet"_s;
        if (problem.isEmpty())
            problem = playedDifference();
        for (const oracle::Operation &operation : m_oracle.operations()) {
            ++m_met[operation.replayOf < 0 ? operation.status + u' ' + operation.code
                                           : u"replayed"_s];
            m_met[u"given to another"_s] += !operation.followers.isEmpty();
            m_met[u"tried again"_s] += operation.attempts > 1;
            m_met[u"several in the way"_s] += operation.inTheWay.size() > 1;
        }
        return problem.isEmpty() ? QString() : problem + u"\n\n"_s + m_log;
    }

private:
    static QList<ResourceSpec> specsOf(const Plan &plan)
    {
        QList<ResourceSpec> specs;
        QStringList there;
        for (qsizetype i = 0; i < planPaths().size(); ++i) {
            const QString &path = planPaths()[i];
            const int state = plan.present[size_t(i)];
            const QString parent = path.section(u'/', 0, -3);
            if (state > 5 || (!parent.isEmpty() && !there.contains(parent)))
                continue;
            there.append(path);
            specs.append({ .path = path,
                .state = state == 5 ? u"Failed"_s : u"Succeeded"_s,
                .references = chosen(planReferences(path), plan.references[size_t(i)]) });
        }
        return specs;
    }

    static std::vector<oracle::Resource> seedsOf(const QList<ResourceSpec> &specs)
    {
        std::vector<oracle::Resource> seeds;
        for (const ResourceSpec &spec : specs)
            seeds.push_back(
                { .path = spec.path, .state = spec.state, .references = spec.references });
        return seeds;
    }

    QString advance(qint64 time)
    {
        while (m_oracle.nextTime() >= 0 && m_oracle.nextTime() < time) {
            const qint64 next = m_oracle.nextTime();
            m_oracle.advanceTo(next);
            m_staging.simulator.advanceTo(next);
            const QString problem = difference();
            if (!problem.isEmpty())
                return problem;
        }
        m_oracle.advanceTo(time);
        m_staging.simulator.advanceTo(time);
        return difference();
    }

    /// Stores the current etags, which later requests may send.
    void remember()
    {
        QMap<QString, std::pair<int, QString>> seen;
        for (const oracle::Resource &resource : m_oracle.resources())
            seen.insert(resource.path.toLower(), { resource.etag, m_staging.etag(resource.path) });
        m_seen.append(seen);
    }

    /// Etag for a random number, for both controllers: current, from the past, or one that never
    /// existed.
    std::pair<oracle::Match, QString> match(int number, const QString &path) const
    {
        using Kind = oracle::Match::Kind;
        if (number == 1)
            return { { Kind::Star }, u"*"_s };
        if (number == 2)
            return { { Kind::Empty }, QString() };
        if (number == 3)
            return { { Kind::Etag, -1 }, u"W/\"never\""_s };
        if (number < 4 || number > 7)
            return {};
        const qsizetype moment = number == 4 ? 0
            : number == 5                    ? m_seen.size() / 2
                                             : m_seen.size() - 1;
        const auto &seen = m_seen[moment];
        const auto found = seen.constFind(path.toLower());
        if (found == seen.constEnd())
            return { { Kind::Etag, -1 }, u"W/\"never\""_s };
        return { { Kind::Etag, found->first },
            number == 6 ? u"W/\"never\", "_s + found->second : found->second }; // a list
    }

    void submit(const Draft &draft)
    {
        const auto &paths = planPaths();
        // Mostly the first tree and its neighbours, so that operations conflict.
        QString path = paths[draft.path < 25 ? draft.path
                : draft.path < 45            ? (draft.path - 25) % 7
                                             : (draft.path - 45)];
        const QString plain = path;
        if (draft.spelling == 1)
            path = path.toUpper();
        else if (draft.spelling == 2)
            path = path.toLower();

        oracle::Ask ask;
        ask.op = draft.op < 11 ? u"PUT"_s : draft.op < 18 ? u"DELETE"_s : u"GET"_s;
        static constexpr qint64 durations[] { 1000, 1000, 1000, 500, 100, 0, 2000, 3000 };
        ask.duration = durations[draft.duration];
        ask.fails = draft.fails == 1;
        ask.transientFailures = draft.transients;
        ask.hangs = draft.hang == 1;
        if (ask.op == u"PUT")
            ask.references = chosen(planReferences(plain), draft.references);
        if (ask.op != u"GET" && draft.requestId > 9)
            ask.requestId = u"request %1"_s.arg(draft.requestId);

        Request request;
        if (ask.op != u"GET" && !(ask.op == u"DELETE" && plain.endsWith(u"config"))) {
            std::tie(ask.ifMatch, request.ifMatch) = match(draft.ifMatch, path);
            if (ask.op == u"PUT" && draft.ifNoneMatch < 3)
                std::tie(ask.ifNoneMatch, request.ifNoneMatch) = match(draft.ifNoneMatch, path);
        }
        ask.path = path;
        request.op = ask.op;
        request.path = path;
        request.duration = ask.duration;
        request.outcome = ask.fails ? u"failed"_s : QString();
        request.transientFailures = ask.transientFailures;
        request.hang = ask.hangs;
        request.references = ask.references;
        request.requestId = ask.requestId;
        m_log += u"%1: op%2 %3 %4 duration %5%6 transient %7%8 if %9 / %10 id %11 refs %12\n"_s
                     .arg(m_oracle.now())
                     .arg(m_oracle.operations().size() + 1)
                     .arg(ask.op, ask.path)
                     .arg(ask.duration)
                     .arg(ask.fails ? u" fails"_s : QString())
                     .arg(ask.transientFailures)
                     .arg(ask.hangs ? u" hangs"_s : QString())
                     .arg(request.ifMatch, request.ifNoneMatch, ask.requestId,
                         ask.references.join(u' '));
        m_oracle.submit(ask);
        m_steps.append({ .at = m_oracle.now(), .request = request });
        m_staging.ask(request);
    }

    QString oracleTree() const
    {
        QString text;
        for (const oracle::Resource &resource : m_oracle.resources())
            text += resource.path + u' ' + resource.state + u'\n';
        return text;
    }

    QString difference()
    {
        const QString at =
            u"at %1 after op%2: "_s.arg(m_oracle.now()).arg(m_oracle.operations().size());
        if (m_staging.tree() != oracleTree())
            return at + u"expected\n"_s + oracleTree() + u"found\n"_s + m_staging.tree();
        const QString broken =
            brokenPromise(m_staging.simulator.rules(), m_staging.simulator.world());
        if (!broken.isEmpty())
            return at + broken;
        for (const oracle::Resource &resource : m_oracle.resources()) {
            const QString found = m_staging.etag(resource.path);
            const QString known = m_etags.value(resource.etag, found);
            m_etags.insert(resource.etag, found);
            m_etagNumbers.insert(found, m_etagNumbers.value(found, resource.etag));
            if (known != found || m_etagNumbers[found] != resource.etag)
                return at
                    + u"%1 has etag %2, expected that numbered %3, which is %4"_s
                          .arg(resource.path, found)
                          .arg(resource.etag)
                          .arg(known);
        }
        for (size_t i = 0; i < m_oracle.operations().size(); ++i) {
            const QString problem = operationDifference(int(i));
            if (!problem.isEmpty())
                return at + problem;
        }
        return {};
    }

    QString operationDifference(int index) const
    {
        const oracle::Operation &own = m_oracle.operations()[size_t(index)];
        const Operation &found = m_staging.simulator.operations().all()[index];
        const oracle::Operation &expected =
            own.replayOf < 0 ? own : m_oracle.operations()[size_t(own.replayOf)];
        const auto id = [](int number) {
            return number < 0 ? QString() : u"op%1"_s.arg(number + 1);
        };
        const auto line = [](const QStringList &words) { return words.join(u' '); };
        const QString wanted = line({ expected.status, expected.code,
            QString::number(expected.attempts), id(expected.canceledBy), u"replay:"_s,
            id(own.replayOf), QString::number(expected.ended) });
        const QString got = line({ statusName(found.status), found.errorCode,
            QString::number(found.attempts), found.canceledBy, u"replay:"_s, found.replayOf,
            QString::number(found.ended.value_or(-1)) });
        if (wanted != got)
            return u"op%1: expected %2, found %3"_s.arg(index + 1).arg(wanted, got);
        const bool named = !found.conflictsWith.isEmpty();
        const auto names = [&](int other) { return id(other) == found.conflictsWith; };
        if (named != !expected.inTheWay.isEmpty()
            || (named && std::ranges::none_of(expected.inTheWay, names)))
            return u"op%1: conflicts with %2"_s.arg(index + 1).arg(found.conflictsWith);
        return {};
    }

    /// Difference if the whole plan is played as one scenario; empty: none.
    QString playedDifference() const
    {
        Scenario scenario;
        scenario.steps = m_steps;
        Staging played(rulesFor(m_settings), m_specs);
        instar::play(scenario, played.simulator);
        if (played.simulator.operations() != m_staging.simulator.operations())
            return u"played as a scenario, the operations end differently"_s;
        return played.tree() == m_staging.tree()
            ? QString()
            : u"played as a scenario, the resources end differently"_s;
    }

    QMap<QString, int> &m_met;
    oracle::Settings m_settings;
    QList<ResourceSpec> m_specs;
    oracle::Controller m_oracle;
    Staging m_staging;
    QList<QMap<QString, std::pair<int, QString>>> m_seen;
    QMap<int, QString> m_etags;
    QMap<QString, int> m_etagNumbers;
    QList<ScenarioStep> m_steps;
    QString m_log;
};

} // namespace

QString disagreement(const Plan &plan, QMap<QString, int> &met)
{
    return Pair(plan, met).run(plan.drafts);
}

} // namespace instar
