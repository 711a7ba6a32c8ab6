// SPDX-License-Identifier: Apache-2.0
// Lines of text that are laid out once look as those that Qt lays out each time.
#include "tests/support/testclass.h"
#include "views/drawing/text.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QTest>

#include <functional>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

class TestText : public QObject
{
    Q_OBJECT

private slots:
    void asQtWritesIt_data();
    void asQtWritesIt();
    void onPaper();
};

const QRectF room(10.3, 7.6, 180, 31);
const int alignments[] = { Qt::AlignCenter, Qt::AlignLeft | Qt::AlignVCenter,
    Qt::AlignHCenter | Qt::AlignTop, Qt::AlignRight | Qt::AlignBottom };

QFont font(double size, bool isBold)
{
    QFont result = typeface(QApplication::font());
    result.setPointSizeF(size);
    result.setBold(isBold);
    return result;
}

QImage picture(double scale, const QFont &like, const std::function<void(QPainter &)> &paint)
{
    QImage image(400, 100, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(3.5, 2);
    painter.scale(scale, scale);
    painter.setFont(like);
    painter.setPen(Qt::darkBlue);
    paint(painter);
    return image;
}

/// The greatest difference of two pixels.
int difference(const QImage &a, const QImage &b)
{
    int most = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x)
            most = std::max(most, std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))));
    }
    return most;
}

void TestText::asQtWritesIt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("scale");
    for (const QString &text : { u"PENDING"_s, u"12 resources"_s, u"Läuft & läuft <b>"_s,
             u"مرحبا"_s, u"two\nlines"_s, u"a\tb"_s,
             u"a name that is much longer than what there is of room for it"_s, QString() }) {
        for (const double scale : { 0.3, 1.0, 1.7 })
            QTest::addRow("%s %.1f", qPrintable(text), scale) << text << scale;
    }
}

void TestText::asQtWritesIt()
{
    QFETCH(const QString, text);
    QFETCH(const double, scale);
    for (const int alignment : alignments) {
        for (const QFont &like : { font(9, false), font(10, true) }) {
            const QImage expected = picture(scale, like, [&](QPainter &painter) {
                painter.drawText(room, alignment | Qt::TextSingleLine, text);
            });
            for (int times = 0; times < 2; ++times) { // laid out now, and before
                const QImage written = picture(scale, like, [&](QPainter &painter) {
                    paintText(painter, room, Qt::Alignment(alignment), text);
                });
                // Enlarged, a letter may stand a quarter of a pixel beside its place.
                QCOMPARE_LE(difference(written, expected), scale == 1 ? 0 : 110);
            }
        }
    }
}

/// Text stays text where there are no pixels.
void TestText::onPaper()
{
    const auto recorded = [](const std::function<void(QPainter &)> &paint) {
        QBuffer file;
        file.open(QIODevice::WriteOnly);
        QPdfWriter paper(&file);
        paper.setResolution(1200); // a font has another size there
        QPainter painter(&paper);
        painter.setFont(font(9, false));
        paint(painter);
        painter.end();
        QByteArray bytes = file.data();
        const qsizetype date = bytes.indexOf("/CreationDate");
        return bytes.remove(date, bytes.indexOf('\n', date) - date);
    };
    QCOMPARE(recorded([](QPainter &painter) {
        paintText(painter, room, Qt::AlignCenter, u"PENDING"_s);
    }),
        recorded([](QPainter &painter) {
            painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine, u"PENDING"_s);
        }));
}

const instar::TestClass<TestText, QApplication> registered;
} // namespace

#include "tst_text.moc"
