// SPDX-License-Identifier: Apache-2.0
#include "app/presenting.h"

#include "app/mainwindow.h"
#include "model/engine/simulator.h"
#include "views/diagram/statechartview.h"
#include "views/lessons/lessonpanel.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"
#include "views/presenting/overlays.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMouseEvent>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

namespace instar {

namespace {

constexpr double larger = 1.45; ///< factor of font sizes
constexpr int captionRoom = 64; ///< pixels, at the bottom of the window

} // namespace

Presenting::Presenting(MainWindow &window) : QObject(&window), m_window(window)
{
    connect(&window.controller().updates(), &Updates::changed, this, [this] {
        if (m_caption)
            m_caption->refresh();
    });
}

Presenting::~Presenting()
{
    if (!isOn())
        return;
    qApp->removeEventFilter(this);
    enlargeTimeline(1);
}

bool Presenting::isOn() const
{
    return m_caption != nullptr;
}

void Presenting::setOn(bool on)
{
    if (on == isOn())
        return;
    if (on) {
        m_room = m_window.docks().room();
        m_window.docks().enter(m_window.lesson() ? Room::Learn : Room::Explore);
        m_window.docks().storeLayout();
        m_wasFull = m_window.isFullScreen();
        m_caption = new Caption(m_window.controller(), &m_window);
        hideChrome();
        m_window.showFullScreen();
        qApp->installEventFilter(this);
        toggleLaser();
        m_caption->refresh();
    } else {
        qApp->removeEventFilter(this);
        delete m_caption.data();
        delete m_laser.data();
        delete m_dark.data();
        m_window.unsetCursor();
        restore();
    }
    emit changed(on);
}

void Presenting::hideChrome()
{
    m_window.menuBar()->hide();
    m_window.statusBar()->hide();
    for (QToolBar *bar : m_window.findChildren<QToolBar *>())
        bar->hide();
    m_window.setContentsMargins(0, 0, 0, captionRoom);
    for (QDockWidget *dock : m_window.docks().all())
        dock->setVisible(QStringList { u"timeline"_s, u"lesson"_s }.contains(dock->objectName()));
    m_window.docks().setTitlesHidden(true);
    hideControls(m_window.centralWidget());
    hideControls(m_window.docks().named(u"timeline"_s)->widget());
    if (LessonPanel *lesson = m_window.lesson()) {
        lesson->setLarger(larger);
        const auto beginPage = [this, lesson] { m_caption->beginPage(lesson->recordsBefore()); };
        connect(lesson, &LessonPanel::turned, m_caption, beginPage);
        beginPage();
    }
    enlargeTimeline(larger);
    enlargeTitle(larger);
    QTimer::singleShot(0, this, [this] { // when the chart has its new size
        if (isOn())
            m_window.chart()->setLarger(larger);
    });
}

/// Hides a panel's buttons, line edits and transport.
void Presenting::hideControls(const QWidget *panel)
{
    for (QWidget *part : panel->findChildren<QWidget *>()) {
        const bool isControl = qobject_cast<QToolButton *>(part) || qobject_cast<QLineEdit *>(part)
            || part->objectName() == u"transport";
        if (isControl && part->isVisibleTo(panel)) {
            part->hide();
            m_hidden += part;
        }
    }
}

void Presenting::enlargeTimeline(double factor)
{
    auto *dock = m_window.docks().named(u"timeline"_s);
    QWidget *timeline = m_timeline ? m_timeline->shown() : dock->widget();
    delete m_timeline.data(); // releases the timeline
    if (factor > 1)
        dock->setWidget(m_timeline = new Enlarged(timeline, factor, dock));
    else
        dock->setWidget(timeline);
}

/// Enlarges the labels above the chart.
void Presenting::enlargeTitle(double factor)
{
    for (ElidedLabel *label : m_window.centralWidget()->findChildren<ElidedLabel *>()) {
        QFont letters = label->font();
        letters.setPointSizeF(letters.pointSizeF() * factor);
        label->setFont(letters);
    }
}

void Presenting::restore()
{
    m_window.setContentsMargins(0, 0, 0, 0);
    m_window.menuBar()->show();
    m_window.statusBar()->show();
    for (QToolBar *bar : m_window.findChildren<QToolBar *>())
        bar->show();
    if (!m_wasFull)
        m_window.showNormal();
    enlargeTimeline(1);
    enlargeTitle(1 / larger);
    for (const QPointer<QWidget> &control : std::exchange(m_hidden, {})) {
        if (control)
            control->show();
    }
    m_window.chart()->setLarger(1);
    m_window.docks().setTitlesHidden(false);
    m_window.docks().restoreLayout();
    m_window.docks().enter(*std::exchange(m_room, {}));
    if (LessonPanel *lesson = m_window.lesson())
        lesson->setLarger(1);
}

void Presenting::next()
{
    m_caption->say({});
    const bool wasSaid = std::exchange(m_saidEnd, false);
    if (LessonPanel *lesson = m_window.lesson()) {
        const bool isAtEnd = lesson->isAtEnd();
        if (!lesson->run().isOver() || (wasSaid && isAtEnd && !lesson->nextTitle().isEmpty()))
            return lesson->advance();
        if (!isAtEnd)
            lesson->advance(); // shows the end page
        m_saidEnd = true;
        return m_caption->say(lesson->nextTitle().isEmpty()
                ? tr("This is the last page · Esc: end")
                //: the title of a lesson
                : tr("This is the last page · Page Down: next lesson, “%1” · Esc: end")
                      .arg(lesson->nextTitle()));
    }
    stepOrExplain(&Simulator::step, tr("No event is pending · Esc: end"));
}

void Presenting::stepOrExplain(bool (Simulator::*step)(), const QString &message)
{
    auto *simulator = qobject_cast<Simulator *>(&m_window.controller());
    if (!simulator)
        return;
    simulator->pause();
    const qsizetype before = simulator->moment();
    (simulator->*step)();
    if (simulator->moment() == before)
        m_caption->say(message);
}

void Presenting::back()
{
    m_caption->say({});
    if (LessonPanel *lesson = m_window.lesson()) {
        if (lesson->isAtBeginning())
            return m_caption->say(tr("This is the first page · Page Down: next"));
        return lesson->back();
    }
    stepOrExplain(&Simulator::stepBack, tr("This is the beginning of the run · Page Down: next"));
}

void Presenting::toBeginning()
{
    if (LessonPanel *lesson = m_window.lesson())
        return lesson->restartLesson();
    if (auto *simulator = qobject_cast<Simulator *>(&m_window.controller())) {
        simulator->pause();
        simulator->jump(0);
    }
}

void Presenting::toggleLaser()
{
    if (m_laser) {
        delete m_laser.data();
        m_window.unsetCursor();
        return;
    }
    m_laser = new Laser(&m_window);
    m_laser->setGeometry(m_window.rect());
    m_laser->show();
    m_laser->raise();
}

/// Toggles the dark screen, which draws the audience's eyes to the speaker.
void Presenting::toggleDark()
{
    if (m_dark) {
        delete m_dark.data();
        return;
    }
    auto *dark = new QLabel(tr("Press any key to show the picture again"), &m_window);
    m_dark = dark;
    dark->setAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    dark->setMargin(gap::large);
    dark->setAutoFillBackground(true);
    QPalette black;
    black.setColor(QPalette::Window, Qt::black);
    black.setColor(
        QPalette::WindowText, QColor(110, 110, 110)); // for the speaker, not the audience
    m_dark->setPalette(black);
    m_dark->setGeometry(m_window.rect());
    m_dark->show();
    m_dark->raise();
}

bool Presenting::handleKey(int key)
{
    if (m_dark) {
        toggleDark(); // any key ends it
        return true;
    }
    if (LessonPanel *lesson = m_window.lesson(); lesson && key >= Qt::Key_1 && key <= Qt::Key_9) {
        lesson->answer(key - Qt::Key_1);
        return true;
    }
    static const QHash<int, void (Presenting::*)()> acts { { Qt::Key_PageDown, &Presenting::next },
        { Qt::Key_Right, &Presenting::next }, { Qt::Key_PageUp, &Presenting::back },
        { Qt::Key_Left, &Presenting::back }, { Qt::Key_Home, &Presenting::toBeginning },
        { Qt::Key_L, &Presenting::toggleLaser }, { Qt::Key_B, &Presenting::toggleDark },
        { Qt::Key_Period, &Presenting::toggleDark }, { Qt::Key_Escape, &Presenting::end } };
    const auto act = acts.value(key);
    if (act)
        (this->*act)();
    return act;
}

/// Zooms the chart wherever the focus is: the menus with these keys are hidden.
bool Presenting::handleZoomKey(int key)
{
    static const QHash<int, void (StatechartView::*)()> acts { { Qt::Key_0, &StatechartView::fit },
        { Qt::Key_Plus, &StatechartView::zoomIn }, { Qt::Key_Equal, &StatechartView::zoomIn },
        { Qt::Key_Minus, &StatechartView::zoomOut } };
    const auto act = acts.value(key);
    if (act)
        (m_window.chart()->*act)();
    return act;
}

bool Presenting::eventFilter(QObject *watched, QEvent *event)
{
    const auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget || widget->window() != &m_window)
        return false;
    const QEvent::Type type = event->type();
    if (type == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const Qt::KeyboardModifiers held = key->modifiers() & ~Qt::KeypadModifier;
        if ((held & ~Qt::ShiftModifier) == Qt::ControlModifier) // on many keyboards + needs Shift
            return handleZoomKey(key->key());
        return held == Qt::NoModifier && handleKey(key->key());
    }
    if (type == QEvent::MouseMove && m_laser) {
        const QPointF global = static_cast<QMouseEvent *>(event)->globalPosition();
        m_laser->pointAt(m_window.mapFromGlobal(global));
    } else if (type == QEvent::Resize && widget == &m_window) {
        m_caption->refresh();
        for (QWidget *over : { static_cast<QWidget *>(m_laser.data()), m_dark.data() }) {
            if (over)
                over->setGeometry(m_window.rect());
        }
    }
    return false;
}

} // namespace instar
