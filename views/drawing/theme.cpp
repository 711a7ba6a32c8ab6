// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/theme.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QColor colour(QRgb rgb)
{
    return QColor::fromRgb(rgb);
}

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

Theme Theme::light()
{
    return { .isDark = false,
        .window = colour(0xf5f6f8),
        .base = colour(0xffffff),
        .alternate = colour(0xf8f9fb),
        .text = colour(0x1c2330),
        .dimText = colour(0x586273),
        .line = colour(0x79849a),
        .quietLine = colour(0xdfe3ea),
        .accent = colour(0x6d34d6),
        .accentText = colour(0xffffff),
        .accentFill = colour(0xf0e9fd),
        .warning = colour(0x8c1d1d),
        .warningFill = colour(0xfdeaea),
        .tones = { {
            { colour(0xe4f4ea), colour(0x2c8a55), colour(0x17573a) },
            { colour(0xe3eefc), colour(0x2a6fd6), colour(0x1a4791) },
            { colour(0xfcf0db), colour(0xb5700a), colour(0x6f4400) },
            { colour(0xfce6e6), colour(0xcb3838), colour(0x8a1f1f) },
            { colour(0xeceff4), colour(0x768198), colour(0x465064) },
            { colour(0xe0f3f5), colour(0x1f7f8c), colour(0x0f4f58) },
            { colour(0xf0ece6), colour(0x857a68), colour(0x574d3e) },
        } } };
}

Theme Theme::dark()
{
    return { .isDark = true,
        .window = colour(0x1a1d23),
        .base = colour(0x21252d),
        .alternate = colour(0x252a33),
        .text = colour(0xe7eaf0),
        .dimText = colour(0xa4aebe),
        .line = colour(0x7d899d),
        .quietLine = colour(0x353c48),
        .accent = colour(0xb593ff),
        .accentText = colour(0x1c1033),
        .accentFill = colour(0x34284f),
        .warning = colour(0xffb9b9),
        .warningFill = colour(0x472428),
        .tones = { {
            { colour(0x1d382a), colour(0x4cbb7d), colour(0xaee8c8) },
            { colour(0x1d304c), colour(0x6aa5fb), colour(0xbfd8ff) },
            { colour(0x3f2e12), colour(0xdc9f3a), colour(0xf6d9a0) },
            { colour(0x472428), colour(0xec6c6c), colour(0xffc4c4) },
            { colour(0x2a2f39), colour(0x8b97aa), colour(0xc3cbd8) },
            { colour(0x16343a), colour(0x4bb3c2), colour(0xa9e3ec) },
            { colour(0x322e28), colour(0xa39782), colour(0xd8cfbf) },
        } } };
}

Theme Theme::highContrast()
{
    return { .isDark = false,
        .window = colour(0xffffff),
        .base = colour(0xffffff),
        .alternate = colour(0xf0f0f0),
        .text = colour(0x000000),
        .dimText = colour(0x2b2b2b),
        .line = colour(0x3a3a3a),
        .quietLine = colour(0x6a6a6a),
        .accent = colour(0x4a00b8),
        .accentText = colour(0xffffff),
        .accentFill = colour(0xece2ff),
        .warning = colour(0x7a0000),
        .warningFill = colour(0xfff0f0),
        .tones = { {
            { colour(0xf0fff5), colour(0x005c2b), colour(0x003d1c) },
            { colour(0xf0f5ff), colour(0x0036a8), colour(0x002470) },
            { colour(0xfff8e6), colour(0x7a4300), colour(0x4f2b00) },
            { colour(0xfff0f0), colour(0xa30000), colour(0x700000) },
            { colour(0xf5f5f5), colour(0x4a4a4a), colour(0x262626) },
            { colour(0xf0fcff), colour(0x00525e), colour(0x00363d) },
            { colour(0xfaf7f2), colour(0x5c4a2e), colour(0x3b2f1c) },
        } } };
}

/// Colours whose lines differ by at least 29 (CIE 1976) between any two status categories, for
/// normal vision and for protanopia, deuteranopia and tritanopia after Machado, Oliveira and
/// Fernandes (2009); those of the light theme differ by 4.
Theme Theme::colourBlind()
{
    Theme theme = light();
    theme.accent = colour(0x000000);
    theme.accentFill = colour(0xe6e6e6);
    theme.warning = colour(0x5c1560);
    theme.warningFill = colour(0xf3e6f4);
    theme.tones = { {
        { colour(0xdee9e0), colour(0x12611f), colour(0x0d4716) },
        { colour(0xdeddf9), colour(0x140ed3), colour(0x100ba8) },
        { colour(0xf6f2e3), colour(0xab8600), colour(0x6f5700) },
        { colour(0xece0ed), colour(0x7a227d), colour(0x5c1560) },
        { colour(0xf1f1f2), colour(0x898a91), colour(0x595a5e) },
        { colour(0xe7f3ff), colour(0x118bff), colour(0x0b5aa6) },
        { colour(0xe3e3e3), colour(0x363636), colour(0x262626) },
    } };
    return theme;
}

QStringList Theme::names()
{
    return { u"light"_s, u"dark"_s, u"contrast"_s, u"colour-blind"_s };
}

std::optional<Theme> Theme::named(const QString &name)
{
    constexpr Theme (*makers[])() { light, dark, highContrast, colourBlind };
    const qsizetype index = names().indexOf(name);
    return index < 0 ? std::nullopt : std::optional(makers[index]());
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
    palette.setColor(QPalette::BrightText, warning);
    palette.setColor(QPalette::ToolTipBase, isDark ? base.lighter(125) : base);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, accentText);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
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
