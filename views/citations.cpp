// SPDX-License-Identifier: Apache-2.0
#include "views/citations.h"

#include "model/engine/controller.h"
#include "views/tips.h"

#include <QCursor>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QRegularExpression>
#include <QToolTip>
#include <QUrl>

#include <algorithm>

namespace instar {

namespace {

/// Returns the text with which Pack::sourceText() names a source.
QString longText(const Pack &pack, const Source &source)
{
    Row row;
    row.sources = { source.id };
    return pack.sourceText(row);
}

/// HTML link, drawn as a chip, to one source or to several; `text` is a key or "+2".
QString chip(const QStringList &keys, const Theme &theme, const QString &text)
{
    return u"<a href='source:%1' style='text-decoration:none;background:%2;color:%3'>"
           "&nbsp;%4&nbsp;</a>"_s.arg(
               QString::fromLatin1(QUrl::toPercentEncoding(keys.join(u'\n'))),
               theme.accentFill.name(), theme.accent.name(),
               text.toHtmlEscaped().replace(u' ', u"&nbsp;"_s));
}

/// True if a text is only the position of a row in the pack ("transitions/3"). The engine names a
/// row that has neither text nor sources by its position, which users do not know.
bool isRowPosition(const QString &text)
{
    static const QRegularExpression position(u"^(refusals|transitions|conflicts)/\\w+$"_s);
    return position.match(text).hasMatch();
}

/// Source keys of a chip's link, at least one.
QStringList sourceKeys(const QString &link)
{
    return QUrl::fromPercentEncoding(link.section(u':', 1).toLatin1()).split(u'\n');
}

} // namespace

QString cited(const Pack &pack, const QString &text, const Theme &theme)
{
    const auto [words, keys] = splitSources(pack, text);
    return (words.toHtmlEscaped() + u' ' + mainChips(keys, theme)).trimmed();
}

QString chipsOf(const Pack &pack, const Row &row, const Theme &theme)
{
    QStringList chips;
    for (const QString &key : row.sources)
        chips += sourceTip(pack, key).isEmpty() ? key.toHtmlEscaped() : chip({ key }, theme, key);
    return chips.join(u' ');
}

QString mainChips(const QStringList &keys, const Theme &theme)
{
    QStringList chips;
    if (!keys.isEmpty())
        chips += chip(keys.first(1), theme, keys.first());
    if (keys.size() > 1)
        chips += chip(
            keys.mid(1), theme, keys.size() == 2 ? keys.last() : u"+%1"_s.arg(keys.size() - 1));
    return chips.join(u' ');
}

std::pair<QString, QStringList> splitSources(const Pack &pack, const QString &text)
{
    if (isRowPosition(text))
        return {};
    QMap<qsizetype, QString> keys; // by place in the text
    QStringList names;
    for (const Source &source : pack.sourceList) {
        const QString name = longText(pack, source);
        if (!text.contains(name))
            continue;
        names += name;
        keys.insert(text.indexOf(name), source.id);
    }
    if (keys.isEmpty())
        return { text, {} };
    // Longest first: one name may be part of another.
    std::ranges::sort(names, std::ranges::greater(), &QString::size);
    QString words = text;
    for (const QString &name : std::as_const(names))
        words.replace(name, u"\u0001"_s);
    words.replace(u"\u0001, "_s, u"\u0001"_s).remove(u'\u0001').remove(u"[]"_s);
    return { words.simplified(), keys.values() };
}

void chooseSource(const Pack &pack, const QString &link, QWidget *parent,
    const std::function<void(const QString &key)> &act)
{
    const QStringList keys = sourceKeys(link);
    if (keys.size() == 1)
        return act(keys.first());
    auto *menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Source &source : pack.sourceList) {
        if (keys.contains(source.id))
            menu->addAction(longText(pack, source).replace(u'&', u"&&"_s), parent,
                [act, key = source.id] { act(key); });
    }
    menu->popup(QCursor::pos());
}

void offerSources(
    QLabel *label, const Controller &controller, const std::function<void(const QString &key)> &act)
{
    const auto pack = [&controller]() -> const Pack & { return controller.rules().pack(); };
    QObject::connect(label, &QLabel::linkActivated, label,
        [=](const QString &link) { chooseSource(pack(), link, label, act); });
    QObject::connect(label, &QLabel::linkHovered, label, [label, pack](const QString &link) {
        if (!link.isEmpty())
            showHtmlTip(QCursor::pos(), sourceTips(pack(), link), label);
        else
            QToolTip::hideText();
    });
}

QString sourceTips(const Pack &pack, const QString &link)
{
    return mapped<QString>(
        sourceKeys(link), [&](const QString &key) { return sourceTip(pack, key); });
}

QString sourceTip(const Pack &pack, const QString &key)
{
    const auto source = std::ranges::find(pack.sourceList, key, &Source::id);
    if (source == pack.sourceList.end())
        return {};
    return u"<qt><b>%1</b><br>%2 %3<br>%4</qt>"_s.arg(source->id.toHtmlEscaped(),
        source->document.toHtmlEscaped(), source->section.toHtmlEscaped(),
        source->about.toHtmlEscaped());
}

} // namespace instar
