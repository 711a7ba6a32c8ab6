// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/output.h"
#include "model/formats/reading.h"
#include "model/machine/pack.h"

namespace instar {

// Rows are read and written as they are described: see model/machine/describe.h. A reader tells
// what a file has that its description has not, and goes on with what the rest says.

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

/// A text, a number, true, false or null.
Output valueOutput(const QJsonValue &value);
/// A switch's value, or a text that may be true or false.
Output truthOutput(const QString &word);
QString readTruth(Reading &reading, Value value);

void addExtras(Output *object, const QList<Extra> &extras);
void addText(Output *object, const char *key, const QString &text); ///< left out where empty
void addFlag(Output *object, const char *key, bool flag);           ///< left out where false
void addWhole(Output *object, const char *key, qint64 number, qint64 absent = 0);
/// One as a string, several as a list; none is left out.
void addTexts(Output *object, const char *key, const QStringList &texts);

} // namespace instar
