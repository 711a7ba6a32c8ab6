// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/pack.h"

#include <QDateTime>

namespace instar {

/// What the inspector says as a page of its own (HTML, without a network), for somebody who has not
/// this program: with what each of the rules says that it names, and a picture (SVG) where there is
/// one. `what` it is about is the title; `saved`: when, written in UTC.
QString explanationPage(const Pack &pack, const QString &said, const QByteArray &picture = {},
    const QString &what = {}, const QDateTime &saved = {});

} // namespace instar
