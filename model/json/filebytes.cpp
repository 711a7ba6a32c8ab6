// SPDX-License-Identifier: Apache-2.0
#include "model/json/filebytes.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <sys/stat.h>

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

/// Returns the kind of a file ("a pipe") that fileBytes() refuses to read; empty: it is readable.
QString refusedKind(mode_t mode, bool arePipesAllowed)
{
    if (S_ISDIR(mode))
        return u"a directory"_s;
    if (S_ISREG(mode) || arePipesAllowed)
        return {};
    return S_ISFIFO(mode) ? u"a pipe"_s : S_ISSOCK(mode) ? u"a socket"_s : u"a device"_s;
}

} // namespace

Result<QByteArray> fileBytes(const QString &path, qsizetype limit)
{
    if (path.isEmpty())
        return Error { u"expected a file name, found an empty text"_s };
    QFile file(path);
    if (path.startsWith(u":/"))
        return file.open(QIODevice::ReadOnly) ? Result<QByteArray>(file.readAll())
                                              : unreadable(path, ENOENT);
    if (path.contains(QChar::Null)) // the system would cut the name at the NUL
        return unreadable(path, ENOENT);
    const QByteArray name = QFile::encodeName(QFileInfo(path).absoluteFilePath());
    const bool arePipesAllowed = allowedPipes().contains(path);
    struct stat info = {};
    // stat() does not open the file: opening has side effects on some devices.
    if (::stat(name.constData(), &info) != 0)
        return unreadable(path, errno);
    if (const QString kind = refusedKind(info.st_mode, arePipesAllowed); !kind.isEmpty())
        return Error { u"%1: expected a file, found %2"_s.arg(path, kind) };
    const Error tooLarge { u"%1: expected at most %2 MB, found a larger file"_s.arg(
        path, QString::number(limit / 1'000'000)) };
    if (S_ISREG(info.st_mode) && info.st_size > limit)
        return tooLarge;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return Error { u"%1: cannot be read: %2"_s.arg(path, file.errorString()) };
    constexpr qsizetype ChunkSize = 1 << 20;
    // Reads to the end: st_size is wrong for pipes, in /proc, and for a growing file.
    QByteArray bytes;
    for (QByteArray chunk = file.read(ChunkSize); !chunk.isEmpty(); chunk = file.read(ChunkSize)) {
        bytes += chunk;
        if (bytes.size() > limit)
            return tooLarge;
    }
    if (file.error() != QFile::NoError)
        return Error { u"%1: cannot be read: %2"_s.arg(path, file.errorString()) };
    return bytes;
}

void allowPipes(const QStringList &paths)
{
    allowedPipes() = paths;
}

} // namespace instar
