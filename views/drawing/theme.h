// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/items/statuscategory.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QRectF>
#include <QStringList>

#include <array>
#include <optional>

namespace instar {

/// Every colour that is drawn. All text reaches a contrast of 4.5 on what it stands on, lines 3
/// (WCAG 2.1 AA).
struct Theme
{
    bool isDark = false;
    QColor window;    ///< behind panels, and the chart's ground
    QColor base;      ///< behind lists and text
    QColor alternate; ///< every other row
    QColor text;
    QColor dimText;    ///< of what is said in passing
    QColor line;       ///< arrows, frames
    QColor quietLine;  ///< lines that only order things: grids, separators
    QColor accent;     ///< the selected resource, and what may happen to it now
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

    const QColor &statusCategoryFill(StatusCategory statusCategory) const
    {
        return tones[size_t(statusCategory)].fill;
    }
    const QColor &statusCategoryLine(StatusCategory statusCategory) const
    {
        return tones[size_t(statusCategory)].line;
    }
    const QColor &statusCategoryText(StatusCategory statusCategory) const
    {
        return tones[size_t(statusCategory)].text;
    }

    static Theme light();
    static Theme dark();
    /// Black on white, with strong lines.
    static Theme highContrast();
    /// What states mean in colours that every kind of eye tells apart.
    static Theme colourBlind();
    /// "light", "dark", "contrast", "colour-blind"; none: another one.
    static std::optional<Theme> named(const QString &name);
    static QStringList names();
    QPalette palette() const;
    bool operator==(const Theme &) const = default;
};

/// The contrast of two opaque colours as WCAG 2.1 counts it, 1 to 21.
double contrast(const QColor &a, const QColor &b);

/// A colour between two, `share` of the way from the first to the second.
QColor mixed(const QColor &a, const QColor &b, double share);

} // namespace instar
