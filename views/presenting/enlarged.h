// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QGraphicsView>
#include <QPointer>

namespace instar {

/// Shows a widget so many times as large, letters and lines alike; it stays alive, and can be
/// clicked. The widget has no parent meanwhile.
class Enlarged : public QGraphicsView
{
    Q_OBJECT
public:
    Enlarged(QWidget *shown, double factor, QWidget *parent = nullptr);
    ~Enlarged() override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QPointer<QWidget> m_shown;
    double m_factor;
};

} // namespace instar
