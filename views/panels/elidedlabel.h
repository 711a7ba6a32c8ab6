// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace instar {

/// Label that elides its text and shrinks before its neighbours do.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget *parent = nullptr);
    /// Sets the separator of the text's parts: instead of eliding, the label omits whole parts from
    /// the end.
    void setSeparator(const QString &separator);
    /// Visible part of the text.
    QString shown() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Qt::TextElideMode m_mode;
    QString m_separator;
};

} // namespace instar
