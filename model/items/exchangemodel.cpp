// SPDX-License-Identifier: Apache-2.0
#include "model/items/exchangemodel.h"

#include <QUrl>

using namespace Qt::StringLiterals;

namespace instar {

ExchangeCategory categoryOf(const Exchange &exchange)
{
    if (!exchange.isOver())
        return ExchangeCategory::Running;
    if (exchange.status == 0 || !exchange.problem.isEmpty())
        return ExchangeCategory::NoAnswer;
    if (exchange.status >= 500)
        return ExchangeCategory::ServerError;
    if (exchange.status >= 400)
        return ExchangeCategory::ClientError;
    return exchange.status >= 300 ? ExchangeCategory::Redirect : ExchangeCategory::Ok;
}

/// Returns true for a read of the tree or of an operation's status that no user requested.
static bool isPoll(const Exchange &exchange)
{
    return exchange.purpose == Exchange::Purpose::Poll
        || exchange.purpose == Exchange::Purpose::Load;
}

QString statusText(const Exchange &exchange)
{
    if (exchange.status)
        return u"%1 %2"_s.arg(exchange.status).arg(exchange.reason).trimmed();
    return exchange.isOver() ? ExchangeModel::tr("no answer") : ExchangeModel::tr("waiting");
}

QString pathOf(const Exchange &exchange)
{
    const QUrl url(exchange.url, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty())
        return exchange.url;
    const QString path = url.path(QUrl::FullyEncoded);
    const QString query = url.hasQuery() ? u'?' + url.query(QUrl::FullyEncoded) : QString();
    return (path.isEmpty() ? u"/"_s : path) + query;
}

QString durationText(double ms)
{
    if (ms < 0)
        return {};
    if (ms >= 1000)
        return u"%1 s"_s.arg(ms / 1000, 0, 'f', 3);
    return u"%1 ms"_s.arg(ms, 0, 'f', ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

ExchangeModel::ExchangeModel(int capacity, QObject *parent)
    : TableModel({ { tr("Client"), &Exchange::client }, { tr("Method"), &Exchange::method },
                     { tr("Path"), qOverload<const Exchange &>(pathOf), &Exchange::url },
                     { tr("Answer"), qOverload<const Exchange &>(statusText),
                         [](const Exchange &row) {
                             return row.problem.isEmpty() ? statusText(row) : row.problem;
                         } },
                     { tr("Time"),
                         [](const Exchange &row) {
                             return row.sent.toLocalTime().toString(u"HH:mm:ss.zzz");
                         },
                         [](const Exchange &row) {
                             return row.sent.toLocalTime().toString(Qt::ISODateWithMs);
                         } },
                     { tr("Took"), [](const Exchange &row) { return durationText(row.duration); } },
                     { .title = tr("Problem"), .text = &Exchange::problem, .isExtra = true } },
        parent),
      m_capacity(capacity)
{
    Q_ASSERT(capacity > 0);
}

void ExchangeModel::put(const Exchange &exchange)
{
    const auto found = std::ranges::lower_bound(m_rows, exchange.number, {}, &Exchange::number);
    const int row = int(found - m_rows.begin());
    if (found != m_rows.end() && found->number == exchange.number) {
        if (*found == exchange)
            return;
        count(*found, -1);
        count(exchange, 1);
        *found = exchange;
        emitChanged(row, row);
    } else {
        if (row == 0 && rows() == m_capacity)
            return;
        beginInsertRows({}, row, row);
        m_rows.insert(found, exchange);
        count(exchange, 1);
        endInsertRows();
    }
    dropOldest();
}

void ExchangeModel::count(const Exchange &exchange, int sign)
{
    m_bytes += sign * (exchange.requestBody.size() + exchange.responseBody.size());
    m_polls += sign * isPoll(exchange);
}

void ExchangeModel::dropOldest()
{
    while (rows() > m_capacity || (m_bytes > m_mostBytes && rows() > 1)) {
        beginRemoveRows({}, 0, 0);
        count(m_rows.front(), -1);
        m_rows.pop_front();
        endRemoveRows();
    }
}

QList<Exchange> ExchangeModel::exchanges() const
{
    return { m_rows.begin(), m_rows.end() };
}

QModelIndex ExchangeModel::indexOf(quint64 number) const
{
    const auto found = std::ranges::lower_bound(m_rows, number, {}, &Exchange::number);
    if (found == m_rows.end() || found->number != number)
        return {};
    return index(int(found - m_rows.begin()), 0);
}

QVariant ExchangeModel::value(const Exchange &exchange, int column, int role) const
{
    if (role == Whole)
        return QVariant::fromValue(exchange);
    if (role == CategoryOf)
        return int(categoryOf(exchange));
    if (role != SortKey)
        return {};
    return column == Answer  ? QVariant(exchange.status)
        : column == Time     ? QVariant(exchange.number)
        : column == Duration ? QVariant(exchange.duration)
                             : QVariant(cellText(exchange, column));
}

ExchangeFilter::ExchangeFilter(ExchangeModel &model, QObject *parent)
    : QSortFilterProxyModel(parent), m_model(model)
{
    setSortRole(ExchangeModel::SortKey);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSourceModel(&model);
}

void ExchangeFilter::setText(const QString &text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

void ExchangeFilter::showPolls(bool shown)
{
    m_showsPolls = shown;
    invalidateFilter();
}

void ExchangeFilter::keep(quint64 number)
{
    m_alwaysListed = number;
    invalidateFilter();
}

bool ExchangeFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const Exchange &exchange = m_model.at(row);
    if (exchange.number == m_alwaysListed)
        return true;
    if (!m_showsPolls && isPoll(exchange))
        return false;
    return std::ranges::all_of(m_words, [&](const QString &word) {
        const QString texts[] = { exchange.client, exchange.method, exchange.url,
            exchange.operation, exchange.etag, exchange.problem, statusText(exchange) };
        return std::ranges::any_of(
            texts, [&](const QString &text) { return text.contains(word, Qt::CaseInsensitive); });
    });
}

} // namespace instar
