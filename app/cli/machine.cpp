// SPDX-License-Identifier: Apache-2.0
#include "app/cli/machine.h"

#include "app/cli/cli.h"
#include "model/foreigntext.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostShown = 1000;

} // namespace

void showRemarks(const QString &file, const QList<Remark> &remarks)
{
    QString lines;
    for (const Remark &remark : remarks.mid(0, MostShown))
        lines += oneLine(described(file, remark)) + u'\n';
    if (remarks.size() > MostShown)
        lines += u"%1:1: note: and %2 more\n"_s.arg(file).arg(remarks.size() - MostShown);
    warn(lines);
}

} // namespace instar
