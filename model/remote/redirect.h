// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QUrl>

#include <optional>

namespace instar {

/// Whether it is a whole address of HTTP or HTTPS: nothing else is ever asked, whoever names it.
bool isWebAddress(const QUrl &url);

/// Where the answer to a question at `from` sends us on by its Location; nothing where that is not
/// to be followed: it is no address of the web, or leaves a secure connection for an open one.
std::optional<QUrl> redirected(const QUrl &from, const QByteArray &location);

} // namespace instar
