// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/charts/notation/chartcodes.h"

namespace instar {

/// What a notation does its own way of that in which texts with names and "[*]" are alike:
/// PlantUML's and Mermaid's.
struct TextNotation
{
    QString name; ///< "mermaid": its particulars are called "mermaid.order" and so on
    ChartForms::Abilities abilities;
    ChartCodes::Test isCode = nullptr;
    ChartCodes::Test canBeQuoted = nullptr; ///< null: nothing can
    /// Where an arrow must stand (OutlineArc::home).
    int (*homeOf)(const ChartForms &forms, const TextArc &arc) = nullptr;
    QString (*shown)(const QString &written) = nullptr; ///< what is drawn for a text
    QString (*written)(const QString &shown) = nullptr; ///< a text behind a colon that is drawn so

    QString key(const QString &what) const { return name + u'.' + what; }
};

/// What is drawn for written lines, of which each may break again.
QStringList shownLines(const QStringList &written, const TextNotation &notation);
/// The lines of a text that was kept as it was written, if they are still drawn as `shown`; none:
/// they are not.
QStringList keptLines(const QString &kept, const QStringList &shown, const TextNotation &notation);
} // namespace instar
