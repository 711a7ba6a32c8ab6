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
    /// As it was opened, or saved last.
    const Pack &saved() const { return m_read; }
    const QString &file() const { return m_file; }
    /// Whether the file, if there is one, holds something else.
    bool isModified() const { return !m_history.isClean(); }
    QUndoStack &history() { return m_history; }

    /// Puts another pack in the place of this one; `text` says what was done. Edits one after the
    /// other with the same key are undone together. Nothing happens where nothing is different.
    void edit(const QString &text, const Pack &pack, const QString &mergeKey = {});
    /// What was done is over: an edit with the same key is one of its own.
    void endMerging() { m_mergeKey.clear(); }

    /// Writes the pack as a whole, into another file where one is named. A pack that was not
    /// changed is written as it was read, byte for byte.
    Result<bool> save(const QString &file = {});

signals:
    void changed(const instar::Pack &before, const instar::Pack &after);
    void fileChanged();
    void modifiedChanged(bool modified);

private:
    class Edit;
    void put(const Pack &pack);

    Pack m_pack, m_read;
    QString m_file;
    QByteArray m_bytes; ///< what was read
    QUndoStack m_history;
    quint32 m_lastRow = 0; ///< of the numbers that rows have
    QString m_mergeKey;    ///< of the last edit
};

} // namespace instar
