// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/http.h"

#include <QHash>

namespace instar {

/// What was answered to requests with an id, to be answered again should they come again; the
/// oldest go.
class FirstAnswers
{
public:
    explicit FirstAnswers(qsizetype most) : m_most(most) { }

    void remember(quint32 serial, const HttpResponse &response);
    /// Null where it is not known, or not any more.
    const HttpResponse *find(quint32 serial) const;
    void clear();

private:
    qsizetype m_most;
    QHash<quint32, HttpResponse> m_answers;
    QList<quint32> m_order;
    qint64 m_bytes = 0;
};

} // namespace instar
