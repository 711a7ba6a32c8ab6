// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/guard.h"

#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int DeepestGuard = 64;

/// Returns the parts of a text between tokens outside of parentheses and quotes; empty: the
/// parentheses do not match.
QList<QStringView> partsBetween(QStringView token, QStringView text)
{
    QList<QStringView> parts;
    qsizetype begin = 0, open = 0;
    QChar quote;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
        } else if ((c == u'\'' || c == u'"') && text.indexOf(c, i + 1) > 0) {
            quote = c;
        } else if (c == u'(') {
            ++open;
        } else if (c == u')' && --open < 0) {
            return {};
        } else if (open == 0 && text.sliced(i).startsWith(token)) {
            parts += text.sliced(begin, i - begin);
            begin = i + token.size();
            i = begin - 1;
        }
    }
    parts += text.sliced(begin);
    return open == 0 ? parts : QList<QStringView>();
}

Guard namedGuard(QStringView name)
{
    if (name == u"true")
        return {};
    if (name == u"false")
        return { Guard::Kind::Never, {}, {} };
    if (name.startsWith(u"In(") && name.endsWith(u')')) {
        QStringView id = name.sliced(3).chopped(1).trimmed();
        if (id.size() > 1 && (id.front() == u'\'' || id.front() == u'"') && id.back() == id.front())
            id = id.sliced(1).chopped(1);
        return { Guard::Kind::In, id.toString(), {} };
    }
    return { Guard::Kind::Name, name.toString(), {} };
}

/// Parses a guard; absent after a syntax error.
std::optional<Guard> guardFrom(QStringView text, int depth = 0)
{
    using Operator = std::pair<Guard::Kind, QStringView>;
    text = text.trimmed();
    for (const auto &[kind, token] :
        { Operator(Guard::Kind::Any, u"||"), Operator(Guard::Kind::All, u"&&") }) {
        const QList<QStringView> operands = partsBetween(token, text);
        if (operands.size() == 1)
            continue;
        Guard guard { kind, {}, {} };
        for (const QStringView operand : operands) {
            const std::optional<Guard> part = guardFrom(operand, depth);
            if (!part)
                return {};
            guard.parts += *part;
        }
        return operands.isEmpty() ? std::nullopt : std::optional(guard);
    }
    if (text.isEmpty() || depth > DeepestGuard)
        return {};
    if (text.startsWith(u'!')) {
        const std::optional<Guard> part = guardFrom(text.sliced(1), depth + 1);
        return part ? std::optional(Guard { Guard::Kind::Not, {}, { *part } }) : std::nullopt;
    }
    if (text.startsWith(u'('))
        return text.endsWith(u')') ? guardFrom(text.sliced(1).chopped(1), depth + 1) : std::nullopt;
    return namedGuard(text);
}

} // namespace

Guard guardOf(const QString &condition)
{
    const QString text = condition.trimmed();
    if (text.isEmpty())
        return {};
    if (text == u"else")
        return { Guard::Kind::Else, {}, {} };
    return guardFrom(text).value_or(Guard { Guard::Kind::Name, text, {} });
}

} // namespace instar
