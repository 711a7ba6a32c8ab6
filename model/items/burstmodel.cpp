// SPDX-License-Identifier: Apache-2.0
#include "model/items/burstmodel.h"

#include "model/items/sentences.h"

namespace instar {

QString contentsText(const Request &request)
{
    QStringList parts;
    if (!request.ifMatch.isEmpty())
        parts += u"If-Match"_s;
    if (!request.ifNoneMatch.isEmpty())
        parts += u"If-None-Match"_s;
    if (!request.requestId.isEmpty())
        parts += BurstModel::tr("request id %1").arg(request.requestId);
    if (!request.headers.isEmpty())
        parts += BurstModel::tr("%Ln headers", nullptr, int(request.headers.size()));
    if (!request.body.isEmpty())
        parts += BurstModel::tr("body of %1")
                     .arg(BurstModel::tr("%Ln bytes", nullptr, int(request.body.size())));
    if (!request.references.isEmpty())
        parts += BurstModel::tr("%Ln references", nullptr, int(request.references.size()));
    if (request.transientFailures > 0)
        parts += BurstModel::tr("%Ln transient failures", nullptr, request.transientFailures);
    for (const auto &[label, holds] : request.conditions.asKeyValueRange())
        parts += holds ? label : BurstModel::tr("not %1").arg(label);
    return parts.join(u", "_s);
}

BurstModel::BurstModel(const QString &none, QObject *parent)
    : TableModel(
        { { tr("Client"), &BurstRequest::client },
            { tr("Request"),
                [](const BurstRequest &row) { return row.op + u' ' + row.path.section(u'/', -1); },
                [](const BurstRequest &row) { return row.op + u' ' + row.path; } },
            { tr("Answer"), &BurstRequest::answer },
            { tr("Outcome"),
                [none](const BurstRequest &row) {
                    return row.hang ? tr("by hand") : row.outcome.isEmpty() ? none : row.outcome;
                } },
            { tr("Contents"), contentsText },
            { .title = tr("Path"), .text = &BurstRequest::path, .isExtra = true } },
        parent)
{ }

void BurstModel::insert(int row, const Request &request)
{
    beginInsertRows({}, row, row);
    m_rows.insert(row, BurstRequest { request });
    endInsertRows();
}

void BurstModel::remove(int row)
{
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    endRemoveRows();
}

void BurstModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void BurstModel::setSerial(int row, quint32 serial)
{
    m_rows[row].serial = serial;
    m_rows[row].answer.clear();
    emit dataChanged(index(row, Answer), index(row, Answer));
}

void BurstModel::setAnswer(int row, const QString &answer)
{
    if (m_rows[row].answer == answer)
        return;
    m_rows[row].answer = answer;
    emit dataChanged(index(row, Answer), index(row, Answer));
}

} // namespace instar
