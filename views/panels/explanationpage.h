// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "model/machine/pack.h"

#include <QDateTime>

namespace instar {

/// Something that was explained, to be taken along.
struct Explained
{
    QString said;              ///< by the inspector, in HTML
    QByteArray picture;        ///< SVG; empty: there is none
    QString what;              ///< it is about; the page's title
    QDateTime saved;           ///< written in UTC
    QList<Exchange> exchanges; ///< with a server, that led to it
};

/// A page of its own (HTML, without a network), for somebody who has not this program: with what
/// each of the rules says that it names, and the messages as they were sent, without their secrets.
QString explanationPage(const Pack &pack, const Explained &explained);

} // namespace instar
