// SPDX-License-Identifier: Apache-2.0
#include "model/formats/chart/textlines.h"

#include <QStringDecoder>

#include <algorithm>

namespace instar {

TextLines textLines(const QByteArray &utf8)
{
    QByteArray bytes = utf8;
    bytes.replace("\r\n", "\n").replace('\r', '\n');
    if (bytes.startsWith("\xef\xbb\xbf"))
        bytes.remove(0, 3);
    TextLines result;
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
