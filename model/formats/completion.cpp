// SPDX-License-Identifier: Apache-2.0
#include "model/formats/completion.h"

#include "model/formats/fields.h"
#include "model/formats/members.h"
#include "model/machine/knownnames.h"
#include "model/machine/rowat.h"
#include "model/machine/run.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Where a place is in a text that need not be whole.
struct Around
{
    struct Open
    {
        bool isObject = false;
        QString key;          ///< of the member that is being written
        qsizetype item = 0;   ///< of the item
        bool isValue = false; ///< behind the colon
        QStringList keys;     ///< that were there before
    };
    QList<Open> open;
    qsizetype from = 0, to = 0; ///< the string or word at the place
};

bool isWordCharacter(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'-' || letter == u'+' || letter == u'.'
        || letter == u'_';
}

/// The end of the string that begins at `from`: behind its quote, or where its line ends.
qsizetype stringEnd(QStringView text, qsizetype from)
{
    qsizetype at = from + 1;
    for (; at < text.size() && text[at] != u'\n'; ++at) {
        if (text[at] == u'\\' && at + 1 < text.size())
            ++at;
        else if (text[at] == u'"')
            return at + 1;
    }
    return at;
}

QString contentOf(QStringView token)
{
    if (!token.endsWith(u'"') || token.size() < 2)
        return token.sliced(1).toString();
    const Result<JsonText> json = JsonText::parse(token.toUtf8(), {});
    return json ? json->root().string() : QString();
}

/// Reads up to a place; what is wrong on the way is passed over.
Around aroundPlace(QStringView text, qsizetype place)
{
    Around around;
    QList<Around::Open> &open = around.open;
    around.from = around.to = place;
    QString string; // the last one
    const auto lastIs = [&open](bool isObject) {
        return !open.isEmpty() && open.last().isObject == isObject;
    };
    for (qsizetype at = 0; at < place;) {
        const QChar letter = text[at];
        if (letter == u'"') {
            const qsizetype end = stringEnd(text, at);
            const bool isClosed = end > at + 1 && text[end - 1] == u'"';
            if (place < end || (place == end && !isClosed)) {
                around.from = at;
                around.to = end;
                break;
            }
            string = contentOf(text.sliced(at, end - at));
            if (lastIs(true) && !open.last().isValue)
                open.last().key = string;
            at = end;
            continue;
        }
        if (isWordCharacter(letter)) {
            qsizetype end = at;
            while (end < text.size() && isWordCharacter(text[end]))
                ++end;
            if (place <= end) {
                around.from = at;
                around.to = end;
            }
            at = end;
            continue;
        }
        if (letter == u'{' || letter == u'[') {
            open.append(Around::Open { .isObject = letter == u'{' });
        } else if ((letter == u'}' || letter == u']') && !open.isEmpty()) {
            open.removeLast();
        } else if (letter == u':' && lastIs(true)) {
            if (open.last().isValue) { // a comma is missing before
                open.last().keys += open.last().key;
                open.last().key = string;
            }
            open.last().isValue = true;
        } else if (letter == u',' && lastIs(true)) {
            open.last().keys += open.last().key;
            open.last().key.clear();
            open.last().isValue = false;
        } else if (letter == u',' && lastIs(false)) {
            ++open.last().item;
        }
        ++at;
    }
    return around;
}

/// Keys that the innermost object has behind the place.
QStringList keysBehind(QStringView text, qsizetype place)
{
    QStringList keys;
    int depth = 0;
    QString string;
    for (qsizetype at = place; at < text.size() && depth >= 0;) {
        const QChar letter = text[at];
        if (letter == u'"') {
            const qsizetype end = stringEnd(text, at);
            string = contentOf(text.sliced(at, end - at));
            at = end;
            continue;
        }
        depth += letter == u'{' || letter == u'[' ? 1 : letter == u'}' || letter == u']' ? -1 : 0;
        if (letter == u':' && depth == 0)
            keys += string;
        ++at;
    }
    return keys;
}

QString quoted(const QString &text)
{
    return QString::fromUtf8(jsonString(text));
}

class Proposer
{
public:
    Proposer(const Pack &pack, const Around &around, const QStringList &behind)
        : m_pack(pack), m_around(around), m_behind(behind)
    {
        for (const Around::Open &each : around.open)
            m_keys += keyIn(each);
        if (!m_keys.isEmpty() && isInKey())
            m_keys.removeLast();
        m_machine = machineHere();
    }

    void propose(Completion *completion)
    {
        if (m_around.open.isEmpty())
            return;
        m_made = completion;
        completion->isKey = isInKey();
        const RowShapes shapes = shapesAt(m_keys);
        if (shapes.kinds.isEmpty())
            return;
        if (isInKey())
            proposeKeys(shapes);
        else
            proposeValues(shapes);
    }

private:
    bool isInKey() const { return m_around.open.last().isObject && !m_around.open.last().isValue; }
    static QString keyIn(const Around::Open &open)
    {
        return open.isObject ? open.key : QString::number(open.item);
    }
    /// Whose states are meant, as far as the pack has such a row.
    QString machineHere() const
    {
        for (qsizetype depth = m_keys.size(); depth > 0; --depth) {
            const RowFields row = fieldsAt(m_pack, pointerTo(m_keys.first(depth)));
            if (!row.kind.isEmpty())
                return row.machine;
        }
        return {};
    }

    void add(const QString &text, const QString &help = {})
    {
        m_made->proposals.append({ text, help });
    }
    void addNames(const QStringList &names)
    {
        for (const QString &name : names)
            add(quoted(name));
    }

    void proposeKeys(const RowShapes &shapes)
    {
        QStringList there = m_around.open.last().keys + m_behind;
        if (shapes.rest.isEmpty()) {
            for (const RowFields &kind : shapes.kinds) {
                m_made->about = kind.kind;
                if (!kind.mark.isEmpty() && !there.contains(kind.mark))
                    add(quoted(kind.mark), kind.help);
                for (const Field &field : kind.fields) {
                    if (field.kind == Field::Kind::Name || there.contains(field.key))
                        continue;
                    there += field.key;
                    add(quoted(field.key), field.help);
                }
            }
            return;
        }
        const Field *field = fieldIn(shapes);
        if (!field)
            return;
        m_made->about = field->help;
        QStringList names;
        if (field->isCondition)
            names = factsIn(shapes.rest.sliced(1));
        else if (field->kind == Field::Kind::Rows && shapes.rest.size() == 1)
            names = undeclared(field->keys);
        else if (field->keys != Name::None && shapes.rest.size() == 1)
            names = namesFor(m_pack, field->keys, m_machine);
        for (const QString &name : std::as_const(names)) {
            if (!there.contains(name))
                add(quoted(name));
        }
    }

    /// Keys of a condition, or of what stands under one of its keys.
    QStringList factsIn(const QStringList &inside) const
    {
        if (inside.value(inside.size() - 1) == u"elapsed")
            return { u"since"_s, u"ms"_s };
        if (inside.value(inside.size() - 1) == u"property")
            return { u"name"_s, u"is"_s, u"above"_s };
        QStringList facts { u"last"_s, u"id"_s, u"required"_s, u"elapsed"_s, u"property"_s,
            u"not"_s };
        const QStringList relations = namesFor(m_pack, Name::Relation);
        facts += relations;
        for (const QString &relation : relations)
            facts += u"some "_s + relation;
        return facts;
    }

    /// Names of that kind that rows go by, and no row has.
    QStringList undeclared(Name what) const
    {
        QStringList names;
        visitNames(m_pack, [&](const Mention &mention) {
            const bool isState = mention.what == Name::State || mention.what == Name::From
                || mention.what == Name::To;
            if (mention.isOwn || (mention.what != what && !(isState && what == Name::State)))
                return;
            if (what == Name::State && mention.machine != m_machine)
                return;
            if (!mention.text.startsWith(u'(') && mention.text != AnyState
                && !rowNamed(m_pack, what, mention.text, m_machine))
                names += mention.text;
        });
        names.removeDuplicates();
        return names;
    }

    static const Field *fieldIn(const RowShapes &shapes)
    {
        for (const RowFields &kind : shapes.kinds) {
            for (const Field &field : kind.fields) {
                if (field.key == shapes.rest[0])
                    return &field;
            }
        }
        return nullptr;
    }

    void proposeValues(const RowShapes &shapes)
    {
        if (shapes.rest.isEmpty()) // a whole row: a step may be a word
            return proposeBare(shapes);
        const Field *field = fieldIn(shapes);
        if (!field)
            return;
        m_made->about = field->help;
        if (field->isCondition)
            return proposeInCondition(shapes.rest.sliced(1));
        switch (field->kind) {
        case Field::Kind::Flag:
            return add(u"true"_s), add(u"false"_s);
        case Field::Kind::Rows:
            return add(field->keys != Name::None ? u"{}"_s : u"[]"_s);
        case Field::Kind::Row:
            return add(u"{}"_s);
        case Field::Kind::Map:
            if (shapes.rest.size() == 1)
                return add(u"{}"_s);
            if (field->keys == Name::Switch) {
                if (const Switch *found = switchNamed(shapes.rest[1]))
                    addTruths(found->values);
            } else {
                addNames(namesFor(m_pack, field->names));
            }
            return;
        default:
            addNames(field->words);
            if (field->isTruth)
                add(u"true"_s), add(u"false"_s);
            addNames(namesFor(m_pack, field->names, m_machine));
        }
    }
    void addTruths(const QStringList &values)
    {
        for (const QString &value : values)
            add(value == u"true" || value == u"false" ? value : quoted(value));
    }
    const Switch *switchNamed(const QString &id) const
    {
        for (const Switch &each : m_pack.switches) {
            if (each.id == id)
                return &each;
        }
        return nullptr;
    }
    void proposeBare(const RowShapes &shapes)
    {
        m_made->about = shapes.kinds[0].kind;
        if (shapes.kinds.size() > 1)
            add(u"\"attempt\""_s);
        add(u"{}"_s);
    }
    /// `inside`: the keys within the condition.
    void proposeInCondition(QStringList inside)
    {
        inside.removeIf([](const QString &key) {
            bool isNumber = false;
            key.toInt(&isNumber);
            return isNumber || key == u"not";
        });
        if (inside.isEmpty()) {
            const QStringList labels = namesFor(m_pack, Name::Condition, m_machine);
            addNames(labels);
            for (const QString &label : labels)
                add(quoted(u'!' + label));
            return;
        }
        if (inside.last() == u"last")
            return addNames(namesFor(m_pack, Name::State, m_machine));
        if (inside.last() == u"required")
            return add(u"true"_s), add(u"false"_s), addNames(namesFor(m_pack, Name::Relation));
        if (inside.last() == u"since" || inside.last() == u"name")
            return addNames(namesFor(m_pack, Name::Property));
        if (inside.last() == u"id")
            return;
        if (inside.last() == u"is")
            return add(u"true"_s), add(u"false"_s);
        QStringList states =
            namesFor(m_pack, Name::Known, m_machine) + namesFor(m_pack, Name::Known);
        states.removeDuplicates();
        addNames(states); // its own first
        add(u"\"any\""_s);
        add(u"\"none\""_s);
    }

    const Pack &m_pack;
    const Around &m_around;
    const QStringList &m_behind;
    QStringList m_keys;
    QString m_machine;
    Completion *m_made = nullptr;
};

} // namespace

Completion completionAt(QStringView text, qsizetype place, const Pack &pack)
{
    const Around around = aroundPlace(text, std::clamp<qsizetype>(place, 0, text.size()));
    Completion completion;
    completion.from = around.from;
    completion.to = around.to;
    const QStringList behind = keysBehind(text, around.to);
    Proposer(pack, around, behind).propose(&completion);
    return completion;
}

} // namespace instar
