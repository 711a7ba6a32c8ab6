// SPDX-License-Identifier: Apache-2.0
#include "views/presenting/enlarged.h"

#include <QGraphicsProxyWidget>

namespace instar {

Enlarged::Enlarged(QWidget *shown, double factor, QWidget *parent)
    : QGraphicsView(parent), m_shown(shown), m_factor(factor)
{
    setScene(new QGraphicsScene(this));
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    shown->setParent(nullptr);
    shown->move(0, 0); // where it lay in its parent says nothing here
    scene()->addWidget(shown);
    shown->show();
    scale(factor, factor);
}

Enlarged::~Enlarged()
{
    if (m_shown && m_shown->graphicsProxyWidget())
        m_shown->graphicsProxyWidget()->setWidget(nullptr); // it is not ours
}

void Enlarged::resizeEvent(QResizeEvent *event)
{
    QGraphicsView::resizeEvent(event);
    m_shown->resize((QSizeF(viewport()->size()) / m_factor).toSize());
    setSceneRect(m_shown->rect());
}

} // namespace instar
