// SPDX-License-Identifier: Apache-2.0
#include "app/comparing.h"

#include "app/editing.h"
#include "app/mainwindow.h"
#include "model/explore/behaviouraldifference.h"
#include "model/json/comparison.h"
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

/// Result of a comparison.
struct Found
{
    QString text; ///< empty: no difference
    ComparedPack here;
    std::optional<Scenario> scenario;
};

void showComparison(MainWindow &window, const QString &title, const Result<Found> &found)
{
    if (!found) {
        QMessageBox::warning(&window, Comparing::tr("The packs cannot be compared"), found.error());
        return;
    }
    auto *text = new QPlainTextEdit(found->text.isEmpty()
            ? Comparing::tr("The two packs have the same meaning.")
            : found->text);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(Comparing::tr("Differences"));
    QDialog *dialog =
        textDialog(&window, text, Comparing::tr("Changes since %1").arg(title), { 720, 480 });
    dialog->setObjectName(u"comparison");
    if (found->scenario)
        QObject::connect(
            dialog->findChild<QDialogButtonBox *>()->addButton(
                Comparing::tr("Play the Scenario in This Pack"), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, &window,
            [&window, here = found->here, scenario = *found->scenario] {
                window.openTrace(here, scenario);
            });
    dialog->show();
}

} // namespace

Comparing::Comparing(MainWindow &window) : QObject(&window), m_window(window) { }

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
    const QString title = source.isEmpty() ? tr("The saved version") : QFileInfo(source).fileName();
    const Document &document = m_window.editing()->document();
    const ComparedPack here { m_window.pack(), document.pack(), {} };
    const Pack saved = document.saved();
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
            showComparison(m_window, title, found);
        });
}

} // namespace instar
