// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/describe.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace instar {

/// A text in a wire document's JSON that names something of the pack: another document, a property,
/// whose it is, or a refusal.
struct DocumentName
{
    qsizetype begin = 0, size = 0; ///< of the string in the bytes, with its quotes
    QString text;
    Name what = Name::None;
};

/// All of them, in the order of the text.
QList<DocumentName> namesInDocument(const QByteArray &json);

/// The same document with another text in each place; as many as there are names.
QByteArray documentRenamed(const QByteArray &json, const QList<DocumentName> &names);

} // namespace instar
