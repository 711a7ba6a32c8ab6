// SPDX-License-Identifier: Apache-2.0
#include "model/formats/figure.h"

#include "model/formats/condition.h"
#include "model/formats/rows.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

Output figureOutput(const QList<Figure> &figures, qsizetype at, qint64 fixed)
{
    if (at == figures.size())
        return Output::integer(fixed);
    const Figure &figure = figures[at];
    const bool isLast = at + 1 == figures.size() && fixed == 0;
    if (isLast && figure == Figure { .property = figure.property })
        return Output::string(figure.property);
    Output object = Output::object();
    object.add(u"property", Output::string(figure.property));
    addText(&object, "of", figure.of);
    addWhole(&object, "times", figure.times, 1);
    addWhole(&object, "add", figure.add);
    if (figure.condition.kind != Condition::Kind::Always)
        object.add(u"if", conditionOutput(figure.condition));
    if (!isLast)
        object.add(u"else", figureOutput(figures, at + 1, fixed));
    return object;
}

} // namespace

QList<Figure> readFigures(Reading &reading, Value value, qint64 least, qint64 *fixed)
{
    QList<Figure> figures;
    while (value) {
        if (value.is(Value::Kind::String)) {
            figures += Figure { .property = reading.text(value) };
            break;
        }
        if (!value.is(Value::Kind::Object)) {
            if (fixed && value.is(Value::Kind::Number))
                *fixed = reading.whole(value, least);
            else
                reading.expected(fixed
                        ? u"a number of ms, a property's name, or an object with property"_s
                        : u"a property's name, or an object with property"_s,
                    value);
            break;
        }
        const Fields fields(reading, value, { "property", "of", "times", "add", "if", "else" });
        Figure figure { .property = fields.text("property", Need::Required),
            .of = fields.text("of"),
            .times = fields.whole("times", 1) };
        if (const Value add = fields.value("add"))
            figure.add = reading.whole(add, -MostWhole);
        figure.condition = readCondition(reading, fields.value("if"));
        figures += figure;
        value = fields.value("else");
    }
    return figures;
}

Output figuresOutput(const QList<Figure> &figures, qint64 fixed)
{
    return figureOutput(figures, 0, fixed);
}

} // namespace instar
