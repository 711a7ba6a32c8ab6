// SPDX-License-Identifier: Apache-2.0
#include "model/charts/xstate/xstatenames.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar::xstate {

namespace {

constexpr qsizetype LongestPath = 1000; ///< letters; a hostile file has longer ones

} // namespace

QStringList uniqueNames(const QList<KeyedState> &states)
{
    QHash<QString, int> count;
    for (const KeyedState &each : states)
        ++count[each.key];
    QSet<QString> taken;
    for (const KeyedState &each : states) {
        if (count.value(each.key) == 1)
            taken.insert(each.key);
    }
    QStringList names;
    QHash<QString, int> tried;
    for (const KeyedState &each : states) {
        if (count.value(each.key) == 1) {
            names += each.key;
            continue;
        }
        const QString around = each.parent < 0 ? QString() : names[each.parent];
        const bool isShort = around.size() + each.key.size() < LongestPath;
        const QString wish = around.isEmpty() || !isShort ? each.key : around + u'.' + each.key;
        QString name = wish;
        for (int &number = tried[wish]; taken.contains(name);)
            name = u"%1_%2"_s.arg(wish).arg(++number + 1);
        taken.insert(name);
        names += name;
    }
    return names;
}

QStringList keysOfPath(QStringView path, QChar delimiter)
{
    QStringList keys { QString() };
    for (qsizetype i = 0; i < path.size(); ++i) {
        if (path[i] == u'\\' && i + 1 < path.size() && path[i + 1] == delimiter)
            keys.last() += path[++i];
        else if (path[i] == delimiter)
            keys += QString();
        else
            keys.last() += path[i];
    }
    return keys;
}

bool isPlainKey(const QString &text)
{
    return !text.isEmpty() && text == plainKey(text);
}

QString plainKey(const QString &text)
{
    QString key = text;
    for (QChar &letter : key) {
        if (u".#\\"_s.contains(letter) || letter.unicode() < 0x20)
            letter = u'_';
    }
    return key.isEmpty() ? u"_"_s : key;
}

QString idForName(const QString &name)
{
    return plainKey(name) + u"_id"_s;
}

QList<Value> listed(Value value)
{
    QList<Value> result;
    if (value.is(Value::Kind::Array)) {
        for (const Value item : value.items())
            result += item;
    } else if (value && !value.is(Value::Kind::Null)) {
        result += value;
    }
    return result;
}

QString actionName(Value action)
{
    const Value name = action.is(Value::Kind::Object) ? action.find("type") : action;
    const QString text = name.string().simplified();
    return text.isEmpty() ? u"?"_s : text;
}

bool isPlainAction(const QString &name)
{
    return !name.isEmpty() && name == name.simplified() && !name.contains(ActionGap)
        && name != u"?";
}

QString serviceName(Value invoke)
{
    if (invoke.is(Value::Kind::String))
        return invoke.string().simplified();
    const Value source = invoke.find("src");
    const QString name =
        source.is(Value::Kind::Object) ? source.find("type").string() : source.string();
    return (name.isEmpty() ? invoke.find("id").string() : name).simplified();
}

QString serviceId(Value invoke, const QString &state)
{
    const QString id = invoke.find("id").string();
    const QString name = id.isEmpty() ? serviceName(invoke) : id;
    return name.isEmpty() ? state : name;
}

QString delayEvent(const QString &milliseconds)
{
    return u"after %1 ms"_s.arg(milliseconds);
}

QString delayOf(const QString &event)
{
    if (!event.startsWith(u"after ") || !event.endsWith(u" ms") || event.size() < 10)
        return {};
    const QString digits = event.sliced(6).chopped(3);
    const bool isNumber =
        std::ranges::all_of(digits, [](QChar letter) { return letter >= u'0' && letter <= u'9'; });
    return isNumber && (digits == u"0" || !digits.startsWith(u'0')) ? digits : QString();
}

} // namespace instar::xstate
