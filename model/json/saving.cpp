// SPDX-License-Identifier: Apache-2.0
#include "model/json/saving.h"

#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

std::function<int()> &fileFault()
{
    static std::function<int()> fault;
    return fault;
}

/// True if a test makes the next system call fail; sets errno.
bool isFaulty()
{
    const int reason = fileFault() ? fileFault()() : 0;
    if (reason != 0)
        errno = reason;
    return reason != 0;
}

QString systemReason()
{
    return qt_error_string(errno);
}

Error unwritten(const QString &file, const QString &reason)
{
    return { u"%1: cannot be written: %2"_s.arg(file, reason) };
}

int openedFile(const QByteArray &path, int flags, mode_t mode = 0)
{
    if (isFaulty())
        return -1;
    int descriptor = -1;
    do
        descriptor = ::open(path.constData(), flags | O_CLOEXEC, mode);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

bool writeAll(int descriptor, QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        if (isFaulty()) {
            const int reason = errno;
            std::ignore = ::write(descriptor, bytes.data(), size_t(bytes.size() / 2));
            errno = reason;
            return false;
        }
        const ssize_t count = ::write(descriptor, bytes.data(), size_t(bytes.size()));
        if (count < 0 && errno != EINTR)
            return false;
        bytes = bytes.sliced(std::max<ssize_t>(count, 0));
    }
    return true;
}

bool syncFile(int descriptor)
{
    if (isFaulty())
        return false;
    // Some file systems, and streams, have nothing to sync.
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

bool closeFile(int descriptor)
{
    const bool isRefused = isFaulty();
    const int reason = errno;
    const bool isClosed = ::close(descriptor) == 0 || errno == EINTR; // EINTR: closed, too
    if (isRefused)
        errno = reason;
    return isClosed && !isRefused;
}

/// Writes the bytes to a descriptor, syncs and closes it.
bool writeAndClose(int descriptor, QByteArrayView bytes)
{
    if (writeAll(descriptor, bytes) && syncFile(descriptor))
        return closeFile(descriptor);
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    return false;
}

/// True for an existing file that is written in place, not replaced: a device or a pipe.
bool isStream(const QString &file, const struct stat &found)
{
    return file.startsWith(u"/dev/") || file.startsWith(u"/proc/") || !S_ISREG(found.st_mode);
}

/// Resolves a chain of symbolic links; the result need not exist.
QString linkTarget(QString file)
{
    constexpr int MostLinks = 40;
    for (int i = 0; i < MostLinks && QFileInfo(file).isSymbolicLink(); ++i)
        file = QFileInfo(file).symLinkTarget();
    return file;
}

/// Replaces or creates a regular file. False: errno says why.
bool replaceFile(
    const QString &file, const struct stat *found, QByteArrayView bytes, FileAccess access)
{
    const QString target = linkTarget(file);
    const QByteArray path = QFile::encodeName(target);
    if (found && ::access(path.constData(), W_OK) != 0)
        return false;
    const QString folder = QFileInfo(target).absolutePath();
    // A short name: the file's own name plus a suffix could exceed the greatest length.
    const QByteArray temporary = QFile::encodeName(folder
        + u"/.instar-%1"_s.arg(QRandomGenerator::global()->generate64(), 16, 16, QLatin1Char('0')));
    const mode_t mode = access == FileAccess::OwnerOnly ? 0600
        : found                                         ? found->st_mode & 0777
                                                        : 0666;
    const int descriptor = openedFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (descriptor < 0)
        return false;
    if (found && access == FileAccess::AsBefore)
        std::ignore = ::fchmod(descriptor, mode); // regardless of the umask
    if (!writeAndClose(descriptor, bytes) || isFaulty()
        || ::rename(temporary.constData(), path.constData()) != 0) {
        const int reason = errno;
        ::unlink(temporary.constData());
        errno = reason;
        return false;
    }
    const int folderDescriptor = openedFile(QFile::encodeName(folder), O_RDONLY | O_DIRECTORY);
    if (folderDescriptor < 0)
        return errno == EACCES;                 // the folder is writable, but not readable
    return writeAndClose(folderDescriptor, {}); // syncs the folder
}

/// Existing file, device or pipe under a path, if any.
struct Target
{
    struct stat found = {};
    bool exists = false, isStream = false;
};

/// Looks up the target of a path; absent: errno says why.
std::optional<Target> targetOf(const QString &file)
{
    Target target;
    target.exists = ::stat(QFile::encodeName(file).constData(), &target.found) == 0;
    if (!target.exists && errno != ENOENT)
        return {};
    target.isStream = target.exists && isStream(file, target.found);
    return target;
}

} // namespace

void setFileFault(const std::function<int()> &fault)
{
    fileFault() = fault;
}

Result<bool> writeFile(const QString &file, const QByteArray &bytes, FileAccess access)
{
    const std::optional<Target> target = targetOf(file);
    bool isWritten = false;
    if (target && target->isStream) {
        const int descriptor = openedFile(QFile::encodeName(file), O_WRONLY);
        isWritten = descriptor >= 0 && writeAndClose(descriptor, bytes);
    } else if (target) {
        isWritten = replaceFile(file, target->exists ? &target->found : nullptr, bytes, access);
    }
    if (isWritten)
        return true;
    return Error { unwritten(file, systemReason()).text + u"; choose another file or folder"_s };
}

AppendingFile::~AppendingFile()
{
    if (isOpen())
        ::close(m_descriptor);
}

Result<bool> AppendingFile::begin(const QString &file, const QByteArray &bytes)
{
    if (isOpen())
        ::close(std::exchange(m_descriptor, -1));
    m_name = file;
    m_size = 0;
    const std::optional<Target> target = targetOf(file);
    m_isStream = target && target->isStream;
    const bool isReady = m_isStream
        || (target
            && replaceFile(
                file, target->exists ? &target->found : nullptr, bytes, FileAccess::OwnerOnly));
    if (isReady)
        m_descriptor = openedFile(QFile::encodeName(file), O_WRONLY | O_APPEND);
    if (!isOpen())
        return unwritten(file, systemReason());
    if (m_isStream)
        return append(bytes);
    m_size = bytes.size();
    return true;
}

Error AppendingFile::closedAfterFailure()
{
    const Error error = unwritten(m_name, systemReason());
    ::close(std::exchange(m_descriptor, -1));
    return error;
}

Result<bool> AppendingFile::append(const QByteArray &bytes)
{
    if (!writeAll(m_descriptor, bytes)) {
        const int reason = errno;
        if (!m_isStream)
            std::ignore = ::ftruncate(m_descriptor, m_size);
        errno = reason;
        return closedAfterFailure();
    }
    m_size += bytes.size();
    return true;
}

Result<bool> AppendingFile::close()
{
    if (!isOpen())
        return true;
    if (!syncFile(m_descriptor))
        return closedAfterFailure();
    if (!closeFile(std::exchange(m_descriptor, -1)))
        return unwritten(m_name, systemReason());
    return true;
}

} // namespace instar
