// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/description.h"
#include "model/pack/diagnostic.h"
#include "model/result.h"

#include <QByteArray>

#include <functional>

namespace instar {

struct DescriptionRead
{
    ApiDescription description;
    QList<Diagnostic> remarks; ///< what could not be understood; lines of the file itself
};

/// The bytes of a file that another one refers to, by its path; or why there are none.
using NeighbourFiles = std::function<Result<QByteArray>(const QString &path)>;

/// Reads an OpenAPI 3 or Swagger 2 description: JSON, or YAML where the file's name ends so or the
/// text does not begin with a bracket. References (`$ref`) lead within the file and to files beside
/// it; those that lead nowhere, in circles or to the web are told and left out. Of keys that stand
/// twice the first counts. Errors read "name:line:column: what is wrong".
Result<DescriptionRead> readDescription(
    const QByteArray &bytes, const QString &name, const NeighbourFiles &neighbours);

/// Whether a file is YAML by its name, or JSON with "openapi" or "swagger" in it.
bool isDescription(const QString &file);

/// Whether references may leave the description's folder, symbolic links followed.
enum class OutsideFiles { Refused, Read };

/// Reads a file, and the files that it refers to.
Result<DescriptionRead> loadDescription(
    const QString &file, OutsideFiles outside = OutsideFiles::Refused);

} // namespace instar
