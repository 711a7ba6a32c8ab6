// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace instar {

/// Returns an unguessable token: 32 random bytes in URL-safe base64.
QByteArray freshToken();

} // namespace instar
