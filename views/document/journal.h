// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/saving.h"
#include "views/document/document.h"

#include <QLockFile>
#include <QTimer>

#include <memory>

namespace instar {

/// Keeps what is done to a document in a file of its own, so that it can be had back, with what was
/// undone, after the program ended in the middle of it. Each step is appended as what it changes in
/// the pack's text, and what was typed as it was typed; the file begins anew, with fewer steps,
/// before it grows too large. It is written when what was done is over, or, where that takes long,
/// a fifth of a second later at most: so much may be lost. It is left to the system: what is lost
/// when the machine itself stops is not its business. What cannot be written is writeLines again
/// with the next step, and what the file told before stays. It goes with the journal: a document
/// that is closed needs none.
class Journal : public QObject
{
    Q_OBJECT
public:
    explicit Journal(Document &document, QObject *parent = nullptr);
    ~Journal() override;

    /// Writes at once what would be written soon.
    void write();
    /// A pack as it is written, and the numbers of its rows.
    struct Texts
    {
        QByteArray pack, numbers;
    };
    static constexpr qint64 MostBytes = 32 * 1024 * 1024;
    void setMostBytes(qint64 bytes) { m_mostBytes = bytes; }
    static constexpr qsizetype LeastSteps = 100; ///< that stay where it begins anew

signals:
    /// From now on nothing is kept, and why; empty: all is kept again.
    void troubled(const QString &problem);

private:
    /// What the file tells.
    struct Contents
    {
        Document::Past past;
        qsizetype omittedSteps = 0; ///< steps at the beginning that it does not tell
        Texts texts;                ///< of the last step in it
    };
    /// Empty: the file tells all; else why it does not.
    QString writeLines();
    QString claimFile();
    QByteArray firstLine(const Document::Past &past, Contents *contents) const;
    static QByteArray stepLines(const Document::Past &past, qsizetype from, Contents *contents);
    static Texts textsOf(const Pack &pack);

    Document &m_document;
    QTimer m_soon;
    QString m_name; ///< of the file; empty: there is none yet
    AppendingFile m_file;
    std::unique_ptr<QLockFile> m_lock;
    Contents m_contents;
    qint64 m_mostBytes = MostBytes;
    qint64 m_took = 0; ///< ms: to write it the last time
    QString m_problem; ///< why not all is kept
};

/// What a program left that has ended without closing its documents.
struct LostDocument
{
    QString journal;                 ///< its file
    Document::Past past;             ///< as far as it can be read
    QDateTime time;                  ///< of the last change
    QString problem;                 ///< what cannot be read; empty: all can
    bool isReadable = false;         ///< something of it
    std::shared_ptr<QLockFile> lock; ///< no other program offers it meanwhile
};

/// What running programs have open is not among them.
QList<LostDocument> lostDocuments();
/// It is had back, or nobody wants it.
void forget(const LostDocument &lost);

} // namespace instar
