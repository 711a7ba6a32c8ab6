// SPDX-License-Identifier: Apache-2.0
#include "app/comparing.h"

#include "app/opening.h"
#include "model/engine/controller.h"
#include "model/json/comparison.h"
#include "views/document/document.h"
#include "views/look.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

namespace instar {

Comparing::Comparing(
    Document &document, Controller &controller, const QString &pack, QWidget &window)
    : QObject(&window),
      m_document(document),
      m_controller(controller),
      m_pack(pack),
      m_window(window)
{ }

void Comparing::fill(QMenu &menu)
{
    QAction *saved = menu.addAction(tr("What Was &Saved"), this, [this] { compareWith({}); });
    saved->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    menu.addAction(tr("A &File…"), this, &Comparing::compareWithFile);
}

void Comparing::compareWithFile()
{
    const QString file =
        QFileDialog::getOpenFileName(&m_window, tr("Compare with"), {}, openingFilter());
    if (!file.isEmpty())
        compareWith(file);
}

void Comparing::compareWith(const QString &source)
{
    if (m_task)
        m_task->cancel();
    const QString title = source.isEmpty() ? tr("What was saved") : QFileInfo(source).fileName();
    const ComparedPack here { m_pack, m_document.pack(), {} };
    const Pack saved = m_document.saved();
    m_task = Task::start(
        this, tr("Comparing with %1").arg(title),
        [source, here, saved](Progress &progress) -> Result<Found> {
            const Result<Pack> read = source.isEmpty() ? Result<Pack>(saved) : anyPackOf(source);
            if (!read)
                return Error { read.error() };
            const ComparedPack there { source.isEmpty() ? here.name : source, *read, {} };
            const PackComparison comparison = compared(there, here);
            Result<BehaviouralDifference> found = BehaviouralDifference();
            if (!comparison.differences.isEmpty())
                found = behaviouralDifference(comparison,
                    { .states = MostPairs,
                        .goesOn = [&progress](qint64) { return !progress.isCanceled(); } });
            const QList<Difference> &all = comparison.differences;
            const QString text =
                all.isEmpty() ? QString() : differencesText(all) + u'\n' + behaviourText(found);
            return Found { text, here, found ? found->other : std::nullopt };
        },
        [this, title](const Result<Found> &found) {
            m_task.clear();
            show(title, found);
        });
}

void Comparing::show(const QString &title, const Result<Found> &found)
{
    if (!found) {
        QMessageBox::warning(&m_window, tr("Cannot compare"), found.error());
        return;
    }
    auto *text =
        new QPlainTextEdit(found->text.isEmpty() ? tr("Both mean the same.") : found->text);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(tr("Differences"));
    QDialog *dialog = textDialog(&m_window, text, tr("Changes since %1").arg(title), { 720, 480 });
    dialog->setObjectName(u"comparison");
    if (found->scenario)
        connect(dialog->findChild<QDialogButtonBox *>()->addButton(
                    tr("Play the Scenario Here"), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, this, [this, here = found->here, scenario = *found->scenario] {
                emit runAsked(here, scenario);
            });
    dialog->show();
}

} // namespace instar
