// SPDX-License-Identifier: Apache-2.0
#include "app/judging.h"

#include "app/filedialogs.h"
#include "app/mainwindow.h"
#include "app/program.h"
#include "model/json/filebytes.h"
#include "model/json/historytext.h"

#include <QFileDialog>
#include <QMessageBox>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Budget budgetFor(Progress &progress)
{
    return { .states = VerdictStates,
        .goesOn = [&progress](qint64) { return !progress.isCanceled(); } };
}

Judged judgedBy(const Recording &recording, const Rules &rules, Progress &progress)
{
    const auto [history, leftOut] = historyOf(recording, rules);
    Judged judged { .parts = {}, .leftOut = leftOut, .problem = {}, .switches = rules.switches() };
    const QList<History> parts = partsOf(history, rules);
    for (const History &part : parts) {
        progress.setDone(judged.parts.size(), parts.size());
        const Result<HistoryVerdict> verdict = verdictOn(part, rules, budgetFor(progress));
        if (!verdict) {
            judged.problem = verdict.error();
            break;
        }
        judged.parts += Judged::Part { part, *verdict };
    }
    const auto rank = [](const Judged::Part &part) {
        return part.verdict.outcome == HistorySearch::Outcome::Violates ? 0
            : part.verdict.outcome == HistorySearch::Outcome::Conforms  ? 2
                                                                        : 1;
    };
    std::ranges::stable_sort(judged.parts, {}, rank);
    return judged;
}

} // namespace

Judging::Judging(MainWindow &window) : QObject(&window), m_window(window) { }

const Pack &Judging::pack() const
{
    return m_window.controller().rules().pack();
}

void Judging::judgeFile()
{
    const QString file = QFileDialog::getOpenFileName(&m_window, tr("Judge a Recorded History"), {},
        tr("Histories, exchanges and archives (*.ndjson *.jsonl *.har *.json);;All files (*)"));
    if (file.isEmpty())
        return;
    const Result<QByteArray> bytes = fileBytes(file);
    const Result<Recording> recording =
        bytes ? readRecording(*bytes, file, pack()) : Result<Recording>(Error { bytes.error() });
    if (recording)
        judge(*recording);
    else
        QMessageBox::warning(&m_window, tr("Judge a Recorded History"), recording.error());
}

void Judging::judge(const Recording &recording)
{
    m_recording = recording;
    delete m_dialog;
    m_dialog = new JudgeDialog(pack(), &m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &JudgeDialog::judgeAsked, this, &Judging::judgeBy);
    connect(m_dialog, &JudgeDialog::playAsked, this, &Judging::play);
    connect(m_dialog, &JudgeDialog::saveAsked, this, &Judging::save);
    m_dialog->show();
    Switches switches = m_window.controller().rules().switches();
    if (recording.plain)
        switches.insert(recording.plain->switches);
    judgeBy(switches);
}

void Judging::judgeBy(const Switches &switches)
{
    const Result<Rules> rules = Rules::make(pack(), switches);
    if (!rules)
        return m_window.say(rules.error());
    m_dialog->follow(Task::start(
        m_dialog, tr("Judging %1").arg(m_recording.name),
        [recording = m_recording, rules = *rules](
            Progress &progress) { return judgedBy(recording, rules, progress); },
        [this](const Judged &judged) { m_dialog->setJudged(judged); }));
}

void Judging::play(const Judged::Part &part)
{
    const Switches switches = m_dialog->judged().switches;
    if (part.verdict.violation) {
        if (const std::optional<History> shortest = part.shortest())
            m_window.openTrace({ m_window.pack(), pack(), switches }, traceOf(*shortest));
        return;
    }
    const Rules rules = *Rules::make(pack(), switches);
    m_dialog->follow(Task::start(
        m_dialog, tr("Searching for an order of events that explains the history"),
        [part, rules](
            Progress &progress) { return explanationOf(part.history, rules, budgetFor(progress)); },
        [this, rules, resources = part.history.resources](const QList<Event> &order) {
            if (!order.isEmpty())
                m_window.program().openPlayed({ rules, makeWorld(rules, resources).world },
                    { .number = 1, .name = tr("Hidden events"), .origin = {}, .events = order },
                    &m_window);
            else
                m_window.say(tr("The history contains no requests to play"));
        }));
}

void Judging::save(const History &history)
{
    const QString title = tr("Save as a History");
    const QString file =
        askedFile(&m_window, title, u"history.ndjson"_s, tr("One JSON object per line (*.ndjson)"));
    if (savedTo(&m_window, title, file, writeHistory(history)))
        m_window.say(tr("Saved %1").arg(file));
}

} // namespace instar
