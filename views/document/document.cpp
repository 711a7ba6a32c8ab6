// SPDX-License-Identifier: Apache-2.0
#include "views/document/document.h"

#include "model/formats/pack.h"
#include "model/formats/saving.h"
#include "model/machine/identity.h"

#include <utility>

namespace instar {

/// The only undo command: one pack in place of another.
class Document::Edit : public QUndoCommand
{
public:
    Edit(Document &document, const QString &text, const Pack &after, const QString &mergeKey)
        : QUndoCommand(text),
          m_document(document),
          m_before(document.pack()),
          m_after(after),
          m_mergeKey(mergeKey)
    { }

    void undo() override
    {
        m_document.endMerging();
        m_document.put(m_before);
    }
    void redo() override { m_document.put(m_after); }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = static_cast<const Edit *>(other);
        if (next->m_mergeKey != m_mergeKey || m_document.m_mergeKey != m_mergeKey)
            return false;
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Document &m_document;
    const Pack m_before;
    Pack m_after;
    const QString m_mergeKey;
};

Document::Document(const Pack &pack, const QString &file, const QByteArray &read, QObject *parent)
    : QObject(parent), m_pack(pack), m_file(file), m_bytes(read)
{
    identify(&m_pack, &m_lastRow);
    m_read = m_pack;
    connect(&m_history, &QUndoStack::cleanChanged, this,
        [this](bool clean) { emit modifiedChanged(!clean); });
}

void Document::edit(const QString &text, const Pack &pack, const QString &mergeKey)
{
    if (pack == m_pack)
        return;
    Pack numbered = pack;
    identify(&numbered, &m_lastRow);
    m_history.push(new Edit(*this, text, numbered, mergeKey)); // which merges by the key before
    m_mergeKey = mergeKey;
}

void Document::put(const Pack &pack)
{
    if (pack == m_pack)
        return; // the first redo() of a merged edit
    const Pack before = std::exchange(m_pack, pack);
    emit changed(before, m_pack);
}

Result<bool> Document::save(const QString &file)
{
    const QString target = file.isEmpty() ? m_file : file;
    const QByteArray bytes = m_pack == m_read && !m_bytes.isEmpty() ? m_bytes : writePack(m_pack);
    Result<bool> written = instar::saved(target, bytes);
    if (!written)
        return written;
    m_read = m_pack;
    m_bytes = bytes;
    m_history.setClean();
    endMerging();
    if (std::exchange(m_file, target) != target)
        emit fileChanged();
    return written;
}

} // namespace instar
