// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/theme.h"

#include <cmath>

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
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, dimText);
    return palette;
}

} // namespace instar
