// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"

#include <QStringList>

namespace instar {

/// Content of a regular file or of a resource of the program (":/..."). All files are read here.
/// A pipe, device, socket or directory is refused without opening it, so that nothing blocks; so is
/// a file of more than `limit` bytes. The error is one line that names the file and the reason.
Result<QByteArray> fileBytes(const QString &path, qsizetype limit = Limits().bytes);

/// Lets fileBytes() read these paths even where they are pipes or devices, up to the limit. For the
/// console, with the words of its command line: a pipe that the user names may block, one that a
/// file names may not.
void allowPipes(const QStringList &paths);

} // namespace instar
