// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/apng.h"

#include <QBuffer>
#include <QtEndian>

#include <array>

namespace instar {

namespace {

constexpr qsizetype signatureBytes = 8, aroundChunk = 12;

QByteArray bigNumber(quint32 value)
{
    const quint32 big = qToBigEndian(value);
    return QByteArray(reinterpret_cast<const char *>(&big), 4);
}

QByteArray bigHalf(quint16 value)
{
    const quint16 big = qToBigEndian(value);
    return QByteArray(reinterpret_cast<const char *>(&big), 2);
}

/// CRC-32 as PNG counts it.
quint32 pngCrc(const QByteArray &bytes)
{
    static const auto table = [] {
        std::array<quint32, 256> made {};
        for (quint32 i = 0; i < 256; ++i) {
            quint32 c = i;
            for (int bit = 0; bit < 8; ++bit)
                c = c & 1 ? 0xedb88320U ^ (c >> 1) : c >> 1;
            made[i] = c;
        }
        return made;
    }();
    quint32 c = 0xffffffffU;
    for (const char byte : bytes)
        c = table[(c ^ quint8(byte)) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffU;
}

QByteArray pngChunk(const char *type, const QByteArray &data)
{
    const QByteArray body = QByteArray(type, 4) + data;
    return bigNumber(quint32(data.size())) + body + bigNumber(pngCrc(body));
}

/// What all chunks of a type hold in a PNG.
QByteArray contentsOf(const QByteArray &png, const char *type)
{
    QByteArray all;
    for (qsizetype at = signatureBytes; at + aroundChunk <= png.size();) {
        const quint32 size = qFromBigEndian<quint32>(png.constData() + at);
        if (png.mid(at + 4, 4) == QByteArray(type, 4))
            all += png.mid(at + 8, size);
        at += aroundChunk + size;
    }
    return all;
}

QByteArray pngOf(const QImage &picture)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return buffer.data();
}

/// Where two pictures of one size differ; one pixel where they do not.
QRect difference(const QImage &before, const QImage &now)
{
    int top = now.height(), bottom = -1, left = now.width(), right = -1;
    for (int y = 0; y < now.height(); ++y) {
        const auto *a = reinterpret_cast<const QRgb *>(before.constScanLine(y));
        const auto *b = reinterpret_cast<const QRgb *>(now.constScanLine(y));
        int first = 0, last = now.width() - 1;
        while (first <= last && a[first] == b[first])
            ++first;
        if (first > last)
            continue;
        while (a[last] == b[last])
            --last;
        top = std::min(top, y);
        bottom = y;
        left = std::min(left, first);
        right = std::max(right, last);
    }
    return bottom < 0 ? QRect(0, 0, 1, 1) : QRect(QPoint(left, top), QPoint(right, bottom));
}

} // namespace

void AnimatedPng::add(const QImage &picture, int ms)
{
    const QImage now = picture.convertToFormat(QImage::Format_RGB32);
    const bool isFirst = m_frames.isEmpty();
    if (!isFirst && now == m_last) {
        m_frames.last().ms += ms; // nothing has happened
        return;
    }
    const QRect area = isFirst ? now.rect() : difference(m_last, now);
    const QByteArray png = pngOf(now.copy(area));
    if (isFirst)
        m_header = contentsOf(png, "IHDR");
    m_frames.append({ area, ms, contentsOf(png, "IDAT") });
    m_last = now;
}

QByteArray AnimatedPng::bytes() const
{
    if (m_frames.isEmpty())
        return {};
    QByteArray file("\x89PNG\r\n\x1a\n", signatureBytes);
    file += pngChunk("IHDR", m_header);
    file += pngChunk("acTL", bigNumber(quint32(m_frames.size())) + bigNumber(0)); // for ever
    quint32 sequence = 0;
    for (qsizetype i = 0; i < m_frames.size(); ++i) {
        const Frame &frame = m_frames[i];
        file += pngChunk("fcTL",
            bigNumber(sequence++) + bigNumber(quint32(frame.area.width()))
                + bigNumber(quint32(frame.area.height())) + bigNumber(quint32(frame.area.x()))
                + bigNumber(quint32(frame.area.y())) + bigHalf(quint16(std::min(frame.ms, 65'535)))
                + bigHalf(1000) + QByteArray(2, 0)); // stays as it is, and is laid over what was
        file += i == 0 ? pngChunk("IDAT", frame.data)
                       : pngChunk("fdAT", bigNumber(sequence++) + frame.data);
    }
    return file + pngChunk("IEND", {});
}

} // namespace instar
