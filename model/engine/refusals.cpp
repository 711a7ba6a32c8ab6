// SPDX-License-Identifier: Apache-2.0
// Refusals in the words of the pack's rows, or in the usual ones.
#include "model/engine/judge.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The open conditions that must be said to hold for a question to hold; nothing: that does not
/// suffice.
std::optional<QStringList> wanted(
    const Rules::Question &question, const Subject &subject, const Asking &asking)
{
    if (holds(question, subject, asking))
        return QStringList();
    if (question.kind == Condition::Kind::Label && question.label != Rules::None)
        return QStringList { u"\"%1\""_s.arg(asking.rules.labels().value(question.label)) };
    if (question.kind != Condition::Kind::All)
        return {};
    QStringList all;
    for (const Rules::Question &part : question.parts) {
        const std::optional<QStringList> labels = wanted(part, subject, asking);
        if (!labels)
            return {};
        all += *labels;
    }
    return all;
}

} // namespace

QString Judge::neededLabels() const
{
    Asking asking = m_asking;
    asking.asked = nullptr;
    QStringList ways;
    for (const int index : m_rules.candidates(m_rules.stateOf(m_from), m_op)) {
        const Rules::Transition &row = m_rules.transition(index);
        if (row.refusal != Rules::None || row.to.empty())
            continue;
        const std::optional<QStringList> labels = wanted(row.condition, m_subject, asking);
        const QString way = labels ? labels->join(u" and "_s) : QString();
        if (!way.isEmpty() && !ways.contains(way))
            ways += way;
    }
    return ways.join(u" or "_s);
}

QString Judge::ruleText(const Row &row, const QString &place) const
{
    const QString sources = m_rules.pack().sourceText(row);
    const QString words = row.about.isEmpty() ? place : row.about;
    return sources.isEmpty() ? words : u"%1 [%2]"_s.arg(words, sources);
}

bool Judge::refused(const QString &kind)
{
    const int index = m_rules.refusalNamed(kind);
    const Refusal *row = m_rules.refusal(index);
    return refused(
        kind, index, row ? ruleText(*row, u"refusals/"_s + kind) : u"refusals/"_s + kind);
}

bool Judge::refused(const QString &kind, int index, const QString &rule)
{
    static const QHash<QString, std::pair<int, QString>> usual {
        { u"missing"_s, { 404, u"The resource {path} does not exist."_s } },
        { u"parentMissing"_s, { 404, u"The parent of {path} does not exist."_s } },
        { u"transition"_s,
            { 405, u"The operation is not possible on {path} in its present state."_s } },
        { u"precondition"_s, { 412, u"The resource {path} is not as the request demands."_s } },
    };
    const Refusal *row = m_rules.refusal(index);
    const std::pair<int, QString> fallback =
        usual.value(kind, { 409, u"The request on {path} was refused: %1."_s.arg(kind) });
    const Type *type = m_rules.typeRow(m_result.typePath);

    m_result.verdict = Admission::Verdict::Refused;
    m_result.cancels.clear();
    m_result.cancelRows.clear();
    m_result.code = row && !row->code.isEmpty() ? row->code : kind;
    if (!row && usual.contains(kind))
        m_result.code = kind == u"missing" || kind == u"parentMissing" ? u"NotFound"_s
            : kind == u"precondition"                                  ? u"PreconditionFailed"_s
                                                                       : u"OperationNotSupported"_s;
    if (type && type->codes.contains(kind))
        m_result.code = type->codes.value(kind);
    m_result.http = row && row->http ? row->http : fallback.first;
    m_result.message = row && !row->message.isEmpty() ? row->message : fallback.second;
    if (kind == u"transition" && !m_result.needs.isEmpty() && (!row || row->message.isEmpty()))
        m_result.message = u"The operation on {path} needs %1."_s.arg(m_result.needs);
    m_result.message.replace(u"{path}"_s, m_request.path).replace(u"{other}"_s, m_result.witness);
    if (const Running *running = m_world.find(m_result.other)) {
        const QString uri = m_rules.pack().operationUri;
        m_result.message.replace(
            u"{0}"_s, uri.isEmpty() ? running->id : QString(uri).replace(u"{id}"_s, running->id));
    }
    m_result.rule = rule;
    return false;
}

} // namespace instar
