// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;
class QPrinter;
class QWidget;

namespace instar {

/// Something on paper: asked for the size of a page in points how many there are, and to paint one.
struct PrintJob
{
    QString title;
    std::function<int(const QSizeF &page)> count;
    std::function<void(QPainter &painter, int page, const QSizeF &size)> paint;
};

/// A drawing on one page, as large as fits, never larger than it is.
PrintJob onOnePage(
    const QString &title, const QSizeF &size, const std::function<void(QPainter &)> &paint);

/// Prints all pages.
void print(const PrintJob &job, QPrinter &printer);
/// Shows how it will be, and prints it if asked to.
void preview(const PrintJob &job, QWidget *parent);

} // namespace instar
