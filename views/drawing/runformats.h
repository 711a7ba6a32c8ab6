// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "views/drawing/theme.h"

#include <QByteArray>

namespace instar {

class Score;
class Simulator;

/// What a run can be written as besides a picture of its score.
struct RunFormat
{
    QStringList names; ///< of files, without the dot
    QString title;
    /// Null where the score suffices, which is known of a server, too.
    Result<QByteArray> (*ofRun)(const Simulator &, const QString &title, const Theme &) = nullptr;
    Result<QByteArray> (*ofScore)(const Score &, const QString &title) = nullptr;

    Result<QByteArray> write(
        const Simulator &simulator, const QString &runTitle, const Theme &theme) const;
};
const QList<RunFormat> &runFormats();
/// By the suffix of a file's name, or that alone; null: another one.
const RunFormat *runFormat(const QString &nameOrFile);

} // namespace instar
