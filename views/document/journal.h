// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/saving.h"
#include "views/document/document.h"

#include <QLockFile>
#include <QTimer>

#include <memory>

namespace instar {

/// Recovery journal of a document: a file that restores the document with its undo steps after a
/// crash of the program. Its lines are JSON objects. The first holds a whole pack ("first"), and
/// the text in the editor ("written"). Each other one holds a step ("did": its name; "pack" and
/// "rows": diffs; "moved": with chosen positions), the number of first steps that stay
/// ("keep"), the number of steps not undone ("now"), or the text of the document's file.
/// Lines are appended at most 200 ms after each change, not flushed to the disk. A failed write
/// leaves the file as it was; 5 s after the next change it is written anew. Destroying the journal
/// removes it: a closed document needs none.
class Journal : public QObject
{
    Q_OBJECT
public:
    explicit Journal(Document &document, QObject *parent = nullptr);
    ~Journal() override;

    void write(); ///< writes the changes since the last write now
    /// JSON of a pack, and the identities of its rows separated by blanks.
    struct Texts
    {
        QByteArray pack, numbers;
    };

signals:
    /// Emitted when writing begins to fail, with the reason, and when it works again (empty).
    void problemChanged(const QString &problem);

private:
    QString writeLines(); ///< returns the error; empty: the file is complete
    QString claimFile();  ///< names and locks the file; returns the error or an empty text
    QByteArray firstLine(const Document::Snapshot &snapshot) const;
    QByteArray stepLine(const Document::Step &step, qsizetype now);
    static Texts textsOf(const Pack &pack);

    Document &m_document;
    QTimer m_writeDelay;
    QString m_name; ///< of the file; empty: there is none yet
    AppendingFile m_file;
    std::unique_ptr<QLockFile> m_lock;
    Document::Snapshot m_snapshot; ///< the document at the last write
    Texts m_texts;                 ///< of the last step in the file
    qint64 m_writeMs = 0;          ///< duration of the last write
    QString m_problem;             ///< error of the last write
};

/// Document of a program that ended without closing it.
struct LostDocument
{
    QString journal;                 ///< path of the recovery file
    Document::Snapshot snapshot;     ///< up to the first unreadable line
    QDateTime time;                  ///< of the last change
    QString problem;                 ///< first error in the journal; empty: none
    bool isReadable = false;         ///< the journal's first line could be read
    std::shared_ptr<QLockFile> lock; ///< keeps other programs from offering the document
};

/// Returns documents to recover, without those that running programs have open.
QList<LostDocument> lostDocuments();
/// Discards the recovery file after the user restored or declined it.
void forget(const LostDocument &lost);

} // namespace instar
