// SPDX-License-Identifier: Apache-2.0
#include "model/pack/pathtemplate.h"

using namespace Qt::StringLiterals;

namespace instar {

PathTemplate::PathTemplate(const QString &text)
{
    for (const QString &word : text.split(u'/', Qt::SkipEmptyParts)) {
        Part part;
        qsizetype at = 0;
        for (;;) {
            const qsizetype open = word.indexOf(u'{', at);
            const qsizetype close = open < 0 ? -1 : word.indexOf(u'}', open);
            if (close < 0)
                break;
            part.literals += word.sliced(at, open - at);
            part.holes += word.sliced(open + 1, close - open - 1);
            at = close + 1;
        }
        part.literals += word.sliced(at);
        m_holes += part.holes;
        m_parts.push_back(std::move(part));
    }
}

/// Matches one part of a path; adds the values of its holes to `values`.
bool PathTemplate::fits(
    const Part &part, QStringView text, Qt::CaseSensitivity nameCase, HoleValues *values)
{
    if (!text.startsWith(part.literals.first(), nameCase))
        return false;
    QStringView tail = text.sliced(part.literals.first().size());
    for (qsizetype i = 0; i < part.holes.size(); ++i) {
        const QString &next = part.literals[i + 1];
        const bool isLast = i + 1 == part.holes.size();
        if (isLast && !tail.endsWith(next, nameCase))
            return false;
        // The search begins at 1, because a hole matches at least one character.
        const qsizetype end = isLast ? tail.size() - next.size() : tail.indexOf(next, 1, nameCase);
        if (end < 1)
            return false;
        values->insert(part.holes[i], tail.first(end).toString());
        tail = tail.sliced(end + next.size());
    }
    return tail.isEmpty();
}

std::optional<PathTemplate::HoleValues> PathTemplate::match(
    const QList<QStringView> &parts, Qt::CaseSensitivity nameCase) const
{
    HoleValues values;
    if (parts.size() != size())
        return {};
    for (qsizetype i = 0; i < size(); ++i) {
        if (!fits(m_parts[size_t(i)], parts[i], nameCase, &values))
            return {};
    }
    return values;
}

QString PathTemplate::filled(const HoleValues &values) const
{
    QString path;
    for (const Part &part : m_parts) {
        path += u'/' + part.literals.first();
        for (qsizetype i = 0; i < part.holes.size(); ++i)
            path += values.value(part.holes[i]) + part.literals[i + 1];
    }
    return path;
}

} // namespace instar
