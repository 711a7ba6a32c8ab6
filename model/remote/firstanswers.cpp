// SPDX-License-Identifier: Apache-2.0
#include "model/remote/firstanswers.h"

namespace instar {

namespace {

constexpr qint64 MostBytes = 64 * 1024 * 1024;

qint64 bytesOf(const HttpResponse &response)
{
    return response.body.size() + 512;
}

} // namespace

void FirstAnswers::remember(quint32 serial, const HttpResponse &response)
{
    m_answers.insert(serial, response);
    m_order += serial;
    m_bytes += bytesOf(response);
    while (m_bytes > MostBytes || m_order.size() > m_most)
        m_bytes -= bytesOf(m_answers.take(m_order.takeFirst()));
}

const HttpResponse *FirstAnswers::find(quint32 serial) const
{
    const auto found = m_answers.constFind(serial);
    return found == m_answers.constEnd() ? nullptr : &*found;
}

void FirstAnswers::clear()
{
    m_answers.clear();
    m_order.clear();
    m_bytes = 0;
}

} // namespace instar
