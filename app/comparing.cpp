// SPDX-License-Identifier: Apache-2.0
#include "app/comparing.h"

#include "app/editing.h"
#include "app/mainwindow.h"
#include "app/program.h"
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
#include "model/task.h"
#include "views/look.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
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

void showComparison(MainWindow &window, const ComparisonResult &found)
{
    auto *text = new QPlainTextEdit(
        found.text.isEmpty() ? MainWindow::tr("The two packs have the same meaning.") : found.text);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(MainWindow::tr("Differences"));
    QDialog *dialog =
        textDialog(&window, text, MainWindow::tr("Changes since the Saved Version"), { 720, 480 });
    dialog->setObjectName(u"comparison");
    if (found.scenario)
        QObject::connect(
            dialog->findChild<QDialogButtonBox *>()->addButton(
                MainWindow::tr("Play the Scenario in This Pack"), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, &window,
            [&window, here = found.here, scenario = *found.scenario] {
                window.program().openTrace(here.pack, here.name, scenario, &window);
            });
    dialog->show();
}

} // namespace

void compareWithSaved(MainWindow &window)
{
    const Document &document = window.editing()->document();
    const ComparedPack here { window.pack(), document.pack(), {} };
    const ComparedPack saved { window.pack(), document.saved(), {} };
    Task::start(
        &window, MainWindow::tr("Comparing with the saved version"),
        [here, saved](Progress &progress) {
            PackComparison comparison = compared(saved, here);
            removeAppearance(comparison.differences);
            const QList<Difference> &differences = comparison.differences;
            if (differences.isEmpty())
                return ComparisonResult { {}, here, {} };
            const Result<BehaviouralDifference> found = behaviouralDifference(
                comparison, { .states = MostPairs, .isCanceled = &progress.flag() });
            return ComparisonResult { differencesText(differences) + u'\n' + behaviourText(found),
                here, found ? found->other : std::nullopt };
        },
        [&window](const ComparisonResult &found) { showComparison(window, found); });
}

} // namespace instar
