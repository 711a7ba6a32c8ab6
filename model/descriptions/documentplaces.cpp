// SPDX-License-Identifier: Apache-2.0
#include "model/descriptions/documentplaces.h"

#include "model/descriptions/statewords.h"
#include "model/descriptions/votes.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostTold = 8; ///< words in a remark

/// The words of a text, its own or those of a list of them that stands beside it.
QStringList wordsOf(const ApiShape &shape, const ApiProperty &property)
{
    if (!property.words.isEmpty())
        return property.words;
    QStringList beside = property.place;
    beside.last() += u"Values"_s;
    const ApiProperty *list = shape.find(beside);
    return list ? list->words : QStringList();
}

/// How likely a text tells the state of its resource; 0: it does not.
int stateScore(const ApiShape &shape, const ApiProperty &property)
{
    if (property.type != u"string" || !isStateName(property.place.last())
        || property.place.size() > 2)
        return 0;
    const QString name = property.place.last().toLower();
    const bool isUsual = name == u"state" || name == u"status" || name == u"phase"
        || name.startsWith(u"provisioning") || name.startsWith(u"lifecycle");
    return 1 + (wordsOf(shape, property).isEmpty() ? 0 : 8) + (isUsual ? 4 : 0)
        + (property.readOnly ? 1 : 0) - int(property.place.size());
}

/// How likely a text or number is the last name in its resource's path; 0: it is not.
int nameScore(const QString &hole, const ApiProperty &property)
{
    const bool isText = property.type == u"string" && property.words.isEmpty();
    if ((!isText && property.type != u"integer") || property.place.size() > 2)
        return 0;
    const QString key = property.place.last().toLower();
    if (key == hole && property.place.size() == 1)
        return 8;
    if (property.place.size() == 2 && property.place.first() != u"metadata")
        return key == hole ? 4 : 0;
    const bool isId = hole.endsWith(u"id");
    if (key == u"name")
        return isText && !isId ? 4 : 1;
    return key == u"id" || key == u"uuid" ? (isId ? 4 : 2) : 0;
}

} // namespace

DocumentPlaces::DocumentPlaces(const ApiDescription &description, const QList<ResourceKind> &kinds)
    : d(description)
{
    Votes<QStringList> states, names, etags;
    QSet<QStringList> others; // what is no last name of a path
    for (const ResourceKind &kind : kinds) {
        const Shapes shapes = shapesOf(kind);
        if (const ApiProperty *property = stateOf(shapes))
            states.add(property->place, wordsAt(shapes, property->place).isEmpty() ? 1 : 10);
        const QString last = kind.path.section(u'/', -1);
        const bool hasName = last.count(u'{') == 1 && !kind.isAlone;
        for (const ApiShape *shape : shapes) {
            for (const ApiProperty &one : shape->properties) {
                if (one.place.size() == 1 && one.place.last().toLower() == u"etag")
                    etags.add(one.place);
                const int score = nameScore(last.mid(1).chopped(1).toLower(), one);
                if (score > 0 && hasName)
                    names.add(one.place, score);
                else if (score > 0)
                    others.insert(one.place);
            }
        }
    }
    state = states.best();
    etag = etags.best();
    name = names.best();
    if (name && others.contains(*name))
        name.reset();
}

/// The shapes of what is answered about one resource of a kind.
DocumentPlaces::Shapes DocumentPlaces::shapesOf(const ResourceKind &kind) const
{
    Shapes shapes;
    for (const KindOperation &one : kind.operations) {
        if (one.role == ApiRole::List || one.role == ApiRole::Act)
            continue;
        for (const ApiAnswer &answer : d.operations[one.operation].answers) {
            const ApiShape *shape = d.shape(&answer);
            if (shape && !shape->isList && answer.code >= 200 && answer.code < 300
                && !shapes.contains(shape))
                shapes += shape;
        }
    }
    return shapes;
}

/// The text that most likely tells a resource's state; null: there is none.
const ApiProperty *DocumentPlaces::stateOf(const Shapes &shapes) const
{
    const ApiProperty *best = nullptr;
    int most = 0;
    for (const ApiShape *shape : shapes) {
        for (const ApiProperty &property : shape->properties) {
            const int score = stateScore(*shape, property);
            if (score > most) {
                most = score;
                best = &property;
            }
        }
    }
    return best;
}

/// The words that a text may be, from the first shape that lists them.
QStringList DocumentPlaces::wordsAt(const Shapes &shapes, const QStringList &place) const
{
    for (const ApiShape *shape : shapes) {
        const ApiProperty *there = shape->find(place);
        const QStringList words = there ? wordsOf(*shape, *there) : QStringList();
        if (!words.isEmpty())
            return words;
    }
    return {};
}

QStringList DocumentPlaces::words(const ResourceKind &kind, QList<Remark> *remarks) const
{
    const Shapes shapes = shapesOf(kind);
    const ApiProperty *own = stateOf(shapes);
    if (!own || !state)
        return {};
    const int line = d.operations[kind.operations.first().operation].line;
    const auto isThere = [&](const ApiShape *shape) { return shape->find(*state) != nullptr; };
    if (own->place != *state && std::ranges::none_of(shapes, isThere)) {
        *remarks += { line,
            u"%1: its state is in %2, that of most others in %3; a pack has one place for it, so its words are left out"_s
                .arg(kind.type, own->place.join(u'.'), state->join(u'.')),
            true };
        return {};
    }
    static const QSet<QString> taken { QString(), u"*"_s, u"(same)"_s, u"(last)"_s };
    QStringList words = wordsAt(shapes, *state);
    words.removeIf([](const QString &word) { return taken.contains(word); });
    if (!words.isEmpty()) {
        *remarks += { line,
            u"%1: %2 tells its state (%3%4), and what its words mean is guessed"_s.arg(kind.type,
                state->join(u'.'), words.mid(0, MostTold).join(u", "_s),
                words.size() > MostTold ? u", …"_s : QString()),
            false };
        return words;
    }
    const bool isLong = std::ranges::any_of(kind.operations,
        [&](const KindOperation &one) { return d.operations[one.operation].endsLater(); });
    if (!isLong)
        return {};
    *remarks += { line,
        u"%1: the words of %2 are not listed; the usual ones are taken"_s.arg(
            kind.type, state->join(u'.')),
        false };
    return { u"Creating"_s, u"Updating"_s, u"Deleting"_s, u"Succeeded"_s, u"Failed"_s,
        u"Canceled"_s };
}

} // namespace instar
