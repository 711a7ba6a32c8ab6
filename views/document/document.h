// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"
#include "model/result.h"

#include <QObject>
#include <QUndoStack>

namespace instar {

/// A pack that is edited: the value, what was done to it, and its file. What cannot run yet is kept
/// and saved all the same.
class Document : public QObject
{
    Q_OBJECT
public:
    /// `file`: empty where there is none yet; `read`: what stands in it.
    explicit Document(const Pack &pack, const QString &file = {}, const QByteArray &read = {},
        QObject *parent = nullptr);

    const Pack &pack() const { return m_pack; }
    const QString &file() const { return m_file; }
    /// Whether the file, if there is one, holds something else.
    bool isModified() const { return !m_history.isClean(); }
    QUndoStack &history() { return m_history; }

    /// Puts another pack in the place of this one; `text` says what was done. Edits one after the
    /// other with the same key are undone together. Nothing happens where nothing is different.
    void edit(const QString &text, const Pack &pack, const QString &mergeKey = {});
    /// What was done is over: an edit with the same key is one of its own.
    void endMerging() { m_mergeKey.clear(); }

    /// The pack as its file has it: as it was read or typed last, with what was changed since.
    QByteArray text() const;
    /// Puts another text in the place of text(). `said`: the pack that was read from it, in which
    /// rows are known again.
    void editText(const QString &what, const QByteArray &text, const Pack &said,
        const QString &mergeKey = {});

    /// Writes the text as a whole, into another file where one is named: what was not changed
    /// stands there byte for byte.
    Result<bool> save(const QString &file = {});

    /// What stands in the file as far as is known here; empty: there is no file.
    const QByteArray &fileText() const { return m_inFile.text; }
    enum class Settle { Mine, Theirs, Both };
    /// Somebody else wrote the file: `text`, which reads as `theirs`. What becomes of the pack is
    /// an edit that can be undone; rows that are the same stay the same. Both: what only one of
    /// them changed since is as that one has it; the sentences tell where that was not possible.
    QStringList settle(const Pack &theirs, const QByteArray &text, Settle how);
    /// Nothing of this is in the file any more.
    void setUnsaved() { m_history.resetClean(); }

signals:
    void changed(const instar::Pack &before, const instar::Pack &after);
    /// The pack, or only how it is written; after changed().
    void textChanged();
    void fileChanged();
    void modifiedChanged(bool modified);

private:
    class Edit;
    struct Splice;
    struct Written
    {
        QByteArray text; ///< empty: nothing is written
        Pack pack;       ///< that it says
    };
    void put(const Pack &pack);
    void type(const QString &what, const QByteArray &text, const Pack &said,
        const QString &mergeKey = {});
    Pack numbered(Pack pack);

    quint32 m_lastRow = 0; ///< of the numbers that rows have
    Pack m_pack;
    Written m_written; ///< what was read or typed last
    Written m_inFile;  ///< as far as is known here
    QString m_file;
    QUndoStack m_history;
    QString m_mergeKey; ///< of the last edit
};

} // namespace instar
