// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace instar {

// JSON Schemas (draft 7), made from the descriptions of rows; published in resources/schemas.

QByteArray packSchema();
QByteArray scenarioSchema();

} // namespace instar
