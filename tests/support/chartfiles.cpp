// SPDX-License-Identifier: Apache-2.0
#include "tests/support/chartfiles.h"

#include "tests/support/valueof.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;

namespace instar {

QByteArray contents(const QString &file)
{
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(file));
    return source.readAll();
}

void addFileRows(const QString &folder, const QString &suffix)
{
    QTest::addColumn<QString>("file");
    for (const QString &file : QDir(folder).entryList({ u'*' + suffix }, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(file)) << folder + file;
}

StatechartsRead readCharts(const StatechartFormat &format, const QByteArray &text)
{
    return valueOf(format.read(text, u"f"_s + format.suffixes.first()));
}

QStringList texts(const QList<Diagnostic> &remarks)
{
    QStringList result;
    for (const Diagnostic &each : remarks)
        result += u"%1%2: %3"_s.arg(each.line).arg(each.isLoss() ? u"!"_s : QString(), each.text);
    return result;
}

} // namespace instar
