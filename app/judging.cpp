// SPDX-License-Identifier: Apache-2.0
#include "app/judging.h"

#include "app/filedialogs.h"
#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "model/json/filebytes.h"
#include "model/json/historytext.h"
#include "model/remote/historyrecorder.h"
#include "views/panels/judgedialog.h"

#include <QDate>
#include <QFileDialog>
#include <QMessageBox>
#include <QRegularExpression>

#include <algorithm>

namespace instar {

namespace {

Budget budgetFor(const Progress &progress)
{
    return { .states = VerdictStates, .isCanceled = &progress.flag() };
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

/// Opens a window that plays a part of the history: the shortest part that violates the rules, or
/// an order of events that explains all its answers.
void playPart(MainWindow &window, JudgeDialog *dialog, const Judged::Part &part)
{
    const Pack &pack = window.controller().rules().pack();
    if (part.verdict.violation) {
        const Scenario replay = shortestReplay(part.history, part.verdict);
        return window.program().openTrace(pack, window.pack(), replay, &window);
    }
    const Rules rules = *Rules::make(pack, dialog->judged().switches);
    dialog->follow(Task::start(
        dialog, MainWindow::tr("Searching for an order of events that explains the history"),
        [part, rules](
            Progress &progress) { return explanationOf(part.history, rules, budgetFor(progress)); },
        [&window, rules, resources = part.history.resources](const QList<Event> &order) {
            if (!order.isEmpty())
                window.program().openPlayed({ rules, makeWorld(rules, resources).world },
                    { .number = 1,
                        .name = MainWindow::tr("Hidden events"),
                        .origin = {},
                        .events = order });
            else
                window.say(MainWindow::tr("The history contains no requests to play"));
        }));
}

} // namespace

void saveHistory(MainWindow &window, const QString &kind, const History &history)
{
    const QString title = MainWindow::tr("Save as a History");
    static const QRegularExpression punctuation(u"[^\\w-]+"_s); // a dot would begin the suffix
    QString judged = window.isLocal() ? window.controller().rules().pack().id
                                      : QUrl(window.network().state().url).host();
    const QString name = u"%1-%2-%3.ndjson"_s.arg(
        kind, judged.replace(punctuation, u"-"_s), QDate::currentDate().toString(Qt::ISODate));
    const QString file =
        askedFile(&window, title, name, MainWindow::tr("One JSON object per line (*.ndjson)"));
    if (savedTo(&window, title, file, writeHistory(history)))
        window.say(MainWindow::tr("Saved %1").arg(file));
}

void askForHistory(MainWindow &window)
{
    const QString file =
        QFileDialog::getOpenFileName(&window, MainWindow::tr("Judge a Recorded History"), {},
            MainWindow::tr("Histories and exchanges (*.ndjson *.jsonl);;All files (*)"));
    if (!file.isEmpty())
        judgeFile(window, file);
}

void judgeFile(MainWindow &window, const QString &file)
{
    const Pack &pack = window.controller().rules().pack();
    const Result<QByteArray> bytes = fileBytes(file);
    const Result<Recording> recording =
        bytes ? readRecording(*bytes, file, pack) : Result<Recording>(Error { bytes.error() });
    if (recording)
        judge(window, *recording);
    else
        QMessageBox::warning(&window, MainWindow::tr("Judge a History"), recording.error());
}

void judge(MainWindow &window, const Recording &recording)
{
    const Rules &rules = window.controller().rules();
    delete window.findChild<JudgeDialog *>();
    auto *dialog = new JudgeDialog(rules.pack(), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto judgeWith = [&window, dialog, recording](const Switches &switches) {
        const Result<Rules> chosen = Rules::make(window.controller().rules().pack(), switches);
        if (!chosen)
            return window.say(chosen.error());
        dialog->follow(Task::start(
            dialog, MainWindow::tr("Judging %1").arg(recording.name),
            [recording, rules = *chosen](
                Progress &progress) { return judgedBy(recording, rules, progress); },
            [dialog](const Judged &judged) { dialog->setJudged(judged); }));
    };
    QObject::connect(dialog, &JudgeDialog::judgeAsked, &window, judgeWith);
    QObject::connect(dialog, &JudgeDialog::playAsked, &window,
        [&window, dialog](const Judged::Part &part) { playPart(window, dialog, part); });
    QObject::connect(dialog, &JudgeDialog::saveAsked, &window,
        [&window](const History &history) { saveHistory(window, u"history"_s, history); });
    dialog->show();
    Switches switches = rules.switches();
    if (recording.plain)
        switches.insert(recording.plain->switches);
    judgeWith(switches);
}

} // namespace instar
