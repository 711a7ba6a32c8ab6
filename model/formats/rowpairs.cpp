// SPDX-License-Identifier: Apache-2.0
#include "model/formats/rowpairs.h"

#include <QHash>

#include <algorithm>
#include <optional>

namespace instar {

namespace {

/// Everything that a row says.
QByteArray whole(const RowTree &row, Placement placement)
{
    QByteArray all = row.word.toUtf8();
    for (const RowTree::Member &member : row.members) {
        if (placement == Placement::Compared || !member.isDrawing)
            all += '\n' + member.key.toUtf8() + ' ' + member.json;
    }
    for (const RowList &list : row.lists) {
        for (const RowTree &one : list.rows)
            all += "\n[" + one.id.toUtf8() + whole(one, placement) + ']';
    }
    return all;
}

/// What a row is about, as far as some of it tells; nothing: some of it tells too little.
using Topic = std::optional<QByteArray>;

Topic topicOf(const RowTree &row, const std::vector<const char *> &keys)
{
    if (keys.empty())
        return {};
    QByteArray topic = row.word.toUtf8();
    for (const char *key : keys) {
        const RowTree::Member *member = memberOf(row, QString::fromLatin1(key));
        topic += '\n' + (member ? member->json : QByteArray());
    }
    return topic;
}

/// All but one of what it is about.
Topic topicWithout(const RowTree &row, size_t left)
{
    std::vector<const char *> keys = row.about;
    if (left >= keys.size())
        return {};
    keys.erase(keys.begin() + ptrdiff_t(left));
    return topicOf(row, keys);
}

/// All but so many of the last of what it is about, but not less than half.
Topic topicBefore(const RowTree &row, size_t dropped)
{
    std::vector<const char *> keys = row.about;
    if (dropped > keys.size() || keys.size() - dropped < std::max<size_t>(keys.size() / 2, 1))
        return {};
    keys.resize(keys.size() - dropped);
    return topicOf(row, keys);
}

constexpr size_t MostTopics = 8;

} // namespace

void RowPairs::take(size_t a, size_t b)
{
    m_other[a] = qsizetype(b);
    m_taken[b] = true;
}

/// What is the same at both ends, so that of equal rows the right ones are paired.
void RowPairs::pairEnds(const auto &topic)
{
    size_t first = 0, last = 0;
    const size_t most = std::min(m_a.size(), m_b.size());
    while (first < most && topic(m_a[first]) == topic(m_b[first])) {
        take(first, first);
        ++first;
    }
    while (last < most - first
        && topic(m_a[m_a.size() - 1 - last]) == topic(m_b[m_b.size() - 1 - last])) {
        take(m_a.size() - 1 - last, m_b.size() - 1 - last);
        ++last;
    }
}

/// Those of one topic, one after another.
void RowPairs::pairBy(const auto &topic)
{
    QHash<QByteArray, std::vector<size_t>> open;
    for (size_t i = m_b.size(); i-- > 0;) {
        if (m_taken[i])
            continue;
        if (const Topic own = topic(m_b[i]))
            open[*own].push_back(i);
    }
    for (size_t i = 0; i < m_a.size() && !open.isEmpty(); ++i) {
        if (m_other[i] != None)
            continue;
        const Topic own = topic(m_a[i]);
        const auto found = own ? open.find(*own) : open.end();
        if (found == open.end() || found->empty())
            continue;
        take(i, found->back());
        found->pop_back();
    }
}

void RowPairs::pairById()
{
    pairBy([](const RowTree &row) { return Topic(row.id.toUtf8()); });
}

void RowPairs::pairSingle()
{
    pairBy([](const RowTree &row) { return Topic(row.word.toUtf8()); });
}

void RowPairs::pairByMeaning(Placement placement)
{
    const auto same = [placement](const RowTree &row) { return Topic(whole(row, placement)); };
    pairEnds(same);
    pairBy([](const RowTree &row) {
        return row.number ? Topic(QByteArray::number(row.number)) : Topic();
    });
    pairBy(same);
    pairBy([](const RowTree &row) { return topicBefore(row, 0); });
    for (size_t left = MostTopics; left-- > 0;)
        pairBy([left](const RowTree &row) { return topicWithout(row, left); });
    for (size_t dropped = 2; dropped < MostTopics; ++dropped)
        pairBy([dropped](const RowTree &row) { return topicBefore(row, dropped); });
}

std::vector<bool> RowPairs::moved() const
{
    constexpr size_t nobody = ~size_t(0);
    std::vector<size_t> tails, before(m_other.size(), nobody); // of runs, by their length
    std::vector<bool> result(m_other.size());
    for (size_t i = 0; i < m_other.size(); ++i) {
        if (m_other[i] == None)
            continue;
        result[i] = true;
        const auto place = std::ranges::lower_bound(
            tails, m_other[i], {}, [this](size_t row) { return m_other[row]; });
        if (place != tails.begin())
            before[i] = *std::prev(place);
        if (place == tails.end())
            tails.push_back(i);
        else
            *place = i;
    }
    for (size_t i = tails.empty() ? nobody : tails.back(); i != nobody; i = before[i])
        result[i] = false;
    return result;
}

} // namespace instar
