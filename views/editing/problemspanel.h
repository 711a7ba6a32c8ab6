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
    /// True if the diagnostics are older than the document: a search runs or is due.
    bool isSearching() const { return m_delay.isActive() || m_task; }
    /// Applies the first fix of a row's diagnostic, if there is one.
    void fix(int row);
    /// Text of a command that applies a fix.
    static QString fixText(const Fix &fix);

signals:
    /// The user wants to see the row of a diagnostic, or to edit it, by its JSON pointer.
    void rowChosen(const QString &pointer);
    void rowAsked(const QString &pointer);
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
