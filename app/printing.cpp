// SPDX-License-Identifier: Apache-2.0
#include "app/printing.h"

#include <QPageLayout>
#include <QPainter>
#include <QPrinter>
#include <QPrintPreviewDialog>

#include <algorithm>

namespace instar {

namespace {

constexpr double pointsPerInch = 96; ///< as pictures have them: letters of 13 are small print

QSizeF pageOf(const QPrinter &printer)
{
    return printer.pageRect(QPrinter::Inch).size() * pointsPerInch;
}

} // namespace

PrintJob onOnePage(
    const QString &title, const QSizeF &size, const std::function<void(QPainter &)> &paint)
{
    return { title, [](const QSizeF &) { return 1; },
        [size, paint](QPainter &painter, int, const QSizeF &page) {
            const double scale =
                std::min({ 1.0, page.width() / size.width(), page.height() / size.height() });
            painter.translate((page.width() - size.width() * scale) / 2, 0);
            painter.scale(scale, scale);
            paint(painter);
        } };
}

void print(const PrintJob &job, QPrinter &printer)
{
    printer.setDocName(job.title);
    const QSizeF page = pageOf(printer);
    const int count = job.count(page);
    const int first = printer.fromPage() > 0 ? printer.fromPage() - 1 : 0;
    const int end = printer.toPage() > 0 ? std::min(printer.toPage(), count) : count;
    QPainter painter(&printer);
    for (int number = first; number < end; ++number) {
        if (number > first)
            printer.newPage();
        painter.save();
        painter.scale(printer.resolution() / pointsPerInch, printer.resolution() / pointsPerInch);
        job.paint(painter, number, page);
        painter.restore();
    }
}

void preview(const PrintJob &job, QWidget *parent)
{
    QPrinter printer(QPrinter::HighResolution);
    printer.setPageOrientation(QPageLayout::Landscape);
    QPrintPreviewDialog dialog(&printer, parent);
    dialog.setWindowTitle(job.title);
    QObject::connect(&dialog, &QPrintPreviewDialog::paintRequested, &dialog,
        [&job](QPrinter *target) { print(job, *target); });
    dialog.exec();
}

} // namespace instar
