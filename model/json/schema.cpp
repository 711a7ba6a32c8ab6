// SPDX-License-Identifier: Apache-2.0
#include "model/json/schema.h"

#include "model/engine/scenario.h"
#include "model/json/members.h"

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// What is no row: values that take several shapes.
constexpr char valueDefinitions[] = R"json({
 "names": {
  "title": "a string or a list of strings",
  "description": "One name, or several.",
  "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
 },
 "switchValue": {
  "title": "true, false or a string",
  "description": "A value of a switch.",
  "anyOf": [{"type": "boolean"}, {"type": "string"}]
 },
 "when": {
  "title": "an object: switch to value",
  "description": "Switches and the values under which the row exists; left out, it always does.",
  "type": "object",
  "additionalProperties": {
   "title": "a switch's value or a list of them",
   "anyOf": [
    {"$ref": "#/definitions/switchValue"},
    {"type": "array", "items": {"$ref": "#/definitions/switchValue"}}
   ]
  }
 },
 "condition": {
  "title": "a condition: a label, a list of conditions, or an object of facts",
  "description": "A question about a resource and its relatives: a label (\"!\" before it negates), a list of conditions of which all must hold, or an object of facts of which all must hold.",
  "anyOf": [
   {"type": "string", "pattern": "^(!.|[^!])"},
   {"type": "array", "items": {"$ref": "#/definitions/condition"}},
   {"$ref": "#/definitions/facts"}
  ]
 },
 "facts": {
  "title": "an object of facts",
  "description": "What is asked. Any other key is a relation, with \"some \" before it where one related resource is enough: self, parent, ancestors, children, descendants, siblings, references, referrers, dependents, a type's last segment, such a segment with a name (events/start), either of the parent (parent/events/start), a copy (#old) or an absolute path.",
  "type": "object",
  "properties": {
   "last": {
    "description": "The state in which the resource last rested is one of these.",
    "allOf": [{"$ref": "#/definitions/names"}]
   },
   "id": {
    "description": "The resource's name is one of these.",
    "allOf": [{"$ref": "#/definitions/names"}]
   },
   "required": {
    "type": ["boolean", "string"],
    "description": "Whether another operation required the one that asks; a relation: one on a resource there did, directly or by way of others."
   },
   "elapsed": {
    "title": "an object with since",
    "description": "So much virtual time has passed since the time that a property holds.",
    "type": "object",
    "properties": {
     "since": {"type": "string", "description": "The property with the time, in virtual milliseconds."},
     "ms": {
      "type": "integer",
      "minimum": 0,
      "maximum": 9007199254740992,
      "description": "How long, in virtual milliseconds; left out, that time has come."
     }
    },
    "required": ["since"],
    "additionalProperties": false
   },
   "property": {
    "title": "an object with name, and is or above",
    "description": "A property of the resource has one of these values, or is a number above that one.",
    "type": "object",
    "properties": {
     "name": {
      "type": "string",
      "description": "The property: its name, or a dotted path into nested objects."
     },
     "is": {
      "title": "a text, a number, true, false, null, or a list of these",
      "description": "The values; a text is also the number or truth that reads so; null: there is no such property.",
      "anyOf": [
       {"$ref": "#/definitions/plainValue"},
       {"type": "array", "items": {"$ref": "#/definitions/plainValue"}}
      ]
     },
     "above": {
      "type": "integer",
      "minimum": -9007199254740992,
      "maximum": 9007199254740992,
      "description": "It is a number greater than this one."
     }
    },
    "required": ["name"],
    "anyOf": [
     {"required": ["is"], "properties": {"above": false}},
     {"required": ["above"], "properties": {"is": false}}
    ],
    "additionalProperties": false
   },
   "not": {"description": "What must not hold.", "allOf": [{"$ref": "#/definitions/condition"}]},
   "about": false,
   "source": false,
   "when": false,
   "if": false,
   "is": false
  },
  "patternProperties": {"^x-": false},
  "additionalProperties": {"$ref": "#/definitions/match"}
 },
 "plainValue": {"title": "a text, a number, true, false or null", "type": ["string", "number", "boolean", "null"]},
 "match": {
  "title": "a list of states, \"any\" or \"none\"",
  "description": "The states in one of which the related resources must be; or that there is one at all, or none.",
  "anyOf": [{"type": "array", "items": {"type": "string"}}, {"enum": ["any", "none"]}]
 },
 "figure": {
  "title": "a property's name, or an object with property",
  "description": "A number that a property holds.",
  "anyOf": [
   {"type": "string"},
   {
    "title": "an object with property",
    "type": "object",
    "properties": {
     "property": {
      "type": "string",
      "description": "The property: its name, or a dotted path into nested objects."
     },
     "of": {
      "type": "string",
      "description": "A relation in the same tree: whose property it is; left out, its own."
     },
     "times": {
      "type": "integer",
      "minimum": 0,
      "maximum": 9007199254740992,
      "description": "What the number is multiplied by: 1000 for seconds."
     },
     "add": {
      "type": "integer",
      "minimum": -9007199254740992,
      "maximum": 9007199254740992,
      "description": "What is added then."
     },
     "if": {
      "description": "It counts only where this holds.",
      "allOf": [{"$ref": "#/definitions/condition"}]
     },
     "else": {
      "description": "What counts where there is no such property.",
      "anyOf": [
       {"type": "integer", "minimum": -9007199254740992, "maximum": 9007199254740992},
       {"$ref": "#/definitions/figure"}
      ]
     }
    },
    "required": ["property"],
    "additionalProperties": false
   }
  ]
 },
 "assignment": {
  "title": "a text, a number, true, false, null, or an object with add",
  "description": "The property's new value; null: it goes; add: so much more, where it is a number.",
  "anyOf": [
   {"type": ["string", "number", "boolean", "null"]},
   {
    "title": "an object with add",
    "description": "A number that is counted up or down.",
    "type": "object",
    "properties": {
     "add": {
      "type": "integer",
      "minimum": -9007199254740992,
      "maximum": 9007199254740992,
      "description": "How much more."
     }
    },
    "required": ["add"],
    "additionalProperties": false
   }
  ]
 }
})json";

Output text(const char *words)
{
    return Output::string(QString::fromUtf8(words));
}

Output typed(const char *type)
{
    return Output::object({ { "type", text(type) } });
}

Output reference(const char *name)
{
    return Output::object(
        { { "$ref", Output::string(u"#/definitions/"_s + QLatin1StringView(name)) } });
}

/// The same where a description stands beside it, which draft 7 does not allow beside $ref.
Output referred(const char *name)
{
    return Output::object({ { "allOf", Output::array({ reference(name) }) } });
}

Output eachOf(Output item)
{
    return Output::object({ { "type", text("array") }, { "items", std::move(item) } });
}

Output byName(Output value)
{
    return Output::object({ { "type", text("object") },
        { "propertyNames", Output::object({ { "minLength", Output::integer(1) } }) },
        { "additionalProperties", std::move(value) } });
}

Output wordList(Words words)
{
    Output made = Output::array();
    for (const char *word : words)
        made.add(text(word));
    return made;
}

Output wholes(const Holds &holds)
{
    return Output::object({ { "type", text("integer") },
        { "minimum", Output::integer(holds.least) }, { "maximum", Output::integer(holds.most) } });
}

/// Makes the definitions of rows, each once.
class SchemaMaker
{
public:
    /// The definitions of all rows that a document of that type has, those of these values, and
    /// the document's own schema.
    template<typename T>
    QByteArray document(std::initializer_list<QStringView> values);

    template<typename T>
    const char *define();

private:
    friend class RowSchema;
    template<typename T>
    Output rowSchema(const T &row);

    Output of(const QString &, const Holds &holds)
    {
        if (holds.truth)
            return referred("switchValue");
        if (!holds.words.empty())
            return Output::object({ { "enum", wordList(holds.words) } });
        if (holds.nothing)
            return Output::object(
                { { "anyOf", Output::array({ typed("string"), typed("null") }) } });
        Output made = typed("string");
        if (holds.begins)
            made.add(
                u"pattern", Output::string(u"^$|^["_s + QLatin1StringView(holds.begins) + u']'));
        return made;
    }
    Output of(const QStringList &, const Holds &holds)
    {
        if (holds.words.empty())
            return holds.list ? eachOf(typed("string")) : referred("names");
        const Output word = Output::object({ { "enum", wordList(holds.words) } });
        return Output::object({ { "anyOf", Output::array({ word, eachOf(word) }) } });
    }
    Output of(bool, const Holds &) { return typed("boolean"); }
    Output of(double, const Holds &) { return typed("number"); }
    Output of(qint64, const Holds &holds)
    {
        Output others = holds.words.empty() ? Output::array({ Output::integer(holds.absent) })
                                            : wordList(holds.words);
        const bool isWithin =
            holds.words.empty() && holds.absent >= holds.least && holds.absent <= holds.most;
        return isWithin ? wholes(holds)
                        : Output::object({ { "anyOf",
                            Output::array({ wholes(holds),
                                Output::object({ { "enum", std::move(others) } }) }) } });
    }
    Output of(int, const Holds &holds) { return of(qint64(), holds); }
    template<typename E>
        requires std::is_enum_v<E>
    Output of(E, const Holds &holds)
    {
        return Output::object({ { "enum", wordList(holds.words) } });
    }
    Output of(const Condition &, const Holds &) { return referred("condition"); }
    Output of(const QList<Condition> &, const Holds &holds)
    {
        if (holds.keys == Name::None)
            return eachOf(reference("condition"));
        Output made = byName(reference("match"));
        made.add(u"patternProperties",
            Output::object({ { "^(about|source|when|if|is)$", Output::boolean(false) },
                { "^x-", Output::boolean(false) } }));
        return made;
    }
    Output of(const QList<Figure> &, const Holds &) { return referred("figure"); }
    Output of(const Both<const QList<Figure>, const qint64> &, const Holds &holds)
    {
        return Output::object(
            { { "anyOf", Output::array({ wholes(holds), reference("figure") }) } });
    }
    Output of(const QPointF &, const Holds &)
    {
        Output made = eachOf(typed("number"));
        made.add(u"minItems", Output::integer(2));
        made.add(u"maxItems", Output::integer(2));
        return made;
    }
    template<typename T>
    Output of(const QMap<QString, T> &, const Holds &holds)
    {
        return byName(of(T(), holds));
    }
    Output of(const Both<const QString, const std::optional<int>> &, const Holds &holds)
    {
        Output number = wholes(holds);
        number.add(u"description", text("The step at which the etag was seen; 0 is the first."));
        Output seen = typed("object");
        seen.add(u"properties", Output::object({ { "seenAt", std::move(number) } }));
        seen.add(u"required", Output::array({ text("seenAt") }));
        seen.add(u"additionalProperties", Output::boolean(false));
        return Output::object({ { "anyOf", Output::array({ typed("string"), std::move(seen) }) } });
    }
    Output of(const Properties &, const Holds &holds) { return of(QJsonObject(), holds); }
    Output of(const QList<QJsonObject> &, const Holds &)
    {
        return Output::object(
            { { "anyOf", Output::array({ typed("object"), eachOf(typed("object")) }) } });
    }
    Output of(const QMap<QString, QStringList> &, const Holds &) { return referred("when"); }
    Output of(const Both<const QString, const QMap<QString, QString>> &event, const Holds &holds)
    {
        Output some = of(event.second, holds);
        some.add(u"minProperties", Output::integer(1));
        return Output::object({ { "anyOf", Output::array({ typed("string"), std::move(some) }) } });
    }
    Output of(const QJsonObject &, const Holds &) { return typed("object"); }
    Output of(const QByteArray &, const Holds &) { return Output::object(); }
    Output of(const QList<WireHeader> &, const Holds &) { return byName(typed("string")); }
    Output of(const QList<Assignment> &, const Holds &) { return byName(reference("assignment")); }
    template<typename T>
    Output of(const std::optional<T> &, const Holds &holds)
    {
        return of(T(), holds);
    }
    template<typename T>
    Output of(const Both<T, const bool> &both, const Holds &holds)
    {
        return of(both.first, holds);
    }
    template<typename T>
    Output of(const QList<T> &, const Holds &holds)
    {
        Output rows = reference(define<T>());
        if constexpr (requires(T &row) { idOf(row); })
            rows = byName(std::move(rows));
        else
            rows = eachOf(std::move(rows));
        if (!holds.inside)
            return rows;
        rows.add(u"description", text("The rows."));
        Output members = Output::object();
        members.add(QString::fromLatin1(holds.inside), std::move(rows));
        return Output::object({ { "type", text("object") }, { "properties", std::move(members) },
            { "required", Output::array({ text(holds.inside) }) },
            { "additionalProperties", Output::boolean(false) } });
    }
    template<typename T>
        requires(!std::is_enum_v<T>)
    Output of(const T &, const Holds &)
    {
        return referred(define<T>());
    }

    std::map<QByteArray, Output> m_definitions;
};

/// The schema of one row, from its description.
class RowSchema
{
public:
    explicit RowSchema(SchemaMaker &maker) : m_maker(maker) { }

    void row(const char *name, const char *title, const char *help)
    {
        m_name = name;
        m_row.add(u"title", text(title));
        m_row.add(u"description", text(help));
        m_row.add(u"type", text("object"));
    }
    void operator()(const char *key, const auto &member, const Holds &holds, const char *help)
    {
        add(key, m_maker.of(member, holds), holds, help);
    }
    void mark(const char *key, const char *help)
    {
        add(key, Output::object({ { "const", Output::boolean(true) } }), { .required = true },
            help);
        m_bare = Output::object({ { "const", text(key) } });
    }
    void bare(const char *key, const auto &member, const Holds &holds, const char *help)
    {
        (*this)(key, member, holds, help);
        m_bare = m_maker.of(member, holds);
    }
    void kept(const char *key, const QList<Extra> &, const char *help)
    {
        add(key, typed("string"), {}, help);
    }
    void excludes(const char *key, const char *other)
    {
        m_rules.add(Output::object({ { "not",
            Output::object({ { "required", Output::array({ text(key), text(other) }) } }) } }));
    }
    void needs(const char *key, const char *other)
    {
        m_rules.add(Output::object(
            { { "dependencies", Output::object({ { key, Output::array({ text(other) }) } }) } }));
    }
    void oneOf(const char *key, const char *other)
    {
        const auto has = [](const char *which) {
            return Output::object({ { "required", Output::array({ text(which) }) } });
        };
        m_rules.add(Output::object({ { "oneOf", Output::array({ has(key), has(other) }) } }));
    }
    void textNeeds(const char *key, const char *other)
    {
        const Output truth = Output::object({ { "properties",
            Output::object({ { key,
                Output::object({ { "type", text("boolean") },
                    { "description", text("It is true or false.") } }) } }) } });
        m_rules.add(Output::object({ { "anyOf",
            Output::array({ truth,
                Output::object({ { "required", Output::array({ text(other) }) } }) }) } }));
    }
    void extras(const QList<Extra> &) { m_hasExtras = true; }
    void comments() { m_hasExtras = true; }

    const char *name() const { return m_name; }
    Output made()
    {
        m_row.add(u"properties", std::move(m_members).broken());
        if (!m_required.isEmpty())
            m_row.add(u"required", std::move(m_required));
        if (m_hasExtras)
            m_row.add(u"patternProperties", Output::object({ { "^x-", Output::boolean(true) } }));
        m_row.add(u"additionalProperties", Output::boolean(false));
        if (!m_rules.isEmpty())
            m_row.add(u"allOf", std::move(m_rules));
        return m_bare
            ? Output::object({ { "anyOf", Output::array({ *m_bare, std::move(m_row).broken() }) } })
            : std::move(m_row).broken();
    }

private:
    void add(const char *key, Output part, const Holds &holds, const char *help)
    {
        if (holds.title)
            part.add(u"title", text(holds.title));
        part.add(u"description", Output::string(members::helpText(help, holds)));
        m_members.add(QString::fromLatin1(key), std::move(part));
        if (holds.required)
            m_required.add(text(key));
    }

    SchemaMaker &m_maker;
    const char *m_name = nullptr;
    Output m_row = Output::object(), m_members = Output::object(), m_required = Output::array(),
           m_rules = Output::array();
    std::optional<Output> m_bare;
    bool m_hasExtras = false;
};

template<typename T>
Output SchemaMaker::rowSchema(const T &row)
{
    RowSchema schema(*this);
    describe(schema, row);
    return schema.made();
}

template<typename T>
const char *SchemaMaker::define()
{
    if constexpr (members::ShapeCount<T> > 1) {
        if (!m_definitions.contains("step")) {
            Output kinds = Output::array();
            for (int kind = 0; kind < members::ShapeCount<T>; ++kind) {
                T step;
                step.kind = decltype(step.kind)(kind);
                kinds.add(rowSchema(step));
            }
            m_definitions.emplace("step", Output::object({ { "anyOf", std::move(kinds) } }));
        }
        return "step";
    } else {
        RowSchema schema(*this);
        const T row {};
        describe(schema, row);
        m_definitions.emplace(schema.name(), schema.made());
        return schema.name();
    }
}

template<typename T>
QByteArray SchemaMaker::document(std::initializer_list<QStringView> values)
{
    RowSchema schema(*this);
    const T row;
    describe(schema, row);
    Output whole = Output::object();
    whole.add(u"$schema", text("http://json-schema.org/draft-07/schema#"));
    const Result<JsonText> known = JsonText::parse(valueDefinitions, {});
    Q_ASSERT(known);
    Output definitions = Output::object();
    for (const Member value : known->root().members()) {
        if (std::ranges::find(values, value.key.string()) != values.end())
            definitions.add(value.key.string(), Output::copy(value.value));
    }
    for (auto &[name, definition] : m_definitions)
        definitions.add(QString::fromLatin1(name), definition);
    const Result<JsonText> own = JsonText::parse(schema.made().oneLine(), {});
    Q_ASSERT(own);
    for (const Member member : own->root().members())
        whole.add(member.key.string(), Output::copy(member.value));
    whole.add(u"definitions", std::move(definitions).broken());
    return std::move(whole).broken().text();
}

} // namespace

QByteArray packSchema()
{
    return SchemaMaker().document<Pack>({ u"names", u"switchValue", u"when", u"condition", u"facts",
        u"plainValue", u"match", u"figure", u"assignment" });
}

QByteArray scenarioSchema()
{
    return SchemaMaker().document<Scenario>({ u"names", u"switchValue" });
}

} // namespace instar
