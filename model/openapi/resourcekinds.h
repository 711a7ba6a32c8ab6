// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/openapi/description.h"
#include "model/pack/diagnostic.h"
#include "model/pack/machine.h"

#include <QMap>

#include <optional>

namespace instar {

/// What an operation does to its resource, by its method and where it stands.
enum class ApiRole {
    Read,    ///< GET of a resource
    List,    ///< GET of a collection
    Make,    ///< POST to a collection
    Replace, ///< PUT
    Change,  ///< PATCH
    Remove,  ///< DELETE
    Act,     ///< any other POST
};

/// An operation of a kind of resource.
struct KindOperation
{
    int operation = 0; ///< in ApiDescription::operations
    ApiRole role = ApiRole::Read;
    QString name; ///< Act: the last word of its path, "start"
    QString path; ///< as the description has it below the base, its holes named apart
    QString of;   ///< the resource or collection that it is about, with the same holes; List, Make:
                  ///< the resources, where it is about a part of the collection
    bool operator==(const KindOperation &) const = default;
};

/// Resources of one type, as the paths of a description tell.
struct ResourceKind
{
    QString type;         ///< full type path: "pets/photos"
    QString path;         ///< "/pets/{petId}/photos/{photoId}"
    int parent = -1;      ///< in the list; -1: none
    bool isAlone = false; ///< there is just one in its parent, under the name of its type
    QList<KindOperation> operations;
    bool operator==(const ResourceKind &) const = default;

    bool has(ApiRole role) const;
};

struct ResourceKinds
{
    QString base;              ///< what all paths begin with
    QList<ResourceKind> kinds; ///< parents first
    QStringList values;        ///< holes of paths that stand for the same everywhere
    QList<Diagnostic> remarks;
};

/// Types and containment from the path templates of a description. A path that ends in a hole and
/// has operations is a resource; the path before it is its collection, and what follows it lies in
/// it. Holes that are no resource's ("/{owner}/{repo}") are parts of the name of the next one that
/// is: "{owner},{repo}"; but a hole without which nothing can be listed ("/{account}/pets") is the
/// same everywhere, one of `values`. Lists of a collection's parts and of the whole are lists of
/// one type. "/pets/{id}:stop" is understood as "/pets/{id}/stop". A path that ends in a word and
/// is no collection is the only resource of its type, or, where it can only be posted to, an action
/// of the resource before it.
ResourceKinds resourceKinds(const ApiDescription &description);

/// Places in the documents of one kind of resource, as a description tells; keys that lead there.
struct KindDocuments
{
    bool isTold = false; ///< the description says what a resource looks like
    QString wrapper;     ///< the key under which answers hold the resource; empty: they are it
    std::optional<QStringList> state, name, etag; ///< in the resource; nothing: it does not say
    QMap<QString, QStringList> nameParts;         ///< where its name is several holes of its path
    std::optional<QStringList> url;               ///< of the path where the resource is asked for
    QStringList words; ///< that its state may be; empty: the description has none
    bool isListed = false;
    QString listKey; ///< of a list's items; empty: the document is the list
    QString nextKey; ///< of the URL where a list goes on; empty: it does not
    bool operator==(const KindDocuments &) const = default;
};

/// What is guessed, or not understood, is added to the remarks.
KindDocuments documentsOf(
    const ApiDescription &description, const ResourceKind &kind, QList<Diagnostic> *remarks);

/// Whether a document holds the resource under the wrapper's key.
bool isWrapped(const ApiShape &shape, const QString &wrapper);

// The sources of a described pack's rows: what the description says, and what is made up.
inline constexpr const char *SaidSource = "description", *GuessSource = "guess";
/// The refusal of making what is there.
inline constexpr const char *TakenRefusal = "AlreadyExists";

/// A row with its source.
template<typename T>
T sourced(T row, const char *source)
{
    row.sources = { QString::fromLatin1(source) };
    return row;
}

struct KindMachine
{
    Machine machine;
    QStringList guesses;         ///< sentences
    bool isAsynchronous = false; ///< some operation is answered before it ends
};

/// The machine of one kind of resource, under the name of its type: it is made, rests, is changed
/// and removed by the kind's operations. `words` is what the description calls its states; where it
/// names none they are made up. Words of work that no operation leads to are the server's own.
KindMachine machineOf(
    const ApiDescription &description, const ResourceKind &kind, const QStringList &words);

} // namespace instar
