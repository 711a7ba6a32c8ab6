// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "views/drawing/theme.h"

#include <QByteArray>

namespace instar {

class Simulator;

/// What a run can be written as besides a picture of its score.
struct RunFormat
{
    QStringList names; ///< of files, without the dot
    QString title;
    Result<QByteArray> (*write)(const Simulator &, const QString &title, const Theme &);
};
const QList<RunFormat> &runFormats();
/// By the suffix of a file's name, or that alone; null: another one.
const RunFormat *runFormat(const QString &nameOrFile);

} // namespace instar
