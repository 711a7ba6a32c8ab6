// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"

namespace instar {

/// An HTTP archive, version 1.2; what it has no place for is in fields that begin with "_".
/// `creatorVersion` empty: the application's own.
QByteArray exchangesHar(const QList<Exchange> &exchanges, const QString &creatorVersion = {});

} // namespace instar
