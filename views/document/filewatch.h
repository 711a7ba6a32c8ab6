// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace instar {

class Document;

/// Watcher of a document's file: reports when another program writes, replaces, removes or restores
/// the file.
class FileWatch : public QObject
{
    Q_OBJECT
public:
    struct Seen ///< file at the last check
    {
        enum class Kind { Same, Other, Gone, Unreadable };
        Kind kind = Kind::Same;
        QByteArray text; ///< Other: the new contents
        QString problem; ///< Unreadable: why, in one sentence
        bool operator==(const Seen &) const = default;
    };

    explicit FileWatch(Document &document, QObject *parent = nullptr);

    const Seen &seen() const { return m_seen; }
    /// Checks the file now instead of waiting for the system's notification.
    const Seen &look();
    /// Does not report the present contents again.
    void ignore();

signals:
    void changed(const instar::FileWatch::Seen &seen);

private:
    Seen now() const;
    void watch();

    Document &m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_pause; ///< debounce: a program may write in several pieces
    Seen m_seen;
    QByteArray m_ignored;
};

} // namespace instar
