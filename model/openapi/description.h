// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/diagnostic.h"
#include "model/pack/pack.h"
#include "model/result.h"

#include <algorithm>
#include <functional>

namespace instar {

// Model of an API description (OpenAPI 3, Swagger 2): the parts from which lifecycles follow.

/// Scalar property in the documents of a schema.
struct ApiProperty
{
    QStringList keyPath; ///< keys that lead to the property: "properties", "state"
    QString type;        ///< "string", "integer", "boolean"
    QStringList words;   ///< its enumeration; empty: any value
    bool readOnly = false;
};

/// Structure of the documents of a schema, at most three objects deep.
struct ApiShape
{
    bool isList = false;       ///< the document is a list
    QStringList keys;          ///< of the document's members
    QString listKey;           ///< key of the first member that is a list; empty: none
    bool holdsObjects = false; ///< the items of the list are objects
    QList<ApiProperty> properties;

    const ApiProperty *find(const QStringList &keyPath) const
    {
        const auto found = std::ranges::find(properties, keyPath, &ApiProperty::keyPath);
        return found == properties.end() ? nullptr : &*found;
    }
};

/// Answer that an operation may give.
struct ApiAnswer
{
    int code = 0;        ///< HTTP status; 0: "default"
    QStringList headers; ///< names, as spelled in the description
    int shape = -1;      ///< of the body: index in ApiDescription::shapes; -1: not described
};

/// Required parameter in the query of an operation.
struct ApiQuery
{
    QString name;
    QString value; ///< only or default value; empty: not described
};

/// Operation: one method on one path.
struct ApiOperation
{
    QString method; ///< "PUT"
    QString path;   ///< template: "/pets/{petId}"; begins with a slash
    QString id;     ///< unique; "PUT /pets/{petId}" if the description has none
    QString about;  ///< one line
    int line = 0;   ///< line in the description, from 1
    bool takesBody = false;
    int bodyShape = -1; ///< of the request: index in ApiDescription::shapes; -1: not described
    QList<ApiQuery> query;
    bool isLongRunning = false; ///< the description marks the operation as long-running
    QString finalStateVia;      ///< where the mark locates the result; empty: not stated
    QList<ApiAnswer> answers;   ///< in the order of their codes, the default last

    const ApiAnswer *answer(int code) const
    {
        const auto found = std::ranges::find(answers, code, &ApiAnswer::code);
        return found == answers.end() ? nullptr : &*found;
    }
    /// Returns the first success answer with a body, else the first success answer; null: none.
    const ApiAnswer *success() const
    {
        const ApiAnswer *found = nullptr;
        for (const ApiAnswer &one : answers) {
            const bool isBetter = !found || (found->shape < 0 && one.shape >= 0);
            if (one.code >= 200 && one.code < 300 && isBetter)
                found = &one;
        }
        return found;
    }
    /// True if the answer precedes the end: the description marks it as long-running, or has a 202.
    bool isAsynchronous() const { return isLongRunning || answer(202); }
    /// True if success has another answer for a missing resource (204) than for an existing one.
    bool showsAbsence() const { return answer(204) && (answer(200) || answer(202)); }
};

struct ApiDescription
{
    QString title, version;
    QString format;                 ///< "OpenAPI 3.0.1", "Swagger 2.0"
    QString base;                   ///< common prefix of the paths, such as "/api/v3"; empty: none
    QList<ApiOperation> operations; ///< in the order of the file
    QList<ApiShape> shapes;

    // Shapes of an answer's body and of a request's body; null: not described.
    const ApiShape *shape(const ApiAnswer *answer) const
    {
        return answer && answer->shape >= 0 ? &shapes[answer->shape] : nullptr;
    }
    const ApiShape *bodyShape(const ApiOperation &operation) const
    {
        return operation.bodyShape >= 0 ? &shapes[operation.bodyShape] : nullptr;
    }
};

struct DescriptionRead
{
    ApiDescription description;
    QList<Diagnostic> remarks; ///< parts not understood, by line of the main file
};

/// Loader of the files that a description refers to, by path.
using NeighbourFiles = std::function<Result<QByteArray>(const QString &path)>;

/// Reads an OpenAPI 3 or Swagger 2 description: JSON, or YAML if the file's suffix says so or the
/// text does not begin with a bracket. Follows references (`$ref`) in the file and to neighbour
/// files; dangling, circular and web references are reported and left out. Of duplicate keys the
/// first counts. Errors read "name:line:column: what is wrong".
Result<DescriptionRead> readDescription(
    const QByteArray &bytes, const QString &name, const NeighbourFiles &neighbours);

/// True if a file is YAML by its name, or JSON with the key "openapi" or "swagger".
bool isDescription(const QString &file);

/// Access to files outside the description's folder (symbolic links resolved).
enum class OutsideFiles { Refused, Read };

/// Reads a description's file, and the files that it refers to.
Result<DescriptionRead> loadDescription(
    const QString &file, OutsideFiles outside = OutsideFiles::Refused);

struct DescribedPack
{
    Pack pack;
    QList<Diagnostic> remarks; ///< losses and guesses, by line of the description
};

/// Converts an API description to a pack: a type and a machine for each kind of resource in its
/// paths, the operations with their ids, and the wire rules. check() finds no error in it. Where
/// the description says nothing, assumes conventions, with a remark each: resources are created,
/// rest, are updated and deleted; one operation at a time runs on a resource; names of states have
/// their usual meaning. `origin` names the description.
DescribedPack packOf(const ApiDescription &description, const QString &origin);

} // namespace instar
