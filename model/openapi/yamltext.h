// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"

namespace instar {

/// Translates a YAML file's first document to JSON. Every key and value keeps its line, so that
/// lines of the JSON text are lines of the file.
///
/// Plain scalars that are valid JSON are numbers, booleans and null; True and False are booleans;
/// `~`, Null and an empty value are null. All other scalars, and all keys, are strings. An alias
/// becomes a copy of its anchor's value. Errors are invalid YAML, a merge key `<<`, an alias inside
/// its own anchor, a key that is no scalar, and a JSON text of more than `most` bytes, to which
/// nested aliases can grow. Errors read "name:line:column: what is wrong".
Result<JsonText> yamlText(
    const QByteArray &yaml, const QString &name, qsizetype most = 128 * 1024 * 1024);

} // namespace instar
