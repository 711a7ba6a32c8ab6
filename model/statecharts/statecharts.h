// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/statechart.h"

#include <QByteArray>

namespace instar {

/// Statecharts read from a file, and remarks on its parts that were not understood.
struct StatechartsRead
{
    QList<Statechart> charts;
    QList<Diagnostic> remarks; ///< in the order of their lines
};

/// Text written for a file, and remarks on what the notation cannot express.
struct StatechartsWritten
{
    QByteArray bytes;
    QList<Diagnostic> remarks;
};

/// Notation for statecharts: PlantUML, SCXML, Mermaid, DOT. Readers accept any bytes, in time and
/// memory linear in their number; an invalid line gives a remark, and the rest is read. A file
/// without a statechart is an error.
struct StatechartFormat
{
    QString name;         ///< "plantuml": the argument of --from and --to
    QString title;        ///< "PlantUML"
    QStringList suffixes; ///< ".puml"; the first is for new files
    Result<StatechartsRead> (*read)(
        const QByteArray &bytes, const QString &file) = nullptr; ///< null: only written
    StatechartsWritten (*write)(const QList<Statechart> &charts) = nullptr;
    /// Adds declarations, such as namespaces, that a text edited line by line lacks; null: none.
    QByteArray (*complete)(const QByteArray &text) = nullptr;
};

/// All notations, in display order.
const QList<StatechartFormat> &statechartFormats();
/// Returns the notation with this name, or with the suffix of this file; null: unknown.
const StatechartFormat *statechartFormat(const QString &nameOrFile);
/// True if a file of that name can hold several statecharts: SCXML has one root, DOT one graph, and
/// Mermaid allows several in a Markdown file only.
bool holdsSeveral(const StatechartFormat &format, const QString &file);
/// Returns why a notation has no reader, and the alternatives, in one sentence.
QString whyNotRead(const StatechartFormat &format);

} // namespace instar
