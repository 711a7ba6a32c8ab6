// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/description.h"
#include "model/pack/diagnostic.h"
#include "model/pack/machine.h"

#include <QMap>

#include <optional>

namespace instar {

/// Role of an API operation, which follows from its method and path.
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
    int operation = 0; ///< index in ApiDescription::operations
    ApiRole role = ApiRole::Read;
    QString name; ///< for Act: the last word of the path, such as "start"
    QString path; ///< template below the base path; each placeholder has a name of its own
    /// Template of the resource or collection that the operation acts on, with the same
    /// placeholders. If it acts on one {owner}'s part of a collection: "/{owner}/{repo}".
    QString of;
};

/// Kind of resource, derived from the paths of a description.
struct ResourceKind
{
    QString type;             ///< full type path: "pets/photos"
    QString path;             ///< "/pets/{petId}/photos/{photoId}"
    int parent = -1;          ///< index in ResourceKinds::kinds; -1: none
    bool isSingleton = false; ///< each parent has one such resource, named like the type
    QList<KindOperation> operations;

    bool has(ApiRole role) const;
};

struct ResourceKinds
{
    QString base;              ///< common prefix of all paths
    QList<ResourceKind> kinds; ///< parents first
    QStringList values;        ///< placeholders with one value everywhere, such as an account
    QList<Diagnostic> remarks;
};

/// Derives kinds of resources from the path templates of a description. A hole is a placeholder in
/// braces, such as "{id}".
///
/// A path that ends in a hole and has operations is a resource: "/pets/{id}". The path before the
/// hole is the resource's collection; longer paths are its descendants. A path that ends in a word
/// and is no collection is a singleton, or, if POST is the only method, an action of the resource
/// before that word.
/// "/pets/{id}:stop" means "/pets/{id}/stop".
///
/// If a path that ends in a hole has no operations, the hole is a part of the next resource's
/// name: "{owner},{repo}" for "/{owner}/{repo}". But a hole in the path of every list, as in
/// "/{account}/pets", has one value everywhere and goes to `values`. A list of all resources of a
/// collection and a list of those with the same {owner} are operations of one kind.
ResourceKinds resourceKinds(const ApiDescription &description);

/// True if a property with this name contains a state: "status", "lifecycleState".
bool isStateName(const QString &name);

/// State names of one kind of resource, by the meaning guessed from each name; empty: none.
struct StateWords
{
    QStringList resting; ///< stable: "Active"
    QStringList working; ///< transitional: "Creating", "Pending"
    QStringList gone;    ///< the resource is deleted: "Deleted"
    QString rest;        ///< the state after success
    QString failed, canceled, creating, updating, deleting;

    /// Classifies names. If there is the name "succeeded", all other names except those of failure
    /// and cancellation are transitional.
    static StateWords of(const QStringList &words);
    /// Return the state after an action ("stop": "Stopped") or during it ("Stopping"); empty: none.
    QString after(const QString &action) const;
    QString during(const QString &action) const;
};

/// Locations of state, name, etag and URL in the documents of a kind of resource, as lists of keys.
struct KindDocuments
{
    bool hasSchema = false; ///< the description has a schema of the resource
    QString wrapper;        ///< key of the resource in answers; empty: the answer is the resource
    std::optional<QStringList> state, name, etag; ///< absent: the description has none
    QMap<QString, QStringList> nameParts;         ///< by hole, if the name has several holes
    std::optional<QStringList> url;               ///< the resource's own URL
    QStringList words;     ///< possible states; empty: the description lists none
    bool isListed = false; ///< the answer of an operation that lists the resources is described
    QString listKey; ///< key of the items in a list's document; empty: the document is the list
    QString nextKey; ///< key of the URL of the next page; empty: no paging
};

/// Finds state, name, etag and URL in the schemas of a kind. Adds remarks about guesses and losses.
KindDocuments documentsOf(
    const ApiDescription &description, const ResourceKind &kind, QList<Diagnostic> *remarks);

/// True if a document contains the resource as the value of the key `wrapper`.
bool isWrapped(const ApiShape &shape, const QString &wrapper);

// Keys of Pack::sources for imported rows: rows from the description, and guessed rows.
inline constexpr const char *DescriptionSource = "description", *GuessSource = "guess";
/// Id of the refusal to create a resource that exists.
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
    QStringList guesses; ///< one sentence each
};

/// Returns the machine of one kind of resource, named after the type: the kind's operations create,
/// update and delete a resource. `words` are the states that the description names; missing states
/// are guessed. A state that no row enters gets State::byServer; a stable state that no row leaves
/// gets State::isEnd.
KindMachine machineOf(
    const ApiDescription &description, const ResourceKind &kind, const QStringList &words);

} // namespace instar
