// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QtGlobal>

namespace instar {

// Predicates on texts; they print the text if they fail.

inline bool shownUnless(bool isSo, const QString &text)
{
    if (!isSo)
        qWarning("it reads: %s", qPrintable(text));
    return isSo;
}

inline bool begins(const QString &text, const QString &part)
{
    return shownUnless(text.startsWith(part), text);
}

inline bool has(const QString &text, const QStringList &parts)
{
    for (const QString &part : parts) {
        if (!shownUnless(text.contains(part), text))
            return false;
    }
    return true;
}

} // namespace instar
