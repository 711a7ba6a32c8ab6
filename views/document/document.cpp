// SPDX-License-Identifier: Apache-2.0
#include "views/document/document.h"

#include "model/json/packfile.h"
#include "model/json/saving.h"
#include "model/pack/identity.h"
#include "model/statecharts/chartrules.h"

#include <QFileInfo>

namespace instar {

namespace {

/// Returns the pack with the identities of `known` for rows that both have.
Pack recognizedIn(const Pack &known, Pack pack)
{
    recognize(&pack, known);
    return pack;
}

/// True if a state that had a position gets another one.
bool movesStates(const Pack &before, const Pack &after)
{
    for (const Machine &machine : after.machines) {
        const Machine *was = before.machine(machine.id);
        for (const State &state : machine.states) {
            const State *old = was ? was->state(state.id) : nullptr;
            if (old && old->position && state.position && *old->position != *state.position)
                return true;
        }
    }
    return false;
}

/// Makes a path absolute, so that it survives a change of the working folder.
QString absoluteFile(const QString &file)
{
    return file.isEmpty() ? file : QFileInfo(file).absoluteFilePath();
}

} // namespace

Document::Splice Document::Splice::between(const QByteArray &before, const QByteArray &after)
{
    const qsizetype size = std::min(before.size(), after.size());
    const auto differ = std::mismatch(before.begin(), before.begin() + size, after.begin());
    const qsizetype at = differ.first - before.begin();
    const auto ends = std::mismatch(before.rbegin(), before.rbegin() + (size - at), after.rbegin());
    const qsizetype tail = ends.first - before.rbegin();
    return { at, before.mid(at, before.size() - tail - at),
        after.mid(at, after.size() - tail - at) };
}

/// Undo command that replaces the pack and, if the user typed JSON, the text.
class Document::Edit : public QUndoCommand
{
public:
    Edit(Document &document, const QString &what, const Pack &after, const QString &mergeKey,
        Positions positions = Positions::AsDrawn)
        : QUndoCommand(what),
          m_document(document),
          m_before(document.pack()),
          m_after(after),
          m_mergeKey(mergeKey),
          m_positions(movesStates(m_before, after) ? Positions::Chosen : positions),
          m_showBefore(captureView())
    { }

    void setTyped(const Splice &splice)
    {
        m_packBefore = m_document.m_written.pack;
        m_typed = splice;
    }
    void undo() override
    {
        m_showAfter = captureView();
        m_document.endMerging();
        if (m_typed)
            m_document.m_written = { m_typed->reverted(m_document.m_written.text), m_packBefore };
        m_document.put(m_before);
        if (m_showBefore)
            m_showBefore();
    }
    void redo() override
    {
        if (m_typed)
            m_document.m_written = { m_typed->applied(m_document.m_written.text), m_after };
        m_document.put(m_after);
        if (m_showAfter)
            m_showAfter();
    }
    Step step() const { return { text(), m_after, m_typed, m_positions }; }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = static_cast<const Edit *>(other);
        if (next->m_mergeKey != m_mergeKey || m_document.m_mergeKey != m_mergeKey)
            return false;
        m_after = next->m_after;
        m_positions = std::max(m_positions, next->m_positions);
        if (m_typed) {
            const QByteArray &now = m_document.m_written.text;
            m_typed = Splice::between(m_typed->reverted(next->m_typed->reverted(now)), now);
        }
        setObsolete(m_after == m_before && (!m_typed || m_typed->out == m_typed->in));
        return true;
    }

private:
    RestoreView captureView() const
    {
        return m_document.m_captureView ? m_document.m_captureView() : RestoreView();
    }

    Document &m_document;
    const Pack m_before;
    Pack m_after, m_packBefore;
    const QString m_mergeKey;
    Positions m_positions;
    std::optional<Splice> m_typed;
    const RestoreView m_showBefore;
    RestoreView m_showAfter; ///< captured by undo(), for redo()
};

Document::Document(const Pack &pack, const QString &file, const QByteArray &read, QObject *parent)
    : QObject(parent),
      m_pack(numbered(pack)),
      m_first { read, m_pack },
      m_initial { hasChartSuffix(file) ? QByteArray() : read, m_pack },
      m_written(m_initial),
      m_inFile(m_first),
      m_file(absoluteFile(file))
{
    connect(&m_history, &QUndoStack::cleanChanged, this,
        [this](bool clean) { emit modifiedChanged(!clean); });
}

Pack Document::numbered(Pack pack)
{
    identify(&pack, &m_lastRow);
    return pack;
}

Document::Document(const Snapshot &snapshot, QObject *parent)
    : Document(snapshot.first, snapshot.file, snapshot.firstText, parent)
{
    if (snapshot.written)
        m_initial = m_written = { snapshot.written->text, numbered(snapshot.written->pack) };
    for (qsizetype i = 0; i <= snapshot.steps.size(); ++i) {
        if (i == snapshot.saved) {
            m_history.setClean();
            m_inFile = { snapshot.text, m_pack };
        }
        if (i == snapshot.steps.size())
            break;
        const Step &step = snapshot.steps[i];
        auto *edit = new Edit(*this, step.text, numbered(step.pack), {}, step.positions);
        if (step.typed)
            edit->setTyped(*step.typed);
        m_history.push(edit);
    }
    m_history.setIndex(int(snapshot.now));
    endMerging();
    if (snapshot.saved >= 0)
        return;
    const Result<Pack> read = packFromText(snapshot.text, snapshot.file);
    m_inFile = { snapshot.text, read ? recognizedIn(m_pack, *read) : Pack() };
    m_history.resetClean();
}

Document::Snapshot Document::snapshot() const
{
    Snapshot snapshot { m_first.pack, m_first.text, m_initial, {}, m_history.index(),
        m_history.cleanIndex(), m_file, m_inFile.text };
    for (int i = 0; i < m_history.count(); ++i)
        snapshot.steps += static_cast<const Edit *>(m_history.command(i))->step();
    return snapshot;
}

void Document::edit(
    const QString &text, const Pack &pack, const QString &mergeKey, Positions positions)
{
    if (pack == m_pack)
        return;
    // Pushes before m_mergeKey changes: mergeWith() compares the edit with the old key.
    m_history.push(new Edit(*this, text, numbered(pack), mergeKey, positions));
    m_mergeKey = mergeKey;
}

QByteArray Document::text() const
{
    const bool isAsWritten = !m_written.text.isEmpty() && m_written.pack == m_pack;
    return isAsWritten ? m_written.text : writePack(m_pack);
}

void Document::editText(
    const QString &what, const QByteArray &text, const Pack &pack, const QString &mergeKey)
{
    // A separate key, so that typing JSON is not merged with edits of the chart or of forms.
    replaceText(what, text, recognizedIn(m_pack, pack),
        mergeKey.isEmpty() ? QString() : u"text "_s + mergeKey);
}

void Document::replaceText(
    const QString &what, const QByteArray &text, const Pack &pack, const QString &mergeKey)
{
    if (text == this->text())
        return;
    auto *edit = new Edit(*this, what, numbered(pack), mergeKey);
    edit->setTyped(Splice::between(m_written.text, text));
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
    const QString target = file.isEmpty() ? m_file : absoluteFile(file);
    const FileText made = written(target);
    if (!made.isWritten)
        return Error { tr("%1 is not written: %2").arg(target, made.losses.join(u"; "_s)) };
    const QByteArray bytes = made.text;
    Result<bool> result = writeFile(target, bytes);
    if (!result)
        return result;
    m_inFile = { bytes, m_pack };
    if (!m_file.isEmpty() && !haveSameNotation(target, m_file))
        m_first.text.clear();
    const bool isOther = std::exchange(m_file, target) != target;
    m_history.setClean();
    endMerging();
    if (isOther)
        emit fileChanged();
    return result;
}

void Document::settle(const Pack &theirs, const QByteArray &text, Settle how)
{
    const Pack known = numbered(recognizedIn(m_inFile.pack, theirs));
    const int before = m_history.index();
    endMerging();
    if (how == Settle::Theirs && hasChartSuffix(m_file))
        edit(tr("Reload the file"), known);
    else if (how == Settle::Theirs)
        replaceText(tr("Reload the file"), text, known);
    endMerging();
    m_firstUntil = std::min(m_firstUntil, m_history.index() > before ? m_history.index() : 0);
    m_inFile = { text, known };
    if (written().text == text)
        m_history.setClean();
    else
        m_history.resetClean();
}

FileText Document::written(const QString &wanted) const
{
    const QString file = wanted.isEmpty() ? m_file : wanted;
    if (!hasChartSuffix(file) && !hasStatecharts(m_pack))
        return { text(), {} };
    const bool isSame = !m_file.isEmpty() && haveSameNotation(file, m_file);
    const bool isUndone = m_pack == m_first.pack && m_history.index() < m_firstUntil;
    if (isSame && isUndone && !m_first.text.isEmpty())
        return { m_first.text, {} };
    return instar::fileText(
        isSame ? m_inFile.text : QByteArray(), m_inFile.pack, m_pack, file, positions());
}

Positions Document::positions() const
{
    for (int i = 0; i < m_history.index(); ++i) {
        if (static_cast<const Edit *>(m_history.command(i))->step().positions == Positions::Chosen)
            return Positions::Chosen;
    }
    return Positions::AsDrawn;
}

} // namespace instar
