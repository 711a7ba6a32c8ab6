// SPDX-License-Identifier: Apache-2.0
#include "model/items/branchname.h"

#include "model/items/words.h"

#include <QCoreApplication>

namespace instar {

namespace {

struct BranchWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Simulator::Branch)
};

} // namespace

QString branchName(const Simulator::Branch &branch)
{
    if (!branch.name.isEmpty())
        return branch.name;
    if (branch.id == 0)
        return BranchWords::tr("First run");
    for (const Record &record : branch.records) {
        if (const auto &request = record.event.request)
            //: an operation, its target, a time
            return BranchWords::tr("%1 %2 at %3")
                .arg(request->op, request->path.section(u'/', -1), timeText(record.event.time));
        if (record.event.kind == Event::Kind::Cancel)
            return BranchWords::tr("Canceled at %1").arg(timeText(record.event.time));
        return BranchWords::tr("From %1").arg(timeText(record.event.time));
    }
    return BranchWords::tr("Branch %1").arg(branch.id);
}

} // namespace instar
