// SPDX-License-Identifier: Apache-2.0
#include "views/editing/comparepanel.h"

#include "model/formats/reading.h"
#include "model/machine/outline.h"
#include "views/document/document.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

enum CompareColumn { What, Place, Before, After, CompareColumns };
constexpr int compareLineRole = Qt::UserRole;
constexpr int compareDelayMs = 300; ///< after the last change

QString jsonText(const QJsonValue &value)
{
    const QByteArray list = QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact);
    return value.isString() ? value.toString() : QString::fromUtf8(list.sliced(1, list.size() - 2));
}

/// What a row says, member by member; of a row that is only called otherwise its name.
QString membersText(const Difference &difference, const QJsonObject &row, const QJsonObject &other)
{
    if (difference.kind == Difference::Kind::Renamed)
        return row.value("id"_L1).toString();
    QStringList keys = row.keys();
    if (difference.kind == Difference::Kind::Changed)
        keys += other.keys();
    keys.removeDuplicates();
    keys.sort();
    QStringList members;
    for (const QString &key : std::as_const(keys))
        members += row.contains(key) ? u"%1: %2"_s.arg(key, jsonText(row.value(key)))
                                     : ComparePanel::tr("no %1").arg(key);
    return members.join(u"; "_s);
}

QString kindText(const Difference &difference)
{
    switch (difference.kind) {
    case Difference::Kind::Added:
        return ComparePanel::tr("Added %1").arg(difference.row);
    case Difference::Kind::Removed:
        return ComparePanel::tr("Removed %1").arg(difference.row);
    case Difference::Kind::Renamed:
        return ComparePanel::tr("Renamed %1").arg(difference.row);
    case Difference::Kind::Changed:
        break;
    }
    return ComparePanel::tr("Changed %1").arg(difference.row);
}

/// What a machine does is looked at first, and where it is written last.
int importanceOf(const Difference &difference)
{
    if (difference.where.startsWith(u"machines/"_s))
        return 0;
    return difference.where.isEmpty() || difference.where.startsWith(u"sources/"_s) ? 2 : 1;
}

QString stepHtml(const ScenarioStep &step)
{
    const QString at = QLocale().toString(step.at);
    if (step.kind == ScenarioStep::Kind::End)
        return ComparePanel::tr("At %1 ms <b>%2</b> ends as <b>%3</b>")
            .arg(at, step.operation.toHtmlEscaped(), step.outcome.toHtmlEscaped());
    QString text = ComparePanel::tr("At %1 ms <b>%2</b> on %3 (%4)")
                       .arg(at, step.request.op.toHtmlEscaped(), step.request.path.toHtmlEscaped(),
                           step.request.id.toHtmlEscaped());
    for (auto it = step.request.conditions.cbegin(); it != step.request.conditions.cend(); ++it)
        text += ComparePanel::tr(", where “%1” holds").arg(it.key().toHtmlEscaped());
    return text;
}

} // namespace

ComparePanel::ComparePanel(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_menu(new QMenu(this)),
      m_with(new QToolButton),
      m_swap(new QToolButton),
      m_summary(new ElidedLabel),
      m_list(new QTreeView),
      m_model(new QStandardItemModel(0, CompareColumns, this)),
      m_story(new QTextBrowser),
      m_stop(new QPushButton(tr("Stop Looking"))),
      m_save(new QPushButton(tr("Save the Story…"))),
      m_runFirst(new QPushButton),
      m_runSecond(new QPushButton)
{
    build();
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &ComparePanel::look);
    connect(&document, &Document::changed, this, &ComparePanel::restart);
    connect(&document, &Document::modifiedChanged, this, &ComparePanel::restart);
    tell();
    tellStory();
}

void ComparePanel::build()
{
    auto *bar = new QHBoxLayout;
    bar->setSpacing(gap::small);
    for (QToolButton *button : { m_with, m_swap })
        button->setProperty("labelled", true);
    m_with->setText(tr("Compare with"));
    m_with->setIcon(icon(u"more"_s));
    m_with->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_with->setMenu(m_menu);
    m_with->setPopupMode(QToolButton::InstantPopup);
    m_with->setToolTip(tr("Choose another pack, another setting or what was saved "
                          "(Ctrl+Shift+D)"));
    m_swap->setText(tr("Swap"));
    m_swap->setToolTip(tr("What came second comes first: what was added was removed"));
    connect(m_swap, &QToolButton::clicked, this, &ComparePanel::swapSides);
    auto *close = new QToolButton;
    close->setIcon(icon(u"close"_s));
    close->setAutoRaise(true);
    close->setToolTip(tr("Compare no longer"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, [this] {
        clear();
        emit closed();
    });
    bar->addWidget(m_with);
    bar->addWidget(m_swap);
    bar->addWidget(m_summary, 1);
    bar->addWidget(close);

    m_model->setHorizontalHeaderLabels(
        { tr("Difference"), tr("Where"), tr("First"), tr("Second") });
    m_list->setModel(m_model);
    m_list->setAccessibleName(tr("Differences"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->resizeSection(What, 150);
    m_list->header()->resizeSection(Place, 130);
    m_list->header()->setSectionResizeMode(Before, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(After, QHeaderView::Stretch);
    showWhenEmpty(m_list, [this] {
        if (!m_other)
            return tr("Choose what to compare this pack with.");
        return isLooking() ? tr("Comparing …") : tr("Both say the same.");
    });
    makeRowsCopyable(m_list, compareLineRole);
    const auto choose = [this](const QModelIndex &index) {
        if (index.isValid() && index.row() < m_comparison.comparison.differences.size())
            emit differenceChosen(m_comparison.comparison.differences[index.row()]);
    };
    connect(m_list, &QTreeView::activated, this, choose);
    connect(m_list, &QTreeView::clicked, this, choose);

    auto *split = new QSplitter;
    split->addWidget(m_list);
    split->addWidget(buildStory());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gap::small, gap::small, gap::small, gap::small);
    layout->setSpacing(gap::small);
    layout->addLayout(bar);
    layout->addWidget(split, 1);
    setFocusProxy(m_list);
}

QWidget *ComparePanel::buildStory()
{
    m_story->setAccessibleName(tr("What they do differently"));
    m_story->setOpenLinks(false);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(gap::small);
    for (QPushButton *button : { m_stop, m_runFirst, m_runSecond, m_save })
        buttons->addWidget(button);
    buttons->addStretch(1);
    m_save->setToolTip(tr("As a scenario: what it expects is so in the first, not in the second"));
    connect(m_stop, &QPushButton::clicked, this, &ComparePanel::stop);
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (const auto told = story(Side::First))
            emit saveAsked(*told);
    });
    const auto run = [this](Side side) {
        if (const auto told = story(side))
            emit runAsked(pack(side), *told);
    };
    connect(m_runFirst, &QPushButton::clicked, this, [run] { run(Side::First); });
    connect(m_runSecond, &QPushButton::clicked, this, [run] { run(Side::Second); });
    auto *right = new QWidget;
    auto *layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addWidget(m_story, 1);
    layout->addLayout(buttons);
    return right;
}

void ComparePanel::setTheme(const Theme &theme)
{
    m_theme = theme;
    tell();
}

void ComparePanel::setHere(const QString &name, const Switches &switches)
{
    if (name == m_name && switches == m_switches)
        return;
    m_name = name;
    m_switches = switches;
    restart();
}

void ComparePanel::choose()
{
    m_with->setFocus(Qt::ShortcutFocusReason);
    m_with->showMenu();
}

void ComparePanel::compareWith(const Counterpart &other)
{
    m_other = other;
    m_isSwapped = false;
    m_isOn = true;
    look();
}

void ComparePanel::swapSides()
{
    if (!m_other)
        return;
    m_isSwapped = !m_isSwapped;
    look();
}

void ComparePanel::clear()
{
    m_other.reset();
    m_isSwapped = false;
    if (m_task)
        m_task->cancel();
    m_task.clear();
    m_delay.stop();
    m_first = m_second = {};
    m_comparison = {};
    m_found.reset();
    tell();
    tellStory();
    emit compared();
}

void ComparePanel::setOn(bool on)
{
    if (on == m_isOn)
        return;
    m_isOn = on;
    if (on)
        return restart();
    m_delay.stop();
    if (m_task)
        m_task->cancel();
    m_task.clear();
}

QString ComparePanel::title(Side side) const
{
    if (!m_other)
        return {};
    if (side != here())
        return m_other->title;
    return tr("this pack");
}

/// The document as it is now.
ComparedPack ComparePanel::document() const
{
    return { m_document.file().isEmpty() ? m_name : m_document.file(), m_document.pack(),
        m_switches };
}

ComparedPack ComparePanel::other() const
{
    switch (m_other->kind) {
    case Counterpart::Kind::Pack:
        return { m_other->name, m_other->pack, m_other->switches };
    case Counterpart::Kind::Saved:
        return { document().name, m_document.saved(), m_switches };
    case Counterpart::Kind::Setting:
        break;
    }
    return { document().name, m_document.pack(), m_other->switches };
}

void ComparePanel::restart()
{
    if (m_other && m_isOn)
        m_delay.start(compareDelayMs);
}

void ComparePanel::look()
{
    m_delay.stop();
    if (m_task)
        m_task->cancel();
    m_first = other();
    m_second = document();
    if (m_isSwapped)
        std::swap(m_first, m_second);
    m_found.reset();
    m_isStopped = false;
    m_task = Task::start(
        this, tr("Comparing"),
        [a = m_first, b = m_second](Progress &) { return instar::compared(a, b); },
        [this](const PackComparison &comparison) {
            m_task.clear();
            m_comparison = { comparison, here(), pack(here()).pack };
            std::ranges::stable_sort(m_comparison.comparison.differences, {}, &importanceOf);
            tell();
            emit compared();
            lookForStory();
        });
    tellStory();
}

void ComparePanel::lookForStory()
{
    if (m_comparison.comparison.differences.isEmpty()) {
        m_found = Result<PackDivergence>(PackDivergence());
        return tellStory();
    }
    m_task = Task::start(
        this, tr("Looking for a story that ends differently"),
        [a = m_first, b = m_second, renamings = m_comparison.comparison.likeness.renamings](
            Progress &progress) {
            DivergenceBudget budget;
            budget.goesOn = [&progress, most = budget.worlds](qint64 worlds) {
                progress.setDone(worlds, most);
                return !progress.isCanceled();
            };
            return divergence(a, b, renamings, budget);
        },
        [this](const Result<PackDivergence> &found) {
            m_task.clear();
            m_found = found;
            tellStory();
        });
    connect(m_task, &Task::progressed, this, &ComparePanel::tellStory);
    tellStory();
}

void ComparePanel::stop()
{
    if (m_isStopped)
        return look();
    if (m_task)
        m_task->cancel();
    m_task.clear();
    m_isStopped = true;
    tellStory();
}

QString ComparePanel::summary() const
{
    if (!m_other)
        return {};
    const QString sides = tr("%1 → %2").arg(title(Side::First), title(Side::Second));
    const qsizetype count = m_comparison.comparison.differences.size();
    return count == 0 ? sides : tr("%1: %Ln differences", nullptr, int(count)).arg(sides);
}

void ComparePanel::tell()
{
    const int current = m_list->currentIndex().row();
    m_model->setRowCount(1); // so that rows go, and what is shown instead of rows looks again
    m_model->setRowCount(0);
    m_swap->setEnabled(m_other.has_value());
    m_summary->setText(summary());
    m_model->setHorizontalHeaderLabels({ tr("Difference"), tr("Where"),
        m_other ? title(Side::First) : tr("First"), m_other ? title(Side::Second) : tr("Second") });
    for (const Difference &each : m_comparison.comparison.differences) {
        const Theme::Tone &tone = toneOf(each.kind, m_theme);
        const bool isFirst = each.kind == Difference::Kind::Removed;
        const QString pointer = pointerIn(isFirst ? Side::First : Side::Second, each);
        const PackComparison &both = m_comparison.comparison;
        const QString texts[] { signOf(each.kind) + u' ' + kindText(each),
            placeText(isFirst ? both.first : both.second, pointer),
            membersText(each, each.from, each.to), membersText(each, each.to, each.from) };
        QList<QStandardItem *> row;
        for (const QString &text : texts) {
            row += new QStandardItem(text);
            row.last()->setToolTip(text);
            row.last()->setData(oneLine(differenceText(each)), compareLineRole);
        }
        row[What]->setForeground(tone.text);
        row[What]->setData(kindText(each), Qt::AccessibleTextRole);
        row[Place]->setToolTip(pointer);
        m_model->appendRow(row);
    }
    if (current >= 0 && m_model->rowCount() > 0)
        m_list->setCurrentIndex(m_model->index(std::min(current, m_model->rowCount() - 1), 0));
}

std::optional<Scenario> ComparePanel::story(Side side) const
{
    if (!m_found || !*m_found)
        return {};
    return side == Side::First ? (*m_found)->scenario : (*m_found)->other;
}

QString ComparePanel::storyHtml(const PackDivergence &found) const
{
    if (m_comparison.comparison.differences.isEmpty())
        return tr("Both do the same.");
    if (found.isCertain)
        return tr("<b>Both do the same</b>: the rules are equal but for names and what is for "
                  "people.");
    if (!found.scenario) {
        const QString worlds = QLocale().toString(found.worlds);
        return found.complete
            ? tr("<b>No story ends differently</b>: everything that can be reached with a few "
                 "resources of each type is the same (%1 pairs of worlds).")
                  .arg(worlds)
            : tr("<b>No story of up to %1 moves ends differently</b> (%2 pairs of worlds); a "
                 "longer one may.")
                  .arg(found.depth)
                  .arg(worlds);
    }
    QStringList steps;
    for (const ScenarioStep &step : found.scenario->steps) {
        if (step.kind != ScenarioStep::Kind::Expect)
            steps += u"<li>%1</li>"_s.arg(stepHtml(step));
    }
    QString html = u"<b>%1</b>"_s.arg(tr("The shortest story that ends differently:"));
    html += steps.isEmpty() ? u"<p>%1</p>"_s.arg(tr("Nobody asks for anything; time passes."))
                            : u"<ol>%1</ol>"_s.arg(steps.join(QString()));
    if (const auto &last = found.scenario->steps; !last.isEmpty())
        html += u"<p>%1</p>"_s.arg(tr("Then, at %1 ms:").arg(QLocale().toString(last.last().at)));
    const auto word = [](const QString &text) {
        return text.isEmpty() ? tr("nothing") : text.toHtmlEscaped();
    };
    for (const Fact &fact : found.facts)
        html += u"<p>%1</p>"_s.arg(tr("%1: <b>%2</b> in %3, <b>%4</b> in %5")
                                       .arg(fact.what.toHtmlEscaped(), word(fact.first),
                                           title(Side::First).toHtmlEscaped(), word(fact.second),
                                           title(Side::Second).toHtmlEscaped()));
    return html;
}

void ComparePanel::tellStory()
{
    QString html;
    if (m_isStopped)
        html = tr("The search was stopped.");
    else if (m_task)
        html = m_task->progress().done() > 0
            ? tr("Looking for a story that ends differently … %1 pairs of worlds")
                  .arg(QLocale().toString(m_task->progress().done()))
            : tr("Looking …");
    else if (m_found)
        html = *m_found
            ? storyHtml(**m_found)
            : tr("What they do was not compared: %1").arg(m_found->error().toHtmlEscaped());
    if (html != m_story->property("html").toString()) {
        m_story->setProperty("html", html);
        m_story->setHtml(html);
    }
    const bool hasStory = story(Side::First).has_value();
    for (QPushButton *button : { m_save, m_runFirst, m_runSecond })
        button->setVisible(hasStory);
    const auto name = [this](QPushButton *button, Side side) {
        const QString text = tr("Run on %1").arg(title(side));
        button->setText(button->fontMetrics().elidedText(
            QString(text).replace(u'&', u"&&"_s), Qt::ElideMiddle, 200));
        button->setToolTip(tr("%1, in a window of its own, at its beginning").arg(text));
    };
    name(m_runFirst, Side::First);
    name(m_runSecond, Side::Second);
    m_stop->setVisible(m_isStopped || m_task);
    m_stop->setText(m_isStopped ? tr("Look Again") : tr("Stop Looking"));
}

QString ComparePanel::storyText() const
{
    return m_story->toPlainText();
}

} // namespace instar
