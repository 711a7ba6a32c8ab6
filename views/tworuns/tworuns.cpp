// SPDX-License-Identifier: Apache-2.0
#include "views/tworuns/tworuns.h"

#include "model/items/rundifferencetext.h"
#include "model/items/words.h"
#include "model/task.h"
#include "views/diagram/statechart.h"
#include "views/icons.h"
#include "views/panels/elidedlabel.h"
#include "views/panels/taskstrip.h"
#include "views/score/scoreview.h"

#include <QFontDatabase>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QShortcut>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostLines = 5; ///< of the sentence; its tooltip has all of it

/// Every time at which something happens in a run.
void addTimes(const Simulator &run, QList<qint64> &times)
{
    for (qsizetype moment = 0; moment <= run.lastMoment(); ++moment)
        times += run.timeOf(moment);
}

QToolButton *labelled(const QString &text, const QString &tip)
{
    auto *button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setProperty("labelled", true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

TwoRuns::TwoRuns(QWidget *parent)
    : QDialog(parent, Qt::Window),
      m_menu(new QMenu(this)),
      m_with(labelled(tr("Compare &with"),
          tr("Another branch, other settings of the switches, or another pack"))),
      m_again(
          labelled(tr("Again"), tr("What runs here has gone on: compare it as it is now (F5)"))),
      m_before(labelled(tr("Previous Difference"), tr("Shift+F3"))),
      m_next(labelled(tr("Next Difference"), tr("F3"))),
      m_sentence(new QLabel),
      m_where(new QLabel),
      m_clock(new QLabel),
      m_said(new ElidedLabel),
      m_tasks(new TaskStrip),
      m_halves(new QSplitter),
      m_bottom(buildBottom())
{
    setWindowTitle(tr("Side by Side"));
    m_halves->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gap::normal, gap::normal, gap::normal, gap::normal);
    layout->setSpacing(gap::small);
    layout->addWidget(buildTop());
    layout->addWidget(m_tasks);
    layout->addWidget(m_said);
    layout->addWidget(m_halves, 1);
    layout->addWidget(m_bottom);
    m_said->setProperty("dim", true);

    const auto on = [this](const QKeySequence &keys, auto act) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, act);
    };
    on(Qt::Key_F3, [this] { goTo(1); });
    on(Qt::SHIFT | Qt::Key_F3, [this] { goTo(-1); });
    on(QKeySequence::Refresh, [this] { emit againAsked(); });
    connect(m_next, &QToolButton::clicked, this, [this] { goTo(1); });
    connect(m_before, &QToolButton::clicked, this, [this] { goTo(-1); });
    connect(m_again, &QToolButton::clicked, this, &TwoRuns::againAsked);
    refresh();
}

QWidget *TwoRuns::buildTop()
{
    m_with->setIcon(icon(u"more"_s));
    m_with->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_with->setMenu(m_menu);
    m_with->setPopupMode(QToolButton::InstantPopup);
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAccessibleName(tr("What differs"));
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_sentence->setMaximumHeight(m_sentence->fontMetrics().lineSpacing() * MostLines);
    auto *top = new QWidget;
    auto *layout = new QHBoxLayout(top);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::normal);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_again, 0, Qt::AlignTop);
    layout->addWidget(m_with, 0, Qt::AlignTop);
    return top;
}

QWidget *TwoRuns::buildBottom()
{
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setAccessibleName(tr("Time"));
    m_slider->setToolTip(
        tr("Arrow keys go from one thing that happens to the next, in either run"));
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        if (value < m_times.size())
            showTime(m_times[value]);
    });
    m_clock->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_clock->setAccessibleName(tr("Virtual time"));
    m_where->setProperty("dim", true);
    auto *bottom = new QWidget;
    auto *layout = new QHBoxLayout(bottom);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::normal);
    layout->addWidget(m_clock);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_where);
    layout->addWidget(m_before);
    layout->addWidget(m_next);
    return bottom;
}

/// While they go they still scroll, and what they tell of it must find someone.
TwoRuns::~TwoRuns()
{
    delete m_halves;
}

void TwoRuns::setTheme(const Theme &theme)
{
    m_theme = theme;
    for (RunView *half : { m_here, m_there }) {
        if (half)
            half->setTheme(theme);
    }
}

void TwoRuns::setMotion(Motion motion)
{
    m_motion = motion;
    for (RunView *half : { m_here, m_there }) {
        if (half)
            half->setMotion(motion);
    }
}

void TwoRuns::follow(Task *task)
{
    m_tasks->follow(task);
}

void TwoRuns::tell(const QString &sentence)
{
    delete std::exchange(m_here, nullptr);
    delete std::exchange(m_there, nullptr);
    m_differences.clear();
    m_times.clear();
    m_said->clear();
    say(sentence);
    refresh();
}

void TwoRuns::setContent(TwoRunsContent content, const QString &path)
{
    const QByteArray heights = m_here ? m_here->split().saveState() : QByteArray();
    tell({});
    m_differences = std::move(content.differences);
    m_said->setText(content.said.join(u' '));
    m_said->setToolTip(content.said.join(u'\n'));
    addTimes(*content.here, m_times);
    const qint64 here = std::ranges::max(m_times);
    QList<qint64> there;
    addTimes(*content.there, there);
    m_agreed = content.isCutOff ? std::min(here, std::ranges::max(there))
                                : std::max(here, std::ranges::max(there));
    m_isCutOff = content.isCutOff;
    m_times += there;
    std::ranges::sort(m_times);
    m_times.erase(std::ranges::unique(m_times).begin(), m_times.end());
    //: the run in the window
    m_here =
        new RunView(std::move(content.here), tr("Here: %1").arg(content.hereTitle), tr("here"));
    //: what it is compared with
    m_there =
        new RunView(std::move(content.there), tr("There: %1").arg(content.thereTitle), tr("there"));
    for (RunView *half : { m_here, m_there }) {
        half->setTheme(m_theme);
        half->setMotion(m_motion);
        half->split().restoreState(heights);
        half->score().setLeastEnd(m_times.last());
        m_halves->addWidget(half);
    }
    m_halves->setSizes({ 1, 1 });
    connectHalves();
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, int(m_times.size()) - 1);
        m_slider->setPageStep(std::max(1, int(m_times.size()) / 10));
    }
    select(m_path.isEmpty() ? path : m_path);
    if (m_differences.isEmpty()) {
        showTime(m_times.last());
    } else {
        m_time = m_times.first() - 1;
        goTo(1);
    }
    m_slider->setFocus();
}

/// What is done in the one half is done in the other one, too.
void TwoRuns::connectHalves()
{
    const auto both = [this](RunView *half, RunView *other) {
        connect(half, &RunView::resourceChosen, this, &TwoRuns::select);
        connect(half, &RunView::timeAsked, this, &TwoRuns::showTime);
        connect(&half->split(), &QSplitter::splitterMoved, &other->split(),
            [half, other] { other->split().setSizes(half->split().sizes()); });
        // The one that moves is not moved by the other, which may not be able to go as far.
        const auto follow = [this, half, other] {
            if (!std::exchange(m_isFollowing, true)) {
                other->score().showAs(half->score());
                m_isFollowing = false;
            }
        };
        connect(&half->score(), &ScoreView::zoomed, other, follow);
        for (const auto &bar :
            { &QAbstractScrollArea::horizontalScrollBar, &QAbstractScrollArea::verticalScrollBar })
            connect((half->score().*bar)(), &QScrollBar::valueChanged, other, follow);
    };
    both(m_here, m_there);
    both(m_there, m_here);
}

void TwoRuns::select(const QString &path)
{
    if (path.isEmpty() || !m_here)
        return;
    m_path = path;
    m_here->select(path);
    m_there->select(path);
    refresh();
}

void TwoRuns::showTime(qint64 time)
{
    if (!m_here)
        return;
    m_time = time;
    m_here->showTime(time);
    m_there->showTime(time);
    const auto after = std::ranges::upper_bound(m_times, time);
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(std::max(0, int(after - m_times.begin()) - 1));
    refresh();
}

void TwoRuns::goTo(int by)
{
    const auto isMeant = [&](const RunDifference &each) {
        return by > 0 ? each.time > m_time : each.time < m_time;
    };
    const RunDifference *meant = nullptr;
    for (const RunDifference &each : std::as_const(m_differences)) {
        if (isMeant(each) && (by < 0 || !meant))
            meant = &each;
    }
    if (!meant)
        return;
    showTime(meant->time);
    select(toldPath(*meant));
}

qsizetype TwoRuns::current() const
{
    const auto after = std::ranges::upper_bound(m_differences, m_time, {}, &RunDifference::time);
    return m_differences.isEmpty() ? -1 : std::max<qsizetype>(0, after - m_differences.begin() - 1);
}

void TwoRuns::refresh()
{
    const qsizetype index = current();
    m_bottom->setVisible(m_here);
    m_again->setEnabled(m_here);
    m_said->setVisible(!m_said->text().isEmpty());
    m_before->setEnabled(index >= 0 && m_differences.first().time < m_time);
    m_next->setEnabled(index >= 0 && m_differences.last().time > m_time);
    if (!m_here)
        return;
    m_clock->setText(timeText(m_time));
    const QString here = m_here->state(), there = m_there->state();
    const bool isSame = here == there;
    m_here->setOther(isSame ? std::nullopt : std::optional(there));
    m_there->setOther(isSame ? std::nullopt : std::optional(here));
    if (index < 0) {
        say(m_isCutOff
                ? tr("Both agree from the beginning to %1, as far as both were followed.")
                      .arg(timeText(m_agreed))
                : tr("Both agree from the beginning to the end, at %1.").arg(timeText(m_agreed)));
        m_where->clear();
        return;
    }
    const RunDifference &difference = m_differences[index];
    say(runDifferenceText(
        difference, index == 0 ? Which::First : Which::Later, m_here->run(), m_there->run()));
    m_where->setText(tr("Difference %1 of %2").arg(index + 1).arg(m_differences.size()));
    QList<qint64> times;
    for (const RunDifference &each : std::as_const(m_differences))
        times += each.time;
    QStringList paths;
    for (const Fact &fact : difference.resources)
        paths += fact.what;
    const bool isToCome = m_time < difference.time;
    const QString operation = isToCome || difference.operations.isEmpty()
        ? QString()
        : difference.operations.first().what;
    for (RunView *half : { m_here, m_there })
        half->setDifferences(times, isToCome ? QStringList() : paths, operation);
}

void TwoRuns::say(const QString &sentence)
{
    m_told = sentence;
    // A path may go on in the next line, however long it is.
    m_sentence->setText(QString(sentence).replace(u'/', u"/\u200b"_s));
    m_sentence->setToolTip(sentence);
}

} // namespace instar
