// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/reading.h"

#include <QJsonObject>

namespace instar {

/// A published JSON Schema (draft 7), for instance ":/instar/schemas/pack.schema.json".
Result<QJsonObject> loadSchema(const QString &path);

/// Where a document does not keep to a schema; in file order, each told in words of the schema's
/// titles.
QList<Finding> schemaFindings(const Document &document, const QJsonObject &schema);

} // namespace instar
