// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/resourcekinds.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Reduces a word to lower-case letters: "in-progress" and "InProgress" are equal.
QString plain(const QString &word)
{
    QString letters;
    for (const QChar c : word) {
        if (c.isLetterOrNumber())
            letters += c.toLower();
    }
    return letters;
}

bool hasOneOf(const QString &word, const QStringList &parts)
{
    return std::ranges::any_of(parts, [&](const QString &part) { return word.contains(part); });
}

QString firstWith(const QStringList &words, const QStringList &parts)
{
    const auto found = std::ranges::find_if(
        words, [&](const QString &word) { return hasOneOf(plain(word), parts); });
    return found == words.end() ? QString() : *found;
}

/// Returns the stem of an action's forms: "stop", "creat", "verif".
QString stem(const QString &action)
{
    QString word = plain(action);
    if (word.endsWith(u'e') || word.endsWith(u'y'))
        word.chop(1);
    return word;
}

QString formOf(const QString &action, const QStringList &words, const QStringList &endings)
{
    const QString begin = stem(action);
    if (begin.size() < 3)
        return {};
    for (const QString &word : words) {
        const QString letters = plain(word);
        const bool isForm = letters.startsWith(begin) && letters.size() <= begin.size() + 5
            && std::ranges::any_of(
                endings, [&](const QString &ending) { return letters.endsWith(ending); });
        if (isForm)
            return word;
    }
    return {};
}

} // namespace

bool isStateName(const QString &name)
{
    const QString letters = plain(name);
    return letters.endsWith(u"state") || letters.endsWith(u"status") || letters == u"phase"
        || letters == u"lifecycle";
}

StateWords StateWords::of(const QStringList &words)
{
    static const QStringList success { u"succeeded"_s, u"active"_s, u"available"_s, u"ready"_s,
        u"running"_s, u"online"_s, u"enabled"_s, u"healthy"_s, u"ok"_s, u"completed"_s,
        u"complete"_s, u"success"_s, u"done"_s, u"open"_s, u"provisioned"_s, u"created"_s };
    static const QStringList still { u"running"_s, u"existing"_s, u"working"_s, u"listening"_s,
        u"outstanding"_s, u"trialing"_s, u"standing"_s };
    static const QStringList begun { u"accepted"_s, u"pending"_s, u"queued"_s, u"inprogress"_s,
        u"notstarted"_s, u"requested"_s, u"submitted"_s, u"initializing"_s };
    static const QStringList over { u"deleted"_s, u"terminated"_s, u"removed"_s, u"destroyed"_s,
        u"purged"_s };
    StateWords result;
    qsizetype best = success.size(); // of the words, the first in that list
    for (const QString &word : words) {
        if (const qsizetype at = success.indexOf(plain(word)); at >= 0 && at < best) {
            best = at;
            result.rest = word;
        }
    }
    const bool hasSuccess = plain(result.rest) == u"succeeded";
    const auto takeFirst = [&](QString *kept, const QString &word) {
        if (kept->isEmpty())
            *kept = word;
        else
            result.resting += word;
    };
    for (const QString &word : words) {
        const QString letters = plain(word);
        const bool isContinuous = letters.endsWith(u"ing") && !still.contains(letters);
        if (isContinuous || begun.contains(letters))
            result.working += word;
        else if (hasOneOf(letters, { u"fail"_s, u"error"_s }))
            takeFirst(&result.failed, word);
        else if (hasOneOf(letters, { u"cancel"_s, u"abort"_s }))
            takeFirst(&result.canceled, word);
        else if (over.contains(letters))
            result.gone += word;
        else if (hasSuccess && word != result.rest)
            result.working += word;
        else
            result.resting += word;
    }
    if (result.rest.isEmpty() && !result.resting.isEmpty())
        result.rest = result.resting.first();
    result.creating = firstWith(result.working,
        { u"creating"_s, u"provisioning"_s, u"building"_s, u"launching"_s, u"initiali"_s });
    if (result.creating.isEmpty())
        result.creating = firstWith(result.working,
            { u"starting"_s, u"pending"_s, u"accepted"_s, u"queued"_s, u"progress"_s });
    result.updating = firstWith(
        result.working, { u"updating"_s, u"modifying"_s, u"configuring"_s, u"changing"_s });
    result.deleting = firstWith(
        result.working, { u"deleting"_s, u"terminating"_s, u"removing"_s, u"destroying"_s });
    return result;
}

QString StateWords::after(const QString &action) const
{
    return formOf(action, resting + gone, { u"ed"_s, stem(action) });
}

QString StateWords::during(const QString &action) const
{
    return formOf(action, working, { u"ing"_s });
}

} // namespace instar
