// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/pack.h"
#include "views/drawing/theme.h"

#include <functional>

class QLabel;
class QWidget;

namespace instar {

class Controller;

// Chips that cite the sources of rules by their keys.

/// HTML of a sentence of the engine, with chips for the sources that the sentence names.
QString cited(const Pack &pack, const QString &text, const Theme &theme);
/// HTML of the chips of a row's sources: links to "source:KEY".
QString chipsOf(const Pack &pack, const Row &row, const Theme &theme);
/// HTML of a chip for the first source and one for all others: "R9 +4".
QString mainChips(const QStringList &keys, const Theme &theme);
/// Splits a sentence into text and source keys. Returns both empty if the sentence is only the
/// position of a row, such as "transitions/13".
std::pair<QString, QStringList> splitSources(const Pack &pack, const QString &text);

/// Calls `act` with the source of a chip's link; for several sources, shows a menu to choose from.
void chooseSource(const Pack &pack, const QString &link, QWidget *parent,
    const std::function<void(const QString &key)> &act);
/// Tooltip of a chip's link.
QString sourceTips(const Pack &pack, const QString &link);
/// Gives the chips of a label tooltips; a click on one calls `act` with a source.
void offerSources(QLabel *label, const Controller &controller,
    const std::function<void(const QString &key)> &act);
/// Tooltip of a source: document, section and a paraphrase; empty: unknown key.
QString sourceTip(const Pack &pack, const QString &key);

} // namespace instar
