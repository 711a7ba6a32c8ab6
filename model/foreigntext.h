// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace instar {

// Text that the program did not write itself comes from packs, lessons, servers, descriptions and
// names of files. Before a terminal, a picture, a page or a widget shows it, one of these functions
// spells out what would command a terminal (control characters) or change the order of letters
// (bidirectional controls such as U+202E): as "\u202e", which JSON reads back as the same text.

/// Whether a character is one of these.
bool isSpelledOut(QChar c);
/// The text with such characters spelled out; line feeds and tabs stay, CRLF becomes a line feed.
QString visible(const QString &text);
/// The same of UTF-8.
QByteArray visible(const QByteArray &utf8);
/// The same on one line: what ends a line, and a tab, becomes a space.
QString oneLine(QString text);
/// The text as HTML or XML may hold it, between tags and in quoted attributes.
QString htmlText(const QString &text);

} // namespace instar
