// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>

#include <functional>

namespace instar {

/// Permissions of a written file: unchanged (for a new file: by the umask), or for its owner only.
enum class FileAccess { AsBefore, OwnerOnly };

/// Replaces the content of a file. The bytes are written to a temporary file beside it, synced to
/// the disk, and renamed to the file; the folder is synced, too. Symbolic links are followed.
/// A device or a pipe is written to, not replaced. On an error the old file is unchanged, unless
/// only the sync of the folder failed; the error names the file and the system's reason.
Result<bool> writeFile(
    const QString &file, const QByteArray &bytes, FileAccess access = FileAccess::AsBefore);

/// Append-only file, readable by its owner only. Appends are not synced to the disk: they survive
/// a crash of the program, not of the machine.
class AppendingFile
{
public:
    AppendingFile() = default;
    AppendingFile(const AppendingFile &) = delete;
    AppendingFile &operator=(const AppendingFile &) = delete;
    ~AppendingFile();

    /// Replaces the file as writeFile() does, and opens it for appending.
    Result<bool> begin(const QString &file, const QByteArray &bytes);
    /// Appends the bytes. On an error appends none of them and closes the file.
    Result<bool> append(const QByteArray &bytes);
    Result<bool> close();

    bool isOpen() const { return m_descriptor >= 0; }
    qint64 size() const { return m_size; } ///< bytes written
    const QString &name() const { return m_name; }

private:
    Error closedAfterFailure();

    QString m_name;
    qint64 m_size = 0;
    int m_descriptor = -1;
    bool m_isStream = false; ///< a device or a pipe
};

/// Fault injection for tests: `fault` is called before each open, write, sync, close and rename,
/// and returns the errno of a failure, or 0 for none. A failing write writes half of its bytes.
void setFileFault(const std::function<int()> &fault);

} // namespace instar
