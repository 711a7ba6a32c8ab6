// SPDX-License-Identifier: Apache-2.0
#include "views/panels/judgedialog.h"

#include "model/items/words.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/ui_judgedialog.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>

#include <algorithm>
#include <numeric>

namespace instar {

namespace {

using Found = HistorySearch::Outcome;

enum JudgedColumn { Trees, Requests, Observations, HowJudged };

QStringList treesOf(const History &history)
{
    QStringList trees;
    const auto add = [&](const QString &path) {
        const QString tree = path.section(u'/', 0, 2);
        if (!tree.isEmpty() && !trees.contains(tree, Qt::CaseInsensitive))
            trees += tree;
    };
    for (const ResourceSpec &resource : history.resources)
        add(resource.path);
    for (const RecordedRequest &recorded : history.requests)
        add(recorded.request.path);
    for (const Observation &observation : history.observations)
        add(observation.path);
    return trees;
}

/// Converts a verdict to a violation, for the texts that monitoring uses.
JudgedViolation judgedViolationOf(const History &history, const HistoryVerdict &verdict)
{
    JudgedViolation judgedViolation { .unexplained = {}, .verdict = verdict };
    judgedViolation.unexplained.history = history;
    if (verdict.violation)
        judgedViolation.unexplained.what = verdict.violation->what;
    return judgedViolation;
}

QString textParagraph(const QString &text, const QString &style = {})
{
    return u"<p style='margin:4px 0;%1'>%2</p>"_s.arg(style, text.toHtmlEscaped());
}

/// A heading with lines below it; empty if there are no lines.
QString listed(const QString &heading, const QStringList &lines)
{
    QString html = lines.isEmpty() ? QString() : textParagraph(heading);
    for (const QString &line : lines)
        html += textParagraph(line, u"margin:0"_s);
    return html;
}

} // namespace

QString violationHtml(const History &history, const HistoryVerdict &verdict)
{
    const JudgedViolation judgedViolation = judgedViolationOf(history, verdict);
    QString html = textParagraph(violationText(judgedViolation), u"font-weight:bold"_s)
        + textParagraph(verdict.violation->details);
    if (const QString rule = brokenRuleText(judgedViolation); !rule.isEmpty())
        html += textParagraph(JudgeDialog::tr("Broken rule: %1").arg(rule));
    QStringList lines;
    for (const auto &[event, reason, details] : verdict.violation->because)
        lines += u"%1: %2"_s.arg(event, reason)
            + (details.isEmpty() ? QString() : u" (%1)"_s.arg(details));
    return html
        + listed(JudgeDialog::tr("Why no possible next event explains the observation:"), lines)
        + listed(JudgeDialog::tr("The shortest trace that shows the violation:"),
            shortestTrace(judgedViolation));
}

std::optional<History> Judged::Part::shortest() const
{
    return judgedViolationOf(history, verdict).shortest();
}

HistorySearch::Outcome Judged::outcome() const
{
    for (const Found worst : { Found::Violates, Found::Undecided, Found::Conforms }) {
        if (std::ranges::any_of(
                parts, [=](const Part &part) { return part.verdict.outcome == worst; }))
            return worst;
    }
    return Found::NothingJudged;
}

qsizetype Judged::explained() const
{
    return std::accumulate(parts.begin(), parts.end(), qsizetype(0),
        [](qsizetype sum, const Part &part) { return sum + part.verdict.explained; });
}

qsizetype Judged::of() const
{
    return std::accumulate(parts.begin(), parts.end(), qsizetype(0),
        [](qsizetype sum, const Part &part) { return sum + part.history.size(); });
}

JudgeDialog::JudgeDialog(const Pack &pack, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::JudgeDialog>())
{
    m_ui->setupUi(this);
    m_ui->play->setIcon(icon(u"play"_s));
    m_ui->save->setIcon(icon(u"export"_s));
    m_ui->cancel->setIcon(icon(u"cancel"_s));
    for (const Switch &row : pack.switches) {
        auto *box = new QComboBox;
        box->setProperty("switch", row.id);
        box->setToolTip(row.about);
        for (const QString &value : row.values)
            box->addItem(switchValueText(row, value), value);
        auto *label = new QLabel(displayName(row.id));
        label->setBuddy(box);
        const int number = m_ui->switches->count() / 2; // a grid row has two switches
        m_ui->switches->addWidget(label, number / 2, number % 2 * 3);
        m_ui->switches->addWidget(box, number / 2, number % 2 * 3 + 1);
        connect(box, &QComboBox::activated, this, [this] { emit judgeAsked(switches()); });
    }
    m_ui->switches->setColumnMinimumWidth(2, gap::large);
    m_ui->switches->setColumnStretch(5, 1);
    m_ui->list->header()->resizeSection(Trees, 300);
    m_ui->list->header()->resizeSection(Requests, 84);
    m_ui->list->header()->resizeSection(Observations, 64);
    m_ui->split->setStretchFactor(0, 1);
    m_ui->split->setStretchFactor(1, 2);

    connect(m_ui->cancel, &QPushButton::clicked, this, [this] {
        if (m_task)
            m_task->cancel();
    });
    connect(m_ui->play, &QPushButton::clicked, this, [this] {
        if (const Judged::Part *part = selected())
            emit playAsked(*part);
    });
    auto *files = new QMenu(m_ui->save);
    const auto file = [&](const QString &text, auto act) {
        return files->addAction(text, this, [this, act] {
            if (const Judged::Part *part = selected())
                act(*part);
        });
    };
    file(tr("&Whole History…"), [this](const Judged::Part &part) { emit saveAsked(part.history); });
    m_saveShortest = file(tr("The Shortest &Trace…"), [this](const Judged::Part &part) {
        if (const std::optional<History> shortest = part.shortest())
            emit saveAsked(*shortest);
    });
    m_ui->save->setMenu(files);
    connect(m_ui->list, &QTreeWidget::currentItemChanged, this, &JudgeDialog::showSelected);
    refresh();
}

JudgeDialog::~JudgeDialog() = default;

Switches JudgeDialog::switches() const
{
    Switches chosen;
    for (const QComboBox *box : findChildren<QComboBox *>())
        chosen.insert(box->property("switch").toString(), box->currentData().toString());
    return chosen;
}

void JudgeDialog::follow(Task *task)
{
    if (m_task)
        m_task->cancel();
    m_task = task;
    connect(task, &Task::progressed, this, &JudgeDialog::refresh);
    connect(task, &Task::ended, this, &JudgeDialog::refresh);
    refresh();
}

void JudgeDialog::setJudged(const Judged &judged)
{
    m_judged = judged;
    for (QComboBox *box : findChildren<QComboBox *>()) {
        const int index = box->findData(judged.switches.value(box->property("switch").toString()));
        if (index >= 0)
            box->setCurrentIndex(index);
    }
    m_ui->list->clear();
    const QLocale locale;
    for (const Judged::Part &part : m_judged.parts) {
        auto *item = new QTreeWidgetItem(m_ui->list,
            { treesOf(part.history).join(u", "_s), locale.toString(part.history.requests.size()),
                locale.toString(part.history.observations.size()),
                outcomeText(part.verdict.outcome) });
        item->setTextAlignment(Requests, Qt::AlignRight | Qt::AlignVCenter);
        item->setTextAlignment(Observations, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(
            HowJudged, theme().statusCategoryText(statusCategoryOf(part.verdict.outcome)));
        item->setToolTip(Trees, item->text(Trees));
    }
    m_ui->list->setCurrentItem(m_ui->list->topLevelItem(0));
    refresh();
}

const Judged::Part *JudgeDialog::selected() const
{
    const int row = m_ui->list->indexOfTopLevelItem(m_ui->list->currentItem());
    return row >= 0 && row < m_judged.parts.size() ? &m_judged.parts[row] : nullptr;
}

QString JudgeDialog::summary() const
{
    if (m_task && m_task->isGoingOn())
        return m_task->title();
    if (!m_judged.problem.isEmpty())
        return m_judged.problem;
    const QLocale locale;
    const QString count =
        tr("%1 of %2 requests and observations are explained.")
            .arg(locale.toString(m_judged.explained()), locale.toString(m_judged.of()));
    QStringList parts;
    if (m_judged.outcome() == Found::NothingJudged)
        parts += tr("Nothing judged: the history contains nothing that could break a rule.");
    else if (m_judged.outcome() == Found::Conforms)
        parts += tr("The server follows the rules: %1").arg(count);
    else if (m_judged.outcome() == Found::Violates)
        parts += tr("The server breaks the rules: %1").arg(count);
    else
        parts += tr("Undecided: too many orders of events are possible. %1").arg(count);
    if (!m_judged.leftOut.isEmpty())
        parts += tr("Not judged, because the state before the first request is unknown: %1.")
                     .arg(m_judged.leftOut.join(u", "_s));
    return (parts << m_judged.remark).join(u' ').trimmed();
}

void JudgeDialog::refresh()
{
    const bool goesOn = m_task && m_task->isGoingOn();
    m_ui->summary->setText(summary());
    QFont font = m_ui->summary->font();
    font.setBold(!goesOn);
    m_ui->summary->setFont(font);
    m_ui->progress->setVisible(goesOn);
    m_ui->cancel->setVisible(goesOn);
    if (goesOn) {
        m_ui->progress->setMaximum(int(m_task->progress().all()));
        m_ui->progress->setValue(int(m_task->progress().done()));
    }
    showSelected();
}

void JudgeDialog::showSelected()
{
    const Judged::Part *part = selected();
    const bool violates = part && part->verdict.outcome == Found::Violates;
    m_ui->play->setText(violates ? tr("&Play the Shortest Trace") : tr("&Play an Explanation"));
    m_ui->play->setToolTip(violates
            ? tr("Opens a window that plays the same requests as the rules "
                 "demand")
            : tr("Opens a window that plays, on the chart and the timeline, an "
                 "order of events that explains every answer"));
    m_ui->play->setEnabled(part && (violates || part->verdict.outcome == Found::Conforms));
    m_ui->save->setEnabled(part);
    m_saveShortest->setEnabled(violates && part->shortest());
    m_ui->text->setHtml(part ? textOf(*part) : QString());
}

QString JudgeDialog::textOf(const Judged::Part &part) const
{
    if (part.verdict.outcome == Found::Undecided)
        return textParagraph(
            tr("Undecided: too many orders of events are possible. The search found "
               "no violation, but cannot exclude one."));
    if (part.verdict.outcome == Found::NothingJudged)
        return textParagraph(
            tr("The history contains requests, but no answer or observation shows their effect."));
    if (part.verdict.violation)
        return violationHtml(part.history, part.verdict);
    QStringList lines;
    for (const HiddenEvent &one : part.verdict.order)
        lines += tr("after %1 s  %2").arg(one.after / 1000, 0, 'f', 3).arg(one.event);
    return lines.isEmpty()
        ? textParagraph(tr("Nothing changed between the observations, so no further events are "
                           "needed to explain them."))
        : listed(
            tr("One order of hidden events that explains every answer and observation:"), lines);
}

} // namespace instar
