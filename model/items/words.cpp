// SPDX-License-Identifier: Apache-2.0
#include "model/items/words.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace instar {

QString timeText(qint64 ms)
{
    return u"%1.%2 s"_s.arg(ms / 1000).arg(ms % 1000, 3, 10, QChar(u'0'));
}

QString counted(qint64 number, const QString &one, const QString &many)
{
    return number == 1 ? one : many.arg(QLocale().toString(number));
}

} // namespace instar
