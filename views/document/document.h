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

/// Pack being edited, with its undo history and its file. Packs that cannot run yet are kept and
/// saved like others.
class Document : public QObject
{
    Q_OBJECT
public:
    /// `file`: empty without a file; `read`: its contents.
    explicit Document(const Pack &pack, const QString &file = {}, const QByteArray &read = {},
        QObject *parent = nullptr);

    /// JSON text, and the pack read from it.
    struct Written
    {
        QByteArray text; ///< empty: there is none
        Pack pack;
    };
    /// Change of a text: bytes `out` at `at` are replaced by `in`.
    struct Splice
    {
        qsizetype at = 0;
        QByteArray out, in;

        static Splice between(const QByteArray &before, const QByteArray &after);
        QByteArray done(QByteArray text) const { return text.replace(at, out.size(), in); }
        QByteArray undone(QByteArray text) const { return text.replace(at, in.size(), out); }
        bool operator==(const Splice &) const = default;
    };
    /// Undo step of a document.
    struct Step
    {
        QString text;                          ///< what was done
        Pack pack;                             ///< after it
        std::optional<Splice> typed = {};      ///< to the JSON that was typed last
        Positions places = Positions::AsDrawn; ///< Chosen: it moved states
        bool operator==(const Step &) const = default;
    };
    struct Past
    {
        Pack first;                          ///< before all steps
        QByteArray firstText;                ///< of its file; empty: it had none
        std::optional<Written> written = {}; ///< the JSON then; nothing: it is the file's text
        QList<Step> steps;
        qsizetype now = 0;    ///< number of steps done; later ones are undone
        qsizetype saved = -1; ///< number of steps that the file holds; -1: it holds other contents
        QString file;
        QByteArray text; ///< of the file
    };
    explicit Document(const Past &past, QObject *parent = nullptr);
    Past past() const;

    const Pack &pack() const { return m_pack; }
    /// Pack as opened or last saved.
    const Pack &saved() const { return m_inFile.pack; }
    const QString &file() const { return m_file; }
    /// True if the document differs from its file.
    bool isModified() const { return !m_history.isClean(); }
    QUndoStack &history() { return m_history; }

    /// Replaces the pack; `text` names the undo step. Successive edits with the same key are undone
    /// together. Does nothing if the pack is equal. `places`: whether the edit gives positions to
    /// states that had none.
    void edit(const QString &text, const Pack &pack, const QString &mergeKey = {},
        Positions places = Positions::AsDrawn);
    /// Makes the next edit a step of its own, even with the same key.
    void endMerging() { m_mergeKey.clear(); }

    /// The pack as JSON: the text that was read or typed last if nothing was changed since, else
    /// in canonical form.
    QByteArray text() const;
    /// Replaces text(). `said`: the pack read from the new text, with the identities of rows that
    /// stay.
    void editText(const QString &what, const QByteArray &text, const Pack &said,
        const QString &mergeKey = {});

    /// Restores the selection and scroll position of a view.
    using ShowAgain = std::function<void()>;
    /// Sets the function that captures them before and after each edit, so that undo and redo
    /// restore them.
    void setLook(const std::function<ShowAgain()> &look) { m_look = look; }

    /// Writes the document's file, or `file`, which then becomes the document's.
    Result<bool> save(const QString &file = {});
    /// Parts of the pack that the file's notation cannot hold, one a line.
    QStringList losses(const QString &file = {}) const;
    /// True if the file's notation can hold the pack, with or without losses.
    bool canWrite(const QString &file = {}) const;

    /// Last known contents of the file; empty: there is no file.
    const QByteArray &fileText() const { return m_inFile.text; }
    enum class Settle { Mine, Theirs };
    /// Settles that another program wrote `text`, read as `theirs`, to the file. Theirs: loads it
    /// by an edit, which can be undone. Rows that both have keep their identities.
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
    void put(const Pack &pack);
    void type(const QString &what, const QByteArray &text, const Pack &said,
        const QString &mergeKey = {});
    Pack numbered(Pack pack);
    FileText written(const QString &file) const; ///< contents that a file of that name would get
    Positions places() const;                    ///< after the edits that are done

    quint32 m_lastRow = 0; ///< greatest identity of a row
    Pack m_pack;
    Written m_first; ///< as read; its text in the file's own notation, while that is the file's
    int m_firstUntil = std::numeric_limits<int>::max(); ///< number of edits after which another
                                                        ///< program wrote the file
    Written m_begun;                                    ///< JSON before the first edit
    Written m_written;                                  ///< JSON read or typed last
    Written m_inFile;                                   ///< last known contents of the file
    QString m_file;
    QUndoStack m_history;
    QString m_mergeKey; ///< of the last edit
    std::function<ShowAgain()> m_look;
};

} // namespace instar
