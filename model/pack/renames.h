// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"

#include <map>
#include <tuple>

namespace instar {

/// How things of a pack are called now that were called otherwise before: states (of a machine, as
/// that was called before), machines, types, operations, outcomes, events and conditions. What
/// stands nowhere is called as it was, unless another thing has its name now: then it is gone.
class Renames
{
public:
    /// What is called "" now is gone, also where something has its name.
    void add(Name what, const QString &from, const QString &to, const QString &machine = {});
    bool isEmpty() const { return m_names.empty(); }

    /// Nothing: it is gone.
    std::optional<QString> now(Name what, const QString &from, const QString &machine = {}) const;
    /// An operation, outcome or event; these share their names.
    std::optional<QString> trigger(const QString &from) const;
    /// A type with all that its path names: one below a type that is called otherwise goes with it.
    /// One that would be below another type than before is gone.
    std::optional<QString> type(const QString &path) const;

private:
    using Thing = std::tuple<Name, QString, QString>; ///< what, machine, name
    bool isTaken(Name what, const QString &name, const QString &machine) const;

    std::map<Thing, QString> m_names;
};

} // namespace instar
