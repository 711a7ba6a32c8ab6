// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "views/document/document.h"
#include "views/document/filewatch.h"
#include "views/document/journal.h"
#include "views/document/liverules.h"
#include "views/editing/charteditor.h"
#include "views/selection.h"

class QAction;
class QMenu;
class QWidget;

namespace instar {

class NoticeBar;

/// Watches the file of a window's document, offers to reload it, and journals unsaved edits.
class FileKeeping : public QObject
{
    Q_OBJECT
public:
    FileKeeping(Document &document, QWidget *window);

    /// Shown over the chart when the file was changed elsewhere.
    NoticeBar *notice() { return m_notice; }
    /// Asks before it overwrites changes of another program; false: do not write.
    bool mayWrite();
    /// The file was read or written here.
    void look() { m_watch.look(); }
    Journal &journal() { return m_journal; }

signals:
    void said(const QString &sentence);
    void saveAsked();

private:
    void show(const FileWatch::Seen &seen);
    void showOther(const QByteArray &text);
    void tellJournal(const QString &problem);
    void settle(const Pack &theirs, const QByteArray &text, Document::Settle how);
    QString name() const;

    Document &m_document;
    QWidget *m_window;
    FileWatch m_watch;
    Journal m_journal;
    NoticeBar *m_notice;
};

class Simulator;

/// What a window needs to change its pack: the document, and the hands on its chart. Explore and
/// Edit are two ways to hold the same chart.
class Editing : public QObject
{
    Q_OBJECT
public:
    Editing(StatechartView &chart, Simulator &simulator, Selection &selection,
        const Document::Past &past, QWidget *window);

    Document &document() { return m_document; }
    Selection &selection() { return m_selection; }
    ChartEditor &hands() { return m_hands; }
    /// What is to be said of the document's file.
    NoticeBar *notice() { return m_keeping.notice(); }
    Journal &journal() { return m_keeping.journal(); }
    LiveRules &live() { return m_live; }
    bool isOn() const { return m_hands.isOn(); }
    void setOn(bool on);

    void fill(QMenu *menu);
    QAction *undo() { return m_undo; }
    QAction *redo() { return m_redo; }
    /// What was opened cannot be saved back as what it was.
    void tellAsPack(const QString &file, const QString &why);
    bool save();
    bool saveAs();
    /// Why what is typed in the text is not in the document; empty: it is.
    void setUnread(const QString &why) { m_unread = why; }
    /// Asks what becomes of changes that are not saved; false: the window stays.
    bool mayClose();

signals:
    /// Whatever is typed at the moment is to be in the document.
    void finishing();
    void said(const QString &sentence);
    void modeChanged(bool on);
    /// The name or the state of the document's file has changed.
    void titleChanged();

private:
    /// As somebody asks for it: the keyboard goes to the chart, where it is to be used.
    void choose(bool on);
    void finish();
    bool write(const QString &file);
    /// A new pack that nobody has named is called as its file is.
    void nameAfter(const QString &file);
    /// Asks where a file cannot hold everything: what is to be written then, if anything.
    std::optional<QString> fileFor(const QString &file);
    /// Asks for the name of a file; empty: none.
    QString fileToSave();

    QWidget *m_window;
    StatechartView &m_chart;
    Document m_document;
    Selection &m_selection;
    ChartEditor m_hands;
    LiveRules m_live;
    QAction *m_undo, *m_redo;
    QString m_unread;
    FileKeeping m_keeping;
};

} // namespace instar
