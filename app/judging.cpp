// SPDX-License-Identifier: Apache-2.0
#include "app/judging.h"

#include "app/filedialogs.h"
#include "app/mainwindow.h"
#include "app/network.h"
#include "app/program.h"
#include "model/json/historytext.h"
#include "model/json/library.h"
#include "model/pack/describe.h"
#include "model/remote/historyrecorder.h"
#include "views/panels/judgedialog.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>

#include <algorithm>

namespace instar {

namespace {

/// Pack whose rules judge a recording.
struct JudgingPack
{
    Pack pack;
    QString source;    ///< id of a built-in pack, or a file
    Switches switches; ///< for the first verdict, before the user changes any; absent: default
    QString remark;    ///< why the pack is not the one that the history names; empty if it is
};

JudgingPack packOfWindow(MainWindow &window)
{
    const Rules &rules = window.controller().rules();
    return { rules.pack(), window.pack(), rules.switches(), {} };
}

/// Returns the pack that the file's header names. If the header names no pack, the window's pack or
/// an unknown one, returns the window's pack.
JudgingPack packFor(MainWindow &window, const QByteArray &ndjson, const QString &file)
{
    JudgingPack own = packOfWindow(window);
    const Result<QString> read = packOfHistory(ndjson, file);
    const QString named = read ? *read : QString(); // HTTP exchanges have no header
    if (named.isEmpty() || named == own.pack.id)
        return own;
    const QDir folder = QFileInfo(file).absoluteDir();
    const Result<Pack> pack = loadPack(named, folder.path());
    if (pack)
        return { *pack, builtInPacks().contains(named) ? named : folder.filePath(named), {}, {} };
    own.remark = MainWindow::tr("The history names the pack “%1”, which cannot be read (%2). It is "
                                "judged by the rules of %3.")
                     .arg(named, pack.error(), shownTitle(own.pack));
    return own;
}

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
void playPart(
    MainWindow &window, JudgeDialog *dialog, const JudgingPack &by, const Judged::Part &part)
{
    if (part.verdict.violation) {
        const Scenario replay = shortestReplay(part.history, part.verdict);
        return window.program().openTrace(by.pack, by.source, replay, &window);
    }
    const Rules rules = *Rules::make(by.pack, dialog->judged().switches);
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

void judge(MainWindow &window, const Recording &recording, const JudgingPack &by)
{
    delete window.findChild<JudgeDialog *>(recording.name); // of an earlier verdict
    auto *dialog = new JudgeDialog(by.pack, &window);
    dialog->setObjectName(recording.name);
    dialog->setWindowTitle(MainWindow::tr("Verdict on %1 by the rules of %2")
                               .arg(QFileInfo(recording.name).fileName(), shownTitle(by.pack)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto judgeWith = [&window, dialog, recording, by](const Switches &switches) {
        const Result<Rules> chosen = Rules::make(by.pack, switches);
        if (!chosen)
            return window.say(chosen.error());
        dialog->follow(Task::start(
            dialog, MainWindow::tr("Judging %1").arg(recording.name),
            [recording, rules = *chosen](
                Progress &progress) { return judgedBy(recording, rules, progress); },
            [dialog, remark = by.remark](Judged judged) {
                judged.remark = remark;
                dialog->setJudged(judged);
            }));
    };
    QObject::connect(dialog, &JudgeDialog::judgeAsked, &window, judgeWith);
    QObject::connect(dialog, &JudgeDialog::playAsked, &window,
        [&window, dialog, by](const Judged::Part &part) { playPart(window, dialog, by, part); });
    QObject::connect(dialog, &JudgeDialog::saveAsked, &window,
        [&window](const History &history) { saveHistory(window, u"history"_s, history); });
    dialog->show();
    Switches switches = by.switches;
    if (recording.plain)
        switches.insert(recording.plain->switches);
    judgeWith(switches);
}

} // namespace

void saveHistory(MainWindow &window, const QString &kind, const History &history)
{
    static const QRegularExpression punctuation(u"[^\\w-]+"_s); // a dot would begin the suffix
    QString judged = window.isLocal() ? window.controller().rules().pack().id
                                      : QUrl(window.network().state().url).host();
    const QString name = u"%1-%2-%3.ndjson"_s.arg(kind, judged.replace(punctuation, u"-"_s),
        QDateTime::currentDateTime().toString(u"yyyy-MM-dd-HHmmss"));
    window.say(savedAs(&window, MainWindow::tr("Save as a History"), name,
        MainWindow::tr("One JSON object per line (*.ndjson)"),
        [&](const QString &) { return writeHistory(history); }));
}

bool isRecording(const QString &file)
{
    return file.endsWith(u".ndjson"_s) || file.endsWith(u".jsonl"_s);
}

void judgeFile(MainWindow &window, const QString &file)
{
    const Result<QByteArray> bytes = fileBytes(file);
    const JudgingPack by = packFor(window, bytes ? *bytes : QByteArray(), file);
    const Result<Recording> recording =
        bytes ? readRecording(*bytes, file, by.pack) : Result<Recording>(Error { bytes.error() });
    if (recording)
        judge(window, *recording, by);
    else
        QMessageBox::warning(&window, MainWindow::tr("Judge a History"),
            (recording.error() + u' ' + by.remark).trimmed());
}

void judge(MainWindow &window, const Recording &recording)
{
    judge(window, recording, packOfWindow(window));
}

} // namespace instar
