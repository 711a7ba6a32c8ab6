// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/theme.h"

#include <cmath>

namespace instar {

namespace {

/// Colours by theme, in the order of Theme::names(). The lines of the colour-blind theme differ by
/// at least 29 (CIE 1976) between any two status categories, for normal vision and for protanopia,
/// deuteranopia and tritanopia after Machado, Oliveira and Fernandes (2009); those of the light
/// theme differ by 4.
constexpr std::pair<QColor Theme::*, std::array<QRgb, 4>> coloursByTheme[] {
    { &Theme::window, { 0xf5f6f8, 0x1a1d23, 0xffffff, 0xf5f6f8 } },
    { &Theme::base, { 0xffffff, 0x21252d, 0xffffff, 0xffffff } },
    { &Theme::alternate, { 0xf8f9fb, 0x252a33, 0xf0f0f0, 0xf8f9fb } },
    { &Theme::text, { 0x1c2330, 0xe7eaf0, 0x000000, 0x1c2330 } },
    { &Theme::dimText, { 0x586273, 0xa4aebe, 0x2b2b2b, 0x586273 } },
    { &Theme::line, { 0x79849a, 0x7d899d, 0x3a3a3a, 0x79849a } },
    { &Theme::dimLine, { 0x828ca1, 0x6a7585, 0x6a6a6a, 0x828ca1 } },
    { &Theme::quietLine, { 0xdfe3ea, 0x353c48, 0x6a6a6a, 0xdfe3ea } },
    { &Theme::accent, { 0x6d34d6, 0xb593ff, 0x4a00b8, 0x000000 } },
    { &Theme::accentText, { 0xffffff, 0x1c1033, 0xffffff, 0xffffff } },
    { &Theme::accentFill, { 0xf0e9fd, 0x34284f, 0xece2ff, 0xe6e6e6 } },
    { &Theme::warning, { 0x8c1d1d, 0xffb9b9, 0x7a0000, 0x5c1560 } },
    { &Theme::warningFill, { 0xfdeaea, 0x472428, 0xfff0f0, 0xf3e6f4 } },
};
/// Fill, line and text by status category and theme.
constexpr QRgb tonesByTheme[][4][3] {
    { { 0xe4f4ea, 0x2c8a55, 0x17573a }, { 0x1d382a, 0x4cbb7d, 0xaee8c8 },
        { 0xf0fff5, 0x005c2b, 0x003d1c }, { 0xdee9e0, 0x12611f, 0x0d4716 } },
    { { 0xe3eefc, 0x2a6fd6, 0x1a4791 }, { 0x1d304c, 0x6aa5fb, 0xbfd8ff },
        { 0xf0f5ff, 0x0036a8, 0x002470 }, { 0xdeddf9, 0x140ed3, 0x100ba8 } },
    { { 0xfcf0db, 0xb5700a, 0x6f4400 }, { 0x3f2e12, 0xdc9f3a, 0xf6d9a0 },
        { 0xfff8e6, 0x7a4300, 0x4f2b00 }, { 0xf6f2e3, 0xab8600, 0x6f5700 } },
    { { 0xfce6e6, 0xcb3838, 0x8a1f1f }, { 0x472428, 0xec6c6c, 0xffc4c4 },
        { 0xfff0f0, 0xa30000, 0x700000 }, { 0xece0ed, 0x7a227d, 0x5c1560 } },
    { { 0xeceff4, 0x768198, 0x465064 }, { 0x2a2f39, 0x8b97aa, 0xc3cbd8 },
        { 0xf5f5f5, 0x4a4a4a, 0x262626 }, { 0xf1f1f2, 0x898a91, 0x595a5e } },
    { { 0xe0f3f5, 0x1f7f8c, 0x0f4f58 }, { 0x16343a, 0x4bb3c2, 0xa9e3ec },
        { 0xf0fcff, 0x00525e, 0x00363d }, { 0xe7f3ff, 0x118bff, 0x0b5aa6 } },
    { { 0xf0ece6, 0x857a68, 0x574d3e }, { 0x322e28, 0xa39782, 0xd8cfbf },
        { 0xfaf7f2, 0x5c4a2e, 0x3b2f1c }, { 0xe3e3e3, 0x363636, 0x262626 } },
};

/// WCAG 2.1, "relative luminance".
double luminance(const QColor &colour)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF())
        + 0.0722 * linear(colour.blueF());
}

} // namespace

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto channel = [share](float first, float second) {
        return float(first + (second - first) * share);
    };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
        channel(a.blueF(), b.blueF()));
}

Theme Theme::at(qsizetype index)
{
    const auto column = size_t(index);
    Theme theme { .isDark = column == 1 };
    for (const auto &[part, shades] : coloursByTheme)
        theme.*part = shades[column];
    for (size_t i = 0; i < theme.tones.size(); ++i) {
        const auto &[fill, line, text] = tonesByTheme[i][column];
        theme.tones[i] = { fill, line, text };
    }
    return theme;
}

QStringList Theme::names()
{
    return { u"light"_s, u"dark"_s, u"contrast"_s, u"colour-blind"_s };
}

std::optional<Theme> Theme::named(const QString &name)
{
    const qsizetype index = names().indexOf(name);
    return index < 0 ? std::nullopt : std::optional(at(index));
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, alternate);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, dimText);
    palette.setColor(QPalette::Button, isDark ? base.lighter(118) : base);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::ToolTipBase, isDark ? base.lighter(125) : base);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, accentText);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::Light, isDark ? base.lighter(150) : base);
    palette.setColor(QPalette::Midlight, quietLine);
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, isDark ? window.darker(140) : line);
    palette.setColor(QPalette::Shadow, window.darker(220));
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, line);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, quietLine);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText,
        contrast(dimText, quietLine) >= 4.5 ? dimText : base);
    return palette;
}

} // namespace instar
