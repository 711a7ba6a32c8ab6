// SPDX-License-Identifier: Apache-2.0
#include "views/document/filewatch.h"

#include "model/json/library.h"
#include "views/document/document.h"

#include <QFileInfo>

#include <utility>

namespace instar {

FileWatch::FileWatch(Document &document, QObject *parent) : QObject(parent), m_document(document)
{
    constexpr int debounceMs = 150;
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(debounceMs);
    const auto debounce = [this] { m_debounce.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, debounce);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, debounce);
    connect(&m_debounce, &QTimer::timeout, this, &FileWatch::check);
    connect(&document, &Document::fileChanged, this, &FileWatch::check);
    connect(&document, &Document::modifiedChanged, this, &FileWatch::check);
    watch();
}

/// Watches the file and its folder, because a replaced file loses its watch.
void FileWatch::watch()
{
    const QString file = m_document.file();
    const QString folder = file.isEmpty() ? QString() : QFileInfo(file).absolutePath();
    for (const QString &old : m_watcher.directories() + m_watcher.files()) {
        if (old != folder && old != file)
            m_watcher.removePath(old);
    }
    if (!folder.isEmpty() && m_watcher.directories().isEmpty() && QFileInfo(folder).isDir())
        m_watcher.addPath(folder);
    if (!file.isEmpty() && m_watcher.files().isEmpty() && QFileInfo(file).isFile())
        m_watcher.addPath(file);
}

FileWatch::State FileWatch::readState() const
{
    if (m_document.file().isEmpty() || m_document.fileText().isEmpty())
        return {};
    if (!QFileInfo::exists(m_document.file()))
        return { State::Kind::Gone, {}, {} };
    if (!QFileInfo(m_document.file()).isFile())
        return {}; // a pipe can be read only once
    const Result<QByteArray> text = fileBytes(m_document.file(), packBytes);
    if (!text)
        return { State::Kind::Unreadable, {}, text.error() };
    if (*text == m_document.fileText())
        return {};
    return { State::Kind::Other, *text, {} };
}

const FileWatch::State &FileWatch::check()
{
    watch();
    State state = readState();
    if (state.kind == State::Kind::Other && !m_ignored.isNull() && state.text == m_ignored)
        state = {};
    else
        m_ignored.clear(); // if the ignored contents come back, they are reported again
    if (std::exchange(m_state, state) != state)
        emit changed(m_state);
    return m_state;
}

void FileWatch::ignore()
{
    m_ignored = m_state.text.isNull() ? QByteArray("") : m_state.text;
    check();
}

} // namespace instar
