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
    QList<Diagnostic> remarks; ///< what could not be understood, by line of the main file
};

/// Loader of the files that a description refers to, by path.
using NeighbourFiles = std::function<Result<QByteArray>(const QString &path)>;

/// Reads an OpenAPI 3 or Swagger 2 description: JSON, or YAML if the file's suffix says so or the
/// text does not begin with a bracket. Follows references (`$ref`) in the file and to neighbour
/// files; dangling, circular and web references are reported and left out. Of duplicate keys the
/// first counts. Errors read "name:line:column: what is wrong".
Result<DescriptionRead> readDescription(
    const QByteArray &bytes, const QString &name, const NeighbourFiles &neighbours);

/// True if a file is YAML by its name, or JSON with "openapi" or "swagger" in it.
bool isDescription(const QString &file);

/// Access to files outside the description's folder (symbolic links resolved).
enum class OutsideFiles { Refused, Read };

/// Reads a description's file, and the files that it refers to.
Result<DescriptionRead> loadDescription(
    const QString &file, OutsideFiles outside = OutsideFiles::Refused);

} // namespace instar
