// SPDX-License-Identifier: Apache-2.0
#include "model/charts/scxml/xmltext.h"

#include "model/foreigntext.h"

#include <QRegularExpression>
#include <QStringDecoder>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isXmlCharacter(QChar c)
{
    return c.unicode() >= 0x20 ? c.unicode() < 0xfffe : (c == u'\t' || c == u'\n' || c == u'\r');
}

} // namespace

void XmlText::open(const QString &name, const Attributes &attributes)
{
    tag(name, attributes, u">\n"_s);
    ++m_depth;
}

void XmlText::close(const QString &name)
{
    --m_depth;
    m_text += QString(m_depth * 2, u' ') + u"</"_s + name + u">\n"_s;
}

void XmlText::empty(const QString &name, const Attributes &attributes)
{
    tag(name, attributes, u"/>\n"_s);
}

void XmlText::raw(const QString &xml)
{
    m_text += QString(m_depth * 2, u' ') + xml + u'\n';
}

void XmlText::tag(const QString &name, const Attributes &attributes, const QString &end)
{
    m_text += QString(m_depth * 2, u' ') + u'<' + name;
    for (const auto &[key, value] : attributes)
        m_text += u' ' + key + u"=\""_s + escaped(value) + u'"';
    m_text += end;
}

QString XmlText::escaped(const QString &value)
{
    QString result;
    result.reserve(value.size());
    for (qsizetype i = 0; i < value.size(); ++i) {
        const QChar c = value[i];
        const bool isPair =
            c.isHighSurrogate() && i + 1 < value.size() && value[i + 1].isLowSurrogate();
        if (c == u'&') {
            result += u"&amp;"_s;
        } else if (c == u'<') {
            result += u"&lt;"_s;
        } else if (c == u'>') {
            result += u"&gt;"_s;
        } else if (c == u'"') {
            result += u"&quot;"_s;
        } else if (c == u'\n' || c == u'\t' || (isXmlCharacter(c) && isSpelledOut(c))) {
            result += u"&#%1;"_s.arg(c.unicode());
        } else if (isPair) {
            result += c;
            result += value[++i];
        } else if (c.isSurrogate() || !isXmlCharacter(c)) {
            result += QChar::ReplacementCharacter;
            m_hasReplaced = true;
        } else {
            result += c;
        }
    }
    return result;
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
            u"%1:1: expected text in %2, found bytes that are none; save the file as UTF-8"_s.arg(
                file, QString::fromLatin1(decoder.name()))
        };
    return text;
}

} // namespace instar
