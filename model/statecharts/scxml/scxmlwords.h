// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/statechart.h"

#include <QRectF>

namespace instar::scxml {

inline constexpr QStringView Namespace = u"http://www.w3.org/2005/07/scxml";
/// What SCXML has no word for.
inline constexpr QStringView OwnNamespace = u"urn:instar:statechart";
inline constexpr QStringView OwnPrefix = u"instar";

// Keys of particulars.
inline constexpr QStringView Attribute = u"scxml.@";     ///< "scxml.@src": an attribute as it is
inline constexpr QStringView Prefix = u"scxml.xmlns:";   ///< a prefix's namespace
inline constexpr QStringView Content = u"scxml.content"; ///< all that is in a transition

/// Elements of a state that are kept as they are, in the order in which they are written.
const QStringList &keptElements();

/// Event name as SCXML allows it: words of letters, digits, "-", "_" and ":" between dots.
QString eventName(const QString &event);

/// Word for a kind that SCXML does not have: "choice".
QString kindWord(Vertex::Kind kind);
Vertex::Kind kindOf(const QString &word); ///< State for a word that is none

/// "left top width height", as the shortest numbers that read back the same.
QString placeText(const QRectF &place);
std::optional<QRectF> placeIn(const QString &text);

/// Text as an XML name without colon (NCName); a valid name stays as it is.
QString xmlName(const QString &text);

/// Decoded file: by its byte order mark, else by its XML declaration, else UTF-8.
Result<QString> xmlDecoded(const QByteArray &bytes, const QString &file);

} // namespace instar::scxml
