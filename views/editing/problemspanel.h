// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/fixes.h"
#include "model/task.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QMenu;
class QStandardItemModel;
class QTreeView;

namespace instar {

class Document;

/// List of the document's diagnostics, with fixes. A background task finds the diagnostics after
/// each change; successive changes are debounced.
class ProblemsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemsPanel(Document &document, QWidget *parent = nullptr);

    /// Switches the search on (the default) or off.
    void setOn(bool on);
    const QList<Diagnostic> &diagnostics() const { return m_diagnostics; }
    /// Title with the number of diagnostics: "Problems (3)".
    QString title() const;
    QTreeView &list() { return *m_list; }
    /// True while a search runs or is due: diagnostics() are older than the document.
    bool isSearching() const { return m_delay.isActive() || m_task; }
    /// Applies the first fix for the diagnostic in a row of the list, if there is one.
    void fix(int row);
    /// Text of a command that applies a fix.
    static QString fixText(const Fix &fix);

signals:
    void rowChosen(const QString &pointer); ///< the user wants to see the row at a JSON pointer
    void rowAsked(const QString &pointer);  ///< the user wants to edit the row at a JSON pointer
    void titleChanged(const QString &title);
    void diagnosticsChanged(const QList<instar::Diagnostic> &diagnostics);

private:
    void search();
    void showDiagnostics(const QList<Diagnostic> &diagnostics);
    void fillMenu(QMenu &menu);

    Document &m_document;
    QTreeView *m_list;
    QStandardItemModel *m_model;
    QTimer m_delay { this }; ///< debounces changes
    QPointer<Task> m_task;
    QList<Diagnostic> m_diagnostics;
    bool m_hasSearched = false, m_isOn = true;
};

} // namespace instar
