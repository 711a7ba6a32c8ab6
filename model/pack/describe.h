// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QStringList>

#include <concepts>
#include <functional>
#include <limits>
#include <span>

namespace instar {

using namespace Qt::StringLiterals;

/// Kind of name that a member's text holds; checks, completion and renaming depend on it.
enum class Name {
    None,         ///< no name: text for people, or a value
    State,        ///< a state of the row's own machine
    From,         ///< a state, or "*" for any
    To,           ///< a state, "(same)" or "(last)"
    Alias,        ///< a state's alias (`as`), or "(last)"
    StateOrAlias, ///< a state or an alias, of any machine
    Operation,    ///< an operation of clients
    Trigger,      ///< an operation, an outcome, or an event that other resources send
    Event,        ///< an event that other resources send
    Outcome,      ///< an outcome of work
    Result,       ///< an outcome, a refusal, or an engine event such as "started"
    Condition,    ///< a named condition, or a fact that only a request states
    Machine,
    Type, ///< a full type path
    Path, ///< path of a resource
    Refusal,
    Switch,
    Source,
    Relation,    ///< of a resource to others: "parent", "children"
    Property,    ///< a dotted path in the body
    Work,        ///< a transitional state; or a required operation and its path
    OperationId, ///< an operation of a scenario, by its id
    Document,    ///< a JSON template of HTTP bodies
    Template,    ///< the path of a type's resource or collection, with holes for names
    RequestKind, ///< an operation, a query, or a Document
};

inline constexpr qint64 MostWhole = qint64(1) << 53; ///< largest whole number that is exact in JSON

using WordSpan = std::span<const char *const>;

/// Applies a function to each item, or reads a member of it; returns the results in order.
template<typename List>
List mapped(const auto &items, auto function)
{
    List results;
    for (const auto &item : items)
        results += std::invoke(function, item);
    return results;
}

inline QStringList wordList(WordSpan words)
{
    return mapped<QStringList>(words, [](const char *word) { return QString::fromLatin1(word); });
}

/// Rules for a row's member in files, beyond its C++ type.
struct MemberSpec
{
    Name names = Name::None; ///< kind of name that a text is; None: no name
    Name keys = Name::None;  ///< kind of name that the keys of a map or list are
    bool required = false;   ///< a file must contain the member
    bool always = false;     ///< written even if it has its default value
    bool list = false;       ///< of texts: a single text is written as a list, too
    bool boolean = false;    ///< of a list of texts: "true" and "false" are written as booleans;
                             ///< ["true", "false"] is the default and left out
    WordSpan words = {}; ///< of an enumeration: its words, in order; of texts: the allowed ones; of
                         ///< a number: words for 0, 1 ...
    qint64 absent = 0;   ///< default of a number or word; allowed even below `least`
    qint64 least = 0;    ///< least number
    qint64 most = MostWhole;         ///< greatest number
    const char *unit = nullptr;      ///< unit of a number: "ms", "s", "pt"
    const char *leftOut = nullptr;   ///< in words: what a member that is left out means
    const char *begins = nullptr;    ///< characters, one of which a text must begin with
    bool nullable = false;           ///< files write an empty text as null
    const char *title = nullptr;     ///< completes the message "expected ..."; null: by type
    const QStringList *at = nullptr; ///< relations to the resources that a condition is about
    const char *wrapper = nullptr;   ///< of rows: the list is wrapped in an object with this key
    bool anyOrder = false;           ///< of rows: their order has no meaning
    bool drawing = false;            ///< affects only the drawing
};

/// Pair of members of a struct that share one key of a file.
template<typename A, typename B>
struct SharedKey
{
    SharedKey(A &a, B &b) : first(a), second(b) { }
    A &first;
    B &second;
};

template<typename T>
inline constexpr bool IsSharedKey = false;
template<typename A, typename B>
inline constexpr bool IsSharedKey<SharedKey<A, B>> = true;

/// Returns a member; of a pair, the first.
auto &firstOf(auto &member)
{
    if constexpr (IsSharedKey<std::remove_cvref_t<decltype(member)>>)
        return member.first;
    else
        return member;
}

/// Holds if T is R or const R: for functions that read or change a row.
template<typename T, typename R>
concept MaybeConst = std::same_as<std::remove_const_t<T>, R>;

/// Returns a row's id: its key in files that write rows as an object instead of a list.
auto &idOf(auto &row)
    requires requires { row.id; }
{
    return row.id;
}

/// Returns a row's title, else its id.
QString shownTitle(const auto &row)
{
    return row.title.isEmpty() ? idOf(row) : row.title;
}

QStringList idsOf(const auto &rows)
{
    return mapped<QStringList>(rows, [](const auto &row) { return idOf(row); });
}

/// Holds if `describe(visit, T &)` exists, which lists a row's members. For each member, in the
/// order in which files write them, describe() calls one of
///
///     visit.row(name, title, help)               names of such rows
///     visit(key, member, MemberSpec, help)       a member; two that share a key as SharedKey
///     visit.bare(key, member, MemberSpec, help)  a member that is written instead of the row's
///                                                object, if the row has no other member
///     visit.mark(key, help)                      a key that is always true; if there is no other,
///                                                the key is written instead of the object
///     visit.excludes(key, other)                 at most one of the two may be given
///     visit.needs(key, other)                    `key` may be given only together with `other`
///     visit.oneOf(key, other)                    exactly one of the two must be given
///     visit.extras(row.extras)                   "$schema" and keys of the form "x-..." are kept
///                                                unread; visit.extras({}) drops them
///
/// If rows of one type have several shapes, each with its own keys, T::shapes is the number of
/// shapes, and a row's `kind` is the number of its shape.
///
/// Reader, writer, name checks, renaming, comparison and forms are all derived from describe(),
/// which is defined beside each struct.
template<typename T, typename Visit>
concept Described = requires(T &row, Visit &visit) { describe(visit, row); };

/// Describes the members of Row, which all rows have.
void describeCommon(auto &visit, auto &row)
{
    visit("about", row.about, {}, "The reason for the row, in plain words.");
    visit("source", row.sources, { .names = Name::Source },
        "Keys of the sources (in the pack's \"sources\") that state the rule.");
    visit("when", row.when, { .keys = Name::Switch, .leftOut = "always" },
        "The switch values under which the row applies.");
    visit.extras(row.extras);
}

struct Extra;

/// Base of visitors for describe(), with empty versions of the optional calls: see Described.
struct Visitor
{
    void row(const char *, const char *, const char * = nullptr) { }
    void mark(const char *, const char *) { }
    void excludes(const char *, const char *) { }
    void needs(const char *, const char *) { }
    void oneOf(const char *, const char *) { }
    void extras(const QList<Extra> &) { }
};

/// Base of visitors that treat a bare member like any other member.
template<typename Self>
struct MemberVisitor : Visitor
{
    void bare(const char *key, auto &member, const MemberSpec &spec, const char *help)
    {
        static_cast<Self &>(*this)(key, member, spec, help);
    }
};

/// Visitor that calls `callback(key, member, spec)` for each member of a row.
template<typename Callback>
struct EachMember : MemberVisitor<EachMember<Callback>>
{
    explicit EachMember(const Callback &function) : callback(function) { }
    void operator()(const char *key, auto &&member, const MemberSpec &spec, const char * = nullptr)
    {
        callback(key, member, spec);
    }
    const Callback &callback;
};

/// Calls `callback(key, member, spec)` for each key; members that share a key come as a SharedKey.
void eachKey(auto &row, const auto &callback)
{
    EachMember each(callback);
    describe(each, row);
}

/// Calls `callback(key, member, spec)` for each key; of members that share a key, for the first.
void eachMember(auto &row, const auto &callback)
{
    eachKey(row, [&](const char *key, auto &member, const MemberSpec &spec) {
        callback(key, firstOf(member), spec);
    });
}

/// Name, title and help of a kind of row, as visit.row() gives them: "state", "a state", ...
struct Heading : MemberVisitor<Heading>
{
    void row(const char *ownName, const char *ownTitle, const char *ownHelp = nullptr)
    {
        name = QString::fromLatin1(ownName);
        title = QString::fromUtf8(ownTitle);
        help = QString::fromUtf8(ownHelp);
    }
    void operator()(const char *, const auto &, const MemberSpec &, const char * = nullptr) { }

    QString name, title, help;
};

Heading headingOf(const auto &row)
{
    Heading heading;
    describe(heading, row);
    return heading;
}

} // namespace instar
