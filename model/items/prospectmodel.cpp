// SPDX-License-Identifier: Apache-2.0
#include "model/items/prospectmodel.h"

#include "model/items/mood.h"
#include "model/items/sentences.h"
#include "model/items/words.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

using Kind = Prospect::Story::Kind;

constexpr qsizetype mostNamed = 3; ///< in a title; the picture beside it shows all
constexpr qsizetype mostTold = 40; ///< where there is room for whole sentences

QString lastName(const QString &path)
{
    return path.section(u'/', -1);
}

/// The row after one and all below it.
qsizetype endOf(const QList<Prospect::Row> &rows, qsizetype row)
{
    qsizetype end = row + 1;
    while (end < rows.size() && rows[end].depth > rows[row].depth)
        ++end;
    return end;
}

/// The first ones, and how many more there are.
QString listText(QStringList names, qsizetype most = mostNamed)
{
    const qsizetype more = names.size() - most;
    if (more > 0)
        names = names.first(most) + QStringList(ProspectModel::tr("%Ln more", nullptr, int(more)));
    return names.join(u", "_s);
}

QString headingText(const QString &heading, qint64 count, qsizetype told)
{
    const QString counted = u"%1 (%2)"_s.arg(heading, QLocale().toString(count));
    return told < count
        ? ProspectModel::tr("%1, the first %2").arg(counted, QLocale().toString(told))
        : counted;
}

QString named(const Prospect &prospect, const QString &id)
{
    const auto request = prospect.asked.value(id);
    return request ? askedText(*request) : id;
}

/// An operation of a story, and whose it is where no client asked for it.
struct Asked
{
    QString what;
    QString whose; ///< behind a sentence about it; empty: a client's
};

Asked askedIn(const Prospect &prospect, const Prospect::Story &story, const QString &id)
{
    const auto derived = story.derived.constFind(id);
    if (derived == story.derived.cend())
        return { named(prospect, id), {} };
    const auto spoken = [](const Request &request) {
        return request.op + u' ' + spokenPath(request.path);
    };
    if (derived->requirer.isEmpty())
        return { spoken(*derived->request), ProspectModel::tr(", asked by the clock") };
    const auto above = story.derived.constFind(derived->requirer);
    return { spoken(*derived->request),
        //: an operation
        ProspectModel::tr(", required by %1")
            .arg(above == story.derived.cend() ? named(prospect, derived->requirer)
                                               : spoken(*above->request)) };
}

/// Who asked says which operation is meant, where each was asked by somebody else.
bool areClientsEnough(const Prospect &prospect)
{
    QSet<QString> clients;
    for (const auto &request : prospect.asked)
        clients += request->client;
    return !clients.contains(QString()) && clients.size() == prospect.asked.size();
}

/// What each row is called: by its id, where no other has the same, else with those above it.
QStringList rowNames(const QList<Prospect::Row> &rows)
{
    QHash<QString, int> counts;
    for (const Prospect::Row &row : rows)
        ++counts[lastName(row.path)];
    QStringList names;
    for (const Prospect::Row &row : rows)
        names += counts[lastName(row.path)] > 1 ? spokenPath(row.path) : lastName(row.path);
    return names;
}

/// What a story leaves otherwise, a part a resource or whole subtree, in the tree's order.
QStringList endParts(
    const Prospect &prospect, const QStringList &names, const Prospect::Story &story)
{
    const QList<Prospect::Row> &rows = prospect.rows;
    QStringList parts;
    for (qsizetype row = 0; row < rows.size();) {
        const QString &word = story.end()[row];
        if (word == rows[row].before) {
            ++row;
            continue;
        }
        // A subtree that ends in one word is named once.
        const qsizetype end = endOf(rows, row);
        bool isOne = true;
        for (qsizetype below = row + 1; below < end; ++below)
            isOne = isOne && story.end()[below] == word && rows[below].before != word;
        const int below = isOne ? int(end - row - 1) : 0;
        const QString &name = names[row];
        const QString who =
            below ? ProspectModel::tr("%1 and %Ln below", nullptr, below).arg(name) : name;
        parts += word.isEmpty()          ? ProspectModel::tr("%1 gone").arg(who)
            : rows[row].before.isEmpty() ? ProspectModel::tr("%1 made, %2").arg(who, word)
                                         : who + u' ' + word;
        row = isOne ? end : row + 1;
    }
    return parts;
}

/// How the operations stand then; those first that do not stand alike in all stories.
QStringList statusParts(const Prospect &prospect, const QMap<QString, QString> &operations)
{
    const bool isShort = areClientsEnough(prospect);
    QStringList parts, alike;
    for (const auto &[id, status] : operations.asKeyValueRange()) {
        const auto request = prospect.asked.value(id);
        (prospect.differing.contains(id) ? parts : alike) +=
            u"%1 %2"_s.arg(isShort && request ? request->client : named(prospect, id), status);
    }
    return parts + alike;
}

/// What a story is called where it is not called by its end; empty: it is.
QString specialTitle(const Prospect &prospect, const Prospect::Story &story, qsizetype most)
{
    QStringList stuck;
    switch (story.kind) {
    case Kind::DeadEnd:
        for (const QString &path : story.stuck)
            stuck += lastName(path);
        return ProspectModel::tr("Nothing brings back: %1").arg(listText(stuck, most));
    case Kind::Breach:
        //: a resource, a state, what is always to hold
        return ProspectModel::tr("%1 in %2: %3").arg(lastName(story.path), story.state, story.rule);
    case Kind::Order: {
        const OrderClash &clash = prospect.clashes[story.clash];
        const QString first = story.trace.indexOf(u"submit "_s + clash.first)
                < story.trace.indexOf(u"submit "_s + clash.second)
            ? clash.first
            : clash.second;
        return ProspectModel::tr("%1 comes first").arg(named(prospect, first));
    }
    case Kind::Ending:
        break;
    }
    return {};
}

/// Nothing that was asked for is needed for it: only the clock and what runs already.
bool comesUnasked(const Prospect::Story &story)
{
    return std::ranges::none_of(
        story.schedule, [](const Event &event) { return event.kind == Event::Kind::Submit; });
}

/// Resources that are left failed, and operations that did not succeed.
std::pair<qsizetype, qsizetype> harmOf(
    const Prospect &prospect, const Prospect::Story &story, const Rules &rules)
{
    qsizetype failed = 0;
    for (qsizetype row = 0; row < prospect.rows.size(); ++row)
        failed +=
            moodOfWord(rules, prospect.rows[row].machine, story.words.value(row)) == Mood::Failed;
    const auto unwell = std::ranges::count_if(story.operations,
        [](const QString &status) { return status != statusName(Status::Succeeded); });
    return { failed, unwell };
}

/// What was answered, with the condition that asks for time in words: "!elapsed time 10000".
QString toldAnswers(const QString &answers)
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
            : ProspectModel::tr("%1 after %2").arg(timeText(ms), match.captured(2));
        told += answers.sliced(end, match.capturedStart() - end)
            + (isOver ? ProspectModel::tr("later than %1") : ProspectModel::tr("not later than %1"))
                  .arg(since);
        end = match.capturedEnd();
    }
    return told + answers.sliced(end);
}

} // namespace

void sortByHarm(Prospect *prospect, const Rules &rules)
{
    const auto isEnding = [](const Prospect::Story &story) { return story.kind == Kind::Ending; };
    std::vector<std::pair<std::pair<qsizetype, qsizetype>, Prospect::Story>> endings;
    for (const Prospect::Story &story : std::as_const(prospect->stories)) {
        if (isEnding(story))
            endings.emplace_back(harmOf(*prospect, story, rules), story);
    }
    std::ranges::stable_sort(endings, std::greater(), [](const auto &each) { return each.first; });
    auto next = endings.begin();
    for (Prospect::Story &story : prospect->stories) {
        if (isEnding(story))
            story = (next++)->second;
    }
}

QString askedText(const Request &request)
{
    const QString what = u"%1 %2"_s.arg(request.op, lastName(request.path));
    return request.client.isEmpty() ? what : request.client + u' ' + what;
}

QList<StoryText> storyTexts(const Prospect &prospect)
{
    const QStringList names = rowNames(prospect.rows);
    QList<QStringList> ends;
    QHash<QString, int> sharers; // part -> how many stories have it
    for (const Prospect::Story &story : prospect.stories) {
        ends += endParts(prospect, names, story);
        for (const QString &part : std::as_const(ends.last()))
            ++sharers[part];
    }
    QList<StoryText> texts;
    for (qsizetype i = 0; i < ends.size(); ++i) {
        const Prospect::Story &story = prospect.stories[i];
        // There is not always room for all: what tells it from others comes first.
        std::ranges::stable_sort(ends[i], {}, [&](const QString &part) { return sharers[part]; });
        const QString none =
            ends[i].isEmpty() ? ProspectModel::tr("Everything as it was") : QString();
        const QString end = none + listText(ends[i]), whole = none + listText(ends[i], mostTold);
        const QString title = specialTitle(prospect, story, mostNamed);
        QStringList notes = statusParts(prospect, story.operations);
        if (!story.lastly.isEmpty()) {
            const QString last = statusParts(prospect, story.lastly).join(u", "_s);
            //: how operations stand when all have ended, and at the moment that is shown
            notes = {
                ProspectModel::tr("in the end %1 · at first %2").arg(last, notes.join(u", "_s))
            };
        }
        notes += waitsText(story);
        if (!title.isEmpty())
            notes += end;
        notes.removeAll(QString());
        texts += StoryText { title.isEmpty() ? end : title,
            title.isEmpty() ? whole : specialTitle(prospect, story, mostTold),
            notes.join(u" · "_s) };
    }
    return texts;
}

QString waitsText(const Prospect::Story &story)
{
    QStringList names;
    for (const QString &path : story.waits)
        names += spokenPath(path);
    return names.isEmpty() ? QString()
                           //: resources on which only a timer would do something
                           : ProspectModel::tr("waits for time: %1").arg(listText(names));
}

QString stepText(const Prospect &prospect, const Prospect::Story &story, qsizetype step)
{
    const Event &event = story.schedule[step];
    QString words = story.trace[step], answers;
    if (const qsizetype given = words.lastIndexOf(u" ("_s);
        given >= 0 && (!event.answers.isEmpty() || !event.othersAnswers.empty())) {
        answers = toldAnswers(words.sliced(given));
        words.truncate(given);
    }
    const auto said = [&](const QString &before, const QString &sentence) {
        const Asked asked = askedIn(prospect, story, words.sliced(before.size()));
        return sentence.arg(asked.what) + asked.whose + answers;
    };
    switch (event.kind) {
    case Event::Kind::Submit:
        return askedText(*event.request) + answers;
    case Event::Kind::Begin:
        return said(u"begin "_s, ProspectModel::tr("%1: work begins again"));
    case Event::Kind::Expire:
        return said(u"time over for "_s, ProspectModel::tr("%1: its time is over"));
    case Event::Kind::Fire: {
        const qsizetype given = words.indexOf(u" ("_s); // behind the path: what was answered
        const QString path = words.left(given).section(u' ', 1);
        //: a resource on which the clock fires: "workshop/end_lease fires"
        return ProspectModel::tr("%1 fires").arg(spokenPath(path))
            + (given < 0 ? QString() : toldAnswers(words.sliced(given))) + answers;
    }
    case Event::Kind::End: {
        const QString how = words.section(u' ', 0, 0);
        //: an operation, how a piece of its work ended
        return said(how + u' ', ProspectModel::tr("%1: work %2").arg(u"%1"_s, how));
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
        return ProspectModel::tr("endlessly many orders");
    if (orders == 1)
        return ProspectModel::tr("one order");
    if (orders <= exact)
        return ProspectModel::tr("%1 orders").arg(QLocale().toString(qint64(orders)));
    const int power = int(std::floor(std::log10(orders)));
    return ProspectModel::tr("about %1 × 10^%2 orders")
        .arg(QLocale().toString(orders / std::pow(10.0, power), 'f', 1))
        .arg(power);
}

QString lookedAtText(const Prospect &prospect)
{
    const QString worlds = QLocale().toString(prospect.worlds);
    const QString much = prospect.complete
        ? ProspectModel::tr("All %1 situations were looked at.").arg(worlds)
        : prospect.isStopped
        ? ProspectModel::tr("Stopped after %1 situations: there may be more.").arg(worlds)
        : ProspectModel::tr("Only %1 situations were looked at: there may be more.").arg(worlds);
    return prospect.timers == Timers::Stand ? ProspectModel::tr("%1 No timer fired.").arg(much)
                                            : much;
}

void ProspectModel::show(const Prospect &prospect)
{
    beginResetModel();
    m_prospect = prospect;
    m_texts = storyTexts(prospect);
    m_rows.clear();
    if (prospect.what == ProspectQuestion::What::Order)
        addOrders();
    // What happens without anybody's asking is no answer to what somebody has asked.
    QList<int> deadEnds, breaches, unasked, endings;
    for (int i = 0; i < int(prospect.stories.size()); ++i) {
        const Prospect::Story &story = prospect.stories[i];
        if (story.kind == Kind::DeadEnd)
            deadEnds += i;
        else if (story.kind == Kind::Breach)
            (comesUnasked(story) ? unasked : breaches) += i;
        else if (story.kind == Kind::Ending)
            endings += i;
    }
    addStories(deadEnds, tr("Dead ends"), prospect.deadEnds);
    addStories(breaches, tr("Broken constraints"), prospect.breaches - unasked.size());
    addStories(endings, tr("Endings"), prospect.endings);
    addStories(unasked, tr("Constraints broken even if nothing is asked"),
        breaches.isEmpty() ? prospect.breaches : unasked.size());
    endResetModel();
}

void ProspectModel::retell()
{
    beginResetModel();
    endResetModel();
}

void ProspectModel::addStories(const QList<int> &stories, const QString &heading, qint64 count)
{
    if (!stories.isEmpty())
        m_rows += Entry { -1, headingText(heading, count, stories.size()) };
    for (const int story : stories)
        m_rows += Entry { story, {} };
}

void ProspectModel::addOrders()
{
    int clash = -1;
    for (int i = 0; i < int(m_prospect.stories.size()); ++i) {
        if (const int own = m_prospect.stories[i].clash; own != std::exchange(clash, own)) {
            const OrderClash &pair = m_prospect.clashes[own];
            const QString both =
                tr("%1, and %2").arg(named(m_prospect, pair.first), named(m_prospect, pair.second));
            m_rows += Entry { -1,
                pair.seen == OrderClash::Seen::AtOnce
                    ? tr("The order matters: %1").arg(both)
                    : tr("The order matters in the end: %1").arg(both) };
        }
        m_rows += Entry { i, {} };
    }
    for (const auto &[first, second] : std::as_const(m_prospect.commuting)) {
        const QString both =
            tr("%1, and %2").arg(named(m_prospect, first), named(m_prospect, second));
        m_rows += Entry { -1,
            m_prospect.complete ? tr("The order does not matter: %1").arg(both)
                                : tr("No difference found so far: %1").arg(both) };
    }
    if (m_rows.isEmpty())
        m_rows += Entry { -1, tr("No two of them can change places.") };
}

int ProspectModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

Qt::ItemFlags ProspectModel::flags(const QModelIndex &index) const
{
    return m_rows[index.row()].story < 0 ? Qt::NoItemFlags : QAbstractListModel::flags(index);
}

QVariant ProspectModel::data(const QModelIndex &index, int role) const
{
    const Entry &entry = m_rows[index.row()];
    if (role == StoryOf)
        return entry.story;
    if (entry.story < 0)
        return role == Qt::DisplayRole || role == Full ? entry.heading : QVariant();
    const Prospect::Story &story = m_prospect.stories[entry.story];
    const StoryText &text = m_texts[entry.story];
    const QString orders = story.kind == Kind::Ending ? ordersText(story.orders) : QString();
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
