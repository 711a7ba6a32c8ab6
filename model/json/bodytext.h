// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace instar {

/// Whether it is UTF-8 throughout, so that it is the same after a way through QString.
bool isText(const QByteArray &bytes);
/// A body as a person reads it: JSON indented, with numbers and strings as they are spelled; other
/// text as it is; of the rest the size.
QString prettyJson(const QByteArray &body);

} // namespace instar
