// SPDX-License-Identifier: Apache-2.0
#include "app/filekeeping.h"

#include "views/panels/notice.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace instar {

FileKeeping::FileKeeping(Document &document, QWidget *window)
    : m_document(document),
      m_window(window),
      m_watch(document),
      m_journal(document),
      m_notice(new NoticeBar(window))
{
    connect(&m_watch, &FileWatch::changed, this, &FileKeeping::show);
    connect(&m_journal, &Journal::troubled, this, &FileKeeping::tellJournal);
    m_watch.look(); // what was had back may be of another file
    // What can be done about it depends on whether there is something here.
    connect(&document, &Document::modifiedChanged, this, [this] {
        if (m_watch.seen().kind == FileWatch::Seen::Kind::Other)
            show(m_watch.seen());
    });
}

void FileKeeping::tellJournal(const QString &problem)
{
    if (problem.isEmpty())
        return emit said(tr("What is done here is kept again, should the program end."));
    const QString sentence = tr(
        "If the program ends now, what is done here is lost: %1. Make room there, or save; it is "
        "tried again with each change.")
                                 .arg(problem);
    if (m_notice->isAsking())
        return emit said(sentence);
    m_notice->ask(Notice::Tone::Wrong, sentence, { { tr("Got It"), tr("Close this"), [] {} } });
}

QString FileKeeping::name() const
{
    return QFileInfo(m_document.file()).fileName();
}

void FileKeeping::show(const FileWatch::Seen &seen)
{
    using Kind = FileWatch::Seen::Kind;
    switch (seen.kind) {
    case Kind::Same:
        m_notice->settle();
        break;
    case Kind::Other:
        showOther(seen.text);
        break;
    case Kind::Gone:
        m_document.setUnsaved();
        m_notice->ask(Notice::Tone::Wrong,
            tr("%1 was removed by another program. What is here is kept; save it to have the file "
               "again.")
                .arg(name()),
            { { tr("Save"), tr("Write the file again"), [this] { emit saveAsked(); } } });
        break;
    case Kind::Unreadable:
        m_notice->ask(Notice::Tone::Wrong,
            tr("%1. What is here is kept; save it under another name.").arg(seen.problem),
            { { tr("Look Again"), tr("Read the file again"), [this] {
                   if (m_watch.look().kind == Kind::Unreadable)
                       show(m_watch.seen());
               } } });
        break;
    }
}

void FileKeeping::showOther(const QByteArray &text)
{
    const Result<Pack> theirs = packFromText(text, m_document.file());
    if (!theirs) {
        m_document.setUnsaved();
        m_notice->ask(Notice::Tone::Wrong,
            tr("Another program changed %1, and it cannot be read: %2. What is here is kept.")
                .arg(name(), theirs.error()),
            { { tr("Keep Mine"), tr("What is here is written over it when it is saved"),
                [this] { m_watch.ignore(); } } });
        return;
    }
    const bool isModified = m_document.isModified();
    const QList<NoticeBar::Answer> answers {
        { tr("Reload"),
            isModified
                ? tr("Take what the file says; what was changed here can be had back by Undo")
                : tr("Take what the file says; Undo brings back what is here"),
            [this, text, pack = *theirs] { settle(pack, text, Document::Settle::Theirs); } },
        { tr("Keep Mine"), tr("What is here is written over it when it is saved"),
            [this, text, pack = *theirs] { settle(pack, text, Document::Settle::Mine); } }
    };
    m_notice->ask(Notice::Tone::Hint,
        isModified ? tr("Another program changed %1, and there are changes here, too.").arg(name())
                   : tr("Another program changed %1.").arg(name()),
        answers);
}

void FileKeeping::settle(const Pack &theirs, const QByteArray &text, Document::Settle how)
{
    m_document.settle(theirs, text, how);
    m_watch.look();
}

bool FileKeeping::mayWrite()
{
    using Kind = FileWatch::Seen::Kind;
    const FileWatch::Seen seen = m_watch.look();
    if (seen.kind != Kind::Other)
        return true;
    QMessageBox box(QMessageBox::Warning, tr("Save"),
        tr("Another program changed %1 since it was read.").arg(name()), QMessageBox::Cancel,
        m_window);
    box.setInformativeText(
        tr("Save over it, and what was changed there is lost; or cancel, and reload it first."));
    QPushButton *over = box.addButton(tr("Save Over It"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == over;
}

} // namespace instar
