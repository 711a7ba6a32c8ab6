// SPDX-License-Identifier: Apache-2.0
#include "model/json/historyfile.h"

#include "model/json/exchanges.h"

using namespace Qt::StringLiterals;

namespace instar {

HistoryFile::HistoryFile(const QString &name)
{
    check(m_file.begin(name, {}));
}

void HistoryFile::add(const Exchange &exchange)
{
    if (m_problem.isEmpty())
        check(m_file.append(exchangesNdjson({ exchange })));
}

void HistoryFile::finish()
{
    if (m_problem.isEmpty())
        check(m_file.close());
}

void HistoryFile::check(const Result<bool> &written)
{
    if (!written)
        m_problem = written.error() + u"; name another file or folder"_s;
}

} // namespace instar
