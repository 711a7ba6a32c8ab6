// SPDX-License-Identifier: Apache-2.0
#include "model/formats/condition.h"
#include "model/formats/machinerows.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The key that says what kind of step it is, in the order of Step::Kind.
constexpr const char *kindKeys[] = { "attempt", "op", "send", "outcome", "until" };

QMap<QString, QString> readWords(Reading &reading, Value value)
{
    QMap<QString, QString> words;
    readById<QString>(reading, value,
        [&](const QString &key, Value word) { return *words.insert(key, reading.text(word)); });
    return words;
}

Output wordsOutput(const QMap<QString, QString> &words)
{
    Output object = Output::object();
    for (auto it = words.begin(); it != words.end(); ++it)
        object.add(it.key(), Output::string(it.value()));
    return object;
}

void readAttempt(const RowFields &fields, Step *step)
{
    Reading &reading = fields.reading();
    if (fields.has("attempt") && !fields.flag("attempt"))
        reading.expected(u"true"_s, fields.value("attempt"));
    step->name = fields.text("usually");
    step->where = readCondition(reading, fields.value("where"));
    if (step->name.isEmpty() && (fields.has("usually") || fields.has("where")))
        reading.error(fields.object(),
            u"expected the outcome that the attempt has there in \"usually\""_s, u"missing-key"_s);
}

void readRequire(const RowFields &fields, Step *step)
{
    step->name = fields.text("op", Need::Required);
    step->to = fields.textOrTexts("to", Need::Required);
    step->where = readCondition(fields.reading(), fields.value("where"));
    step->together = fields.flag("together");
    step->hear = readWords(fields.reading(), fields.value("hear"));
}

void readSend(const RowFields &fields, Step *step)
{
    const Value event = fields.value("send");
    if (event.is(Value::Kind::Object))
        step->byOutcome = readWords(fields.reading(), event);
    else if (event.is(Value::Kind::String))
        step->name = fields.reading().text(event);
    else
        fields.reading().expected(u"an event, or an object: outcome to event"_s, event);
    if (event.is(Value::Kind::Object) && event.size() == 0)
        fields.reading().error(
            event, u"expected an event for some outcome, found none"_s, u"value"_s);
    step->to = fields.textOrTexts("to", Need::Required);
}

Step::Kind kindOf(Reading &reading, Value value)
{
    int kind = -1;
    for (int i = 0; i < int(std::size(kindKeys)); ++i) {
        if (!value.find(kindKeys[i]))
            continue;
        if (kind >= 0)
            reading.error(value,
                u"expected one kind of step, found both \"%1\" and \"%2\""_s.arg(
                    QLatin1StringView(kindKeys[kind]), QLatin1StringView(kindKeys[i])),
                u"value"_s);
        kind = i;
    }
    if (kind < 0)
        reading.error(value,
            u"expected \"attempt\", \"op\", \"send\", \"outcome\" or \"until\" in the step, found none of them"_s,
            u"missing-key"_s);
    return Step::Kind(qMax(kind, 0));
}

} // namespace

Step readStep(Reading &reading, Value value)
{
    Step step;
    if (value.isString("attempt"))
        return step;
    if (!value.is(Value::Kind::Object)) {
        reading.expected(
            u"a step: \"attempt\", or an object with op, send, outcome or until"_s, value);
        return step;
    }
    step.kind = kindOf(reading, value);
    const RowFields fields = [&] {
        switch (step.kind) {
        case Step::Kind::Require:
            return RowFields(
                reading, value, { "op", "to", "where", "together", "hear", "if" }, &step);
        case Step::Kind::Send:
            return RowFields(reading, value, { "send", "to", "if" }, &step);
        case Step::Kind::Decide:
            return RowFields(reading, value, { "outcome", "if" }, &step);
        case Step::Kind::Until:
            return RowFields(reading, value, { "until", "if" }, &step);
        case Step::Kind::Attempt:
            break;
        }
        return RowFields(reading, value, { "attempt", "usually", "where", "if" }, &step);
    }();
    step.condition = readCondition(reading, fields.value("if"));
    if (step.kind == Step::Kind::Attempt)
        readAttempt(fields, &step);
    if (step.kind == Step::Kind::Require)
        readRequire(fields, &step);
    if (step.kind == Step::Kind::Send)
        readSend(fields, &step);
    if (step.kind == Step::Kind::Decide)
        step.name = fields.text("outcome", Need::Required);
    if (step.kind == Step::Kind::Until)
        step.until = readCondition(reading, fields.value("until"));
    return step;
}

Output stepOutput(const Step &step)
{
    if (step.kind == Step::Kind::Attempt && step.condition.kind == Condition::Kind::Always
        && step.name.isEmpty() && isPlain(step))
        return Output::string(u"attempt");
    Output object = Output::object();
    switch (step.kind) {
    case Step::Kind::Attempt:
        object.add(u"attempt", Output::boolean(true));
        addText(&object, "usually", step.name);
        addCondition(&object, "where", step.where);
        break;
    case Step::Kind::Require:
        object.add(u"op", Output::string(step.name));
        addTexts(&object, "to", step.to, Need::Required);
        addCondition(&object, "where", step.where);
        addFlag(&object, "together", step.together);
        if (!step.hear.isEmpty())
            object.add(u"hear", wordsOutput(step.hear));
        break;
    case Step::Kind::Send:
        object.add(u"send",
            step.byOutcome.isEmpty() ? Output::string(step.name) : wordsOutput(step.byOutcome));
        addTexts(&object, "to", step.to, Need::Required);
        break;
    case Step::Kind::Decide:
        object.add(u"outcome", Output::string(step.name));
        break;
    case Step::Kind::Until:
        object.add(u"until", conditionOutput(step.until));
        break;
    }
    addCondition(&object, "if", step.condition);
    addRow(&object, step);
    return object;
}

} // namespace instar
