// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QHash>

namespace instar {

/// Which types' resources take which operations, and where they can stand to each other.
class Places
{
public:
    explicit Places(const Pack &pack);
    /// Whether an operation can come where another one runs at a place, seen from the new one's
    /// target.
    bool canMeet(const QString &on, const QString &running, const QString &at) const;

private:
    QHash<QString, QStringList> m_types; ///< operation -> type paths
    bool m_isOpen = false;               ///< a type of any name is among them
};

} // namespace instar
