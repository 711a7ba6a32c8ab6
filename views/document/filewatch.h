// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace instar {

class Document;

/// Watcher of a document's file: reports what other programs do to the file.
class FileWatch : public QObject
{
    Q_OBJECT
public:
    /// State of the file at a check.
    struct State
    {
        /// Same: as the document last read or wrote the file. Other: with other contents.
        enum class Kind { Same, Other, Gone, Unreadable };
        Kind kind = Kind::Same;
        QByteArray text; ///< Other: the new contents
        QString problem; ///< Unreadable: why, in one sentence
        bool operator==(const State &) const = default;
    };

    explicit FileWatch(Document &document, QObject *parent = nullptr);

    const State &state() const { return m_state; }
    /// Checks the file now instead of waiting for the system's notification.
    const State &check();
    /// Stops reporting the present contents.
    void ignore();

signals:
    void changed(const instar::FileWatch::State &state);

private:
    State readState() const;
    void watch();

    Document &m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_debounce; ///< because a program may write in several pieces
    State m_state;
    QByteArray m_ignored; ///< contents that are not reported; null: none
};

} // namespace instar
