// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QPoint;
class QWidget;

namespace instar {

/// Event filter of the application that shows every tool tip as plain text, those of item models
/// among them. Without it Qt takes a tip for HTML that looks like it, and reads the files it names.
class PlainTips : public QObject
{
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// Shows a tip at once, at a place of the screen.
void showPlainTip(const QPoint &place, const QString &text, QWidget *widget);
/// The same with HTML in which every word that is not the program's own is escaped.
void showHtmlTip(const QPoint &place, const QString &html, QWidget *widget);

} // namespace instar
