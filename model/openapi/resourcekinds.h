// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/description.h"
#include "model/pack/diagnostic.h"
#include "model/pack/machine.h"

#include <QMap>

#include <optional>

namespace instar {

/// Role of an API operation, by its method and path.
enum class ApiRole {
    Read,    ///< GET of a resource
    List,    ///< GET of a collection
    Make,    ///< POST to a collection
    Replace, ///< PUT
    Change,  ///< PATCH
    Remove,  ///< DELETE
    Act,     ///< any other POST
};

/// API operation on a kind of resource.
struct KindOperation
{
    int operation = 0; ///< in ApiDescription::operations
    ApiRole role = ApiRole::Read;
    QString name; ///< Act: the last word of its path, "start"
    QString path; ///< template below the base path, with distinct names of holes
    QString of;   ///< path of its resource or collection, with the same holes; List and Make of
                  ///< a part of a collection have the path of the resources
};

/// Kind of resource, derived from the paths of a description.
struct ResourceKind
{
    QString type;         ///< full type path: "pets/photos"
    QString path;         ///< "/pets/{petId}/photos/{photoId}"
    int parent = -1;      ///< in the list; -1: none
    bool isAlone = false; ///< singleton in its parent, under the name of its type
    QList<KindOperation> operations;

    bool has(ApiRole role) const;
};

struct ResourceKinds
{
    QString base;              ///< common prefix of all paths
    QList<ResourceKind> kinds; ///< parents first
    QStringList values;        ///< holes with one value everywhere, such as an account
    QList<Diagnostic> remarks;
};

/// Derives kinds of resources from the path templates of a description. A hole is a placeholder in
/// braces.
///
/// A path that ends in a hole and has operations names a resource: "/pets/{id}". The path before
/// the hole is its collection, and longer paths are inside it. A path that ends in a word and is no
/// collection is a singleton, or, if it only has POST, an action of the resource before it.
/// "/pets/{id}:stop" is read as "/pets/{id}/stop".
///
/// A hole without a resource of its own is a part of the next resource's name: "{owner},{repo}" for
/// "/{owner}/{repo}". But a hole in the path of every list, as in "/{account}/pets", has one value
/// everywhere, and goes to `values`. A list of some resources of a collection and a list of all are
/// operations of one kind.
ResourceKinds resourceKinds(const ApiDescription &description);

/// Locations of the state, name, etag ... in the documents of a kind of resource, as paths of keys.
struct KindDocuments
{
    bool hasSchema = false; ///< the description has a schema of the resource
    QString wrapper;        ///< key of the resource in answers; empty: the answer is the resource
    std::optional<QStringList> state, name, etag; ///< in the resource; absent: not described
    QMap<QString, QStringList> nameParts;         ///< by hole, if the name has several holes
    std::optional<QStringList> url;               ///< of the member with the resource's own URL
    QStringList words; ///< possible states; empty: the description lists none
    bool isListed = false;
    QString listKey; ///< of a list's items; empty: the document is the list
    QString nextKey; ///< of the URL of a list's next page; empty: no paging
};

/// Finds the locations; adds remarks on guesses and on parts that are not understood.
KindDocuments documentsOf(
    const ApiDescription &description, const ResourceKind &kind, QList<Diagnostic> *remarks);

/// True if a document contains the resource under the wrapper's key.
bool isWrapped(const ApiShape &shape, const QString &wrapper);

// Source keys of the rows of an imported pack: stated by the description, or guessed.
inline constexpr const char *DescriptionSource = "description", *GuessSource = "guess";
/// Refusal of creating a resource that exists.
inline constexpr const char *TakenRefusal = "AlreadyExists";

template<typename T>
T sourced(T row, const char *source)
{
    row.sources = { QString::fromLatin1(source) };
    return row;
}

struct KindMachine
{
    Machine machine;
    QStringList guesses; ///< sentences
};

/// Machine of one kind of resource, named after its type: the kind's operations create, update and
/// delete it. `words` are the states that the description names; missing ones are guessed. A state
/// that no row enters gets State::byServer; a stable one that no row leaves gets State::isEnd.
KindMachine machineOf(
    const ApiDescription &description, const ResourceKind &kind, const QStringList &words);

} // namespace instar
