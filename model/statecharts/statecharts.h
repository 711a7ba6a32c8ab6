// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/statechart.h"

#include <QByteArray>

namespace instar {

/// What a file held, and what of it was not understood.
struct StatechartsRead
{
    QList<Statechart> charts;
    QList<Diagnostic> remarks; ///< in the order of their lines
};

/// A file's text, and what of the statecharts it cannot say.
struct StatechartsWritten
{
    QByteArray bytes;
    QList<Diagnostic> remarks;
};

/// A notation for statecharts: PlantUML, SCXML, Mermaid, DOT. Readers take any bytes and end in
/// time and memory in proportion to them; a broken line is a remark, and the rest is read. What
/// holds no statechart at all is an error.
struct StatechartFormat
{
    QString name;         ///< "plantuml": what --from and --to take
    QString title;        ///< "PlantUML"
    QStringList suffixes; ///< ".puml"; the first is that of new files
    Result<StatechartsRead> (*read)(
        const QByteArray &bytes, const QString &file) = nullptr;            ///< null: only written
    StatechartsWritten (*write)(const QList<Statechart> &charts) = nullptr; ///< null: no longer
    /// What a text needs as a whole once lines of ours were put into it; null: nothing.
    QByteArray (*complete)(const QByteArray &text) = nullptr;
};

/// Every notation, in the order in which to offer them.
const QList<StatechartFormat> &statechartFormats();
/// By a file's name or a format's; null: none. Of a notation that is no longer supported it has
/// neither a reader nor a writer.
const StatechartFormat *statechartFormat(const QString &nameOrFile);
/// Whether a file of that name can hold several statecharts: SCXML has one root, DOT one graph, and
/// Mermaid knows several in a page of Markdown only.
bool holdsSeveral(const StatechartFormat &format, const QString &file);
/// Why files of a notation without a reader are not read, and what to use; one sentence.
QString whyNotRead(const StatechartFormat &format);

} // namespace instar
