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

/// A pack that is edited: the value, what was done to it, and its file. What cannot run yet is kept
/// and saved all the same.
class Document : public QObject
{
    Q_OBJECT
public:
    /// `file`: empty where there is none yet; `read`: what stands in it.
    explicit Document(const Pack &pack, const QString &file = {}, const QByteArray &read = {},
        QObject *parent = nullptr);

    /// JSON, and what it says.
    struct Written
    {
        QByteArray text; ///< empty: nothing is written
        Pack pack;
    };
    /// What becomes of a text: some bytes of it in place of others.
    struct Splice
    {
        qsizetype at = 0;
        QByteArray out, in;

        static Splice between(const QByteArray &before, const QByteArray &after);
        QByteArray done(QByteArray text) const { return text.replace(at, out.size(), in); }
        QByteArray undone(QByteArray text) const { return text.replace(at, in.size(), out); }
        bool operator==(const Splice &) const = default;
    };
    /// What was done, to begin with a pack: as much as is needed to go on with a document.
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
        Pack first;
        QByteArray firstText;                ///< of its file; empty: it was in none
        std::optional<Written> written = {}; ///< the JSON then; nothing: it is the file's text
        QList<Step> steps;
        qsizetype now = 0;    ///< so many of them are done, the others undone
        qsizetype saved = -1; ///< after so many of them it was as in the file; -1: never
        QString file;
        QByteArray text; ///< of the file
    };
    explicit Document(const Past &past, QObject *parent = nullptr);
    Past past() const;

    const Pack &pack() const { return m_pack; }
    /// As it was opened, or saved last.
    const Pack &saved() const { return m_inFile.pack; }
    const QString &file() const { return m_file; }
    /// Whether the file, if there is one, holds something else.
    bool isModified() const { return !m_history.isClean(); }
    QUndoStack &history() { return m_history; }

    /// Puts another pack in the place of this one; `text` says what was done. Edits one after the
    /// other with the same key are undone together. Nothing happens where nothing is different.
    /// `places`: whether it moves states that had no places before.
    void edit(const QString &text, const Pack &pack, const QString &mergeKey = {},
        Positions places = Positions::AsDrawn);
    /// What was done is over: an edit with the same key is one of its own.
    void endMerging() { m_mergeKey.clear(); }

    /// The pack as JSON: the text that was read or typed last if nothing was changed since, else
    /// in canonical form.
    QByteArray text() const;
    /// Puts another text in the place of text(). `said`: the pack that was read from it, in which
    /// rows are known again.
    void editText(const QString &what, const QByteArray &text, const Pack &said,
        const QString &mergeKey = {});

    /// Shows again what somebody looked at.
    using ShowAgain = std::function<void()>;
    /// `look` is asked with each edit and undo, so that what was looked at comes back with what was
    /// there.
    void setLook(const std::function<ShowAgain()> &look) { m_look = look; }

    /// Writes the file, another one where it is named.
    Result<bool> save(const QString &file = {});
    /// What of the pack that file cannot hold, as statecharts cannot hold all: a line each.
    QStringList losses(const QString &file = {}) const;
    /// Whether the notation of that file can hold it at all, be it with losses.
    bool canWrite(const QString &file = {}) const;

    /// What stands in the file as far as is known here; empty: there is no file.
    const QByteArray &fileText() const { return m_inFile.text; }
    enum class Settle { Mine, Theirs };
    /// Another program wrote the file: `text`, which reads as `theirs`. Theirs: an edit, which can
    /// be undone, loads it. Rows that both have keep their identities.
    void settle(const Pack &theirs, const QByteArray &text, Settle how);
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
    void put(const Pack &pack);
    void type(const QString &what, const QByteArray &text, const Pack &said,
        const QString &mergeKey = {});
    Pack numbered(Pack pack);
    FileText written(const QString &file) const; ///< what a file of that name would hold
    Positions places() const;                    ///< after the edits that are done

    quint32 m_lastRow = 0; ///< of the numbers that rows have
    Pack m_pack;
    Written m_first; ///< what was read; its text in the file's own notation, as long as that is
                     ///< the file's
    int m_firstUntil = std::numeric_limits<int>::max(); ///< from so many edits on somebody else
                                                        ///< wrote the file, too
    Written m_begun;   ///< the JSON that was there before anything was done
    Written m_written; ///< the JSON that was read or typed last
    Written m_inFile;  ///< as far as is known here
    QString m_file;
    QUndoStack m_history;
    QString m_mergeKey; ///< of the last edit
    std::function<ShowAgain()> m_look;
};

} // namespace instar
