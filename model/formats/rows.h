// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/output.h"
#include "model/formats/reading.h"
#include "model/machine/machine.h"

namespace instar {

/// The members of a row of a pack: its own keys, and those that every row may have, which go to
/// `row`.
class RowFields : public Fields
{
public:
    /// Members of the keys `kept` become extras, unread.
    RowFields(Reading &reading, Value object, Keys own, Row *row, Keys kept = {});
};

/// What a row has beside its meaning, at the end of `object`.
void addRow(Output *object, const Row &row);
bool isPlain(const Row &row); ///< nothing of that

/// A text, a number, true, false or null.
Output valueOutput(const QJsonValue &value);

void addExtras(Output *object, const QList<Extra> &extras);
void addText(Output *object, const char *key, const QString &text); ///< left out where empty
void addFlag(Output *object, const char *key, bool flag);           ///< left out where false
void addWhole(Output *object, const char *key, qint64 number, qint64 absent = 0);
/// One as a string, several as a list; none is left out unless the key is required.
void addTexts(
    Output *object, const char *key, const QStringList &texts, Need need = Need::Optional);

} // namespace instar
