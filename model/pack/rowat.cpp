// SPDX-License-Identifier: Apache-2.0
#include "model/pack/rowat.h"

#include "model/pack/tree.h"

using namespace Qt::StringLiterals;

namespace instar {

QStringList keysOf(const QString &pointer)
{
    QStringList keys = pointer.split(u'/').sliced(1);
    for (QString &key : keys)
        key = key.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
    return keys;
}

QString pointerAround(const QString &pointer)
{
    return pointer.first(qMax<qsizetype>(pointer.lastIndexOf(u'/'), 0));
}

QString machineAround(const Pack &pack, QString pointer)
{
    QString machine;
    for (; !pointer.isEmpty() && machine.isEmpty(); pointer = pointerAround(pointer))
        withRowAt(pack, pointer, [&](const auto &row) { machine = machineFor(pack, row); });
    return machine;
}

QString machineOfPath(const Pack &pack, const QString &path)
{
    const QString type = typePathOf(path);
    const auto same = pack.ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
    const Type *own = pack.type(u"*"_s);
    for (const Type &row : pack.types) {
        if (row.path.compare(type, same) == 0)
            own = &row;
    }
    return own ? own->machine : QString();
}

} // namespace instar
