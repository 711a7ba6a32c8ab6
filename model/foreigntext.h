// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace instar {

// Foreign text comes from packs, lessons, servers, descriptions and names of files. Before a
// terminal, a picture, a page or a widget shows such text, a function of this file replaces the
// characters that would control a terminal or reorder letters (bidirectional controls such as
// U+202E) by an escape such as "\u202e", which JSON reads back as the same text.

/// True for a character that visible() and oneLine() replace by an escape.
bool isSpelledOut(QChar c);
/// Returns a text with each isSpelledOut() character escaped; CRLF becomes a line feed.
QString visible(const QString &text);
/// As visible(), for UTF-8.
QByteArray visible(const QByteArray &utf8);
/// As visible(), on one line: line ends and tabs become spaces.
QString oneLine(QString text);
/// Escapes a text for HTML and XML, between tags and in quoted attributes.
QString htmlText(const QString &text);

} // namespace instar
