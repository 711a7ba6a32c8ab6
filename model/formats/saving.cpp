// SPDX-License-Identifier: Apache-2.0
#include "model/formats/saving.h"

#include <QFileInfo>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Error notWritten(const QString &file, const QFileDevice &target)
{
    return { u"%1: cannot be written: %2; name another file or folder"_s.arg(
        file, target.errorString()) };
}

} // namespace

Result<bool> saved(const QString &file, const QByteArray &bytes)
{
    const QFileInfo there(file);
    if (there.exists() && !there.isFile() && !there.isDir()) {
        QFile device(file);
        if (device.open(QIODevice::WriteOnly) && device.write(bytes) == bytes.size()
            && device.flush())
            return true;
        return notWritten(file, device);
    }
    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly) && target.write(bytes) == bytes.size() && target.commit())
        return true;
    return notWritten(file, target);
}

} // namespace instar
