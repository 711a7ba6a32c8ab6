// SPDX-License-Identifier: Apache-2.0
#include "model/formats/historyfile.h"

#include "model/formats/exchanges.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

HistoryFile::HistoryFile(const QString &name) : m_file(name)
{
    // Requests and answers are for nobody else's eyes.
    constexpr auto own = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::Truncate, own))
        fail();
    else if (QFileInfo(m_file.fileName()).isFile())
        m_file.setPermissions(own);
}

void HistoryFile::add(const Exchange &exchange)
{
    if (!m_problem.isEmpty())
        return;
    const QByteArray line = exchangesNdjson({ exchange });
    if (m_file.write(line) != line.size() || !m_file.flush())
        fail();
}

void HistoryFile::fail()
{
    m_problem = u"%1: cannot be written: %2; name another file or folder"_s.arg(
        m_file.fileName(), m_file.errorString());
}

} // namespace instar
