// SPDX-License-Identifier: Apache-2.0
#include "views/panels/taskstrip.h"

#include "model/task.h"
#include "views/icons.h"
#include "views/look.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int PatienceMs = 500; ///< what is over sooner needs no words
constexpr int BarWidth = 160, BarSteps = 1000;

} // namespace

TaskStrip::TaskStrip(QWidget *parent)
    : QFrame(parent),
      m_title(new QLabel),
      m_bar(new QProgressBar),
      m_cancel(new QPushButton(icon(u"cancel"_s), tr("Cancel")))
{
    setObjectName(u"tasks"_s);
    m_title->setTextFormat(Qt::PlainText);
    m_bar->setMaximumWidth(BarWidth);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setToolTip(tr("Cancel it; everything stays as it was"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(gap::normal, gap::small, gap::small, gap::small);
    layout->setSpacing(gap::normal);
    layout->addWidget(m_title);
    layout->addWidget(m_bar);
    layout->addStretch(1);
    layout->addWidget(m_cancel);
    m_patience.setSingleShot(true);
    m_patience.setInterval(PatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        refresh();
        setVisible(shown() != nullptr);
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (Task *task = shown())
            task->cancel();
    });
    hide();
}

void TaskStrip::follow(Task *task)
{
    m_tasks += task;
    connect(task, &Task::progressed, this, &TaskStrip::refresh);
    connect(task, &Task::ended, this, [this, task] {
        m_tasks.removeOne(task);
        if (shown())
            refresh();
        else
            hide();
    });
    if (!isVisible() && !m_patience.isActive())
        m_patience.start();
}

Task *TaskStrip::shown() const
{
    for (const QPointer<Task> &task : m_tasks) {
        if (task)
            return task;
    }
    return nullptr;
}

void TaskStrip::refresh()
{
    const Task *task = shown();
    if (!task)
        return;
    const qint64 done = task->progress().done(), all = task->progress().all();
    const bool isKnown = all > 0;
    m_bar->setRange(0, isKnown ? BarSteps : 0);
    m_bar->setValue(isKnown ? int(double(done) / double(all) * BarSteps) : 0);
    //: what is done, and how much of it so far
    m_title->setText(isKnown || done == 0
            ? task->title()
            : tr("%1 (%2)").arg(task->title(), QLocale().toString(done)));
}

} // namespace instar
