// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/resourcekinds.h"
#include "model/pack/pathtemplate.h"

#include <QSet>

#include <algorithm>

namespace instar {

namespace {

constexpr qsizetype MostReported = 8; ///< words in a diagnostic

/// Returns the enumeration of a property, or of a list "PROPERTYValues" beside the property.
QStringList wordsOf(const ApiShape &shape, const ApiProperty &property)
{
    if (!property.words.isEmpty())
        return property.words;
    QStringList keyPath = property.keyPath;
    keyPath.last() += u"Values"_s;
    const ApiProperty *list = shape.find(keyPath);
    return list ? list->words : QStringList();
}

/// Returns the likelihood that a property is the resource's state; 0: impossible.
int stateLikelihood(const ApiShape &shape, const ApiProperty &property)
{
    if (property.type != u"string" || !isStateName(property.keyPath.last())
        || property.keyPath.size() > 2)
        return 0;
    const QString name = property.keyPath.last().toLower();
    const bool isCommon = name == u"state" || name == u"status" || name == u"phase"
        || name.startsWith(u"provisioning") || name.startsWith(u"lifecycle");
    return 1 + (wordsOf(shape, property).isEmpty() ? 0 : 8) + (isCommon ? 4 : 0)
        + (property.readOnly ? 1 : 0) - int(property.keyPath.size());
}

/// Returns the likelihood that a property is the last name in the resource's path; 0: impossible.
int nameLikelihood(const QString &hole, const ApiProperty &property)
{
    const bool isText = property.type == u"string" && property.words.isEmpty();
    if ((!isText && property.type != u"integer") || property.keyPath.size() > 2)
        return 0;
    const QString key = property.keyPath.last().toLower();
    if (key == hole && property.keyPath.size() == 1)
        return 8;
    if (property.keyPath.size() == 2 && property.keyPath.first() != u"metadata")
        return key == hole ? 4 : 0;
    const bool isId = hole.endsWith(u"id");
    if (key == u"name")
        return isText && !isId ? 4 : 1;
    return key == u"id" || key == u"uuid" ? (isId ? 4 : 2) : 0;
}

/// Returns the property of some shapes with the greatest likelihood; null: all likelihoods are 0.
template<typename Likelihood>
const ApiProperty *likeliest(const QList<ApiShape> &shapes, Likelihood likelihood)
{
    int most = 0;
    const ApiProperty *found = nullptr;
    for (const ApiShape &shape : shapes) {
        for (const ApiProperty &one : shape.properties) {
            if (const int likely = likelihood(shape, one); likely > most) {
                most = likely;
                found = &one;
            }
        }
    }
    return found;
}

class DocumentFinder
{
public:
    DocumentFinder(
        const ApiDescription &description, const ResourceKind &kind, QList<Diagnostic> *remarks)
        : m_description(description), m_kind(kind), m_remarks(remarks)
    { }

    KindDocuments found()
    {
        findShapes();
        m_found.hasSchema = !m_shapes.isEmpty();
        findNames();
        findState();
        findList();
        return m_found;
    }

private:
    const ApiOperation &operation(const KindOperation &one) const
    {
        return m_description.operations[one.operation];
    }

    void note(const QString &text) { loss(text, Diagnostic::Severity::Note); }
    void loss(const QString &text, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        *m_remarks += { operation(m_kind.operations.first()).line,
            u"%1: %2"_s.arg(m_kind.type, text), severity };
    }

    /// Finds the shapes of answers about one resource, those of reads first; removes wrappers.
    void findShapes()
    {
        QList<const ApiShape *> shapes;
        for (const ApiRole role :
            { ApiRole::Read, ApiRole::Make, ApiRole::Replace, ApiRole::Change, ApiRole::Remove }) {
            for (const KindOperation &one : m_kind.operations) {
                if (one.role != role)
                    continue;
                for (const ApiAnswer &answer : operation(one).answers) {
                    const ApiShape *shape = m_description.shape(&answer);
                    const bool isSuccess = answer.code >= 200 && answer.code < 300;
                    if (shape && !shape->isList && isSuccess && !shapes.contains(shape))
                        shapes += shape;
                }
            }
        }
        // A document wraps the resource if its only member is an object.
        if (!shapes.isEmpty() && shapes.first()->keys.size() == 1
            && isWrapped(*shapes.first(), shapes.first()->keys.first()))
            m_found.wrapper = shapes.first()->keys.first();
        for (const ApiShape *shape : std::as_const(shapes))
            m_shapes += isWrapped(*shape, m_found.wrapper) ? unwrapped(*shape) : *shape;
    }

    ApiShape unwrapped(const ApiShape &shape) const
    {
        ApiShape inside;
        for (const ApiProperty &property : shape.properties) {
            if (property.keyPath.size() < 2 || property.keyPath.first() != m_found.wrapper)
                continue;
            inside.properties += property;
            inside.properties.last().keyPath.removeFirst();
        }
        return inside;
    }

    void findNames()
    {
        static const QSet<QString> urls { u"id"_s, u"url"_s, u"href"_s, u"self"_s, u"selflink"_s };
        const QString last = m_kind.path.section(u'/', -1);
        const qsizetype holes = last.count(u'{');
        for (const ApiShape &shape : std::as_const(m_shapes)) {
            for (const ApiProperty &one : shape.properties) {
                const QString key = one.keyPath.last().toLower();
                if (one.keyPath.size() == 1 && key == u"etag" && !m_found.etag)
                    m_found.etag = one.keyPath;
                const bool isUrl = one.type == u"string" && urls.contains(key);
                if (isUrl && one.keyPath.size() == 1 && holes > 1 && !m_found.url)
                    m_found.url = one.keyPath;
            }
        }
        const auto likelihood = [hole = last.mid(1).chopped(1).toLower()](const ApiShape &,
                                    const ApiProperty &one) { return nameLikelihood(hole, one); };
        if (const ApiProperty *name = likeliest(m_shapes, likelihood);
            name && holes == 1 && !m_kind.isSingleton)
            m_found.name = name->keyPath;
        if (holes > 1)
            findNameParts(PathTemplate(last).holes());
        if (!m_found.nameParts.isEmpty())
            m_found.url.reset();
        if (!m_kind.has(ApiRole::List) || !m_found.nameParts.isEmpty())
            return;
        if (holes > 1 && m_found.url)
            note(u"the import assumes that %1 contains the path of the resource"_s.arg(
                m_found.url->last()));
        else if (holes > 1 && m_found.hasSchema)
            loss(
                u"the resource's documents do not contain its whole name, so a client cannot distinguish the resources of a list"_s);
    }

    /// Finds each placeholder's property: the one of its name or, for the last, the likeliest.
    void findNameParts(const QStringList &holes)
    {
        for (const ApiShape &shape : std::as_const(m_shapes)) {
            const QList<ApiShape> shapes { shape };
            QMap<QString, QStringList> parts;
            for (const QString &hole : holes) {
                const auto likelihood = [&](const ApiShape &, const ApiProperty &one) {
                    const bool isNear = one.keyPath.size() == 1
                        || (one.keyPath.size() == 2 && one.keyPath.first() == u"metadata");
                    if (isNear && one.keyPath.last().compare(hole, Qt::CaseInsensitive) == 0)
                        return 9;
                    return hole == holes.last() ? nameLikelihood(hole.toLower(), one) : 0;
                };
                if (const ApiProperty *part = likeliest(shapes, likelihood))
                    parts.insert(hole, part->keyPath);
            }
            if (parts.size() == holes.size()) {
                m_found.nameParts = parts;
                return;
            }
        }
    }

    void findState()
    {
        if (const ApiProperty *state = likeliest(m_shapes, stateLikelihood)) {
            m_found.state = state->keyPath;
            findWords();
        }
    }

    /// Finds the possible states in the first shape that lists states.
    void findWords()
    {
        static const QSet<QString> reserved { QString(), u"*"_s, u"(same)"_s, u"(last)"_s };
        const QString keyPath = m_found.state->join(u'.');
        QStringList &words = m_found.words;
        for (const ApiShape &shape : m_shapes) {
            const ApiProperty *state = shape.find(*m_found.state);
            if (words.isEmpty() && state)
                words = wordsOf(shape, *state);
        }
        words.removeIf([](const QString &word) { return reserved.contains(word); });
        if (!words.isEmpty()) {
            note(
                u"%1 contains the resource's state (%2%3); the import guesses the meaning of these words"_s
                    .arg(keyPath, words.mid(0, MostReported).join(u", "_s),
                        words.size() > MostReported ? u", …"_s : QString()));
            return;
        }
        const bool isLong = std::ranges::any_of(m_kind.operations,
            [&](const KindOperation &one) { return operation(one).isAsynchronous(); });
        if (!isLong) {
            loss(u"the description does not list the values of %1, so that property is left out"_s
                     .arg(keyPath));
            m_found.state.reset();
            return;
        }
        note(u"the description does not list the values of %1; the import assumes the usual ones"_s
                 .arg(keyPath));
        words = { u"Creating"_s, u"Updating"_s, u"Deleting"_s, u"Succeeded"_s, u"Failed"_s,
            u"Canceled"_s };
    }

    void findList()
    {
        for (const KindOperation &one : m_kind.operations) {
            const ApiShape *shape =
                one.role == ApiRole::List ? m_description.shape(operation(one).success()) : nullptr;
            if (!shape || m_found.isListed)
                continue;
            m_found.isListed = true;
            if (shape->isList)
                return;
            m_found.listKey = shape->listKey;
            if (m_found.listKey.isEmpty())
                loss(
                    u"the answer of the resource's collection contains no list; the import assumes a bare list"_s);
            for (const ApiProperty &property : shape->properties) {
                const QString key = property.keyPath.last().toLower();
                const bool isNext =
                    key == u"next" || key == u"nextlink" || key == u"@odata.nextlink";
                if (isNext && property.keyPath.size() == 1 && property.type == u"string")
                    m_found.nextKey = property.keyPath.last();
            }
        }
    }

    const ApiDescription &m_description;
    const ResourceKind &m_kind;
    QList<Diagnostic> *m_remarks;
    QList<ApiShape> m_shapes; ///< of answers about one resource, without wrappers
    KindDocuments m_found;
};

} // namespace

KindDocuments documentsOf(
    const ApiDescription &description, const ResourceKind &kind, QList<Diagnostic> *remarks)
{
    return DocumentFinder(description, kind, remarks).found();
}

bool isWrapped(const ApiShape &shape, const QString &wrapper)
{
    const auto isInside = [&](const ApiProperty &property) {
        return property.keyPath.size() > 1 && property.keyPath.first() == wrapper;
    };
    return !wrapper.isEmpty() && std::ranges::any_of(shape.properties, isInside);
}

} // namespace instar
