// SPDX-License-Identifier: Apache-2.0
#include "app/comparing.h"

#include "app/editing.h"
#include "app/mainwindow.h"
#include "app/program.h"
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
#include "model/statecharts/machinechart.h"
#include "model/statecharts/machinefile.h"
#include "model/task.h"
#include "views/look.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

namespace instar {

namespace {

struct ComparisonResult
{
    QString text; ///< empty: no difference
    ComparedPack here;
    std::optional<Scenario> scenario;
};

void showComparison(MainWindow &window, const QString &title, const Result<ComparisonResult> &found)
{
    if (!found) {
        QMessageBox::warning(
            &window, MainWindow::tr("The packs cannot be compared"), found.error());
        return;
    }
    auto *text = new QPlainTextEdit(found->text.isEmpty()
            ? MainWindow::tr("The two packs have the same meaning.")
            : found->text);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(MainWindow::tr("Differences"));
    QDialog *dialog =
        textDialog(&window, text, MainWindow::tr("Changes since %1").arg(title), { 720, 480 });
    dialog->setObjectName(u"comparison");
    if (found->scenario)
        QObject::connect(
            dialog->findChild<QDialogButtonBox *>()->addButton(
                MainWindow::tr("Play the Scenario in This Pack"), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, &window,
            [&window, here = found->here, scenario = *found->scenario] {
                window.program().openTrace(here.pack, here.name, scenario, &window);
            });
    dialog->show();
}

} // namespace

void compareWithFile(MainWindow &window)
{
    const QString file =
        QFileDialog::getOpenFileName(&window, MainWindow::tr("Compare with"), {}, openingFilter());
    if (!file.isEmpty())
        compareWith(window, file);
}

void compareWith(MainWindow &window, const QString &source)
{
    const QString title =
        source.isEmpty() ? MainWindow::tr("The saved version") : QFileInfo(source).fileName();
    const Document &document = window.editing()->document();
    const ComparedPack here { window.pack(), document.pack(), {} };
    const Pack saved = document.saved();
    Task::start(
        &window, MainWindow::tr("Comparing with %1").arg(title),
        [source, here, saved](Progress &progress) -> Result<ComparisonResult> {
            ComparedPack there { here.name, saved, {} };
            if (!source.isEmpty()) {
                const Result<MachineFile> file = loadMachines(source);
                const Result<PackMade> made = file ? draftIn(*file) : Error { file.error() };
                if (!made)
                    return Error { made.error() };
                there = { source, made->pack, {} };
            }
            PackComparison comparison = compared(there, here);
            removeAppearance(comparison.differences);
            const QList<Difference> &differences = comparison.differences;
            if (differences.isEmpty())
                return ComparisonResult { {}, here, {} };
            const Result<BehaviouralDifference> found = behaviouralDifference(
                comparison, { .states = MostPairs, .isCanceled = &progress.flag() });
            return ComparisonResult { differencesText(differences) + u'\n' + behaviourText(found),
                here, found ? found->other : std::nullopt };
        },
        [&window, title](
            const Result<ComparisonResult> &found) { showComparison(window, title, found); });
}

} // namespace instar
