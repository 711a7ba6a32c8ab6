// SPDX-License-Identifier: Apache-2.0
#include "model/charts/scxml/scxmlconditions.h"

using namespace Qt::StringLiterals;

namespace instar::scxml {

namespace {

/// "must be replaced" as "must_be_replaced", and never a word that ECMAScript has a use for.
QString variableName(const QString &text)
{
    static const QStringList reserved { u"In"_s, u"_event"_s, u"_name"_s, u"_sessionid"_s,
        u"_ioprocessors"_s, u"_x"_s, u"await"_s, u"break"_s, u"case"_s, u"catch"_s, u"class"_s,
        u"const"_s, u"continue"_s, u"debugger"_s, u"default"_s, u"delete"_s, u"do"_s, u"else"_s,
        u"enum"_s, u"export"_s, u"extends"_s, u"finally"_s, u"for"_s, u"function"_s, u"if"_s,
        u"implements"_s, u"import"_s, u"in"_s, u"instanceof"_s, u"interface"_s, u"let"_s, u"new"_s,
        u"null"_s, u"package"_s, u"private"_s, u"protected"_s, u"public"_s, u"return"_s,
        u"static"_s, u"super"_s, u"switch"_s, u"this"_s, u"throw"_s, u"try"_s, u"typeof"_s,
        u"undefined"_s, u"var"_s, u"void"_s, u"while"_s, u"with"_s, u"yield"_s };
    QString result;
    for (const QChar c : text) {
        const bool isAscii = c.unicode() < 128;
        const bool fits =
            isAscii && (c.isLetter() || c == u'_' || (c.isDigit() && !result.isEmpty()));
        result += fits ? c : QChar(u'_');
    }
    return reserved.contains(result) ? u"is_"_s + result : result;
}

} // namespace

void ConditionWords::gather(const QList<Arc> &arcs)
{
    for (const Arc &arc : arcs) {
        const Guard guard = guardOf(arc.condition);
        gather(guard);
        if (guard.kind != Guard::Kind::Always && guard.kind != Guard::Kind::In)
            m_needsEcmaScript = true;
    }
}

void ConditionWords::gather(const Guard &guard)
{
    for (const Guard &part : guard.parts)
        gather(part);
    if (guard.kind != Guard::Kind::Name || m_variables.contains(guard.text))
        return;
    const QString base = variableName(guard.text);
    QString name = base;
    for (int number = 2; m_taken.contains(name); ++number)
        name = u"%1_%2"_s.arg(base).arg(number);
    m_taken.insert(name);
    m_variables.insert(guard.text, name);
    m_order += name;
}

QString ConditionWords::expression(
    const QString &condition, const QHash<QString, QString> &names) const
{
    const Guard guard = guardOf(condition);
    return guard.kind == Guard::Kind::Always || guard.kind == Guard::Kind::Else
        ? QString()
        : expression(guard, names);
}

QString ConditionWords::expression(const Guard &guard, const QHash<QString, QString> &names) const
{
    const auto joined = [&](QStringView token) {
        QStringList parts;
        for (const Guard &part : guard.parts) {
            const bool isJoined = part.kind == Guard::Kind::All || part.kind == Guard::Kind::Any;
            parts += isJoined ? u'(' + expression(part, names) + u')' : expression(part, names);
        }
        return parts.join(token);
    };
    switch (guard.kind) {
    case Guard::Kind::Always:
    case Guard::Kind::Else:
        return u"true"_s;
    case Guard::Kind::Never:
        return u"false"_s;
    case Guard::Kind::Name:
        return m_variables.value(guard.text);
    case Guard::Kind::In:
        return (m_needsEcmaScript ? u"In('%1')"_s : u"In(%1)"_s)
            .arg(names.value(guard.text, guard.text));
    case Guard::Kind::Not:
        return u"!("_s + expression(guard.parts.first(), names) + u')';
    case Guard::Kind::All:
        return joined(u" && ");
    case Guard::Kind::Any:
        return joined(u" || ");
    }
    return {};
}

} // namespace instar::scxml
