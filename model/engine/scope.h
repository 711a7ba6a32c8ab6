// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/grove.h"
#include "model/engine/world.h"

#include <memory>

namespace instar {

/// The trees that a search is about. What goes on in others cannot matter to them, so it is left
/// out: without that, what their clocks do would come between everything, in every order.
class Scope
{
public:
    Scope() = default; ///< everything
    /// The trees of what is asked, and those that belong together with them; what is made later is
    /// among them. Nothing is asked: everything.
    Scope(const Rules &rules, const World &world, const QList<Request> &asked);

    bool has(const QString &path) const;
    bool has(const World &world, Resource resource) const;

private:
    std::shared_ptr<const Grove> m_grove; ///< null: everything
    QSet<QString> m_others;               ///< trees that have nothing to do with it
};

} // namespace instar
