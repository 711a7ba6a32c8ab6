// SPDX-License-Identifier: Apache-2.0
#include "views/document/document.h"

#include "model/formats/merging.h"
#include "model/formats/pack.h"
#include "model/formats/patching.h"
#include "model/formats/saving.h"
#include "model/machine/identity.h"

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

/// What becomes of a text: some bytes of it in place of others.
struct Document::Splice
{
    qsizetype at = 0;
    QByteArray out, in;

    static Splice between(const QByteArray &before, const QByteArray &after)
    {
        const qsizetype most = std::min(before.size(), after.size());
        const auto differ = std::mismatch(before.begin(), before.begin() + most, after.begin());
        const qsizetype at = differ.first - before.begin();
        const auto ends =
            std::mismatch(before.rbegin(), before.rbegin() + (most - at), after.rbegin());
        const qsizetype tail = ends.first - before.rbegin();
        return { at, before.mid(at, before.size() - tail - at),
            after.mid(at, after.size() - tail - at) };
    }
    QByteArray done(QByteArray text) const { return text.replace(at, out.size(), in); }
    QByteArray undone(QByteArray text) const { return text.replace(at, in.size(), out); }
};

/// The only undo command: one pack in place of another, and the text that was typed, if any was.
class Document::Edit : public QUndoCommand
{
public:
    Edit(Document &document, const QString &what, const Pack &after, const QString &mergeKey)
        : QUndoCommand(what),
          m_document(document),
          m_before(document.pack()),
          m_after(after),
          m_mergeKey(mergeKey)
    { }

    void type(const QByteArray &text)
    {
        m_saidBefore = m_document.m_written.pack;
        m_typed = Splice::between(m_document.m_written.text, text);
    }
    void undo() override
    {
        m_document.endMerging();
        if (m_typed)
            m_document.m_written = { m_typed->undone(m_document.m_written.text), m_saidBefore };
        m_document.put(m_before);
    }
    void redo() override
    {
        if (m_typed)
            m_document.m_written = { m_typed->done(m_document.m_written.text), m_after };
        m_document.put(m_after);
    }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = static_cast<const Edit *>(other);
        if (next->m_mergeKey != m_mergeKey || m_document.m_mergeKey != m_mergeKey)
            return false;
        m_after = next->m_after;
        if (m_typed) {
            const QByteArray &now = m_document.m_written.text;
            m_typed = Splice::between(m_typed->undone(next->m_typed->undone(now)), now);
        }
        setObsolete(m_after == m_before && (!m_typed || m_typed->out == m_typed->in));
        return true;
    }

private:
    Document &m_document;
    const Pack m_before;
    Pack m_after, m_saidBefore;
    const QString m_mergeKey;
    std::optional<Splice> m_typed;
};

Document::Document(const Pack &pack, const QString &file, const QByteArray &read, QObject *parent)
    : QObject(parent),
      m_pack(numbered(pack)),
      m_written { read, m_pack },
      m_inFile(m_written),
      m_file(file)
{
    connect(&m_history, &QUndoStack::cleanChanged, this,
        [this](bool clean) { emit modifiedChanged(!clean); });
}

Pack Document::numbered(Pack pack)
{
    identify(&pack, &m_lastRow);
    return pack;
}

void Document::edit(const QString &text, const Pack &pack, const QString &mergeKey)
{
    if (pack == m_pack)
        return;
    m_history.push(new Edit(*this, text, numbered(pack), mergeKey)); // merges by the key before
    m_mergeKey = mergeKey;
}

QByteArray Document::text() const
{
    return m_written.text.isEmpty() ? writePack(m_pack)
                                    : patched(m_written.text, m_written.pack, m_pack);
}

void Document::editText(
    const QString &what, const QByteArray &text, const Pack &said, const QString &mergeKey)
{
    Pack pack = said;
    recognize(&pack, m_pack);
    // A key of its own: what is typed elsewhere is no part of it.
    type(what, text, pack, mergeKey.isEmpty() ? QString() : u"text "_s + mergeKey);
}

void Document::type(
    const QString &what, const QByteArray &text, const Pack &said, const QString &mergeKey)
{
    if (text == this->text())
        return;
    auto *edit = new Edit(*this, what, numbered(said), mergeKey);
    edit->type(text);
    m_history.push(edit);
    m_mergeKey = mergeKey;
}

void Document::put(const Pack &pack)
{
    const Pack before = std::exchange(m_pack, pack);
    if (before != m_pack)
        emit changed(before, m_pack);
    emit textChanged();
}

Result<bool> Document::save(const QString &file)
{
    const QString target = file.isEmpty() ? m_file : file;
    const QByteArray bytes = text();
    Result<bool> result = saved(target, bytes);
    if (!result)
        return result;
    m_inFile = { bytes, m_pack };
    const bool isOther = std::exchange(m_file, target) != target;
    m_history.setClean();
    endMerging();
    if (isOther)
        emit fileChanged();
    return result;
}

QStringList Document::settle(const Pack &theirs, const QByteArray &text, Settle how)
{
    const Pack known = numbered(recognized(theirs, m_inFile.pack));
    QStringList conflicts;
    endMerging();
    if (how == Settle::Theirs)
        type(tr("Reload the file"), text, known);
    if (how == Settle::Both) {
        const Merged both = merged(m_inFile.pack, m_pack, known);
        conflicts = both.conflicts;
        type(tr("Merge with the file"), patched(text, known, both.pack), both.pack);
    }
    endMerging();
    m_inFile = { text, known };
    if (this->text() == text)
        m_history.setClean();
    else
        m_history.resetClean();
    return conflicts;
}

} // namespace instar
