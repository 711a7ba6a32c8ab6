// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"

#include <QStringList>

namespace instar {

/// Returns the content of a regular file or of a Qt resource (":/..."). Every reader of files uses
/// this function. Pipes, devices, sockets and directories are refused without opening them, so that
/// nothing blocks; files of more than `limit` bytes are refused. The error names file and reason.
Result<QByteArray> fileBytes(const QString &path, qsizetype limit = Limits().bytes);

/// Allows fileBytes() to read these paths, even pipes and devices. Meant for arguments of the
/// command line: a pipe named by the user may block, a pipe named by a file must not.
void allowPipes(const QStringList &paths);

} // namespace instar
