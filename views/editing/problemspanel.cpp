// SPDX-License-Identifier: Apache-2.0
#include "views/editing/problemspanel.h"

#include "model/json/packfile.h"
#include "model/pack/rows.h"
#include "views/document/document.h"
#include "views/icons.h"
#include "views/look.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace instar {

namespace {

enum ProblemColumn { Sentence, Where, Remedy, ProblemColumns };
constexpr int lineRole = Qt::UserRole;
constexpr int whereWidth = 150;
constexpr int delayMs = 100; ///< after the last of several changes in a row

/// Diagnostics that the command line's `check` reports for the pack's file; incomplete if the
/// search is canceled for a newer one.
QList<Diagnostic> diagnosticsOf(const Pack &pack, const Progress &progress)
{
    const Result<JsonText> text = JsonText::parse(writePack(pack), pack.id);
    if (!text || progress.isCanceled())
        return {};
    QList<Diagnostic> diagnostics = packDraft(*text).diagnostics;
    for (const Diagnostic &diagnostic : packDiagnostics(*text, pack)) {
        if (!diagnostics.contains(diagnostic))
            diagnostics += diagnostic;
    }
    std::ranges::stable_sort(
        diagnostics, {}, [](const Diagnostic &diagnostic) { return int(diagnostic.severity); });
    return diagnostics;
}

} // namespace

ProblemsPanel::ProblemsPanel(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_list(new QTreeView),
      m_model(new QStandardItemModel(0, ProblemColumns, this))
{
    m_model->setHorizontalHeaderLabels({ tr("Problem"), tr("Where"), tr("Remedy") });
    m_list->setModel(m_model);
    m_list->setAccessibleName(tr("Problems"));
    m_list->setRootIsDecorated(false);
    m_list->setWordWrap(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(Sentence, QHeaderView::Stretch);
    m_list->header()->resizeSection(Where, whereWidth);
    m_list->header()->setSectionResizeMode(Remedy, QHeaderView::ResizeToContents);
    showWhenEmpty(m_list,
        [this] { return m_hasSearched ? tr("The pack has no problems.") : tr("Searching …"); });
    makeRowsCopyable(m_list, lineRole);
    auto *apply = new QAction(tr("Apply the fix"), this);
    apply->setShortcut(Qt::ALT | Qt::Key_Return);
    apply->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_list->addAction(apply);
    connect(apply, &QAction::triggered, this, [this] { fix(m_list->currentIndex().row()); });
    connect(m_list, &QTreeView::activated, this,
        [this](const QModelIndex &index) { emit rowAsked(m_diagnostics[index.row()].pointer); });
    connect(m_list, &QTreeView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == Remedy && !index.data().toString().isEmpty())
            fix(index.row());
        else
            emit rowChosen(m_diagnostics[index.row()].pointer); // the list keeps the focus
    });
    offerMenu(m_list, [this](QMenu &menu) { fillMenu(menu); });

    filled(
        new QVBoxLayout(this), { m_list }, 0, { gap::small, gap::small, gap::small, gap::small });
    setFocusProxy(m_list);

    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &ProblemsPanel::search);
    connect(&document, &Document::changed, this, [this] {
        if (m_isOn)
            m_delay.start(delayMs);
    });
    m_delay.start(0);
    whenThemed(this, [this] { showDiagnostics(QList<Diagnostic>(m_diagnostics)); });
}

void ProblemsPanel::setOn(bool on)
{
    m_isOn = on;
    if (on)
        m_delay.start(0);
    else
        m_delay.stop();
}

QString ProblemsPanel::title() const
{
    return m_diagnostics.isEmpty() ? tr("Problems") : tr("Problems (%1)").arg(m_diagnostics.size());
}

void ProblemsPanel::search()
{
    if (m_task)
        m_task->cancel();
    const Pack pack = m_document.pack();
    m_task = Task::start(
        this, tr("Checking"), [pack](Progress &progress) { return diagnosticsOf(pack, progress); },
        [this](const QList<Diagnostic> &diagnostics) {
            m_task.clear();
            m_hasSearched = true;
            showDiagnostics(diagnostics);
        });
}

void ProblemsPanel::showDiagnostics(const QList<Diagnostic> &diagnostics)
{
    const int current = m_list->currentIndex().row();
    const QString before = title();
    m_diagnostics = diagnostics;
    m_model->setRowCount(1); // removing a row makes showWhenEmpty() ask for its text
    m_model->setRowCount(0);
    bool hasFixes = false; // without fixes, the texts get the room of the Remedy column
    const Pack &pack = m_document.pack();
    for (const Diagnostic &diagnostic : diagnostics) {
        const bool isError = diagnostic.severity == Diagnostic::Severity::Error;
        const QColor colour = isError ? theme().warning : theme().dimText;
        const QString where = locationText(pack, diagnostic.pointer);
        const QString severity = isError ? tr("Error") : tr("Warning");
        const QList<QStandardItem *> row { new QStandardItem(diagnostic.text),
            new QStandardItem(where), new QStandardItem };
        row[Sentence]->setIcon(
            QIcon(tinted(isError ? u"cancel"_s : u"warn"_s, colour, 16, devicePixelRatioF())));
        row[Sentence]->setToolTip(diagnostic.text);
        row[Sentence]->setData(u"%1: %2"_s.arg(severity, diagnostic.text), Qt::AccessibleTextRole);
        row[Where]->setToolTip(diagnostic.pointer);
        row[Where]->setForeground(theme().dimText);
        row[Remedy]->setForeground(theme().accent);
        for (QStandardItem *item : row)
            item->setData(
                u"%1\t%2\t%3"_s.arg(severity, diagnostic.pointer, diagnostic.text), lineRole);
        if (const QList<Fix> fixes = fixesFor(pack, diagnostic); !fixes.isEmpty()) {
            row[Remedy]->setText(fixText(fixes.first()));
            hasFixes = true;
        }
        m_model->appendRow(row);
    }
    m_list->setColumnHidden(Remedy, !hasFixes);
    if (current >= 0)
        m_list->setCurrentIndex(m_model->index(std::min(current, m_model->rowCount() - 1), 0));
    if (title() != before)
        emit titleChanged(title());
    emit diagnosticsChanged(m_diagnostics);
}

QString ProblemsPanel::fixText(const Fix &fix)
{
    const QString texts[] { tr("Use “%1”"), tr("Create “%1”"), tr("Add the transition on “%1”"),
        tr("Mark “%1” as a final state") };
    return texts[int(fix.kind)].arg(fix.name);
}

void ProblemsPanel::fix(int row)
{
    if (row < 0 || row >= m_diagnostics.size())
        return;
    const QList<Fix> fixes = fixesFor(m_document.pack(), m_diagnostics[row]);
    if (!fixes.isEmpty())
        m_document.edit(fixText(fixes.first()), fixes.first().pack);
}

void ProblemsPanel::fillMenu(QMenu &menu)
{
    const QModelIndex current = m_list->currentIndex();
    if (!current.isValid())
        return;
    const Diagnostic &diagnostic = m_diagnostics[current.row()];
    menu.addAction(tr("Go to the row"), this,
        [this, pointer = diagnostic.pointer] { emit rowAsked(pointer); });
    for (const Fix &fix : fixesFor(m_document.pack(), diagnostic))
        menu.addAction(
            fixText(fix), this, [this, fix] { m_document.edit(fixText(fix), fix.pack); });
}

} // namespace instar
