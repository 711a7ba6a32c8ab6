// SPDX-License-Identifier: Apache-2.0
#include "model/statecharts/guard.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int DeepestGuard = 64;

/// Recursive-descent parser of a guard; isGood() is false after a syntax error.
class GuardParser
{
public:
    explicit GuardParser(QStringView text) : m_text(text) { }

    Guard whole()
    {
        Guard guard = disjunction(0);
        skipBlanks();
        m_isGood = m_isGood && m_at == m_text.size();
        return guard;
    }
    bool isGood() const { return m_isGood; }

private:
    bool eat(QStringView token)
    {
        skipBlanks();
        if (!m_text.sliced(m_at).startsWith(token))
            return false;
        m_at += token.size();
        return true;
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
    }

    Guard disjunction(int depth) { return joined(Guard::Kind::Any, u"||", depth); }

    Guard joined(Guard::Kind kind, QStringView token, int depth)
    {
        QList<Guard> parts;
        do {
            parts +=
                kind == Guard::Kind::Any ? joined(Guard::Kind::All, u"&&", depth) : operand(depth);
        } while (m_isGood && eat(token));
        if (parts.size() == 1)
            return parts.first();
        return { kind, {}, parts };
    }

    Guard operand(int depth)
    {
        if (depth > DeepestGuard) {
            m_isGood = false;
            return {};
        }
        if (eat(u"!"))
            return { Guard::Kind::Not, {}, { operand(depth + 1) } };
        if (eat(u"(")) {
            Guard inner = disjunction(depth + 1);
            m_isGood = m_isGood && eat(u")");
            return inner;
        }
        return name();
    }

    /// Reads an operand: up to the next operator outside of its own parentheses and quotes.
    Guard name()
    {
        skipBlanks();
        const qsizetype begin = m_at;
        qsizetype open = 0;
        QChar quote;
        for (; m_at < m_text.size(); ++m_at) {
            const QChar c = m_text[m_at];
            if (!quote.isNull()) {
                if (c == quote)
                    quote = QChar();
            } else if ((c == u'\'' || c == u'"') && m_text.indexOf(c, m_at + 1) > 0) {
                quote = c;
            } else if (c == u'(') {
                ++open;
            } else if ((c == u')' && --open < 0) || (open == 0 && isOperator())) {
                break;
            }
        }
        const QStringView name = m_text.sliced(begin, m_at - begin).trimmed();
        m_isGood = m_isGood && !name.isEmpty() && open <= 0;
        return named(name);
    }

    bool isOperator() const
    {
        const QStringView rest = m_text.sliced(m_at);
        return rest.startsWith(u"&&") || rest.startsWith(u"||");
    }

    static Guard named(QStringView name)
    {
        if (name == u"true")
            return {};
        if (name == u"false")
            return { Guard::Kind::Never, {}, {} };
        if (name.startsWith(u"In(") && name.endsWith(u')')) {
            QStringView id = name.sliced(3).chopped(1).trimmed();
            if (id.size() > 1 && (id.front() == u'\'' || id.front() == u'"')
                && id.back() == id.front())
                id = id.sliced(1).chopped(1);
            return { Guard::Kind::In, id.toString(), {} };
        }
        return { Guard::Kind::Name, name.toString(), {} };
    }

    QStringView m_text;
    qsizetype m_at = 0;
    bool m_isGood = true;
};

} // namespace

Guard guardOf(const QString &condition)
{
    const QString text = condition.trimmed();
    if (text.isEmpty())
        return {};
    if (text == u"else")
        return { Guard::Kind::Else, {}, {} };
    GuardParser parser(text);
    Guard guard = parser.whole();
    if (!parser.isGood())
        return { Guard::Kind::Name, text, {} };
    return guard;
}

} // namespace instar
