// SPDX-License-Identifier: Apache-2.0
#include "views/document/document.h"

#include "model/charts/chartfile.h"
#include "model/formats/merging.h"
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
          m_mergeKey(mergeKey),
          m_showBefore(look())
    { }

    void undo() override
    {
        m_showAfter = look();
        m_document.endMerging();
        m_document.put(m_before);
        if (m_showBefore)
            m_showBefore();
    }
    void redo() override
    {
        m_document.put(m_after);
        if (m_showAfter)
            m_showAfter();
    }
    Step step() const { return { text(), m_after }; }
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
    ShowAgain look() const { return m_document.m_look ? m_document.m_look() : ShowAgain(); }

    Document &m_document;
    const Pack m_before;
    Pack m_after;
    const QString m_mergeKey;
    const ShowAgain m_showBefore;
    ShowAgain m_showAfter; ///< when it was undone
};

Document::Document(const Pack &pack, const QString &file, const QByteArray &read, QObject *parent)
    : QObject(parent), m_pack(pack), m_file(file)
{
    identify(&m_pack, &m_lastRow);
    m_read = m_first = { m_pack, read };
    connect(&m_history, &QUndoStack::cleanChanged, this,
        [this](bool clean) { emit modifiedChanged(!clean); });
}

Document::Document(const Past &past, QObject *parent)
    : Document(past.first, past.file, past.firstText, parent)
{
    for (qsizetype i = 0; i <= past.steps.size(); ++i) {
        if (i == past.saved) {
            m_history.setClean();
            m_read = { m_pack, past.text };
        }
        if (i < past.steps.size())
            edit(past.steps[i].text, past.steps[i].pack);
    }
    m_history.setIndex(int(past.now));
    endMerging();
    if (past.saved >= 0)
        return;
    const Result<Pack> read = packFromText(past.text, past.file);
    m_read = { read ? recognized(*read, m_pack) : Pack(), past.text };
    m_history.resetClean();
}

Document::Past Document::past() const
{
    Past past { m_first.pack, m_first.text, {}, m_history.index(), m_history.cleanIndex(), m_file,
        m_read.text };
    for (int i = 0; i < m_history.count(); ++i)
        past.steps += static_cast<const Edit *>(m_history.command(i))->step();
    return past;
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
    const QByteArray bytes = written(target).text;
    Result<bool> result = saved(target, bytes);
    if (!result)
        return result;
    m_read = { m_pack, bytes };
    const bool isOther = std::exchange(m_file, target) != target;
    m_history.setClean();
    endMerging();
    if (isOther)
        emit fileChanged();
    return result;
}

QStringList Document::settle(const Pack &theirs, const QByteArray &text, Settle how)
{
    Pack known = recognized(theirs, m_read.pack);
    identify(&known, &m_lastRow);
    QStringList conflicts;
    if (how == Settle::Theirs)
        edit(tr("Reload the file"), known);
    if (how == Settle::Both) {
        const Merged both = merged(m_read.pack, m_pack, known);
        conflicts = both.conflicts;
        edit(tr("Merge with the file"), both.pack);
    }
    endMerging();
    m_read = { known, text };
    if (m_pack == known)
        m_history.setClean();
    else
        m_history.resetClean();
    return conflicts;
}

FileText Document::written(const QString &file) const
{
    const bool isSame = file == m_file || (!m_file.isEmpty() && haveSameNotation(file, m_file));
    if (isSame && m_pack == m_first.pack && !m_first.text.isEmpty())
        return { m_first.text, {} }; // everything was undone
    return instar::fileText(isSame ? m_read.text : QByteArray(), m_read.pack, m_pack, file);
}

QStringList Document::losses(const QString &file) const
{
    return written(file.isEmpty() ? m_file : file).losses;
}

} // namespace instar
