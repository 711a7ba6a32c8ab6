// SPDX-License-Identifier: Apache-2.0
// Animated PNGs: taken apart as the standard has them, the pictures are those that were put in.

#include "tests/support/testclass.h"
#include "views/drawing/apng.h"

#include <QGuiApplication>
#include <QPainter>
#include <QtEndian>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

struct Chunk
{
    QByteArray type, data;
};

QList<Chunk> chunksOf(const QByteArray &file)
{
    QList<Chunk> chunks;
    for (qsizetype at = 8; at + 12 <= file.size();) {
        const auto size = qFromBigEndian<quint32>(file.constData() + at);
        chunks += { file.mid(at + 4, 4), file.mid(at + 8, size) };
        at += 12 + size;
    }
    return chunks;
}

quint32 numberAt(const QByteArray &bytes, qsizetype at)
{
    return qFromBigEndian<quint32>(bytes.constData() + at);
}

QByteArray big(quint32 value)
{
    value = qToBigEndian(value);
    return QByteArray(reinterpret_cast<const char *>(&value), 4);
}

/// The slow way, bit by bit: another one than the writer's.
quint32 crc(const QByteArray &bytes)
{
    quint32 c = ~0U;
    for (const char byte : bytes) {
        c ^= quint8(byte);
        for (int bit = 0; bit < 8; ++bit)
            c = (c >> 1) ^ (0xedb88320U & (0U - (c & 1)));
    }
    return ~c;
}

QByteArray written(const QByteArray &type, const QByteArray &data)
{
    return big(quint32(data.size())) + type + data + big(crc(type + data));
}

/// The pictures as a player shows them one after another.
QList<QImage> played(const QByteArray &file)
{
    const QList<Chunk> chunks = chunksOf(file);
    QList<QImage> pictures;
    QImage canvas;
    QByteArray header;
    QRect area;
    for (const Chunk &chunk : chunks) {
        if (chunk.type == "IHDR")
            header = chunk.data;
        if (chunk.type == "fcTL")
            area = QRect(int(numberAt(chunk.data, 12)), int(numberAt(chunk.data, 16)),
                int(numberAt(chunk.data, 4)), int(numberAt(chunk.data, 8)));
        if (chunk.type != "IDAT" && chunk.type != "fdAT")
            continue;
        const QByteArray data = chunk.type == "IDAT" ? chunk.data : chunk.data.sliced(4);
        const QByteArray png = file.left(8)
            + written(
                "IHDR", big(quint32(area.width())) + big(quint32(area.height())) + header.mid(8))
            + written("IDAT", data) + written("IEND", {});
        const QImage part = QImage::fromData(png, "PNG");
        if (canvas.isNull())
            canvas = QImage(part.size(), QImage::Format_RGB32);
        QPainter painter(&canvas);
        painter.drawImage(area.topLeft(), part);
        painter.end();
        pictures += canvas;
    }
    return pictures;
}

QImage picture(int x)
{
    QImage image(60, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.fillRect(x, 10, 8, 12, QColor(10, 20 + x, 200));
    return image;
}

} // namespace

class TestApng : public QObject
{
    Q_OBJECT

private slots:
    void nothing();
    void pictures();
    void keepsOnlyWhatDiffers();
    void whatStaysIsOneFrame();
};

void TestApng::nothing()
{
    QCOMPARE(AnimatedPng().bytes(), QByteArray());
}

void TestApng::pictures()
{
    AnimatedPng file;
    QList<QImage> given;
    for (const int x : { 0, 13, 40, 5 }) {
        given += picture(x);
        file.add(given.last(), 80);
    }
    const QByteArray bytes = file.bytes();
    QCOMPARE(played(bytes), given);
    // Whoever knows no animations sees the first picture.
    QCOMPARE(QImage::fromData(bytes, "PNG").convertToFormat(QImage::Format_RGB32), given.first());
    quint32 sequence = 0;
    int frames = 0;
    for (const Chunk &chunk : chunksOf(bytes)) {
        QVERIFY(bytes.contains(written(chunk.type, chunk.data))); // its checksum
        if (chunk.type == "fcTL" || chunk.type == "fdAT")
            QCOMPARE(numberAt(chunk.data, 0), sequence++);
        frames += chunk.type == "fcTL";
        if (chunk.type == "acTL")
            QCOMPARE(numberAt(chunk.data, 0), 4u);
    }
    QCOMPARE(frames, 4);
}

void TestApng::keepsOnlyWhatDiffers()
{
    AnimatedPng file;
    file.add(picture(0), 80);
    file.add(picture(20), 80);
    QRect area;
    for (const Chunk &chunk : chunksOf(file.bytes())) {
        if (chunk.type == "fcTL")
            area = QRect(int(numberAt(chunk.data, 12)), int(numberAt(chunk.data, 16)),
                int(numberAt(chunk.data, 4)), int(numberAt(chunk.data, 8)));
    }
    QCOMPARE(area, QRect(0, 10, 28, 12));
}

void TestApng::whatStaysIsOneFrame()
{
    AnimatedPng file;
    file.add(picture(0), 80);
    file.add(picture(0), 80);
    QCOMPARE(file.count(), 1);
    for (const Chunk &chunk : chunksOf(file.bytes())) {
        if (chunk.type == "fcTL")
            QCOMPARE(qFromBigEndian<quint16>(chunk.data.constData() + 20), 160);
    }
}

const TestClass<TestApng, QGuiApplication> registered;

#include "tst_apng.moc"
