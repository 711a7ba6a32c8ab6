// SPDX-License-Identifier: Apache-2.0
#include "model/json/filebytes.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QStringList &allowedPipes()
{
    static QStringList paths;
    return paths;
}

Error unreadable(const QString &path, int code)
{
    if (code == ENOENT || code == ENOTDIR)
        return Error { u"%1: there is no such file"_s.arg(path) };
    return Error { u"%1: cannot be read: %2"_s.arg(path, qt_error_string(code)) };
}

/// Why a file of this kind is not read; empty: it is.
QString refusedKind(mode_t mode, bool arePipesAllowed)
{
    if (S_ISDIR(mode))
        return u"a directory"_s;
    if (S_ISREG(mode) || arePipesAllowed)
        return {};
    return S_ISFIFO(mode) ? u"a pipe"_s : S_ISSOCK(mode) ? u"a socket"_s : u"a device"_s;
}

Error refused(const QString &path, const QString &kind)
{
    return Error { u"%1: expected a file, found %2"_s.arg(path, kind) };
}

/// An open file; closes it at the end.
class OpenFile
{
public:
    OpenFile(const QByteArray &path, int flags)
        : m_file(::open(path.constData(), O_RDONLY | O_CLOEXEC | flags))
    { }
    ~OpenFile()
    {
        if (isOpen())
            ::close(m_file);
    }
    Q_DISABLE_COPY_MOVE(OpenFile)

    bool isOpen() const { return m_file >= 0; }
    bool stat(struct stat *info) const { return ::fstat(m_file, info) == 0; }
    /// Appends what comes next, at most `most` bytes; like read(2), but goes on after a signal.
    ssize_t read(QByteArray *bytes, qsizetype most) const
    {
        const qsizetype before = bytes->size();
        bytes->resize(before + most);
        ssize_t count = -1;
        do {
            count = ::read(m_file, bytes->data() + before, size_t(most));
        } while (count < 0 && errno == EINTR);
        bytes->resize(before + std::max<qsizetype>(count, 0));
        return count;
    }

private:
    int m_file;
};

Result<QByteArray> contentOf(const OpenFile &file, const QString &path, qsizetype limit)
{
    constexpr qsizetype Part = 1 << 20;
    const auto tooLarge = [&] {
        return Error { u"%1: expected at most %2 MB, found a larger file"_s.arg(path).arg(
            limit / 1'000'000) };
    };
    struct stat info = {};
    if (!file.stat(&info))
        return unreadable(path, errno);
    if (S_ISREG(info.st_mode) && info.st_size > limit)
        return tooLarge();
    QByteArray bytes; // the size may be wrong: of a pipe, in /proc, and of a file that grows
    bytes.reserve(S_ISREG(info.st_mode) ? qsizetype(info.st_size) + 1 : Part);
    for (;;) {
        const qsizetype room = std::clamp(bytes.capacity() - bytes.size(), qsizetype(1), Part);
        const ssize_t count = file.read(&bytes, room);
        if (count < 0)
            return unreadable(path, errno);
        if (bytes.size() > limit)
            return tooLarge();
        if (count == 0)
            return bytes;
    }
}

Result<QByteArray> resourceBytes(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, ENOENT);
    return file.readAll();
}

} // namespace

Result<QByteArray> fileBytes(const QString &path, qsizetype limit)
{
    if (path.isEmpty())
        return Error { u"expected the name of a file, found an empty one"_s };
    if (path.startsWith(u":/"))
        return resourceBytes(path);
    if (path.contains(QChar::Null)) // the system would stop reading the name there
        return unreadable(path, ENOENT);
    const QByteArray name = QFile::encodeName(QFileInfo(path).absoluteFilePath());
    const bool arePipesAllowed = allowedPipes().contains(path);
    struct stat info = {};
    if (::stat(name.constData(), &info) != 0) // before opening, which has effects on some devices
        return unreadable(path, errno);
    if (const QString kind = refusedKind(info.st_mode, arePipesAllowed); !kind.isEmpty())
        return refused(path, kind);
    const OpenFile file(name, arePipesAllowed ? 0 : O_NONBLOCK | O_NOCTTY);
    if (!file.isOpen())
        return unreadable(path, errno);
    if (!file.stat(&info)) // again: another file may have taken its place
        return unreadable(path, errno);
    if (const QString kind = refusedKind(info.st_mode, arePipesAllowed); !kind.isEmpty())
        return refused(path, kind);
    return contentOf(file, path, limit);
}

void allowPipes(const QStringList &paths)
{
    allowedPipes() = paths;
}

} // namespace instar
