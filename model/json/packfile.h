// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/output.h"
#include "model/json/reading.h"
#include "model/pack/pack.h"
#include "model/result.h"

namespace instar {

/// What could be understood of a pack's file, and everything that could not. Every row of `pack`
/// stands where it stands in the file, so that a JSON pointer to one is a pointer to the other.
struct PackDraft
{
    Pack pack;
    QList<Diagnostic> diagnostics;
    QString error; ///< one sentence; empty where there are no diagnostics
};

PackDraft packDraft(const JsonText &document);
/// The pack, or the first thing that is wrong with its shape. Whether its names make sense is
/// check()'s business.
Result<Pack> readPack(const JsonText &document);
/// What readPack() reads back as the same value.
QByteArray writePack(const Pack &pack);

/// The keys that a pack's file may have, and the words of its choices.
const QStringList &packWords();

// Rows are read and written as they are described: see model/pack/describe.h. After an error the
// reader goes on with the rest.

/// `id` is the key that it has in the object that holds it; empty where it is in a list.
template<typename T>
T readRow(Reading &reading, Value value, const QString &id = {});
template<typename T>
Output rowOutput(const T &row);

extern template Pack readRow(Reading &, Value, const QString &);
extern template Machine readRow(Reading &, Value, const QString &);
template<>
ResourceSpec readRow(Reading &reading, Value value, const QString &id);
extern template Output rowOutput(const Pack &);
extern template Output rowOutput(const Machine &);
extern template Output rowOutput(const ResourceSpec &);

/// The diagnostics of check() with their places in the document, and the engine's error if it
/// cannot run the pack.
QList<Diagnostic> packDiagnostics(const JsonText &document, const Pack &pack);
/// The same of a lone machine, without what only its pack could know.
QList<Diagnostic> machineDiagnostics(const JsonText &document, const Machine &machine);
/// The errors among them, as they are printed.
QStringList errorLines(const QString &file, const QList<Diagnostic> &diagnostics);
/// True if a diagnostic is about what one machine alone cannot know.
bool isOutside(const Diagnostic &diagnostic);

} // namespace instar
