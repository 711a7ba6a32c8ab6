// SPDX-License-Identifier: Apache-2.0
#include "app/sidebyside.h"

#include "app/opening.h"
#include "model/engine/rerun.h"
#include "model/items/branchname.h"
#include "model/items/words.h"
#include "model/machine/mending.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString BranchWord = u"branch "_s;
constexpr int MostEvents = 1000; ///< that happen by themselves after what is known of a run

QString branchWord(const Simulator::Branch &branch)
{
    return BranchWord + QString::number(branch.id);
}

std::unique_ptr<Simulator> goneThrough(const Course &course, bool &isCutOff)
{
    auto run = std::make_unique<Simulator>(course);
    run->jump(run->lastMoment());
    isCutOff = !run->runUntilQuiet(MostEvents) || isCutOff;
    return run;
}

/// Where the other run comes from: known already, or asked again under these rules.
struct OtherRun
{
    std::optional<Course> course;
    QString pack; ///< a built-in one's id, or a file; empty: that of the run here
    Switches switches;
};

Result<Rules> rulesOf(const OtherRun &other, const Rules &here)
{
    if (other.pack.isEmpty())
        return Rules::make(here.pack(), other.switches);
    const Result<Pack> pack = anyPackOf(other.pack);
    if (!pack)
        return Error { pack.error() };
    Switches switches = other.switches; // as far as it has the same ones
    for (const QString &name : other.switches.keys()) {
        const Switch *row = pack->findSwitch(name);
        if (!row || !row->values.contains(switches.value(name)))
            switches.remove(name);
    }
    return Rules::make(mended(*pack, switches), switches);
}

/// The two runs, for the thread `home`.
Result<TwoRunsContent> made(
    const Course &course, const OtherRun &other, Progress &progress, QThread *home)
{
    TwoRunsContent content;
    std::optional<Course> there = other.course;
    if (!there) {
        const Result<Rules> rules = rulesOf(other, course.rules);
        if (!rules)
            return Error { rules.error() };
        AskedAgain again = askedAgain(course, *rules);
        there = std::move(again.course);
        content.said = again.said;
    }
    if (progress.isCanceled())
        return content;
    content.here = goneThrough(course, content.isCutOff);
    if (progress.isCanceled())
        return content;
    content.there = goneThrough(*there, content.isCutOff);
    content.differences = runDifferences(
        content.here->course(0), content.there->course(0), [&progress](qint64 done, qint64 of) {
            progress.setDone(done, of);
            return !progress.isCanceled();
        });
    for (Simulator *run : { content.here.get(), content.there.get() })
        run->moveToThread(home);
    return content;
}

} // namespace

SideBySide::SideBySide(
    Simulator &simulator, const QList<StartStrip::Start> &systems, QWidget &window)
    : QObject(&window), m_simulator(simulator), m_systems(systems), m_view(new TwoRuns(&window))
{
    connect(m_view->menu(), &QMenu::aboutToShow, this, &SideBySide::fillMenu);
    connect(m_view, &TwoRuns::againAsked, this, [this] { compareWith(m_what); });
}

void SideBySide::setTheme(const Theme &theme)
{
    m_view->setTheme(theme);
}

void SideBySide::setMotion(Motion motion)
{
    m_view->setMotion(motion);
}

void SideBySide::open(const QString &selected)
{
    m_selected = selected;
    if (!m_view->isVisible())
        m_view->resize(m_view->parentWidget()->size());
    m_view->show();
    m_view->raise();
    m_view->activateWindow();
    if (m_what.isEmpty() || !canBeCompared(m_what)) {
        m_what.clear();
        for (const Simulator::Branch &branch : m_simulator.branches()) {
            if (branch.id != m_simulator.branch())
                m_what = branchWord(branch);
        }
    }
    if (!m_what.isEmpty())
        compareWith(m_what);
    else
        m_view->tell(tr("What has been asked for here can be seen beside what becomes of it under "
                        "other settings of the switches, or by another pack; and beside another "
                        "branch, once there is one. Choose with what to compare it."));
}

void SideBySide::fillMenu()
{
    QMenu &menu = *m_view->menu();
    menu.clear();
    QMenu *branches = menu.addMenu(tr("Another &Branch"));
    for (const Simulator::Branch &branch : m_simulator.branches()) {
        const QString what = branchWord(branch);
        if (branch.id != m_simulator.branch())
            branches->addAction(branchName(branch).replace(u'&', u"&&"_s), this,
                [this, what] { compareWith(what); });
    }
    branches->setEnabled(!branches->isEmpty());
    offerSettings(menu.addMenu(tr("Other Se&ttings of the Switches")));
    QMenu *systems = menu.addMenu(tr("A Built-In &System"));
    for (const StartStrip::Start &system : m_systems)
        systems->addAction(QString(system.title).replace(u'&', u"&&"_s), this,
            [this, id = system.id] { compareWith(id); });
    menu.addAction(tr("The Pack in a &File…"), this, &SideBySide::compareWithFile);
}

/// A menu a switch; what is chosen in one is kept when another is chosen, too.
void SideBySide::offerSettings(QMenu *menu)
{
    menu->setToolTipsVisible(true);
    QMap<QString, QString> chosen;
    for (const auto &[row, value] : settings(m_what))
        chosen.insert(row->id, value);
    for (const Switch &row : m_simulator.rules().pack().switches) {
        const QString here = m_simulator.rules().switches().value(row.id);
        QMenu *values = menu->addMenu(spelledOut(row.id));
        values->menuAction()->setToolTip(row.about);
        for (const QString &value : row.values) {
            QString text = switchValueText(row, value);
            if (value == here) //: a value of a switch
                text = tr("%1, as here").arg(text);
            QMap<QString, QString> all = chosen;
            all.insert(row.id, value);
            QStringList words;
            for (auto it = all.cbegin(); it != all.cend(); ++it)
                words += it.key() + u'=' + it.value();
            QAction *action =
                values->addAction(text, this, [this, words] { compareWith(words.join(u' ')); });
            action->setCheckable(true);
            action->setChecked(value == chosen.value(row.id, here));
        }
    }
    menu->setEnabled(!menu->isEmpty());
}

QList<std::pair<const Switch *, QString>> SideBySide::settings(const QString &what) const
{
    QList<std::pair<const Switch *, QString>> result;
    for (const QString &word : what.split(u' ', Qt::SkipEmptyParts)) {
        const Switch *row = m_simulator.rules().pack().findSwitch(word.section(u'=', 0, 0));
        if (row && row->values.contains(word.section(u'=', 1)))
            result.append({ row, word.section(u'=', 1) });
    }
    return result;
}

QString SideBySide::titleOf(const QString &what) const
{
    for (const Simulator::Branch &branch : m_simulator.branches()) {
        if (what == branchWord(branch))
            return branchName(branch);
    }
    QStringList changed;
    for (const auto &[row, value] : settings(what)) {
        if (value != m_simulator.rules().switches().value(row->id))
            changed += u"%1: %2"_s.arg(spelledOut(row->id), switchValueText(*row, value));
    }
    if (!settings(what).isEmpty())
        return changed.isEmpty() ? tr("the same settings") : changed.join(u", "_s);
    const auto system = std::ranges::find(m_systems, what, &StartStrip::Start::id);
    return system == m_systems.end() ? QFileInfo(what).fileName() : system->title;
}

void SideBySide::compareWithFile()
{
    const QString file =
        QFileDialog::getOpenFileName(m_view, tr("Compare Side by Side"), {}, openingFilter());
    if (!file.isEmpty())
        compareWith(file);
}

/// Whether it is another run than the one here, and still there.
bool SideBySide::canBeCompared(const QString &what) const
{
    if (!what.startsWith(BranchWord))
        return !what.isEmpty();
    const QList<Simulator::Branch> branches = m_simulator.branches();
    return std::ranges::any_of(branches, [&](const Simulator::Branch &branch) {
        return branch.id != m_simulator.branch() && branchWord(branch) == what;
    });
}

void SideBySide::compareWith(const QString &what)
{
    if (!m_simulator.keepsPast())
        return m_view->tell(tr("Only what happened last is known here, as others are served."));
    if (!canBeCompared(what))
        return m_view->tell(tr("That branch is shown in the window now, or is no longer there. "
                               "Choose with what to compare it."));
    m_what = what;
    if (m_task)
        m_task->cancel();
    OtherRun other { .course = {}, .pack = {}, .switches = m_simulator.rules().switches() };
    const QString title = titleOf(what);
    const auto chosen = settings(what);
    if (what.startsWith(BranchWord))
        other.course = m_simulator.course(what.mid(BranchWord.size()).toUInt());
    else if (chosen.isEmpty())
        other.pack = what;
    for (const auto &[row, value] : chosen)
        other.switches.insert(row->id, value);
    QString here = tr("what runs in the window");
    for (const Simulator::Branch &branch : m_simulator.branches()) {
        if (branch.id == m_simulator.branch() && m_simulator.branches().size() > 1)
            here = branchName(branch);
    }
    m_task = Task::start(
        this, tr("Comparing with %1").arg(title),
        [course = m_simulator.course(m_simulator.branch()), other, home = thread()](
            Progress &progress) { return made(course, other, progress, home); },
        [this, here, title](Result<TwoRunsContent> content) {
            m_task.clear();
            if (!content)
                return m_view->tell(content.error());
            content->hereTitle = here;
            content->thereTitle = title;
            m_view->setContent(std::move(*content), m_selected);
        });
    m_view->follow(m_task);
}

} // namespace instar
