// SPDX-License-Identifier: Apache-2.0
#include "views/editing/arrowtext.h"

#include "model/formats/condition.h"

using namespace Qt::StringLiterals;

namespace instar {

QString arrowText(const ArrowText &arrow)
{
    const QString on = arrow.on.join(u", "_s);
    if (arrow.condition.kind == Condition::Kind::Always)
        return on;
    return u"%1 [%2]"_s.arg(on, conditionWords(arrow.condition));
}

Result<ArrowText> readArrowText(const QString &text)
{
    const qsizetype open = text.indexOf(u'[');
    ArrowText result;
    for (const QString &word : (open < 0 ? text : text.first(open)).split(u',')) {
        const QString name = word.trimmed();
        if (!name.isEmpty() && !result.on.contains(name))
            result.on += name;
    }
    if (open < 0)
        return result;
    QString inside = text.sliced(open + 1).trimmed();
    if (inside.endsWith(u']'))
        inside.chop(1);
    Result<Condition> condition = conditionFromWords(inside.trimmed());
    if (!condition)
        return Error { condition.error() };
    result.condition = *std::move(condition);
    return result;
}

} // namespace instar
