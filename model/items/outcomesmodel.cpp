// SPDX-License-Identifier: Apache-2.0
#include "model/items/outcomesmodel.h"

#include "model/items/operationmodel.h"
#include "model/items/sentences.h"
#include "model/items/words.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>
#include <map>
#include <ranges>

namespace instar {

namespace {

using Kind = Outcomes::Trace::Kind;

QString lastName(const QString &path)
{
    return path.section(u'/', -1);
}

QString named(const Outcomes &outcomes, const QString &id)
{
    const auto request = outcomes.requests.value(id);
    return request ? requestText(*request) : id;
}

/// Operation of a trace, and its origin if no client requested it.
struct NamedOperation
{
    QString text;
    QString origin; ///< ", started by the clock"; empty: a client requested the operation
};

NamedOperation operationIn(
    const Outcomes &outcomes, const Outcomes::Trace &trace, const QString &id)
{
    const auto derived = trace.derived.constFind(id);
    if (derived == trace.derived.cend())
        return { named(outcomes, id), {} };
    const auto textOf = [](const Request &request) {
        return request.op + u' ' + displayPath(request.path);
    };
    if (derived->requirer.isEmpty())
        return { textOf(*derived->request), OutcomesModel::tr(", started by the clock") };
    const auto requirer = trace.derived.constFind(derived->requirer);
    return { textOf(*derived->request),
        //: an operation
        OutcomesModel::tr(", required by %1")
            .arg(requirer == trace.derived.cend() ? named(outcomes, derived->requirer)
                                                  : textOf(*requirer->request)) };
}

/// Returns the title of each row: the resource's name if that is unique, else its path.
QStringList rowNames(const QList<Outcomes::Row> &rows)
{
    QHash<QString, int> counts;
    for (const Outcomes::Row &row : rows)
        ++counts[lastName(row.path)];
    return mapped<QStringList>(rows, [&](const Outcomes::Row &row) {
        return counts[lastName(row.path)] > 1 ? displayPath(row.path) : lastName(row.path);
    });
}

/// Returns the index after a row and everything below it.
qsizetype endOf(const QList<Outcomes::Row> &rows, qsizetype row)
{
    const auto end = std::find_if(rows.begin() + row + 1, rows.end(),
        [&](const Outcomes::Row &other) { return other.depth <= rows[row].depth; });
    return end - rows.begin();
}

/// Returns the title of a dead end or a broken constraint; empty for an ending.
QString problemText(const Outcomes::Trace &trace)
{
    if (trace.kind == Kind::HasProperty)
        return trace.rule;
    if (trace.kind == Kind::BrokenConstraint)
        //: a resource, a state, a constraint
        return OutcomesModel::tr("%1 in %2: %3").arg(lastName(trace.path), trace.state, trace.rule);
    const auto names = mapped<QStringList>(trace.stuck, lastName);
    return names.isEmpty()
        ? QString()
        : OutcomesModel::tr("No operation brings these back to rest: %1").arg(names.join(u", "_s));
}

/// Returns the meaning of a refusal's HTTP status, else of its error code: "Not found".
QString refusalText(const Outcomes::Trace::Refusal &refusal)
{
    static const QHash<int, QString> meanings {
        { 400, OutcomesModel::tr("Bad request") },
        { 403, OutcomesModel::tr("Forbidden") },
        { 404, OutcomesModel::tr("Not found") },
        { 405, OutcomesModel::tr("Not allowed") },
        { 409, OutcomesModel::tr("Conflict") },
        { 412, OutcomesModel::tr("Precondition failed") },
    };
    return meanings.value(refusal.http, displayName(refusal.code));
}

/// Returns true if the trace needs no request, only the clock and running operations.
bool isSpontaneous(const Outcomes::Trace &trace)
{
    return std::ranges::none_of(
        trace.schedule, [](const Event &event) { return event.kind == Event::Kind::Submit; });
}

/// Returns the numbers of failed resources and of operations that did not succeed.
std::pair<qsizetype, qsizetype> harmOf(
    const Outcomes &outcomes, const Outcomes::Trace &trace, const Rules &rules)
{
    qsizetype failed = 0;
    for (qsizetype row = 0; row < outcomes.rows.size(); ++row)
        failed += statusCategoryOfWord(rules, outcomes.rows[row].machine, trace.words.value(row))
            == StatusCategory::Failed;
    const auto unsuccessful = std::ranges::count_if(trace.operations,
        [](const QString &status) { return status != statusName(Status::Succeeded); });
    return { failed, unsuccessful };
}

/// Puts the conditions on elapsed time, such as "!elapsed time 10000", into words.
QString answersInWords(const QString &answers)
{
    static const QRegularExpression elapsed(
        u"(!?)%1(.+?) (\\d+)(?=, |\\))"_s.arg(Rules::ElapsedLabel));
    QString text;
    qsizetype end = 0;
    for (const QRegularExpressionMatch &match : elapsed.globalMatch(answers)) {
        const bool isOver = match.captured(1).isEmpty();
        const qint64 ms = match.captured(3).toLongLong();
        //: a duration, the name of the property that holds its beginning
        const QString since = ms == 0
            ? match.captured(2)
            : OutcomesModel::tr("%1 after %2").arg(timeText(ms), match.captured(2));
        text += answers.sliced(end, match.capturedStart() - end)
            + (isOver ? OutcomesModel::tr("later than %1") : OutcomesModel::tr("not later than %1"))
                  .arg(since);
        end = match.capturedEnd();
    }
    return text + answers.sliced(end);
}

} // namespace

void sortByHarm(Outcomes *outcomes, const Rules &rules)
{
    const auto isEnding = [](const Outcomes::Trace &trace) { return trace.kind == Kind::Ending; };
    std::multimap<std::pair<qsizetype, qsizetype>, Outcomes::Trace, std::greater<>> endings;
    for (const Outcomes::Trace &trace : std::as_const(outcomes->traces)) {
        if (isEnding(trace))
            endings.emplace(harmOf(*outcomes, trace, rules), trace);
    }
    outcomes->traces.removeIf(isEnding);
    for (const auto &[harm, trace] : endings)
        outcomes->traces += trace;
    // Constraints that break without a request come last: the requests do not cause them.
    std::ranges::stable_partition(outcomes->traces, [](const Outcomes::Trace &trace) {
        return trace.kind != Kind::BrokenConstraint || !isSpontaneous(trace);
    });
}

QList<Outcomes::Trace::Refusal> refusalsOf(const Outcomes::Trace &trace, const QString &id)
{
    QList<Outcomes::Trace::Refusal> all = trace.everyRefusal.value(id);
    if (all.isEmpty() && trace.refusals.contains(id))
        all += trace.refusals[id];
    return all;
}

QString requestText(const Request &request)
{
    const QString text = u"%1 %2"_s.arg(request.op, lastName(request.path));
    return request.client.isEmpty() ? text : request.client + u' ' + text;
}

QString stepText(const Outcomes &outcomes, const Outcomes::Trace &trace, qsizetype step)
{
    const Event &event = trace.schedule[step];
    QString words = trace.trace[step], answers;
    if (const qsizetype answersAt = words.lastIndexOf(u" ("_s);
        answersAt >= 0 && (!event.answers.isEmpty() || !event.othersAnswers.empty())) {
        answers = answersInWords(words.sliced(answersAt));
        words.truncate(answersAt);
    }
    const auto about = [&](const QString &before, const QString &sentence) {
        const NamedOperation operation = operationIn(outcomes, trace, words.sliced(before.size()));
        return sentence.arg(operation.text) + operation.origin + answers;
    };
    switch (event.kind) {
    case Event::Kind::Submit:
        return requestText(*event.request) + answers
            + (trace.refusals.contains(event.request->id)
                    ? u": "_s + trace.refusals[event.request->id].text()
                    : QString());
    case Event::Kind::Begin:
        return about(u"begin "_s, OutcomesModel::tr("%1: the next attempt starts"));
    case Event::Kind::Expire:
        return about(u"time over for "_s, OutcomesModel::tr("%1: times out"));
    case Event::Kind::Fire: {
        const qsizetype answersAt = words.indexOf(u" ("_s); // conditions follow the path
        const QString path = words.left(answersAt).section(u' ', 1);
        //: a resource whose timer fires: "workshop/end_lease fires"
        return OutcomesModel::tr("%1 fires").arg(displayPath(path))
            + (answersAt < 0 ? QString() : answersInWords(words.sliced(answersAt))) + answers;
    }
    case Event::Kind::End: {
        const QString outcome = words.section(u' ', 0, 0);
        //: an operation, the outcome of a step of its work
        return about(outcome + u' ', OutcomesModel::tr("%1: work %2").arg(u"%1"_s, outcome));
    }
    case Event::Kind::Cancel:
    case Event::Kind::Wait:
        break;
    }
    return words + answers;
}

QString ordersText(double orders)
{
    constexpr double LargestExact = 1e6;
    if (std::isinf(orders))
        return OutcomesModel::tr("infinitely many orders");
    if (orders == 1)
        return OutcomesModel::tr("one order");
    if (orders <= LargestExact)
        return OutcomesModel::tr("%1 orders").arg(QLocale().toString(qint64(orders)));
    const int power = int(std::floor(std::log10(orders)));
    return OutcomesModel::tr("about %1 × 10^%2 orders")
        .arg(QLocale().toString(orders / std::pow(10.0, power), 'f', 1))
        .arg(power);
}

QString searchedText(const Outcomes &outcomes)
{
    const QString states = QLocale().toString(outcomes.worlds);
    const QString text = outcomes.complete
        ? OutcomesModel::tr("All %1 states were explored.").arg(states)
        : outcomes.isStopped
        ? OutcomesModel::tr("You stopped the search after %1 states: there may be more endings.")
              .arg(states)
        : OutcomesModel::tr(
            "The search ended at its limit of %1 states: there may be more endings.")
              .arg(states);
    return outcomes.timers == Timers::Stopped ? OutcomesModel::tr("%1 Timers were off.").arg(text)
                                              : text;
}

qsizetype commonSteps(const QStringList &one, const QStringList &other)
{
    return std::ranges::mismatch(one, other).in1 - one.begin();
}

QString firstDifferenceText(const OutcomesModel &model, int one, int other)
{
    const Outcomes &outcomes = model.outcomes();
    const qsizetype common = commonSteps(outcomes.traces[one].trace, outcomes.traces[other].trace);
    const auto next = [&](int index) {
        const Outcomes::Trace &trace = outcomes.traces[index];
        return model.head(index) + u' '
            + (common < trace.trace.size() ? stepText(outcomes, trace, common)
                                           : OutcomesModel::tr("ends here"));
    };
    const QString text = common == 0
        ? OutcomesModel::tr("The traces differ at the first step. %1; %2")
        //: "Ending 1:" and the next step, for each trace
        : OutcomesModel::tr("The traces differ after %Ln steps. %1; %2", nullptr, int(common));
    return text.arg(next(one), next(other));
}

void OutcomesModel::show(const Outcomes &outcomes, const Rules &rules)
{
    beginResetModel();
    m_outcomes = outcomes;
    makeRows();
    makeTitles();
    m_categories.clear();
    for (const Row &row : std::as_const(m_rows)) {
        QList<int> categories;
        for (int trace = 0; trace < columnCount() && row.hasCategory(); ++trace) {
            const QString shown = row.kind == Row::Operation
                ? m_outcomes.traces[trace].operations.value(row.operation)
                : m_outcomes.traces[trace].words[row.resource];
            categories += int(row.kind == Row::Operation
                    ? statusCategoryOf(statusNamed(shown).value_or(Status::Waiting))
                    : shown.isEmpty()
                    ? StatusCategory::Absent
                    : statusCategoryOfWord(rules, m_outcomes.rows[row.resource].machine, shown));
        }
        m_categories += categories;
    }
    endResetModel();
}

void OutcomesModel::clear()
{
    beginResetModel();
    m_outcomes = {};
    m_rows.clear();
    m_titles.clear();
    endResetModel();
}

void OutcomesModel::makeRows()
{
    m_rows.clear();
    QHash<QString, int> counts; // of operations, by client
    for (const auto &request : std::as_const(m_outcomes.requests))
        ++counts[request->client];
    for (const auto &[id, request] : m_outcomes.requests.asKeyValueRange())
        m_rows += Row { .name = requestText(*request),
            .client = counts[request->client] == 1 ? request->client : QString(),
            .operation = id };
    std::ranges::stable_sort( // op10 comes after op9
        m_rows, {}, [](const Row &row) { return row.operation.size(); });
    const QList<Outcomes::Row> &all = m_outcomes.rows;
    const QStringList names = rowNames(all);
    const auto endAlike = [&](qsizetype one, qsizetype other) {
        return (all[one].before == all[other].before)
            && std::ranges::all_of(m_outcomes.traces, [&](const Outcomes::Trace &trace) {
                   return trace.words[one] == trace.words[other];
               });
    };
    for (qsizetype i = 0; i < all.size();) {
        qsizetype end = i + 1;
        if (all[i].isChanged) {
            const qsizetype last = endOf(all, i);
            const bool allEndAlike = std::ranges::all_of(
                std::views::iota(i + 1, last), [&](qsizetype below) { return endAlike(i, below); });
            end = allEndAlike ? last : end;
            const int below = int(end - i - 1);
            m_rows += Row { .kind = Row::Resource,
                .name =
                    below ? tr("%1 and %Ln descendants", nullptr, below).arg(names[i]) : names[i],
                .resource = i };
        }
        i = end;
    }
    m_rows += Row { .kind = Row::Orders, .name = tr("Orders") };
}

/// Returns the final statuses of operations and states of changed resources, in order of rows.
QStringList OutcomesModel::parts(int trace) const
{
    QStringList parts;
    for (const Row &row : m_rows) {
        const Outcomes::Trace &entry = m_outcomes.traces[trace];
        if (row.kind == Row::Orders)
            continue;
        const bool hasResult = row.kind == Row::Resource
            ? entry.words[row.resource] != m_outcomes.rows[row.resource].before
            : !word(row, trace).isEmpty();
        if (hasResult)
            parts += (row.client.isEmpty() ? row.name : row.client) + u' ' + word(row, trace);
    }
    return parts;
}

void OutcomesModel::makeTitles()
{
    m_titles.clear();
    m_fullTexts.clear();
    QList<QStringList> all;
    QHash<QString, int> traceCounts; // part -> number of traces with it
    for (int trace = 0; trace < columnCount(); ++trace) {
        all += parts(trace);
        for (const QString &part : std::as_const(all.last()))
            ++traceCounts[part];
        const QString problem = problemText(m_outcomes.traces[trace]);
        m_fullTexts.append((problem.isEmpty() ? QStringList() : QStringList(problem)) + all.last());
        m_titles += problem;
    }
    for (QStringList &parts : all)
        std::ranges::stable_sort(parts, {}, [&](const QString &part) { return traceCounts[part]; });
    for (int trace = 0; trace < columnCount(); ++trace) {
        const QStringList &parts = all[trace];
        qsizetype count = std::min<qsizetype>(2, parts.size()); // of the parts in the title
        const auto beginsAlike = [&](const QStringList &other) {
            return &other != &parts
                && other.first(std::min(count, other.size())) == parts.first(count);
        };
        while (count < parts.size() && std::ranges::any_of(std::as_const(all), beginsAlike))
            ++count;
        if (m_titles[trace].isEmpty())
            m_titles[trace] =
                parts.isEmpty() ? tr("No resource has changed") : parts.first(count).join(u", "_s);
    }
}

QString OutcomesModel::word(const Row &row, int trace) const
{
    const Outcomes::Trace &entry = m_outcomes.traces[trace];
    switch (row.kind) {
    case Row::Operation: {
        const auto refusals = refusalsOf(entry, row.operation);
        QStringList words;
        for (const Outcomes::Trace::Refusal &each : refusals)
            words +=
                refusals.size() == 1 || !each.http ? refusalText(each) : QString::number(each.http);
        words.removeDuplicates();
        //: between two HTTP statuses: "409 or 404"
        return words.isEmpty() ? entry.operations.value(row.operation) : words.join(tr(" or "));
    }
    case Row::Resource:
        return !entry.words[row.resource].isEmpty()          ? entry.words[row.resource]
            : m_outcomes.rows[row.resource].before.isEmpty() ? tr("absent")
                                                             : tr("gone");
    case Row::Orders:
        return entry.kind == Kind::Ending ? ordersText(entry.orders) : QString();
    }
    return {};
}

QString OutcomesModel::countsText() const
{
    QStringList counts;
    if (m_outcomes.deadEnds)
        counts += tr("%Ln dead ends", nullptr, int(m_outcomes.deadEnds));
    if (m_outcomes.brokenConstraints)
        counts += tr("%Ln broken constraints", nullptr, int(m_outcomes.brokenConstraints));
    counts += tr("%Ln endings", nullptr, int(m_outcomes.endings));
    if (std::max({ m_outcomes.deadEnds, m_outcomes.brokenConstraints, m_outcomes.endings })
        > mostTraces)
        counts += tr("the first %1 of each are shown").arg(mostTraces);
    return counts.join(u", "_s);
}

int OutcomesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int OutcomesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_outcomes.traces.size());
}

QVariant OutcomesModel::data(const QModelIndex &index, int role) const
{
    const Row &row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return word(row, index.column());
    case Qt::ToolTipRole: {
        const Outcomes::Trace &entry = m_outcomes.traces[index.column()];
        QStringList lines;
        for (const Outcomes::Trace::Refusal &each : refusalsOf(entry, row.operation))
            lines += u"%1: %2\n%3"_s.arg(refusalText(each), each.text(), each.rule);
        if (lines.isEmpty())
            lines = QStringList { word(row, index.column()),
                row.kind == Row::Orders ? tr("Orders in which the operations arrive and end")
                                        : entry.deciding.value(row.operation) };
        return lines.join(u'\n').trimmed();
    }
    case Category:
        return row.hasCategory() ? m_categories[index.row()][index.column()] : QVariant();
    case Full:
        return m_fullTexts[index.column()].join(u"; "_s);
    default:
        return {};
    }
}

QVariant OutcomesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(m_rows[section].name) : QVariant();
    if (role == Qt::ToolTipRole)
        return m_fullTexts[section].join(u'\n');
    if (role != Qt::DisplayRole)
        return {};
    QString title = m_titles[section];
    if (m_outcomes.traces[section].kind == Kind::Ending)
        title.replace(u", "_s, u"\n"_s);
    return head(section) + u'\n' + title;
}

QString OutcomesModel::head(int index) const
{
    const QList<Outcomes::Trace> &all = m_outcomes.traces;
    const Outcomes::Trace &trace = all[index];
    const auto endings = std::ranges::find(all, Kind::Ending, &Outcomes::Trace::kind) - all.begin();
    return trace.kind == Kind::HasProperty ? tr("✕ The condition can be true:")
        : trace.kind == Kind::DeadEnd      ? tr("✕ Dead end:")
        : trace.kind == Kind::Ending       ? tr("Ending %1:").arg(index - endings + 1)
        : isSpontaneous(trace)             ? tr("✕ Constraint broken without any request:")
                                           : tr("✕ Broken constraint:");
}

} // namespace instar
