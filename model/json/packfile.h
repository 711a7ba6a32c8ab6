// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/output.h"
#include "model/json/reading.h"
#include "model/pack/pack.h"
#include "model/result.h"

namespace instar {

/// Pack as far as its file could be parsed. JSON pointers to rows are the same in pack and file.
struct PackDraft
{
    Pack pack;
    QList<Diagnostic> diagnostics;
    QString error; ///< one sentence; empty if there are no diagnostics
};

PackDraft packDraft(const JsonText &document);
/// Returns the pack, or an error about its syntax. Names are not looked up here, but by check().
Result<Pack> readPack(const JsonText &document);
/// Writes a pack so that readPack() returns the same value.
QByteArray writePack(const Pack &pack);

/// Returns the keys of pack files and the words of their enumerations.
const QStringList &packWords();

// Rows are read and written by describe() (model/pack/describe.h); errors don't stop the reader.

/// Reads a row. `id` is the row's key in the object that contains it; empty for a row in a list.
template<typename T>
T readRow(JsonReader &reading, Value value, const QString &id = {});
template<typename T>
Output rowOutput(const T &row);

extern template Pack readRow(JsonReader &, Value, const QString &);
extern template Machine readRow(JsonReader &, Value, const QString &);
template<>
ResourceSpec readRow(JsonReader &reading, Value value, const QString &id);
extern template Output rowOutput(const Pack &);
extern template Output rowOutput(const Machine &);
extern template Output rowOutput(const ResourceSpec &);

/// Returns check()'s diagnostics with positions; if none is an error, also that of the engine.
QList<Diagnostic> packDiagnostics(const JsonText &document, const Pack &pack);
/// Returns the diagnostics of a machine without a pack, except those that need the pack.
QList<Diagnostic> machineDiagnostics(const JsonText &document, const Machine &machine);
/// Returns the errors among the diagnostics as text lines.
QStringList errorLines(const QString &file, const QList<Diagnostic> &diagnostics);
/// True if a diagnostic is meaningful only for a whole pack, not for a machine alone.
bool needsWholePack(const Diagnostic &diagnostic);

} // namespace instar
