// SPDX-License-Identifier: Apache-2.0
#include "views/fieldstyle.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOptionComplex>

using namespace Qt::StringLiterals;

namespace instar {

FieldStyle::FieldStyle() : QProxyStyle(QStyleFactory::create(u"Fusion"_s)) { }

namespace {

void paintFrame(const QStyleOption &option, QPainter &painter)
{
    const bool isOn = option.state.testFlag(QStyle::State_Enabled);
    if (isOn && option.state.testFlag(QStyle::State_HasFocus))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.palette.color(isOn ? QPalette::Mid : QPalette::Midlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

} // namespace

void FieldStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option,
    QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_FrameLineEdit)
        paintFrame(*option, *painter);
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck) {
        QStyleOption box = *option;
        box.state.setFlag(State_HasFocus, false); // that is drawn around its text
        paintFrame(box, *painter);
    }
}

void FieldStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
    QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option);
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    if ((control == CC_ComboBox && box && box->frame)
        || (control == CC_SpinBox && spin && spin->frame))
        paintFrame(*option, *painter);
}

} // namespace instar
