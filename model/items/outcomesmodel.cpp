// SPDX-License-Identifier: Apache-2.0
#include "model/items/outcomesmodel.h"

#include "model/items/sentences.h"
#include "model/items/statuscategory.h"
#include "model/items/words.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Outcomes::Trace::Kind;

constexpr qsizetype mostNamed = 3;    ///< in a title; the picture beside it shows all
constexpr qsizetype mostInWhole = 40; ///< where there is room for whole sentences

QString lastName(const QString &path)
{
    return path.section(u'/', -1);
}

/// The row behind a row's subtree.
qsizetype endOf(const QList<Outcomes::Row> &rows, qsizetype row)
{
    qsizetype end = row + 1;
    while (end < rows.size() && rows[end].depth > rows[row].depth)
        ++end;
    return end;
}

/// The first names, and the number of the others.
QString listText(QStringList names, qsizetype most = mostNamed)
{
    const qsizetype more = names.size() - most;
    if (more > 0)
        names = names.first(most) + QStringList(OutcomesModel::tr("%Ln more", nullptr, int(more)));
    return names.join(u", "_s);
}

QString headingText(const QString &heading, qint64 count, qsizetype told)
{
    const QString counted = u"%1 (%2)"_s.arg(heading, QLocale().toString(count));
    return told < count
        ? OutcomesModel::tr("%1, the first %2").arg(counted, QLocale().toString(told))
        : counted;
}

QString named(const Outcomes &outcomes, const QString &id)
{
    const auto request = outcomes.asked.value(id);
    return request ? askedText(*request) : id;
}

/// Operation of a trace, and its origin if no client requested it.
struct NamedOperation
{
    QString what;
    QString whose; ///< appended to a sentence about it; empty: a client's
};

NamedOperation operationIn(
    const Outcomes &outcomes, const Outcomes::Trace &trace, const QString &id)
{
    const auto derived = trace.derived.constFind(id);
    if (derived == trace.derived.cend())
        return { named(outcomes, id), {} };
    const auto spoken = [](const Request &request) {
        return request.op + u' ' + spokenPath(request.path);
    };
    if (derived->requirer.isEmpty())
        return { spoken(*derived->request), OutcomesModel::tr(", asked by the clock") };
    const auto above = trace.derived.constFind(derived->requirer);
    return { spoken(*derived->request),
        //: an operation
        OutcomesModel::tr(", required by %1")
            .arg(above == trace.derived.cend() ? named(outcomes, derived->requirer)
                                               : spoken(*above->request)) };
}

/// Returns true if each operation has a client of its own, which then identifies it.
bool areClientsEnough(const Outcomes &outcomes)
{
    QSet<QString> clients;
    for (const auto &request : outcomes.asked)
        clients += request->client;
    return !clients.contains(QString()) && clients.size() == outcomes.asked.size();
}

/// Name of each row: its id if that is unique, else its path.
QStringList rowNames(const QList<Outcomes::Row> &rows)
{
    QHash<QString, int> counts;
    for (const Outcomes::Row &row : rows)
        ++counts[lastName(row.path)];
    QStringList names;
    for (const Outcomes::Row &row : rows)
        names += counts[lastName(row.path)] > 1 ? spokenPath(row.path) : lastName(row.path);
    return names;
}

/// What a trace changes, one part per resource or whole subtree, in the tree's order.
QStringList endParts(
    const Outcomes &outcomes, const QStringList &names, const Outcomes::Trace &trace)
{
    const QList<Outcomes::Row> &rows = outcomes.rows;
    QStringList parts;
    for (qsizetype row = 0; row < rows.size();) {
        const QString &word = trace.end()[row];
        if (word == rows[row].before) {
            ++row;
            continue;
        }
        // A subtree that ends in one word is named once.
        const qsizetype end = endOf(rows, row);
        bool isOne = true;
        for (qsizetype below = row + 1; below < end; ++below)
            isOne = isOne && trace.end()[below] == word && rows[below].before != word;
        const int below = isOne ? int(end - row - 1) : 0;
        const QString &name = names[row];
        const QString who =
            below ? OutcomesModel::tr("%1 and %Ln below", nullptr, below).arg(name) : name;
        parts += word.isEmpty()          ? OutcomesModel::tr("%1 gone").arg(who)
            : rows[row].before.isEmpty() ? OutcomesModel::tr("%1 made, %2").arg(who, word)
                                         : who + u' ' + word;
        row = isOne ? end : row + 1;
    }
    return parts;
}

/// Statuses of the operations; first those that differ between the traces.
QStringList statusParts(const Outcomes &outcomes, const QMap<QString, QString> &operations)
{
    const bool isShort = areClientsEnough(outcomes);
    QStringList parts, alike;
    for (const auto &[id, status] : operations.asKeyValueRange()) {
        const auto request = outcomes.asked.value(id);
        (outcomes.differing.contains(id) ? parts : alike) +=
            u"%1 %2"_s.arg(isShort && request ? request->client : named(outcomes, id), status);
    }
    return parts + alike;
}

/// Title of a trace that is not named by its end; empty if it is.
QString specialTitle(const Outcomes &outcomes, const Outcomes::Trace &trace, qsizetype most)
{
    QStringList stuck;
    switch (trace.kind) {
    case Kind::DeadEnd:
        for (const QString &path : trace.stuck)
            stuck += lastName(path);
        return OutcomesModel::tr("No operation recovers: %1").arg(listText(stuck, most));
    case Kind::BrokenConstraint:
        //: a resource, a state, what is always to hold
        return OutcomesModel::tr("%1 in %2: %3").arg(lastName(trace.path), trace.state, trace.rule);
    case Kind::Order: {
        const OrderClash &clash = outcomes.clashes[trace.clash];
        const QString first = trace.trace.indexOf(u"submit "_s + clash.first)
                < trace.trace.indexOf(u"submit "_s + clash.second)
            ? clash.first
            : clash.second;
        return OutcomesModel::tr("%1 comes first").arg(named(outcomes, first));
    }
    case Kind::Ending:
        break;
    }
    return {};
}

/// Returns true if the trace needs no request, only the clock and running operations.
bool comesSpontaneous(const Outcomes::Trace &trace)
{
    return std::ranges::none_of(
        trace.schedule, [](const Event &event) { return event.kind == Event::Kind::Submit; });
}

/// Numbers of failed resources, and of operations that did not succeed.
std::pair<qsizetype, qsizetype> harmOf(
    const Outcomes &outcomes, const Outcomes::Trace &trace, const Rules &rules)
{
    qsizetype failed = 0;
    for (qsizetype row = 0; row < outcomes.rows.size(); ++row)
        failed += statusCategoryOfWord(rules, outcomes.rows[row].machine, trace.words.value(row))
            == StatusCategory::Failed;
    const auto unwell = std::ranges::count_if(trace.operations,
        [](const QString &status) { return status != statusName(Status::Succeeded); });
    return { failed, unwell };
}

/// Puts conditions on elapsed time in a list of answers into words, such as "!elapsed time 10000".
QString answersInWords(const QString &answers)
{
    static const QRegularExpression asked(
        u"(!?)%1(.+?) (\\d+)(?=, |\\))"_s.arg(Rules::ElapsedLabel));
    QString told;
    qsizetype end = 0;
    for (const QRegularExpressionMatch &match : asked.globalMatch(answers)) {
        const bool isOver = match.captured(1).isEmpty();
        const qint64 ms = match.captured(3).toLongLong();
        //: a time after the moment that a property of a resource holds
        const QString since = ms == 0
            ? match.captured(2)
            : OutcomesModel::tr("%1 after %2").arg(timeText(ms), match.captured(2));
        told += answers.sliced(end, match.capturedStart() - end)
            + (isOver ? OutcomesModel::tr("later than %1") : OutcomesModel::tr("not later than %1"))
                  .arg(since);
        end = match.capturedEnd();
    }
    return told + answers.sliced(end);
}

} // namespace

void sortByHarm(Outcomes *outcomes, const Rules &rules)
{
    const auto isEnding = [](const Outcomes::Trace &trace) { return trace.kind == Kind::Ending; };
    std::vector<std::pair<std::pair<qsizetype, qsizetype>, Outcomes::Trace>> endings;
    for (const Outcomes::Trace &trace : std::as_const(outcomes->traces)) {
        if (isEnding(trace))
            endings.emplace_back(harmOf(*outcomes, trace, rules), trace);
    }
    std::ranges::stable_sort(endings, std::greater(), [](const auto &each) { return each.first; });
    auto next = endings.begin();
    for (Outcomes::Trace &trace : outcomes->traces) {
        if (isEnding(trace))
            trace = (next++)->second;
    }
}

QString askedText(const Request &request)
{
    const QString what = u"%1 %2"_s.arg(request.op, lastName(request.path));
    return request.client.isEmpty() ? what : request.client + u' ' + what;
}

QList<TraceText> traceTexts(const Outcomes &outcomes)
{
    const QStringList names = rowNames(outcomes.rows);
    QList<QStringList> ends;
    QHash<QString, int> sharers; // part -> how many traces have it
    for (const Outcomes::Trace &trace : outcomes.traces) {
        ends += endParts(outcomes, names, trace);
        for (const QString &part : std::as_const(ends.last()))
            ++sharers[part];
    }
    QList<TraceText> texts;
    for (qsizetype i = 0; i < ends.size(); ++i) {
        const Outcomes::Trace &trace = outcomes.traces[i];
        // There is not always room for all: what distinguishes a trace comes first.
        std::ranges::stable_sort(ends[i], {}, [&](const QString &part) { return sharers[part]; });
        const QString none =
            ends[i].isEmpty() ? OutcomesModel::tr("Everything as it was") : QString();
        const QString end = none + listText(ends[i]), whole = none + listText(ends[i], mostInWhole);
        const QString title = specialTitle(outcomes, trace, mostNamed);
        QStringList notes = statusParts(outcomes, trace.operations);
        if (!trace.lastly.isEmpty()) {
            const QString last = statusParts(outcomes, trace.lastly).join(u", "_s);
            //: how operations stand when all have ended, and at the moment that is shown
            notes = {
                OutcomesModel::tr("in the end %1 · at first %2").arg(last, notes.join(u", "_s))
            };
        }
        notes += waitsText(trace);
        if (!title.isEmpty())
            notes += end;
        notes.removeAll(QString());
        texts += TraceText { title.isEmpty() ? end : title,
            title.isEmpty() ? whole : specialTitle(outcomes, trace, mostInWhole),
            notes.join(u" · "_s) };
    }
    return texts;
}

QString waitsText(const Outcomes::Trace &trace)
{
    QStringList names;
    for (const QString &path : trace.waits)
        names += spokenPath(path);
    return names.isEmpty() ? QString()
                           //: resources on which only a timer would do something
                           : OutcomesModel::tr("waits for time: %1").arg(listText(names));
}

QString stepText(const Outcomes &outcomes, const Outcomes::Trace &trace, qsizetype step)
{
    const Event &event = trace.schedule[step];
    QString words = trace.trace[step], answers;
    if (const qsizetype given = words.lastIndexOf(u" ("_s);
        given >= 0 && (!event.answers.isEmpty() || !event.othersAnswers.empty())) {
        answers = answersInWords(words.sliced(given));
        words.truncate(given);
    }
    const auto said = [&](const QString &before, const QString &sentence) {
        const NamedOperation operation = operationIn(outcomes, trace, words.sliced(before.size()));
        return sentence.arg(operation.what) + operation.whose + answers;
    };
    switch (event.kind) {
    case Event::Kind::Submit:
        return askedText(*event.request) + answers;
    case Event::Kind::Begin:
        return said(u"begin "_s, OutcomesModel::tr("%1: work begins again"));
    case Event::Kind::Expire:
        return said(u"time over for "_s, OutcomesModel::tr("%1: its time is over"));
    case Event::Kind::Fire: {
        const qsizetype given = words.indexOf(u" ("_s); // the answers behind the path
        const QString path = words.left(given).section(u' ', 1);
        //: a resource on which the clock fires: "workshop/end_lease fires"
        return OutcomesModel::tr("%1 fires").arg(spokenPath(path))
            + (given < 0 ? QString() : answersInWords(words.sliced(given))) + answers;
    }
    case Event::Kind::End: {
        const QString how = words.section(u' ', 0, 0);
        //: an operation, how a piece of its work ended
        return said(how + u' ', OutcomesModel::tr("%1: work %2").arg(u"%1"_s, how));
    }
    case Event::Kind::Cancel:
    case Event::Kind::Wait:
        break;
    }
    return words + answers;
}

QString ordersText(double orders)
{
    constexpr double exact = 1e6;
    if (std::isinf(orders))
        return OutcomesModel::tr("endlessly many orders");
    if (orders == 1)
        return OutcomesModel::tr("one order");
    if (orders <= exact)
        return OutcomesModel::tr("%1 orders").arg(QLocale().toString(qint64(orders)));
    const int power = int(std::floor(std::log10(orders)));
    return OutcomesModel::tr("about %1 × 10^%2 orders")
        .arg(QLocale().toString(orders / std::pow(10.0, power), 'f', 1))
        .arg(power);
}

QString searchedText(const Outcomes &outcomes)
{
    const QString worlds = QLocale().toString(outcomes.worlds);
    const QString much = outcomes.complete
        ? OutcomesModel::tr("All %1 situations were looked at.").arg(worlds)
        : outcomes.isStopped
        ? OutcomesModel::tr("Stopped after %1 situations: there may be more.").arg(worlds)
        : OutcomesModel::tr("Only %1 situations were looked at: there may be more.").arg(worlds);
    return outcomes.timers == Timers::Stand ? OutcomesModel::tr("%1 No timer fired.").arg(much)
                                            : much;
}

void OutcomesModel::show(const Outcomes &outcomes)
{
    beginResetModel();
    m_outcomes = outcomes;
    m_texts = traceTexts(outcomes);
    m_rows.clear();
    if (outcomes.what == OutcomesQuestion::What::Order)
        addOrders();
    // A violation that needs no request is no answer to the question.
    QList<int> deadEnds, brokenConstraints, spontaneous, endings;
    for (int i = 0; i < int(outcomes.traces.size()); ++i) {
        const Outcomes::Trace &trace = outcomes.traces[i];
        if (trace.kind == Kind::DeadEnd)
            deadEnds += i;
        else if (trace.kind == Kind::BrokenConstraint)
            (comesSpontaneous(trace) ? spontaneous : brokenConstraints) += i;
        else if (trace.kind == Kind::Ending)
            endings += i;
    }
    addTraces(deadEnds, tr("Dead ends"), outcomes.deadEnds);
    addTraces(brokenConstraints, tr("Broken constraints"),
        outcomes.brokenConstraints - spontaneous.size());
    addTraces(endings, tr("Endings"), outcomes.endings);
    addTraces(spontaneous, tr("Constraints broken even if nothing is asked"),
        brokenConstraints.isEmpty() ? outcomes.brokenConstraints : spontaneous.size());
    endResetModel();
}

void OutcomesModel::resetRows()
{
    beginResetModel();
    endResetModel();
}

void OutcomesModel::addTraces(const QList<int> &traces, const QString &heading, qint64 count)
{
    if (!traces.isEmpty())
        m_rows += Entry { -1, headingText(heading, count, traces.size()) };
    for (const int trace : traces)
        m_rows += Entry { trace, {} };
}

void OutcomesModel::addOrders()
{
    int clash = -1;
    for (int i = 0; i < int(m_outcomes.traces.size()); ++i) {
        if (const int own = m_outcomes.traces[i].clash; own != std::exchange(clash, own)) {
            const OrderClash &pair = m_outcomes.clashes[own];
            const QString both =
                tr("%1, and %2").arg(named(m_outcomes, pair.first), named(m_outcomes, pair.second));
            m_rows += Entry { -1,
                pair.seen == OrderClash::Seen::AtOnce
                    ? tr("The order matters: %1").arg(both)
                    : tr("The order matters in the end: %1").arg(both) };
        }
        m_rows += Entry { i, {} };
    }
    for (const auto &[first, second] : std::as_const(m_outcomes.commuting)) {
        const QString both =
            tr("%1, and %2").arg(named(m_outcomes, first), named(m_outcomes, second));
        m_rows += Entry { -1,
            m_outcomes.complete ? tr("The order does not matter: %1").arg(both)
                                : tr("No difference found so far: %1").arg(both) };
    }
    if (m_rows.isEmpty())
        m_rows += Entry { -1, tr("Their order is fixed: one client sends both.") };
}

int OutcomesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

Qt::ItemFlags OutcomesModel::flags(const QModelIndex &index) const
{
    return m_rows[index.row()].trace < 0 ? Qt::NoItemFlags : QAbstractListModel::flags(index);
}

QVariant OutcomesModel::data(const QModelIndex &index, int role) const
{
    const Entry &entry = m_rows[index.row()];
    if (role == TraceOf)
        return entry.trace;
    if (entry.trace < 0)
        return role == Qt::DisplayRole || role == Full ? entry.heading : QVariant();
    const Outcomes::Trace &trace = m_outcomes.traces[entry.trace];
    const TraceText &text = m_texts[entry.trace];
    const QString orders = trace.kind == Kind::Ending ? ordersText(trace.orders) : QString();
    switch (role) {
    case Qt::DisplayRole:
        return text.title;
    case Whole:
        return text.whole;
    case Note:
        return text.note;
    case Orders:
        return orders;
    case Full:
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole: {
        QStringList parts { text.whole, text.note, orders };
        parts.removeAll(QString());
        return parts.join(u"; "_s);
    }
    default:
        return {};
    }
}

} // namespace instar
