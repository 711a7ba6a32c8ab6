// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/bytesof.h"

#include <QDirIterator>
#include <QMap>

namespace instar {

/// Texts of the C++ sources in these folders of the project, by path from its root.
inline QMap<QString, QString> sourcesIn(const QStringList &folders)
{
    const QDir root(QStringLiteral(INSTAR_SOURCE_DIR));
    QMap<QString, QString> texts;
    for (const QString &folder : folders) {
        QDirIterator found(root.filePath(folder),
            { QStringLiteral("*.h"), QStringLiteral("*.cpp") }, QDir::Files,
            QDirIterator::Subdirectories);
        while (found.hasNext()) {
            const QString file = found.next();
            texts.insert(root.relativeFilePath(file), QString::fromUtf8(bytesOf(file)));
        }
    }
    return texts;
}

} // namespace instar
