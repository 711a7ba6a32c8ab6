// SPDX-License-Identifier: Apache-2.0
#include "model/items/armedmodel.h"

#include "model/items/sentences.h"

using namespace Qt::StringLiterals;

namespace instar {

QString enclosedText(const Request &request)
{
    QStringList parts;
    if (!request.ifMatch.isEmpty())
        parts += u"If-Match"_s;
    if (!request.ifNoneMatch.isEmpty())
        parts += u"If-None-Match"_s;
    if (!request.requestId.isEmpty())
        parts += ArmedModel::tr("request id %1").arg(request.requestId);
    if (!request.headers.isEmpty())
        parts += ArmedModel::tr("%Ln headers", nullptr, int(request.headers.size()));
    if (!request.body.isEmpty())
        parts += ArmedModel::tr("body of %1")
                     .arg(ArmedModel::tr("%Ln bytes", nullptr, int(request.body.size())));
    if (!request.references.isEmpty())
        parts += ArmedModel::tr("%Ln references", nullptr, int(request.references.size()));
    if (request.transientFailures > 0)
        parts += ArmedModel::tr("%Ln transient failures", nullptr, request.transientFailures);
    for (const auto &[label, holds] : request.conditions.asKeyValueRange())
        parts += holds ? label : ArmedModel::tr("not %1").arg(label);
    return parts.join(u", "_s);
}

ArmedModel::ArmedModel(const QString &usual, QObject *parent)
    : TableModel(
        { { tr("Client"), &ArmedRequest::client },
            { tr("Request"),
                [](const ArmedRequest &row) { return row.op + u' ' + spokenPath(row.path); },
                [](const ArmedRequest &row) { return row.op + u' ' + row.path; } },
            { tr("Answer"), &ArmedRequest::answer },
            { tr("Outcome"),
                [usual](const ArmedRequest &row) {
                    return row.hang ? tr("by hand") : row.outcome.isEmpty() ? usual : row.outcome;
                } },
            { tr("Contents"), enclosedText },
            { .title = tr("Path"), .text = &ArmedRequest::path, .isExtra = true } },
        parent)
{ }

void ArmedModel::insert(int row, const Request &request)
{
    beginInsertRows({}, row, row);
    m_rows.insert(row, ArmedRequest { request });
    endInsertRows();
}

void ArmedModel::remove(int row)
{
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    endRemoveRows();
}

void ArmedModel::move(int from, int to)
{
    if (from == to)
        return;
    beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
    m_rows.move(from, to);
    endMoveRows();
}

void ArmedModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void ArmedModel::setSerial(int row, quint32 serial)
{
    m_rows[row].serial = serial;
    m_rows[row].answer.clear();
    emit dataChanged(index(row, Answer), index(row, Answer));
}

void ArmedModel::setAnswer(int row, const QString &answer)
{
    if (m_rows[row].answer == answer)
        return;
    m_rows[row].answer = answer;
    emit dataChanged(index(row, Answer), index(row, Answer));
}

} // namespace instar
