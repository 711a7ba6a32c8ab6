// SPDX-License-Identifier: Apache-2.0
#include "model/items/exchangemodel.h"

#include "model/items/words.h"

#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

qint64 bytesOf(const Exchange &exchange)
{
    return exchange.requestBody.size() + exchange.responseBody.size();
}

} // namespace

ExchangeTone toneOf(const Exchange &exchange)
{
    if (!exchange.isOver())
        return ExchangeTone::Running;
    if (exchange.status == 0 || !exchange.problem.isEmpty())
        return ExchangeTone::NoAnswer;
    if (exchange.status >= 500)
        return ExchangeTone::ServerError;
    if (exchange.status >= 400)
        return ExchangeTone::ClientError;
    return exchange.status >= 300 ? ExchangeTone::Redirect : ExchangeTone::Ok;
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
    : QAbstractTableModel(parent), m_capacity(capacity)
{
    Q_ASSERT(capacity > 0);
}

void ExchangeModel::put(const Exchange &exchange)
{
    auto place = std::ranges::lower_bound(m_rows, exchange.number, {}, &Exchange::number);
    if (place != m_rows.end() && place->number == exchange.number) {
        if (*place == exchange)
            return;
        m_bytes += bytesOf(exchange) - bytesOf(*place);
        *place = exchange;
        const int row = int(place - m_rows.begin());
        emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
        relieve();
        return;
    }
    if (int(m_rows.size()) == m_capacity) {
        if (place == m_rows.begin())
            return;
        removeFirst();
        place = std::ranges::lower_bound(m_rows, exchange.number, {}, &Exchange::number);
    }
    const int row = int(place - m_rows.begin());
    beginInsertRows({}, row, row);
    m_rows.insert(place, exchange);
    m_bytes += bytesOf(exchange);
    endInsertRows();
    relieve();
}

void ExchangeModel::removeFirst()
{
    beginRemoveRows({}, 0, 0);
    m_bytes -= bytesOf(m_rows.front());
    m_rows.pop_front();
    endRemoveRows();
}

void ExchangeModel::relieve()
{
    while (m_bytes > m_mostBytes && m_rows.size() > 1)
        removeFirst();
}

void ExchangeModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_bytes = 0;
    endResetModel();
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

int ExchangeModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ExchangeModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant ExchangeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Full)
        return rowText(columnNames(*this) << tr("Problem"));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Client:
        return tr("Client");
    case Method:
        return tr("Method");
    case Path:
        return tr("Path");
    case StatusWord:
        return tr("Status");
    case OperationId:
        return tr("Operation");
    case Etag:
        return tr("Etag");
    case RetryAfter:
        return tr("Retry-After");
    case Duration:
        return tr("Duration");
    default:
        return {};
    }
}

QString ExchangeModel::text(const Exchange &exchange, int column) const
{
    switch (column) {
    case Time:
        return exchange.sent.toLocalTime().toString(u"HH:mm:ss.zzz");
    case Client:
        return exchange.client;
    case Method:
        return exchange.method;
    case Path:
        return pathOf(exchange);
    case StatusWord:
        return statusText(exchange);
    case OperationId:
        return exchange.operation;
    case Etag:
        return exchange.etag;
    case RetryAfter:
        return exchange.retryAfter ? tr("%1 s").arg(*exchange.retryAfter) : QString();
    case Duration:
        return durationText(exchange.duration);
    default:
        return {};
    }
}

QVariant ExchangeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const Exchange &exchange = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(exchange, index.column());
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Time:
            return exchange.sent.toLocalTime().toString(Qt::ISODateWithMs);
        case Path:
            return exchange.url;
        case StatusWord:
            return exchange.problem.isEmpty() ? statusText(exchange) : exchange.problem;
        default:
            return text(exchange, index.column());
        }
    case Number:
        return exchange.number;
    case Whole:
        return QVariant::fromValue(exchange);
    case ToneOf:
        return int(toneOf(exchange));
    case SortKey:
        switch (index.column()) {
        case Time:
            return exchange.number;
        case StatusWord:
            return exchange.status;
        case RetryAfter:
            return exchange.retryAfter.value_or(-1);
        case Duration:
            return exchange.duration;
        default:
            return text(exchange, index.column());
        }
    case Full: {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column)
            cells += text(exchange, column);
        if (!exchange.problem.isEmpty())
            cells += exchange.problem;
        return rowText(cells);
    }
    default:
        return {};
    }
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

void ExchangeFilter::setPolls(Polls polls)
{
    m_polls = polls;
    invalidateFilter();
}

void ExchangeFilter::setOperation(const QString &id)
{
    m_operation = id;
    invalidateFilter();
}

bool ExchangeFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const Exchange &exchange = m_model.at(row);
    if (m_polls == Polls::Hidden && exchange.purpose == Exchange::Purpose::Poll)
        return false;
    if (!m_operation.isEmpty() && exchange.operation != m_operation)
        return false;
    return std::ranges::all_of(m_words, [&](const QString &word) {
        const QString texts[] = { exchange.client, exchange.method, exchange.url,
            exchange.operation, exchange.etag, exchange.problem, statusText(exchange) };
        return std::ranges::any_of(
            texts, [&](const QString &text) { return text.contains(word, Qt::CaseInsensitive); });
    });
}

} // namespace instar
