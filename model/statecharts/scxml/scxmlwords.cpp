// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/scxml/scxmlwords.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringDecoder>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar::scxml {

namespace {

using Kind = Vertex::Kind;

const QMap<QString, Kind> kinds { { u"initial"_s, Kind::Initial },
    { u"history"_s, Kind::ShallowHistory }, { u"deepHistory"_s, Kind::DeepHistory },
    { u"choice"_s, Kind::Choice }, { u"fork"_s, Kind::Fork }, { u"join"_s, Kind::Join },
    { u"entry"_s, Kind::Entry }, { u"exit"_s, Kind::Exit } };

} // namespace

const QStringList &keptElements()
{
    static const QStringList names { u"datamodel"_s, u"script"_s, u"onentry"_s, u"onexit"_s,
        u"invoke"_s, u"donedata"_s };
    return names;
}

QString eventName(const QString &event)
{
    QStringList words;
    for (const QString &part : event.simplified().split(u'.', Qt::SkipEmptyParts)) {
        QString word;
        for (const QChar c : part) {
            const bool fits = (c.isLetterOrNumber() && !c.isSurrogate()) || u"-_:"_s.contains(c);
            word += fits || part == u"*" ? c : QChar(u'_');
        }
        words += word;
    }
    return words.isEmpty() && !event.trimmed().isEmpty() ? u"_"_s : words.join(u'.');
}

QString kindWord(Vertex::Kind kind)
{
    return kinds.key(kind);
}

Vertex::Kind kindOf(const QString &word)
{
    return kinds.value(word, Kind::State);
}

QString placeText(const QRectF &place)
{
    QStringList numbers;
    for (const double number : { place.x(), place.y(), place.width(), place.height() })
        numbers += QString::number(number, 'g', QLocale::FloatingPointShortest);
    return numbers.join(u' ');
}

std::optional<QRectF> placeIn(const QString &text)
{
    const QStringList parts = text.simplified().split(u' ', Qt::SkipEmptyParts);
    QList<double> numbers;
    for (const QString &part : parts) {
        bool isNumber = false;
        const double number = part.toDouble(&isNumber);
        if (isNumber && qIsFinite(number))
            numbers += number;
    }
    if (numbers.size() != 4 || parts.size() != 4)
        return {};
    return QRectF(numbers[0], numbers[1], numbers[2], numbers[3]);
}

QString xmlName(const QString &text)
{
    QString result;
    for (const QChar c : text) {
        const bool isLetter = (c.isLetter() && !c.isSurrogate()) || c == u'_';
        const bool isFurther = c.isDigit() || c == u'-' || c == u'.';
        if (result.isEmpty() && isFurther)
            result += u'_';
        result += isLetter || isFurther ? c : QChar(u'_');
    }
    return result.isEmpty() ? u"_"_s : result;
}

Result<QString> xmlDecoded(const QByteArray &bytes, const QString &file)
{
    static const QRegularExpression declared(
        u"^<\\?xml[^>]*\\sencoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']"_s);
    const std::optional<QStringConverter::Encoding> marked =
        QStringConverter::encodingForData(bytes, u'<');
    const QRegularExpressionMatch match =
        declared.match(QString::fromLatin1(bytes.first(std::min(bytes.size(), qsizetype(200)))));
    QStringDecoder decoder(marked.value_or(QStringConverter::Utf8));
    if (!marked && match.hasMatch()) {
        decoder = QStringDecoder(match.captured(1).toLatin1().constData());
        if (!decoder.isValid())
            return Error { u"%1:1: the encoding \"%2\" is unknown; save the file as UTF-8"_s.arg(
                file, match.captured(1)) };
    }
    const QString text = decoder(bytes);
    if (decoder.hasError())
        return Error {
            u"%1:1: expected text in %2, found invalid bytes; save the file as UTF-8"_s.arg(
                file, QString::fromLatin1(decoder.name()))
        };
    return text;
}

} // namespace instar::scxml
