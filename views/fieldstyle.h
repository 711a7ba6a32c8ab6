// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace instar {

/// Fusion style with visible frames around input fields: in the theme's line colour, or in
/// Fusion's focus colour. Fusion's own frames cannot be seen on a dark window.
///
/// Labels are plain text, also in message boxes: Qt would interpret a text that looks like HTML,
/// and read the files that it names. HtmlLabel is for markup. Texts of labels, buttons, menus,
/// headers and rows are painted with visible().
class FieldStyle : public QProxyStyle
{
public:
    FieldStyle();

    using QProxyStyle::polish;
    void polish(QWidget *widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
        const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
        QPainter *painter, const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
        const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option = nullptr,
        const QWidget *widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
        const QWidget *widget) const override;
    void drawItemText(QPainter *painter, const QRect &rect, int flags, const QPalette &palette,
        bool enabled, const QString &text, QPalette::ColorRole role) const override;
    QRect itemTextRect(const QFontMetrics &metrics, const QRect &rect, int flags, bool enabled,
        const QString &text) const override;
};

} // namespace instar
