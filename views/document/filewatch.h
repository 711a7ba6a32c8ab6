// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace instar {

class Document;

/// Whether a document's file still holds what the document knows of it. Notices what other programs
/// do to it: write it, put another file in its place, remove it and bring it back.
class FileWatch : public QObject
{
    Q_OBJECT
public:
    struct Seen
    {
        enum class Kind { Same, Other, Gone, Unreadable };
        Kind kind = Kind::Same;
        QByteArray text; ///< Other: what stands there
        QString problem; ///< Unreadable: one sentence
        bool operator==(const Seen &) const = default;
    };

    explicit FileWatch(Document &document, QObject *parent = nullptr);

    const Seen &seen() const { return m_seen; }
    /// Looks at once; nobody has to wait for the system to tell.
    const Seen &look();
    /// What stands there now needs not be told of again.
    void ignore();

signals:
    void changed(const instar::FileWatch::Seen &seen);

private:
    Seen now() const;
    void watch();

    Document &m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_pause; ///< a program may write in several pieces
    Seen m_seen;
    QByteArray m_ignored;
};

} // namespace instar
