// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/statuscategory.h"

#include <QColor>
#include <QPalette>
#include <QStringList>

#include <array>
#include <optional>

namespace instar {

/// Colours of windows and drawings. Text has a contrast of at least 4.5, lines 3 (WCAG 2.1 AA).
struct Theme
{
    bool isDark = false;
    QColor window;    ///< behind panels, and the chart's ground
    QColor base;      ///< behind lists and text
    QColor alternate; ///< every other row
    QColor text;
    QColor dimText;    ///< less important text
    QColor line;       ///< arrows, frames
    QColor dimLine;    ///< arrows that cannot be taken now, frames of composites
    QColor quietLine;  ///< grids, separators
    QColor accent;     ///< the selected resource, and its transitions that can happen now
    QColor accentText; ///< on accent
    QColor accentFill; ///< behind text in `accent`
    QColor warning;    ///< text of a refusal
    QColor warningFill;

    struct Tone
    {
        QColor fill, line, text;
        bool operator==(const Tone &) const = default;
    };
    std::array<Tone, 7> tones; ///< by StatusCategory

    const QColor &statusCategoryFill(StatusCategory of) const { return tones[size_t(of)].fill; }
    const QColor &statusCategoryLine(StatusCategory of) const { return tones[size_t(of)].line; }
    const QColor &statusCategoryText(StatusCategory of) const { return tones[size_t(of)].text; }

    static Theme light() { return at(0); }
    static Theme dark() { return at(1); }
    /// Black on white, with strong lines.
    static Theme highContrast() { return at(2); }
    static Theme at(qsizetype index); ///< in names()
    /// Theme by name: "light", "dark", "contrast", "colour-blind"; absent: unknown.
    static std::optional<Theme> named(const QString &name);
    static QStringList names();
    QPalette palette() const;
    bool operator==(const Theme &) const = default;
};

/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1).
double contrast(const QColor &a, const QColor &b);

/// Interpolates two colours; `share` 0 is the first, 1 the second.
QColor mixed(const QColor &a, const QColor &b, double share);

} // namespace instar
