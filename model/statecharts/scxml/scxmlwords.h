// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/statechart.h"

#include <QRectF>

namespace instar::scxml {

inline constexpr QStringView Namespace = u"http://www.w3.org/2005/07/scxml";
/// Namespace of what SCXML cannot express.
inline constexpr QStringView OwnNamespace = u"urn:instar:statechart";
inline constexpr QStringView OwnPrefix = u"instar";

// Keys of particulars.
inline constexpr QStringView Attribute = u"scxml.@";     ///< "scxml.@src": an unparsed attribute
inline constexpr QStringView Prefix = u"scxml.xmlns:";   ///< namespace of a prefix
inline constexpr QStringView Content = u"scxml.content"; ///< content of a transition element

/// Elements of a state that are kept unparsed, in the order in which they are written.
const QStringList &keptElements();

/// Converts a text to an SCXML event name: words of letters, digits, "-", "_", ":" between dots.
QString eventName(const QString &event);

/// Word for a kind that SCXML lacks: "choice".
QString kindWord(Vertex::Kind kind);
Vertex::Kind kindOf(const QString &word); ///< State for any other word

/// Returns "left top width height", each as the shortest exact decimal number.
QString placeText(const QRectF &place);
std::optional<QRectF> placeIn(const QString &text);

/// Converts a text to an XML name without colon (NCName); keeps a valid name.
QString xmlName(const QString &text);

/// Decodes a file by its byte order mark, else by its XML declaration, else as UTF-8.
Result<QString> xmlDecoded(const QByteArray &bytes, const QString &file);

} // namespace instar::scxml
