// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QPoint;
class QWidget;

namespace instar {

/// Event filter of the application that shows every tooltip as plain text, also those of item
/// models. Qt would interpret a tip that looks like HTML, and read the files that it names.
class PlainTips : public QObject
{
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// Shows a plain tooltip now, at a position on the screen.
void showPlainTip(const QPoint &position, const QString &text, QWidget *widget);
/// Shows a tooltip of HTML, in which callers escape foreign texts.
void showHtmlTip(const QPoint &position, const QString &html, QWidget *widget);

} // namespace instar
