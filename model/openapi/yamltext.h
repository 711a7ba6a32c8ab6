// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/json/jsontext.h"

namespace instar {

/// A YAML file's first document as a JSON text that says the same, each key and value on the line
/// on which it stands in the file, so that positions in the one are lines of the other.
///
/// Plain scalars are numbers, true, false and null where JSON spells them so (`~`, Null and
/// nothing are null, True and False such words, too), else text; keys are always text. An alias is
/// a copy of what it names; `<<` adds what the mapping has not itself. `most` bounds the JSON text
/// in bytes: what grows beyond by aliases of aliases is an error, as is what YAML does not allow,
/// an alias inside of what it names, and a key that is no scalar. Errors read "name:line:column:
/// what is wrong".
Result<JsonText> yamlText(
    const QByteArray &yaml, const QString &name, qsizetype most = 128 * 1024 * 1024);

} // namespace instar
