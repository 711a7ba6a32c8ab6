// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/typeface.h"

#include <QDirIterator>
#include <QFontDatabase>

using namespace Qt::StringLiterals;

namespace instar {

QFont typeface(QFont like)
{
    static const QString family = [] {
        QString result;
        QDirIterator files(u":/instar/fonts"_s);
        while (files.hasNext()) {
            const int id = QFontDatabase::addApplicationFont(files.next());
            if (result.isEmpty())
                result = QFontDatabase::applicationFontFamilies(id).value(0);
        }
        return result;
    }();
    if (!family.isEmpty())
        like.setFamily(family);
    return like;
}

} // namespace instar
