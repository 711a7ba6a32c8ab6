// SPDX-License-Identifier: Apache-2.0
#include "views/panels/elidedlabel.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace instar {

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget *parent) : QLabel(parent), m_mode(mode)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { std::min(40, QLabel::sizeHint().width()), QLabel::minimumSizeHint().height() };
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(),
        shown(), foregroundRole());
}

void ElidedLabel::setSeparator(const QString &separator)
{
    m_separator = separator;
    update();
}

QString ElidedLabel::shown() const
{
    const int room = contentsRect().width();
    if (m_separator.isEmpty())
        return fontMetrics().elidedText(text(), m_mode, room);
    QStringList parts = text().split(m_separator);
    while (!parts.isEmpty() && fontMetrics().horizontalAdvance(parts.join(m_separator)) > room)
        parts.removeLast();
    return parts.join(m_separator);
}

} // namespace instar
