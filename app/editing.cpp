// SPDX-License-Identifier: Apache-2.0
#include "app/editing.h"

#include "app/filedialogs.h"
#include "app/opening.h"
#include "model/pack/identity.h"
#include "model/statecharts/chartrules.h"
#include "views/editing/matrixpanel.h"
#include "views/editing/problemspanel.h"
#include "views/editing/rowform.h"
#include "views/editing/systempanel.h"
#include "views/editing/textpanel.h"
#include "views/icons.h"
#include "views/panels/notice.h"

#include <QAction>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace instar {

Editing::Editing(StatechartView &chart, Simulator &simulator, Selection &selection,
    const Document::Snapshot &past, Docks &docks, QWidget *window)
    : QObject(window),
      m_window(window),
      m_document(past),
      m_selection(selection),
      m_chartEditor(chart, m_document, m_selection, window),
      m_live(m_document, simulator),
      m_undo(m_document.history().createUndoAction(this, tr("&Undo"))),
      m_redo(m_document.history().createRedoAction(this, tr("&Redo"))),
      m_watch(m_document),
      m_journal(m_document),
      m_notice(new NoticeBar(window)),
      m_docks(docks),
      m_system(new SystemPanel(m_document, selection)),
      m_form(new RowForm(m_document)),
      m_problems(new ProblemsPanel(m_document)),
      m_text(new TextPanel(m_document)),
      m_matrix(new MatrixPanel(m_document))
{
    m_undo->setShortcuts(QKeySequence::Undo);
    m_undo->setIcon(icon(u"undo"_s));
    QList<QKeySequence> redoKeys = QKeySequence::keyBindings(QKeySequence::Redo);
    if (const QKeySequence other(Qt::CTRL | Qt::Key_Y); !redoKeys.contains(other))
        redoKeys += other;
    m_redo->setShortcuts(redoKeys);
    m_redo->setIcon(icon(u"redo"_s));
    connect(&m_chartEditor, &ChartEditor::said, this, &Editing::said);
    connect(&m_live, &LiveRules::problemChanged, this, [this](const QString &problem) {
        if (!problem.isEmpty())
            emit said(
                tr("The simulation keeps the old rules, because the new ones are not valid: %1")
                    .arg(problem));
    });
    connect(&m_live, &LiveRules::replayed, this, &Editing::said);
    connect(&m_watch, &FileWatch::changed, this, &Editing::showFile);
    connect(&m_journal, &Journal::problemChanged, this, &Editing::showJournalProblem);
    m_watch.check(); // a recovered document may differ from its file
    // The buttons of the notice depend on whether there are unsaved changes.
    connect(&m_document, &Document::modifiedChanged, this, [this] {
        if (m_watch.state().kind == FileWatch::State::Kind::Other)
            showFile(m_watch.state());
    });
    // The selected resource stays selected when types on its path are renamed or moved.
    connect(&m_document, &Document::changed, this, [this](const Pack &before, const Pack &after) {
        const QString path = m_selection.resource();
        if (const QString now = pathAfter(before, renamings(before, after), path); now != path)
            m_selection.choose(now);
    });
    connect(&m_document, &Document::modifiedChanged, this, &Editing::titleChanged);
    connect(&m_document, &Document::fileChanged, this, &Editing::titleChanged);
    // Repaints the chart after undo and redo.
    connect(&m_document.history(), &QUndoStack::indexChanged, &chart,
        [&chart] { chart.viewport()->update(); });

    m_problems->setOn(false);
    m_matrix->setEditable(false);
    connect(m_system, &SystemPanel::rowChosen, m_form, &RowForm::showRow);
    connect(m_system, &SystemPanel::rowChosen, m_text, &TextPanel::showRow);
    connect(m_system, &SystemPanel::rowAdded, m_form, [this] { m_form->focusField(); });
    connect(m_system, &SystemPanel::said, this, &Editing::said);
    connect(m_text, &TextPanel::rowChosen, m_system, &SystemPanel::showRow);
    connect(m_text, &TextPanel::unreadChanged, this,
        [this](const QString &why) { m_textProblem = why; });
    connect(m_problems, &ProblemsPanel::diagnosticsChanged, m_text, &TextPanel::setDiagnostics);
    connect(m_problems, &ProblemsPanel::rowChosen, this, &Editing::showRow);
    connect(m_problems, &ProblemsPanel::rowAsked, this, [this](const QString &pointer) {
        showRow(pointer);
        m_form->focusAt(pointer);
    });
    connect(m_form, &RowForm::rowAsked, this, &Editing::showRow);
    connect(m_matrix, &MatrixPanel::rowAsked, this, &Editing::showRow);
    connect(m_matrix, &MatrixPanel::said, this, &Editing::said);
}

/// Deletes the panels before the document that they show; their docks would delete them later.
Editing::~Editing()
{
    m_document.disconnect(this); // its history emits signals when it is deleted
    for (const Docks::Panel &panel : panels())
        delete panel.content;
}

QList<Docks::Panel> Editing::panels() const
{
    constexpr auto left = Qt::LeftDockWidgetArea, right = Qt::RightDockWidgetArea,
                   bottom = Qt::BottomDockWidgetArea;
    return { { tr("System"), u"system"_s, m_system, { { Room::Edit, left } } },
        { tr("Row"), u"row"_s, m_form, { { Room::Edit, right } } },
        { tr("Problems"), u"problems"_s, m_problems, { { Room::Edit, bottom } } },
        { tr("Text"), u"text"_s, m_text, { { Room::Edit, bottom } } },
        { .title = tr("Conflicts"),
            .name = u"conflicts"_s,
            .content = m_matrix,
            .placements = { { Room::Edit, left }, { Room::Explore, left, false } },
            .widthPercent = 36 } };
}

void Editing::showJournalProblem(const QString &problem)
{
    if (problem.isEmpty())
        return emit said(tr("The recovery file works again: changes are saved for recovery after a "
                            "crash."));
    const QString sentence = tr("Changes cannot be recovered after a crash, because the recovery "
                                "file cannot be written: %1. Free some disk space, or save your "
                                "file; the program retries at each change.")
                                 .arg(problem);
    if (m_notice->isAsking())
        return emit said(sentence);
    m_notice->ask(
        Notice::Tone::Wrong, sentence, { { tr("Got It"), tr("Close this message"), [] {} } });
}

QString Editing::fileName() const
{
    return QFileInfo(m_document.file()).fileName();
}

void Editing::showFile(const FileWatch::State &observed)
{
    using Kind = FileWatch::State::Kind;
    if (observed.kind == Kind::Same)
        return m_notice->settle();
    if (observed.kind == Kind::Other)
        return showOtherVersion(observed.text);
    if (observed.kind == Kind::Unreadable)
        return m_notice->ask(Notice::Tone::Wrong,
            tr("%1. Your version is kept; save your version under another name.")
                .arg(observed.problem),
            { { tr("Read Again"), tr("Read the file again"), [this] {
                   if (m_watch.check().kind == Kind::Unreadable)
                       showFile(m_watch.state());
               } } });
    m_document.setUnsaved(); // the file is gone
    m_notice->ask(Notice::Tone::Wrong,
        tr("Another program removed %1. Your version is kept; save to write the file again.")
            .arg(fileName()),
        { { tr("Save"), tr("Write the file again"), [this] { save(); } } });
}

void Editing::showOtherVersion(const QByteArray &text)
{
    const Result<Pack> theirs = packFromText(text, m_document.file());
    if (!theirs) {
        m_document.setUnsaved();
        m_notice->ask(Notice::Tone::Wrong,
            tr("Another program changed %1, and the new content cannot be read: %2. Your version "
               "is kept.")
                .arg(fileName(), theirs.error()),
            { { tr("Keep Mine"), tr("Saving will overwrite the file with your version"),
                [this] { m_watch.ignore(); } } });
        return;
    }
    const bool isModified = m_document.isModified();
    const auto settle = [this, text, pack = *theirs](Document::Settle how) {
        m_document.settle(pack, text, how);
        m_watch.check();
    };
    const QList<NoticeBar::Answer> answers {
        { tr("Reload"),
            isModified ? tr("Reloads the file; Undo brings your changes back")
                       : tr("Reloads the file; Undo brings your version back"),
            [settle] { settle(Document::Settle::Theirs); } },
        { tr("Keep Mine"), tr("Saving will overwrite the file with your version"),
            [settle] { settle(Document::Settle::Mine); } }
    };
    m_notice->ask(Notice::Tone::Hint,
        isModified ? tr("Another program changed %1, and you have unsaved changes. Reload the file "
                        "or keep yours.")
                         .arg(fileName())
                   : tr("Another program changed %1. Reload the file or keep your version.")
                         .arg(fileName()),
        answers);
}

bool Editing::mayOverwrite()
{
    if (m_watch.check().kind != FileWatch::State::Kind::Other)
        return true;
    QMessageBox box(QMessageBox::Warning, tr("Save"),
        tr("Another program changed %1 since it was read.").arg(fileName()), QMessageBox::Cancel,
        m_window);
    box.setInformativeText(tr("Saving overwrites the other program's changes. To keep them, cancel "
                              "and reload the file first."));
    QPushButton *overwrite = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == overwrite;
}

void Editing::showRow(const QString &pointer)
{
    m_system->showRow(pointer);
    m_docks.raise(m_docks.named(u"row"_s));
}

void Editing::setOn(bool on)
{
    if (on == m_chartEditor.isOn())
        return;
    m_chartEditor.setOn(on);
    m_problems->setOn(on);
    m_matrix->setEditable(on);
    emit modeChanged(on);
}

void Editing::commitTyping()
{
    m_chartEditor.acceptTyped();
    m_text->finish();
}

bool Editing::write(const QString &wanted)
{
    if (!m_textProblem.isEmpty()
        && QMessageBox::warning(m_window, tr("Save"),
               tr("The edited text is not valid yet: %1\n\nSaving writes the last valid version; "
                  "the text stays in the editor.")
                   .arg(m_textProblem),
               QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel)
            != QMessageBox::Save)
        return false;
    const std::optional<QString> file = fileFor(wanted);
    if (!file || ((file->isEmpty() || *file == m_document.file()) && !mayOverwrite()))
        return false;
    const Result<bool> written = m_document.save(*file);
    m_watch.check();
    if (written)
        emit said(tr("Saved %1").arg(m_document.file()));
    else
        QMessageBox::warning(m_window, tr("Save"), written.error());
    return bool(written);
}

void Editing::explainSavedAsPack(const QString &file, const QString &why)
{
    m_notice->ask(Notice::Tone::Hint,
        tr("%1 is shown as a pack and will be saved as a pack, because %2.")
            .arg(QFileInfo(file).fileName(), why),
        { { tr("Got It"), tr("Close this message"), [] {} } });
}

std::optional<QString> Editing::fileFor(const QString &file)
{
    const FileText text = m_document.written(file);
    const QStringList &losses = text.losses;
    if (losses.isEmpty())
        return file;
    const QString name = QFileInfo(file.isEmpty() ? m_document.file() : file).fileName();
    QMessageBox box(QMessageBox::Warning, tr("Save"),
        tr("The format of %1 cannot express everything in this pack.").arg(name),
        QMessageBox::Cancel, m_window);
    box.setInformativeText(losses.size() == 1
            ? losses.first()
            : tr("%1 (and %2 more)").arg(losses.first()).arg(losses.size() - 1));
    box.setDetailedText(losses.join(u'\n'));
    QPushButton *pack = box.addButton(
        hasStatecharts(m_document.pack()) ? tr("Save under Another Name…") : tr("Save as a Pack…"),
        QMessageBox::AcceptRole);
    QPushButton *withLosses = text.isWritten
        ? box.addButton(tr("Save with Losses"), QMessageBox::DestructiveRole)
        : nullptr;
    box.setDefaultButton(pack);
    box.exec();
    if (withLosses && box.clickedButton() == withLosses)
        return file;
    const QString other = box.clickedButton() == pack ? fileToSave() : QString();
    return other.isEmpty() ? std::nullopt : fileFor(other);
}

bool Editing::save()
{
    commitTyping();
    return m_document.file().isEmpty() ? saveAs() : write({});
}

bool Editing::saveAs()
{
    commitTyping();
    const QString file = fileToSave();
    if (file.isEmpty())
        return false;
    nameAfter(file);
    return write(file);
}

void Editing::nameAfter(const QString &file)
{
    if (!m_document.file().isEmpty() || !isFromTemplate(m_document.pack()))
        return;
    Pack named = m_document.pack();
    const QString words =
        QFileInfo(file).completeBaseName().replace(u'-', u' ').replace(u'_', u' ').simplified();
    if (words.isEmpty())
        return;
    named.id = words.toLower().replace(u' ', u'-');
    named.title = words.left(1).toUpper() + words.sliced(1);
    m_document.edit(tr("Name the pack"), named);
}

QString Editing::fileToSave()
{
    const QString current = m_document.file();
    const bool isPack = !hasStatecharts(m_document.pack());
    QStringList filters;
    if (isPack)
        filters += tr("Packs (*.json)");
    if (hasChartSuffix(current) || !isPack) {
        const StatechartFormat *format =
            statechartFormat(hasChartSuffix(current) ? machineFormat(current) : u"plantuml"_s);
        filters += u"%1 (*%2)"_s.arg(format->title, format->suffixes.join(u" *"_s));
    }
    const QString suggested = m_document.pack().id + (isPack ? u".json"_s : u".puml"_s);
    return askedFile(m_window, isPack ? tr("Save the Pack") : tr("Save the Statechart"),
        current.isEmpty() || (isPack && hasChartSuffix(current)) ? suggested : current,
        filters.join(u";;"_s));
}

bool Editing::mayClose()
{
    commitTyping();
    if (!m_document.isModified() && m_textProblem.isEmpty())
        return true;
    const auto answer = QMessageBox::warning(m_window, tr("Close"),
        m_textProblem.isEmpty() ? tr("%1 has unsaved changes.").arg(m_document.pack().title)
                                : tr("The edited text of %1 is not valid yet: %2")
                                      .arg(m_document.pack().title, m_textProblem),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

} // namespace instar
