// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "views/drawing/theme.h"

#include <QByteArray>

namespace instar {

class Timeline;
class Simulator;

/// What a run can be written as besides a picture of its timeline.
struct RunFormat
{
    QStringList names; ///< of files, without the dot
    QString title;
    /// Null where the timeline suffices, which is known of a server, too.
    Result<QByteArray> (*ofRun)(const Simulator &, const QString &title, const Theme &) = nullptr;
    Result<QByteArray> (*ofTimeline)(const Timeline &, const QString &title) = nullptr;

    Result<QByteArray> write(
        const Simulator &simulator, const QString &runTitle, const Theme &theme) const;
};
const QList<RunFormat> &runFormats();
/// By the suffix of a file's name, or that alone; null: another one.
const RunFormat *runFormat(const QString &nameOrFile);

} // namespace instar
