// SPDX-License-Identifier: Apache-2.0
#include "model/remote/freshid.h"

#include "model/engine/hex.h"

#include <QRandomGenerator>

namespace instar {

QString freshId()
{
    quint32 words[4];
    QRandomGenerator::global()->fillRange(words);
    const quint64 high = quint64(words[0]) << 32 | (words[1] & 0xffff0fffu) | 0x4000u;
    const quint64 low = quint64((words[2] & 0x3fffffffu) | 0x80000000u) << 32 | words[3];
    const HexGroups groups = hexGroups(high, low);
    return QString::fromLatin1(groups.data(), qsizetype(groups.size()));
}

} // namespace instar
