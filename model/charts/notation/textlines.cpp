// SPDX-License-Identifier: Apache-2.0
#include "model/charts/notation/textlines.h"

#include <QStringDecoder>

#include <algorithm>

namespace instar {

namespace {

/// By the byte order mark, or by the zeros that the first two letters have in UTF-16.
QStringConverter::Encoding encodingOf(const QByteArray &bytes)
{
    if (const auto marked = QStringConverter::encodingForData(bytes))
        return *marked;
    const auto isAscii = [&](qsizetype letter, qsizetype zero) {
        return bytes[letter] > 0 && bytes[zero] == 0;
    };
    if (bytes.size() >= 4 && isAscii(0, 1) && isAscii(2, 3))
        return QStringConverter::Utf16LE;
    if (bytes.size() >= 4 && isAscii(1, 0) && isAscii(3, 2))
        return QStringConverter::Utf16BE;
    return QStringConverter::Utf8;
}

} // namespace

TextLines textLines(const QByteArray &file)
{
    TextLines result;
    QByteArray bytes = file;
    if (const auto encoding = encodingOf(file); encoding != QStringConverter::Utf8) {
        QStringDecoder decoder(encoding);
        bytes = QString(decoder(file)).toUtf8();
        result.firstBad = decoder.hasError() ? 1 : 0;
    }
    bytes.replace("\r\n", "\n").replace('\r', '\n');
    if (bytes.startsWith("\xef\xbb\xbf"))
        bytes.remove(0, 3);
    qsizetype from = 0;
    while (from <= bytes.size()) {
        qsizetype end = bytes.indexOf('\n', from);
        if (end < 0)
            end = bytes.size();
        QStringDecoder decoder(QStringDecoder::Utf8,
            QStringDecoder::Flag::Stateless | QStringDecoder::Flag::ConvertInitialBom);
        const QString line = decoder(QByteArrayView(bytes).sliced(from, end - from));
        if (decoder.hasError() && result.firstBad == 0)
            result.firstBad = int(result.lines.size()) + 1;
        result.lines.append(line);
        from = end + 1;
    }
    return result;
}

qsizetype indentOf(QStringView line)
{
    const auto *const first =
        std::find_if(line.begin(), line.end(), [](QChar letter) { return !letter.isSpace(); });
    return first - line.begin();
}

QString indented(const QString &line, qsizetype blanks)
{
    return line.isEmpty() ? line : QString(blanks, u' ') + line;
}

QStringList unindented(const QStringList &lines)
{
    qsizetype common = -1;
    for (const QString &line : lines)
        if (const qsizetype indent = indentOf(line); indent < line.size())
            common = common < 0 ? indent : std::min(common, indent);
    QStringList result;
    for (const QString &line : lines) {
        qsizetype end = line.size();
        while (end > 0 && line[end - 1].isSpace())
            --end;
        result += line.left(end).mid(std::max<qsizetype>(common, 0));
    }
    return result;
}

} // namespace instar
