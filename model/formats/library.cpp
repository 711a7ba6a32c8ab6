// SPDX-License-Identifier: Apache-2.0
#include "model/formats/library.h"

#include "model/formats/pack.h"
#include "model/formats/reading.h"
#include "model/machine/nearest.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString packResource(const QString &id)
{
    return u":/instar/packs/%1.json"_s.arg(id);
}

Error tooLarge(const QString &path, qsizetype limit)
{
    return Error { u"%1: expected at most %2 MB, found a larger file"_s.arg(path).arg(
        limit / 1'000'000) };
}

} // namespace

QStringList builtInPacks()
{
    static const QStringList ids = [] {
        QStringList listed;
        const Result<JsonText> index = loadDocument(packResource(u"index"_s));
        if (index) {
            for (const Value id : index->root().items())
                listed.append(id.string());
        }
        return listed;
    }();
    return ids;
}

Result<QByteArray> fileBytes(const QString &path, qsizetype limit)
{
    const QFileInfo info(path);
    if (path.isEmpty())
        return Error { u"expected the name of a file, found an empty one"_s };
    if (!info.exists())
        return Error { u"%1: there is no such file"_s.arg(path) };
    if (info.isDir())
        return Error { u"%1: expected a file, found a directory"_s.arg(path) };
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error { u"%1: cannot be read: %2"_s.arg(path, file.errorString()) };
    if (file.size() > limit)
        return tooLarge(path, limit);
    if (!file.isSequential() && file.size() > 0) {
        QByteArray bytes = file.readAll();
        if (file.error() != QFileDevice::NoError)
            return Error { u"%1: cannot be read: %2"_s.arg(path, file.errorString()) };
        return bytes;
    }
    QByteArray bytes; // a pipe or a device says nothing of its size, and may never end
    for (;;) {
        const QByteArray part = file.read(1 << 16);
        if (part.isEmpty())
            break;
        bytes += part;
        if (bytes.size() > limit)
            return tooLarge(path, limit);
    }
    if (file.error() != QFileDevice::NoError)
        return Error { u"%1: cannot be read: %2"_s.arg(path, file.errorString()) };
    return bytes;
}

Result<JsonText> loadDocument(const QString &path, qsizetype limit)
{
    Result<QByteArray> bytes = fileBytes(path, limit);
    if (!bytes)
        return Error { bytes.error() };
    return JsonText::parse(*std::move(bytes), path, { .bytes = limit });
}

Result<JsonText> loadPackDocument(const QString &idOrFile, const QString &folder)
{
    if (builtInPacks().contains(idOrFile))
        return loadDocument(packResource(idOrFile), packBytes);
    const QString path = folder.isEmpty() || QDir::isAbsolutePath(idOrFile)
        ? idOrFile
        : QDir(folder).filePath(idOrFile);
    if (!idOrFile.isEmpty() && !QFileInfo::exists(path))
        return Error { u"\"%1\" is neither a built-in pack (%2) nor a file%3"_s.arg(
            oneLine(idOrFile.left(200)), builtInPacks().join(u", "_s),
            suggestion(idOrFile, builtInPacks())) };
    return loadDocument(path, packBytes);
}

Result<Pack> loadPack(const QString &idOrFile, const QString &folder)
{
    const Result<JsonText> document = loadPackDocument(idOrFile, folder);
    if (!document)
        return Error { document.error() };
    return readPack(*document);
}

} // namespace instar
