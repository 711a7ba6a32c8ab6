// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks.h"
#include "views/document/document.h"
#include "views/document/filewatch.h"
#include "views/document/journal.h"
#include "views/document/liverules.h"
#include "views/editing/charteditor.h"
#include "views/selection.h"

class QAction;
class QWidget;

namespace instar {

class MatrixPanel;
class NoticeBar;
class ProblemsPanel;
class RowForm;
class Simulator;
class SystemPanel;
class TextPanel;

/// Editor of a window's pack: its document, undo actions, chart editor, file and the panels of the
/// room Edit. Explore and Edit show the same chart; edit mode makes it editable.
class Editing : public QObject
{
    Q_OBJECT
public:
    Editing(StatechartView &chart, Simulator &simulator, Selection &selection,
        const Document::Snapshot &past, Docks &docks, QWidget *window);
    ~Editing() override;

    Document &document() { return m_document; }
    Selection &selection() { return m_selection; }
    ChartEditor &hands() { return m_chartEditor; }
    /// Notice over the chart about the file, such as a change by another program.
    NoticeBar *notice() { return m_notice; }
    Journal &journal() { return m_journal; }
    LiveRules &live() { return m_live; }
    bool isOn() const { return m_chartEditor.isOn(); }
    void setOn(bool on);

    QList<Docks::Panel> panels() const;
    SystemPanel &system() { return *m_system; }
    RowForm &form() { return *m_form; }
    MatrixPanel &matrix() { return *m_matrix; }
    ProblemsPanel &problems() { return *m_problems; }
    TextPanel &text() { return *m_text; }
    /// Selects a row in the outline and raises its form.
    void showRow(const QString &pointer);

    QAction *undo() { return m_undo; }
    QAction *redo() { return m_redo; }
    /// Tells the user that `file` will be saved as a pack. `why`: reason, the end of a sentence.
    void explainSavedAsPack(const QString &file, const QString &why);
    bool save();
    bool saveAs();
    /// Asks whether to save unsaved changes; returns false if the window must stay open.
    bool mayClose();

signals:
    void said(const QString &sentence);
    void modeChanged(bool on);
    void titleChanged(); ///< the document has another file or was modified or saved

private:
    void showFile(const FileWatch::State &observed);
    void showOtherVersion(const QByteArray &text);
    void showJournalProblem(const QString &problem);
    QString fileName() const;
    /// Returns false if the user does not want to overwrite the changes of another program.
    bool mayOverwrite();
    void commitTyping();             ///< to the document
    bool write(const QString &file); ///< empty: the document's file
    /// Names a new pack after its file, unless the user has named it.
    void nameAfter(const QString &file);
    /// Returns `file` or, if its format cannot express the whole pack, another file that the user
    /// chooses; absent if the user cancels.
    std::optional<QString> fileFor(const QString &file);
    /// Asks for the file to save to; empty: canceled.
    QString fileToSave();

    QWidget *m_window;
    Document m_document;
    Selection &m_selection;
    ChartEditor m_chartEditor;
    LiveRules m_live;
    QAction *m_undo, *m_redo;
    FileWatch m_watch;
    Journal m_journal;
    NoticeBar *m_notice;
    Docks &m_docks;
    SystemPanel *m_system;
    RowForm *m_form;
    ProblemsPanel *m_problems;
    TextPanel *m_text;
    MatrixPanel *m_matrix;
    QString m_textProblem; ///< error in the text being edited; empty: none
};

} // namespace instar
