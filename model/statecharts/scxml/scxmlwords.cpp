// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/scxml/scxmlwords.h"

#include <QLocale>
#include <QRegularExpression>
#include <QSet>
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

/// "x;y;left;top;width;height": a position, and a rectangle that is about it or about the scene.
struct Numbers
{
    QPointF position;
    QRectF rect;
};

std::optional<Numbers> numbersOf(const QString &xml, const QString &attribute)
{
    const QRegularExpression pattern(
        uR"((?:^|\s)%1\s*=\s*(["'])([-+0-9.eE;\s]*)\1)"_s.arg(attribute));
    const QRegularExpressionMatch match = pattern.match(xml);
    const QStringList parts = match.captured(2).split(u';');
    if (!match.hasMatch() || parts.size() != 6)
        return {};
    double numbers[6];
    for (int i = 0; i < 6; ++i) {
        bool isNumber = false;
        numbers[i] = parts[i].trimmed().toDouble(&isNumber);
        if (!isNumber || !qIsFinite(numbers[i]))
            return {};
    }
    return Numbers { { numbers[0], numbers[1] },
        { numbers[2], numbers[3], numbers[4], numbers[5] } };
}

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

QList<Diagnostic> alikeEvents(const Statechart &chart)
{
    QList<Diagnostic> result;
    QHash<QString, QString> events; // by what is written
    for (const Arc &arc : chart.arcs) {
        for (const QString &event : arc.events()) {
            const QString name = eventName(event);
            QString &first = events[name];
            if (first.isEmpty())
                first = event;
            else if (first != event)
                result.append({ arc.line,
                    u"other programs take \"%1\" and \"%2\" for the same event, %3"_s.arg(
                        first, event, name),
                    Diagnostic::Severity::Note });
        }
    }
    return result;
}

QString freePrefix(const Statechart &chart)
{
    QSet<QString> taken;
    const auto gather = [&](const Particulars &particulars) {
        for (auto it = particulars.cbegin(); it != particulars.cend(); ++it) {
            if (it.key().startsWith(Prefix))
                taken.insert(it.key().sliced(Prefix.size()));
        }
    };
    gather(chart.particulars);
    for (const Vertex &each : chart.vertices)
        gather(each.particulars);
    for (const Arc &each : chart.arcs)
        gather(each.particulars);
    QString prefix = OwnPrefix.toString();
    for (int number = 2; taken.contains(prefix); ++number)
        prefix = OwnPrefix.toString() + QString::number(number);
    return prefix;
}

QString kindWord(Vertex::Kind kind)
{
    return kinds.key(kind);
}

Vertex::Kind kindOf(const QString &word)
{
    return kinds.value(word, Kind::State);
}

QString packed(const Particulars &particulars)
{
    const auto escaped = [](QString text) {
        return text.replace(u'\\', u"\\\\"_s).replace(u'\n', u"\\n"_s).replace(u'=', u"\\e"_s);
    };
    QStringList rows;
    for (auto it = particulars.cbegin(); it != particulars.cend(); ++it) {
        if (!it.key().startsWith(u"scxml."))
            rows += escaped(it.key()) + u'=' + escaped(it.value());
    }
    return rows.join(u'\n');
}

Particulars unpacked(const QString &text)
{
    const auto plain = [](QStringView part) {
        QString result;
        for (qsizetype i = 0; i < part.size(); ++i) {
            if (part[i] != u'\\' || i + 1 == part.size()) {
                result += part[i];
                continue;
            }
            const QChar c = part[++i];
            result += c == u'n' ? u'\n' : c == u'e' ? u'=' : c;
        }
        return result;
    };
    Particulars result;
    for (const QString &row : text.split(u'\n', Qt::SkipEmptyParts)) {
        const qsizetype at = row.indexOf(u'=');
        const QString key = at > 0 ? plain(QStringView(row).first(at)) : QString();
        if (!key.isEmpty() && !key.startsWith(u"scxml."))
            result.insert(key, plain(QStringView(row).sliced(at + 1)));
    }
    return result;
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

EditorPlace editorPlace(const QString &xml, QPointF around)
{
    EditorPlace place { .position = around };
    if (!xml.contains(u"editorinfo"))
        return place;
    const std::optional<Numbers> inScene = numbersOf(xml, u"scenegeometry"_s);
    const std::optional<Numbers> inParent = numbersOf(xml, u"geometry"_s);
    const std::optional<Numbers> initial = numbersOf(xml, u"initialGeometry"_s);
    if (inScene) {
        place.position = inScene->position;
        place.rect = inScene->rect;
    } else if (inParent) {
        place.position = around + inParent->position;
        place.rect = inParent->rect.translated(place.position);
    }
    if (initial)
        place.initial = initial->rect.translated(place.position + initial->position);
    return place;
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

} // namespace instar::scxml
