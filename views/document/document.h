// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "model/result.h"
#include "model/statecharts/chartfile.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <limits>
#include <optional>

namespace instar {

/// Pack that the user edits, with its undo history and its file. The pack need not be able to run.
class Document : public QObject
{
    Q_OBJECT
public:
    /// `file`: path, empty for a new document; `read`: the contents of the file.
    explicit Document(const Pack &pack, const QString &file = {}, const QByteArray &read = {},
        QObject *parent = nullptr);

    /// JSON text, and the pack read from it.
    struct Written
    {
        QByteArray text; ///< empty: there is none
        Pack pack;
    };
    /// Change of a text: replaces the bytes `out` at the offset `at` by `in`.
    struct Splice
    {
        qsizetype at = 0;
        QByteArray out, in;

        static Splice between(const QByteArray &before, const QByteArray &after);
        QByteArray applied(QByteArray text) const { return text.replace(at, out.size(), in); }
        QByteArray reverted(QByteArray text) const { return text.replace(at, in.size(), out); }
        bool operator==(const Splice &) const = default;
    };
    /// Undo step of a document.
    struct Step
    {
        QString text;                             ///< title: "Rename Idle"
        Pack pack;                                ///< after the step
        std::optional<Splice> typed = {};         ///< change of the JSON, if the user typed JSON
        Positions positions = Positions::AsDrawn; ///< Chosen: the step moved states
        bool operator==(const Step &) const = default;
    };
    /// Saved form of a document with its history, from which it can be restored.
    struct Snapshot
    {
        Pack first;                          ///< before the first step
        QByteArray firstText;                ///< file before the first step; empty: no file
        std::optional<Written> written = {}; ///< JSON before the first step; absent: `firstText`
        QList<Step> steps;
        qsizetype now = 0;    ///< number of steps done; later ones are undone
        qsizetype saved = -1; ///< number of steps that the file holds; -1: it holds other contents
        QString file;
        QByteArray text; ///< last known contents of the file
    };
    /// Restores a document with its history.
    explicit Document(const Snapshot &snapshot, QObject *parent = nullptr);
    Snapshot snapshot() const;

    const Pack &pack() const { return m_pack; }
    /// Pack as opened or last saved.
    const Pack &saved() const { return m_inFile.pack; }
    const QString &file() const { return m_file; }
    /// True if the document differs from its file.
    bool isModified() const { return !m_history.isClean(); }
    QUndoStack &history() { return m_history; }

    /// Replaces the pack, unless it is equal; `text` names the undo step. Successive edits with the
    /// same `mergeKey` are undone together. `positions`: Chosen if states get their first
    /// positions.
    void edit(const QString &text, const Pack &pack, const QString &mergeKey = {},
        Positions positions = Positions::AsDrawn);
    /// Makes the next edit an undo step of its own, even with the same key.
    void endMerging() { m_mergeKey.clear(); }

    /// The pack as JSON: as last read or typed if unchanged since then, else in canonical form.
    QByteArray text() const;
    /// Replaces text() in an undo step titled `what`. `pack` is read from the new text; rows that
    /// it shares with the present pack keep their identities.
    void editText(const QString &what, const QByteArray &text, const Pack &pack,
        const QString &mergeKey = {});

    /// Restores the selection and scroll position of a view.
    using RestoreView = std::function<void()>;
    /// Sets the function that captures the selection and scroll position before and after each
    /// edit, so that undo and redo restore them.
    void setViewCapture(const std::function<RestoreView()> &capture) { m_captureView = capture; }

    /// Writes the document to its file, or to `file`, which becomes its file.
    Result<bool> save(const QString &file = {});
    /// Returns the text that save() would write to the file, and its losses: the parts of the pack
    /// that the file's notation cannot hold.
    FileText written(const QString &file = {}) const;

    /// Last known contents of the file; empty: there is no file.
    const QByteArray &fileText() const { return m_inFile.text; }
    enum class Settle { Mine, Theirs };
    /// Resolves the conflict after another program wrote `text`, which was read as `theirs`, to the
    /// file. Mine: keeps the present pack. Theirs: loads `theirs` by an edit, which can be undone;
    /// rows that both packs have keep their identities.
    void settle(const Pack &theirs, const QByteArray &text, Settle how);
    /// Marks the document as modified in every step of its history.
    void setUnsaved() { m_history.resetClean(); }

signals:
    void changed(const instar::Pack &before, const instar::Pack &after);
    /// Emitted after changed(), or alone if only the formatting changed.
    void textChanged();
    void fileChanged();
    void modifiedChanged(bool modified);

private:
    class Edit;
    void put(const Pack &pack); ///< sets the pack and emits the signals
    void replaceText(const QString &what, const QByteArray &text, const Pack &pack,
        const QString &mergeKey = {});
    Pack numbered(Pack pack);    ///< gives identities to new rows
    Positions positions() const; ///< Chosen if an edit that is not undone moved states

    quint32 m_lastRow = 0; ///< greatest identity of a row
    Pack m_pack;
    Written m_first; ///< pack and text as first read from the file; the text is cleared when the
                     ///< file changes its notation
    /// Index of the history from which on m_first.text is outdated, because another program wrote
    /// the file.
    int m_firstUntil = std::numeric_limits<int>::max();
    Written m_initial; ///< JSON before the first edit
    Written m_written; ///< JSON read or typed last
    Written m_inFile;  ///< last known contents of the file
    QString m_file;
    QUndoStack m_history;
    QString m_mergeKey; ///< of the last edit
    std::function<RestoreView()> m_captureView;
};

} // namespace instar
