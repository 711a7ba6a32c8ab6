// SPDX-License-Identifier: Apache-2.0
#include "app/comparing.h"

#include "app/docks.h"
#include "app/editing.h"
#include "app/editingdocks.h"
#include "app/opening.h"
#include "app/savingfiles.h"
#include "model/engine/controller.h"
#include "model/formats/scenario.h"
#include "model/items/words.h"
#include "model/machine/rowat.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Comparing::Comparing(Editing &editing, EditingDocks &rows, Docks &docks, StatechartView &chart,
    Controller &controller, const QString &pack, const QList<StartStrip::Start> &systems,
    QMainWindow &window)
    : QObject(&window),
      m_window(window),
      m_editing(editing),
      m_rows(rows),
      m_docks(docks),
      m_chart(chart),
      m_controller(controller),
      m_systems(systems),
      m_panel(new ComparePanel(editing.document())),
      m_dock(docks.add(tr("Compare"), u"compare"_s, Qt::BottomDockWidgetArea, m_panel)),
      m_marks(chart)
{
    m_dock->hide();
    m_panel->setHere(pack, switches());
    connect(&controller.updates(), &Updates::rewound, m_panel,
        [this, pack] { m_panel->setHere(pack, switches()); });
    connect(m_panel->menu(), &QMenu::aboutToShow, this, &Comparing::fillMenu);
    connect(m_panel, &ComparePanel::compared, this, &Comparing::sync);
    connect(m_panel, &ComparePanel::differenceChosen, this, &Comparing::show);
    connect(m_panel, &ComparePanel::saveAsked, this, &Comparing::save);
    connect(m_panel, &ComparePanel::runAsked, this, &Comparing::runAsked);
    connect(m_panel, &ComparePanel::closed, m_dock, &QDockWidget::hide);
    connect(m_dock, &QDockWidget::visibilityChanged, this, [this] {
        m_panel->setOn(!m_dock->isHidden()); // behind a tab it goes on
        sync();
    });
}

Comparing::~Comparing()
{
    delete m_panel;
}

void Comparing::setTheme(const Theme &theme)
{
    m_panel->setTheme(theme);
}

Switches Comparing::switches() const
{
    return unusual(m_controller.rules().switches());
}

/// What is usual is not asked for: where nothing is, all rows count.
Switches Comparing::unusual(Switches chosen) const
{
    for (const Switch &row : m_controller.rules().pack().switches) {
        if (chosen.value(row.id) == row.defaultValue)
            chosen.remove(row.id);
    }
    return chosen;
}

void Comparing::open()
{
    m_dock->show();
    m_dock->raise();
}

void Comparing::choose()
{
    open();
    m_panel->choose();
}

void Comparing::fillMenu()
{
    QMenu &menu = *m_panel->menu();
    menu.clear();
    menu.addAction(tr("A &File…"), this, &Comparing::compareWithFile);
    menu.addAction(m_editing.document().file().isEmpty() ? tr("This Pack as It Was &Opened")
                                                         : tr("This Pack as It Was &Saved"),
        this, [this] { compareWith(u"saved"_s); });
    QMenu *systems = menu.addMenu(tr("A &Built-in System"));
    for (const StartStrip::Start &system : m_systems)
        systems->addAction(QString(system.title).replace(u'&', u"&&"_s), this,
            [this, id = system.id] { compareWith(id); });
    const Rules &rules = m_controller.rules();
    QMenu *settings = menu.addMenu(tr("Another Se&tting of This Pack"));
    for (const Switch &row : rules.pack().switches) {
        for (const QString &value : row.values) {
            if (rules.switches().value(row.id) != value)
                settings->addAction(
                    u"%1: %2"_s.arg(spelledOut(row.id), switchValueText(row, value)), this,
                    [this, what = row.id + u'=' + value] { compareWith(what); });
        }
    }
    settings->setEnabled(!settings->isEmpty());
}

void Comparing::compareWithFile()
{
    const QString file =
        QFileDialog::getOpenFileName(&m_window, tr("Compare with"), {}, openingFilter());
    if (!file.isEmpty())
        compareWith(file);
}

void Comparing::compareWith(const QString &what)
{
    open();
    if (what == u"saved")
        return m_panel->compareWith({ .kind = Counterpart::Kind::Saved,
            .title = m_editing.document().file().isEmpty() ? tr("as it was opened")
                                                           : tr("as it was saved") });
    const Pack &pack = m_controller.rules().pack();
    const QString name = what.section(u'=', 0, 0), value = what.section(u'=', 1);
    const Switch *row = pack.findSwitch(name);
    if (row && row->values.contains(value)) {
        Switches switches = m_controller.rules().switches();
        switches.insert(name, value);
        return m_panel->compareWith({ .kind = Counterpart::Kind::Setting,
            .title = u"%1: %2"_s.arg(spelledOut(name), switchValueText(*row, value)),
            .switches = unusual(switches) });
    }
    const auto system = std::ranges::find(m_systems, what, &StartStrip::Start::id);
    read(what, system == m_systems.end() ? QFileInfo(what).fileName() : system->title);
}

void Comparing::read(const QString &source, const QString &title)
{
    if (m_reading)
        m_reading->cancel();
    m_reading = Task::start(
        this, tr("Reading %1").arg(title), [source](Progress &) { return anyPackOf(source); },
        [this, source, title](const Result<Pack> &pack) {
            m_reading.clear();
            if (pack)
                m_panel->compareWith({ .title = title, .name = source, .pack = *pack });
            else
                QMessageBox::warning(&m_window, tr("Cannot compare"), pack.error());
        });
}

void Comparing::sync()
{
    if (m_dock->isHidden() || !m_panel->isComparing())
        m_marks.clear();
    else
        m_marks.show(m_panel->comparison());
}

void Comparing::show(const Difference &difference)
{
    const QString pointer = documentPointer(m_panel->comparison(), difference);
    const QStringList keys = keysOf(u'/' + difference.where);
    const bool isHere = !pointer.isEmpty() || difference.where.isEmpty(); // the pack's own
    m_editing.setOn(true);
    if (isHere)
        m_rows.showRow(pointer);
    else if (keys.value(0) == u"machines" && m_editing.document().pack().machine(keys.value(1)))
        m_editing.selection().set({ .machine = keys.value(1) });
    if (!m_marks.reveal(difference.where) && !isHere)
        emit said(
            tr("Only %1 has it")
                .arg(m_panel->title(m_panel->here() == Side::First ? Side::Second : Side::First)));
}

void Comparing::save(Scenario story)
{
    const QString file = askedFile(&m_window, tr("Save the Story as a Scenario"),
        u"story.scenario.json"_s, tr("Scenarios (*.scenario.json)"));
    story.pack = packSeenFrom(file, story.pack);
    if (!savedTo(&m_window, tr("Cannot save"), file, writeScenario(story)))
        return;
    const bool isOurs = m_panel->here() == Side::First;
    emit said(isOurs && m_editing.document().isModified()
            ? tr("Saved %1. It plays on the pack as it is saved: save the pack, too.").arg(file)
            : tr("Saved %1").arg(file));
}

} // namespace instar
