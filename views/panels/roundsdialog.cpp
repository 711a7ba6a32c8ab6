// SPDX-License-Identifier: Apache-2.0
#include "views/panels/roundsdialog.h"

#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTreeWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Judged = HistorySearch::Outcome;

enum Column { Count, Ending, Spread, Verdict, ColumnCount };

QSpinBox *number(int least, int most, int value, const QString &suffix, const QString &help)
{
    auto *box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setToolTip(help);
    return box;
}

QString microseconds(qint64 ns)
{
    return RoundsDialog::tr("%1 µs").arg(QLocale().toString(double(ns) / 1000, 'f', 0));
}

/// The middle one, and the widest.
QString spreadText(QList<qint64> spreads)
{
    if (spreads.isEmpty())
        return {};
    std::ranges::sort(spreads);
    const QString middle = microseconds(spreads[spreads.size() / 2]);
    return spreads.size() == 1
        ? middle
        : RoundsDialog::tr("%1, at most %2").arg(middle, microseconds(spreads.last()));
}

QString verdictWord(const RoundsAlike &row)
{
    switch (row.outcome) {
    case Judged::Conforms:
        return RoundsDialog::tr("as the rules say");
    case Judged::Violates:
        return RoundsDialog::tr("against the rules: %1").arg(row.what);
    case Judged::Undecided:
    case Judged::NothingJudged:
        break;
    }
    if (row.outcome == Judged::NothingJudged)
        return RoundsDialog::tr("nothing judged");
    return row.what.isEmpty() ? RoundsDialog::tr("not decided")
                              : RoundsDialog::tr("not judged: %1").arg(row.what);
}

Mood moodOf(Judged outcome)
{
    return outcome == Judged::Conforms ? Mood::Rest
        : outcome == Judged::Violates  ? Mood::Failed
                                       : Mood::Waiting;
}

} // namespace

RoundsDialog::RoundsDialog(const Theme &theme, QWidget *parent)
    : QDialog(parent),
      m_theme(theme),
      m_what(new QLabel),
      m_summary(new QLabel),
      m_rounds(number(1, 100'000, 20, {}, tr("How often all of them are fired"))),
      m_clients(
          number(1, 64, 1, {}, tr("How many send each request, each under a name of its own"))),
      m_jitter(number(0, 60'000, 0, tr(" ms"),
          tr("Each request waits at random for so long at most; 0: all leave together"))),
      m_seed(number(
          1, 1'000'000, 1, {}, tr("Of what is random: the same number gives the same waits"))),
      m_stops(new QCheckBox(tr("Stop at the first round against the rules"))),
      m_start(new QPushButton(icon(u"fire"_s), tr("Start"))),
      m_save(new QPushButton(icon(u"export"_s), tr("Save the Round…"))),
      m_progress(new QProgressBar),
      m_list(new QTreeWidget),
      m_text(new HtmlView)
{
    setWindowTitle(tr("Fire Many Times"));
    setModal(false);
    m_what->setWordWrap(true);
    m_summary->setWordWrap(true);
    m_stops->setChecked(true);
    m_start->setObjectName(u"primary"_s);
    m_start->setAutoDefault(true);
    m_start->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_save->setToolTip(tr("Its exchanges, as lines of JSON: instar-cli judge reads them"));
    m_save->setAutoDefault(false);
    m_progress->setFormat(tr("%v of %m rounds"));
    m_jitter->setSpecialValueText(tr("together"));

    auto *form = new QFormLayout;
    form->addRow(tr("&Rounds"), m_rounds);
    form->addRow(tr("&Clients"), m_clients);
    auto *more = new QFormLayout;
    more->addRow(tr("&Apart by up to"), m_jitter);
    more->addRow(tr("S&eed"), m_seed);
    auto *both = new QHBoxLayout;
    both->addLayout(form);
    both->addSpacing(gap::large);
    both->addLayout(more);
    both->addStretch(1);
    auto *acts = new QHBoxLayout;
    acts->addWidget(m_start);
    acts->addWidget(m_progress, 1);
    acts->addStretch();

    m_list->setAccessibleName(tr("How the rounds ended"));
    m_list->setHeaderLabels(
        { tr("Rounds"), tr("How they ended"), tr("Left within"), tr("Verdict") });
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->resizeSection(Count, 64);
    m_list->header()->resizeSection(Ending, 360);
    m_list->header()->resizeSection(Spread, 150);
    m_text->setAccessibleName(tr("About the selected rounds"));
    m_text->setTabChangesFocus(true);
    auto *split = new QSplitter(Qt::Vertical);
    split->addWidget(m_list);
    split->addWidget(m_text);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(gap::normal);
    layout->addWidget(m_what);
    layout->addLayout(both);
    layout->addWidget(m_stops);
    layout->addLayout(acts);
    layout->addWidget(m_summary);
    layout->addWidget(split, 1);
    layout->addWidget(m_save, 0, Qt::AlignLeft);
    resize(860, 640);

    connect(m_start, &QPushButton::clicked, this, [this] {
        if (!m_goesOn)
            return emit startAsked(plan());
        stop();
    });
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (const RoundsAlike *row = selected())
            emit saveAsked(row->first);
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this, &RoundsDialog::showSelected);
    setRequests({});
}

void RoundsDialog::setRequests(const QList<Request> &requests)
{
    m_requests = requests;
    QStringList told;
    for (const Request &request : requests)
        told += u"%1 %2"_s.arg(request.op, request.path.section(u'/', -1));
    m_what->setText(requests.isEmpty()
            ? tr("Nothing is armed: describe operations in the fire bar and arm them.")
            : tr(
                "Fires %1 each time, waits until all has ended, and judges what was seen. What was "
                "removed is made again before the next round.")
                  .arg(told.join(u", "_s)));
    refresh();
}

RoundsPlan RoundsDialog::plan() const
{
    return { .requests = m_requests,
        .rounds = m_rounds->value(),
        .clients = m_clients->value(),
        .jitter = m_jitter->value(),
        .seed = quint32(m_seed->value()),
        .stopsAtViolation = m_stops->isChecked() };
}

void RoundsDialog::setGoingOn(bool goesOn)
{
    m_goesOn = goesOn;
    m_isStopping = false;
    if (goesOn) {
        m_tally = {};
        m_ended = 0;
        m_of = m_rounds->value();
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

/// What nobody sees is not fired.
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
    m_summary->setText(sentence);
}

QString RoundsDialog::summary() const
{
    if (m_rows.isEmpty())
        return m_goesOn ? tr("The first round is under way.") : tr("No round was fired yet.");
    int against = 0, undecided = 0;
    for (const RoundsAlike &row : m_rows) {
        against += row.outcome == Judged::Violates ? row.count : 0;
        undecided +=
            row.outcome == Judged::Violates || row.outcome == Judged::Conforms ? 0 : row.count;
    }
    QStringList parts { against ? tr("%Ln rounds went against the rules.", nullptr, against)
                                : tr("No round went against the rules.") };
    if (undecided)
        parts += tr("%Ln rounds could not be judged.", nullptr, undecided);
    parts += tr("%Ln different endings.", nullptr, int(m_rows.size()));
    return parts.join(u' ');
}

void RoundsDialog::refresh()
{
    const RoundsAlike *before = selected();
    const QString kept = before ? before->ending + before->what : QString();
    m_rows = m_tally.sorted();
    QTreeWidgetItem *current = nullptr;
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const RoundsAlike &row : std::as_const(m_rows)) {
        auto *item = new QTreeWidgetItem(m_list,
            { QLocale().toString(row.count), row.ending, spreadText(row.spreads),
                verdictWord(row) });
        item->setTextAlignment(Count, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(Verdict, m_theme.moodText(moodOf(row.outcome)));
        for (const int column : { Ending, Verdict })
            item->setToolTip(column, item->text(column));
        if (!current || row.ending + row.what == kept)
            current = item;
    }
    m_list->setCurrentItem(current);
    m_start->setText(m_isStopping ? tr("Stopping…") : m_goesOn ? tr("Stop") : tr("Start"));
    m_start->setIcon(icon(m_goesOn ? u"cancel"_s : u"fire"_s));
    m_start->setEnabled(!m_isStopping && (m_goesOn || !m_requests.isEmpty()));
    for (QWidget *field :
        std::initializer_list<QWidget *> { m_rounds, m_clients, m_jitter, m_seed })
        field->setEnabled(!m_goesOn);
    m_stops->setEnabled(!m_goesOn);
    m_progress->setMaximum(std::max(1, m_of));
    m_progress->setValue(m_ended);
    m_progress->setVisible(m_of > 0);
    m_summary->setText(summary());
    showSelected();
}

const RoundsAlike *RoundsDialog::selected() const
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    return row >= 0 && row < m_rows.size() ? &m_rows[row] : nullptr;
}

void RoundsDialog::showSelected()
{
    const RoundsAlike *row = selected();
    m_save->setEnabled(row && !row->first.exchanges.isEmpty());
    if (!row)
        return m_text->clear();
    QString html = u"<p><b>%1</b></p><p>%2</p>"_s.arg(
        tr("Round %1").arg(row->first.number), row->ending.toHtmlEscaped());
    if (const auto &violation = row->first.verdict.violation;
        violation && row->outcome == Judged::Violates) {
        html += u"<p>%1</p>"_s.arg(violationText(*violation).toHtmlEscaped());
        QStringList allowed;
        for (const QString &word : violation->allowed)
            allowed += word.isNull() ? tr("absent") : word;
        html +=
            u"<p>%1</p>"_s.arg(tr("The rules allow: %1")
                                   .arg(allowed.isEmpty() ? tr("nothing") : allowed.join(u", "_s))
                                   .toHtmlEscaped());
        if (!violation->rule.isEmpty())
            html += u"<p>%1 <i>%2</i></p>"_s.arg(
                violation->rule.toHtmlEscaped(), violation->source.toHtmlEscaped());
        for (const Objection &objection : violation->because)
            html += u"<p style='margin:0'>%1: %2</p>"_s.arg(
                objection.event.toHtmlEscaped(), objection.reason.toHtmlEscaped());
    } else {
        html += u"<p>%1</p>"_s.arg(verdictWord(*row).toHtmlEscaped());
    }
    m_text->setHtml(html);
}

} // namespace instar
