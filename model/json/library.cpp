// SPDX-License-Identifier: Apache-2.0
#include "model/json/library.h"

#include "model/json/packfile.h"
#include "model/json/reading.h"
#include "model/pack/nearest.h"

#include <QDir>
#include <QFileInfo>

namespace instar {

static QString packResource(const QString &id)
{
    return u":/instar/packs/%1.json"_s.arg(id);
}

QStringList builtInPacks()
{
    static const QStringList ids = [] {
        const Result<JsonText> index = loadDocument(packResource(u"index"_s));
        return index ? mapped<QStringList>(index->root().items(), &Value::string) : QStringList();
    }();
    return ids;
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
