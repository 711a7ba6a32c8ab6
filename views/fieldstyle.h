// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace instar {

/// Fusion makes the frames of fields out of the window's colour, a little darker: on a dark one
/// they are not seen. Here they have the colour of lines; with the keyboard's, Fusion's own.
class FieldStyle : public QProxyStyle
{
public:
    FieldStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
        const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
        QPainter *painter, const QWidget *widget) const override;
};

} // namespace instar
