// SPDX-License-Identifier: Apache-2.0
#include "views/fieldstyle.h"

#include "model/foreigntext.h"
#include "views/look.h"

#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOptionComplex>

namespace instar {

FieldStyle::FieldStyle() : QProxyStyle(QStyleFactory::create(u"Fusion"_s)) { }

namespace {

void paintFrame(const QStyleOption &option, QPainter &painter, const QBrush &fill = Qt::NoBrush)
{
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    const bool isFocused = isEnabled && option.state.testFlag(QStyle::State_HasFocus);
    if (isFocused && fill == Qt::NoBrush)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.palette.color(isFocused ? QPalette::Highlight
            : isEnabled                           ? QPalette::Mid
                                                  : QPalette::Midlight));
    painter.setBrush(fill);
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
        box.state.setFlag(State_HasFocus, false); // the focus is drawn around the box's text
        paintFrame(box, *painter);
    }
}

void FieldStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
    QPainter *painter, const QWidget *widget) const
{
    const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option);
    if (control == CC_ComboBox && box && box->frame) { // Fusion has a gradient
        paintFrame(*box, *painter, box->palette.base());
        QStyleOption arrow = *box;
        arrow.rect = subControlRect(control, box, SC_ComboBoxArrow, widget);
        return drawPrimitive(PE_IndicatorArrowDown, &arrow, painter, widget);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    if (control == CC_SpinBox && spin && spin->frame)
        paintFrame(*option, *painter);
}

/// Sets text format and margins before the first layout of the widget.
void FieldStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    auto *label = qobject_cast<QLabel *>(widget);
    if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel")) // see tips.h
        label->setTextFormat(Qt::PlainText);
    if (auto *line = qobject_cast<QLineEdit *>(widget); line && line->hasFrame())
        line->setTextMargins(gap::small, 0, gap::small, 0);
}

/// Aligns the texts of rows with those of the headers above them.
int FieldStyle::pixelMetric(
    PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    return metric == PM_FocusFrameHMargin ? gap::normal - 1
                                          : QProxyStyle::pixelMetric(metric, option, widget);
}

void FieldStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
    const QWidget *widget) const
{
    const auto draw = [&](auto shown) {
        shown.text = visible(shown.text);
        QProxyStyle::drawControl(element, &shown, painter, widget);
    };
    const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
    const auto *menu = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (element == CE_ItemViewItem && item)
        draw(*item);
    else if (element == CE_MenuItem && menu)
        draw(*menu);
    else
        QProxyStyle::drawControl(element, option, painter, widget);
}

QSize FieldStyle::sizeFromContents(
    ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const
{
    const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
    if (type != CT_ItemViewItem || !item)
        return QProxyStyle::sizeFromContents(type, option, size, widget);
    QStyleOptionViewItem shown = *item;
    shown.text = visible(item->text);
    return QProxyStyle::sizeFromContents(type, &shown, size, widget)
        .expandedTo({ 0, item->fontMetrics.height() + gap::normal });
}

void FieldStyle::drawItemText(QPainter *painter, const QRect &rect, int flags,
    const QPalette &palette, bool enabled, const QString &text, QPalette::ColorRole role) const
{
    QProxyStyle::drawItemText(painter, rect, flags, palette, enabled, visible(text), role);
}

QRect FieldStyle::itemTextRect(const QFontMetrics &metrics, const QRect &rect, int flags,
    bool enabled, const QString &text) const
{
    return QProxyStyle::itemTextRect(metrics, rect, flags, enabled, visible(text));
}

} // namespace instar
