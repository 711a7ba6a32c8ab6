// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/http.h"

namespace instar {

/// Whether a request shows this bearer token (RFC 6750). Takes as long for a token that is nearly
/// right as for any other of its length.
bool bearsToken(const HttpHeaders &headers, QByteArrayView token);
/// Whether what is shown is that secret. False where the secret is empty.
bool isSameSecret(QByteArrayView shown, QByteArrayView secret);

} // namespace instar
