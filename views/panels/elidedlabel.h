// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace instar {

/// A label that gives up width before its neighbours do and shows what fits. Its menu copies the
/// whole text.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget *parent = nullptr);
    /// What lies between parts of the text: those that there is no room for are left out, from the
    /// end, and none is cut.
    void setSeparator(const QString &separator);
    /// As much of the text as is shown.
    QString shown() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    Qt::TextElideMode m_mode;
    QString m_separator;
};

} // namespace instar
