// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace instar {

/// Fusion makes the frames of fields out of the window's colour, a little darker: on a dark one
/// they are not seen. Here they have the colour of lines; with the keyboard's, Fusion's own.
///
/// Labels are plain text, those of message boxes among them: Qt would guess, and read the files
/// that a text names which looks like HTML. HtmlLabel is for those that have markup. What labels,
/// buttons, menus, headers and rows say is shown with visible().
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
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
        const QWidget *widget) const override;
    void drawItemText(QPainter *painter, const QRect &rect, int flags, const QPalette &palette,
        bool enabled, const QString &text, QPalette::ColorRole role) const override;
    QRect itemTextRect(const QFontMetrics &metrics, const QRect &rect, int flags, bool enabled,
        const QString &text) const override;
};

} // namespace instar
