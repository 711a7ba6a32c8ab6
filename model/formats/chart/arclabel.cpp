// SPDX-License-Identifier: Apache-2.0
#include "model/formats/chart/arclabel.h"

namespace instar {

namespace {

/// The place of the bracket that closes the one at `open`; -1: none.
qsizetype closing(QStringView text, qsizetype open)
{
    qsizetype depth = 0;
    for (qsizetype i = open; i < text.size(); ++i) {
        if (text[i] == u'[')
            ++depth;
        else if (text[i] == u']' && --depth == 0)
            return i;
    }
    return -1;
}

struct Parts
{
    QString event;
    QString condition;
    QString action;
};

Parts partsOf(const QString &text)
{
    const Parts whole { .event = text.simplified() };
    const qsizetype open = text.indexOf(u'[');
    const qsizetype close = open < 0 ? -1 : closing(text, open);
    if (close < 0)
        return whole;
    const QString condition = text.sliced(open + 1, close - open - 1).simplified();
    const QString rest = text.sliced(close + 1).simplified();
    if (condition.isEmpty() || (!rest.isEmpty() && !rest.startsWith(u'/')))
        return whole;
    return { .event = text.left(open).simplified(),
        .condition = condition,
        .action = rest.mid(1).trimmed() };
}

} // namespace

void setText(Arc &arc, const QString &text)
{
    Parts parts = partsOf(text);
    arc.event = std::move(parts.event);
    arc.condition = std::move(parts.condition);
    arc.action = std::move(parts.action);
    arc.label.clear();
    if (arc.text() != text)
        arc.label = text;
}

bool readsBack(const Arc &arc)
{
    const Parts parts = partsOf(arc.text());
    return parts.event == arc.event && parts.condition == arc.condition
        && parts.action == arc.action;
}

} // namespace instar
