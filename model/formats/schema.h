// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace instar {

/// The JSON Schema (draft 7) of pack files, made from the descriptions of their rows; published as
/// resources/schemas/pack.schema.json.
QByteArray packSchema();
QByteArray scenarioSchema();

} // namespace instar
