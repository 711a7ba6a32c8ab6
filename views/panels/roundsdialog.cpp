// SPDX-License-Identifier: Apache-2.0
#include "views/panels/roundsdialog.h"

#include "model/items/liveconformance.h"
#include "model/items/outcomesmodel.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/judgedialog.h"
#include "views/panels/ui_roundsdialog.h"

#include <QHeaderView>
#include <QLocale>

#include <algorithm>

namespace instar {

namespace {

using Found = HistorySearch::Outcome;

enum Column { Count, RoundEnding, Spread, RoundVerdict };

QString microseconds(qint64 ns)
{
    return RoundsDialog::tr("%1 µs").arg(QLocale().toString(double(ns) / 1000, 'f', 0));
}

/// Text of the median and the greatest spread: time between a round's first and last send.
QString spreadText(QList<qint64> spreads)
{
    if (spreads.isEmpty())
        return {};
    std::ranges::sort(spreads);
    const QString middle = microseconds(spreads[spreads.size() / 2]);
    return spreads.size() == 1
        ? middle
        : RoundsDialog::tr("median %1, at most %2").arg(middle, microseconds(spreads.last()));
}

QString verdictWord(const RoundGroup &row)
{
    const QString word = outcomeText(row.outcome);
    if (row.outcome == Found::Violates)
        return u"%1: %2"_s.arg(word, row.what);
    if (row.outcome == Found::Undecided && !row.what.isEmpty())
        return RoundsDialog::tr("not judged: %1").arg(row.what);
    return word;
}

/// Returns HTML: the trace of a round that breaks the rules beside the trace of the round with the
/// longest common beginning that kept the rules. Marks the first different line.
QString besideKept(const Round &broken, const QList<RoundGroup> &groups)
{
    constexpr qsizetype linesBefore = 5, linesAfter = 15; // of the first difference
    const Round *kept = nullptr;
    qsizetype common = -1;
    for (const RoundGroup &group : groups) {
        const qsizetype same = commonSteps(broken.trace, group.first.trace);
        if (group.outcome != Found::Conforms || same <= common)
            continue;
        kept = &group.first;
        common = same;
    }
    if (!kept)
        return u"<p>%1</p>"_s.arg(
            RoundsDialog::tr("No round kept the rules, so none is shown beside this one."));
    const qsizetype end = std::max(broken.trace.size(), kept->trace.size());
    const QString marked = u"<tr bgcolor='%1'><td><b>≠</b></td>"_s.arg(theme().warningFill.name());
    QString rows;
    for (qsizetype line = std::max<qsizetype>(0, common - linesBefore);
         line < std::min(end, common + linesAfter); ++line)
        rows += (line == common ? marked : u"<tr><td></td>"_s)
            + u"<td>%1</td><td>%2</td></tr>"_s.arg(
                broken.trace.value(line).toHtmlEscaped(), kept->trace.value(line).toHtmlEscaped());
    const QString text = common < end
        ? RoundsDialog::tr("Round %1 kept the rules. ≠ marks the first line where the two part.")
        : RoundsDialog::tr("Round %1 kept the rules. Its lines are the same: only etags, bodies or "
                           "times differ.");
    const QString title = RoundsDialog::tr("Round %1");
    const QString heads =
        u"<tr><td></td><th align='left'>%1</th><th align='left'>%2</th></tr>"_s.arg(
            title.arg(broken.number), title.arg(kept->number));
    return u"<p>%1</p><table cellspacing='0' cellpadding='3'>%2</table>"_s.arg(
        text.arg(kept->number), heads + rows);
}

} // namespace

RoundsDialog::RoundsDialog(QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::RoundsDialog>())
{
    m_ui->setupUi(this);
    m_ui->save->setIcon(icon(u"export"_s));
    m_ui->list->header()->resizeSection(Count, 64);
    m_ui->list->header()->resizeSection(RoundEnding, 360);
    m_ui->list->header()->resizeSection(Spread, 150);
    m_ui->split->setStretchFactor(0, 2);
    m_ui->split->setStretchFactor(1, 1);

    connect(m_ui->primary, &QPushButton::clicked, this, [this] {
        if (!m_goesOn)
            return emit startAsked(plan());
        stop();
    });
    connect(m_ui->save, &QPushButton::clicked, this, [this] {
        if (const RoundGroup *row = selected())
            emit saveAsked(row->first);
    });
    connect(m_ui->list, &QTreeWidget::currentItemChanged, this, &RoundsDialog::showSelected);
    setRequests({});
}

RoundsDialog::~RoundsDialog() = default;

void RoundsDialog::setRequests(const QList<Request> &requests)
{
    m_requests = requests;
    QStringList operations;
    for (const Request &request : requests)
        operations += u"%1 %2"_s.arg(request.op, request.path.section(u'/', -1));
    m_ui->what->setText(requests.isEmpty()
            ? tr("The burst is empty: describe an operation in the Explore room and press + Burst.")
            : tr("Each round fires %1, waits until all operations have ended, and judges the "
                 "observations. Resources that a round removed are created again before the next "
                 "one.")
                  .arg(operations.join(u", "_s)));
    refresh();
}

RoundsPlan RoundsDialog::plan() const
{
    return { .requests = m_requests,
        .rounds = m_ui->rounds->value(),
        .clients = m_ui->clients->value(),
        .jitter = m_ui->jitter->value(),
        .stopsAtViolation = m_ui->stops->isChecked() };
}

void RoundsDialog::setGoingOn(bool goesOn)
{
    m_goesOn = goesOn;
    m_isStopping = false;
    if (goesOn) {
        m_tally = {};
        m_ended = 0;
        m_total = m_ui->rounds->value();
    }
    refresh();
}

void RoundsDialog::stop()
{
    if (!m_goesOn || m_isStopping)
        return;
    m_isStopping = true;
    refresh();
    emit stopAsked();
}

/// Stops the rounds when the dialog closes.
void RoundsDialog::done(int result)
{
    stop();
    QDialog::done(result);
}

void RoundsDialog::add(const Round &round)
{
    ++m_ended;
    m_tally.add(round);
    refresh();
}

void RoundsDialog::say(const QString &sentence)
{
    m_ui->summary->setText(sentence);
}

QString RoundsDialog::summary() const
{
    if (m_rows.isEmpty())
        return m_goesOn ? tr("The first round is running.") : tr("No round has run yet.");
    int violating = 0, kept = 0;
    for (const RoundGroup &row : m_rows) {
        violating += row.outcome == Found::Violates ? row.count : 0;
        kept += row.outcome == Found::Conforms ? row.count : 0;
    }
    const int undecided = m_ended - violating - kept;
    const QLocale locale;
    QStringList parts { tr("Kept the rules: %1 of the %2 rounds tried.")
                            .arg(locale.toString(kept), locale.toString(m_ended)),
        violating ? tr("%Ln rounds broke the rules.", nullptr, violating)
                  : tr("No round broke the rules.") };
    if (undecided)
        parts += tr("%Ln rounds could not be judged.", nullptr, undecided);
    parts += tr("%Ln different endings.", nullptr, int(m_rows.size()));
    return parts.join(u' ');
}

void RoundsDialog::refresh()
{
    const RoundGroup *before = selected();
    const QString kept = before ? before->ending + before->what : QString();
    m_rows = m_tally.sorted();
    QTreeWidgetItem *current = nullptr;
    const QSignalBlocker quiet(m_ui->list);
    m_ui->list->clear();
    for (const RoundGroup &row : std::as_const(m_rows)) {
        auto *item = new QTreeWidgetItem(m_ui->list,
            { QLocale().toString(row.count), row.ending, spreadText(row.spreads),
                verdictWord(row) });
        item->setTextAlignment(Count, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(
            RoundVerdict, theme().statusCategoryText(statusCategoryOf(row.outcome)));
        for (const int column : { RoundEnding, RoundVerdict })
            item->setToolTip(column, item->text(column));
        if (!current || row.ending + row.what == kept)
            current = item;
    }
    m_ui->list->setCurrentItem(current);
    m_ui->primary->setText(m_isStopping ? tr("Stopping…") : m_goesOn ? tr("Stop") : tr("Start"));
    m_ui->primary->setIcon(icon(m_goesOn ? u"cancel"_s : u"fire"_s));
    m_ui->primary->setEnabled(!m_isStopping && (m_goesOn || !m_requests.isEmpty()));
    for (QSpinBox *field : { m_ui->rounds, m_ui->clients, m_ui->jitter })
        field->setEnabled(!m_goesOn);
    m_ui->stops->setEnabled(!m_goesOn);
    m_ui->progress->setMaximum(std::max(1, m_total));
    m_ui->progress->setValue(m_ended);
    m_ui->progress->setVisible(m_total > 0);
    m_ui->summary->setText(summary());
    showSelected();
}

const RoundGroup *RoundsDialog::selected() const
{
    const int row = m_ui->list->indexOfTopLevelItem(m_ui->list->currentItem());
    return row >= 0 && row < m_rows.size() ? &m_rows[row] : nullptr;
}

void RoundsDialog::showSelected()
{
    const RoundGroup *row = selected();
    m_ui->save->setEnabled(row && !row->first.exchanges.isEmpty());
    if (!row)
        return m_ui->text->clear();
    QString html = u"<p><b>%1</b></p><p>%2</p>"_s.arg(
        tr("Round %1").arg(row->first.number), row->ending.toHtmlEscaped());
    html += row->outcome == Found::Violates && row->first.verdict.violation
        ? violationHtml({}, row->first.verdict) + besideKept(row->first, m_rows)
        : u"<p>%1</p>"_s.arg(verdictWord(*row).toHtmlEscaped());
    m_ui->text->setHtml(html);
}

} // namespace instar
