// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/document/document.h"
#include "views/document/filewatch.h"
#include "views/document/journal.h"

class QWidget;

namespace instar {

class NoticeBar;

/// What a window does about its document's file: says when somebody else wrote it, and what can be
/// done then; keeps what is not saved.
class FileKeeping : public QObject
{
    Q_OBJECT
public:
    FileKeeping(Document &document, QWidget *window);

    /// Over the chart; hidden while all is well.
    NoticeBar *notice() { return m_notice; }
    /// Asks before another program's changes are written over; false: nothing is to be written.
    bool mayWrite();
    /// The file was looked at or written from here.
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

} // namespace instar
