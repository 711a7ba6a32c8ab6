// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/statecharts/statechart.h"

#include <QPointF>

namespace instar::scxml {

inline constexpr QStringView Namespace = u"http://www.w3.org/2005/07/scxml";
/// What SCXML has no word for.
inline constexpr QStringView OwnNamespace = u"urn:instar:statechart";
inline constexpr QStringView OwnPrefix = u"instar";
/// Qt Creator's.
inline constexpr QStringView QtNamespace = u"http://www.qt.io/2015/02/scxml-ext";

// Keys of particulars.
inline constexpr QStringView Attribute = u"scxml.@";       ///< "scxml.@src": an attribute as it is
inline constexpr QStringView Prefix = u"scxml.xmlns:";     ///< a prefix's namespace
inline constexpr QStringView Other = u"scxml.other";       ///< elements of other namespaces
inline constexpr QStringView Content = u"scxml.content";   ///< all that is in a transition
inline constexpr QStringView Before = u"scxml.comment";    ///< comments before an element
inline constexpr QStringView AtEnd = u"scxml.comment.end"; ///< comments behind the last one in it
inline constexpr QStringView After =
    u"scxml.comment.after"; ///< comments behind the document element

/// Elements of a state that are kept as they are, in the order in which they are written.
const QStringList &keptElements();

/// Event name as SCXML allows it: words of letters, digits, "-", "_" and ":" between dots.
QString eventName(const QString &event);
/// Remarks on events of a statechart that would get the same name.
QList<Diagnostic> alikeEvents(const Statechart &chart);
/// The prefix of our namespace: one that the document has no other use for.
QString freePrefix(const Statechart &chart);

/// Word for a kind that SCXML does not have: "choice".
QString kindWord(Vertex::Kind kind);
Vertex::Kind kindOf(const QString &word); ///< State for a word that is none

/// Particulars of other formats as one text, and back; those of SCXML are left out.
QString packed(const Particulars &particulars);
Particulars unpacked(const QString &text);

/// "left top width height", as the shortest numbers that read back the same.
QString placeText(const QRectF &place);
std::optional<QRectF> placeIn(const QString &text);

/// Where Qt Creator has an element: its rectangle in the scene or, where it says only that, about
/// its parent's position.
struct EditorPlace
{
    std::optional<QRectF> rect;
    std::optional<QRectF> initial; ///< that of its initial vertex
    QPointF position;
};
/// From the text of an element "editorinfo"; nothing where there is none.
EditorPlace editorPlace(const QString &xml, QPointF around);

/// Text as an XML name without colon (NCName); a valid name stays as it is.
QString xmlName(const QString &text);

/// Decoded file: by its byte order mark, else by its XML declaration, else UTF-8.
Result<QString> xmlDecoded(const QByteArray &bytes, const QString &file);

} // namespace instar::scxml
