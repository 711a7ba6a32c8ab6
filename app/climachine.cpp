// SPDX-License-Identifier: Apache-2.0
#include "app/climachine.h"

#include <cstdio>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostShown = 1000;

} // namespace

void showRemarks(const QString &file, const QList<Remark> &remarks)
{
    QString lines;
    for (const Remark &remark : remarks.mid(0, MostShown))
        lines += described(file, remark) + u'\n';
    if (remarks.size() > MostShown)
        lines += u"%1:1: note: and %2 more\n"_s.arg(file).arg(remarks.size() - MostShown);
    std::fputs(lines.toUtf8().constData(), stderr);
}

} // namespace instar
