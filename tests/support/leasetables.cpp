// SPDX-License-Identifier: Apache-2.0
#include "tests/support/leasetables.h"

#include "model/json/library.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace leases {

namespace {

QStringList linesOf(const QString &name)
{
    const QString folder =
        QFileInfo(QStringLiteral(__FILE__)).absolutePath() + u"/../data/blazar/"_s;
    const instar::Result<QByteArray> bytes = instar::fileBytes(folder + name);
    if (!bytes)
        qFatal("%s", qPrintable(bytes.error()));
    QStringList lines = QString::fromUtf8(*bytes).split(u'\n', Qt::SkipEmptyParts);
    lines.removeIf([](const QString &line) { return line.startsWith(u'#'); });
    return lines;
}

QStringList words(const QString &text)
{
    return text.split(u' ', Qt::SkipEmptyParts);
}

} // namespace

QMap<QString, Table> machineTables()
{
    QMap<QString, Table> tables;
    for (const QString &line : linesOf(u"machines.txt"_s)) {
        QStringList row = words(line);
        const QString kind = row.takeFirst();
        Table &table = tables[row.takeFirst()];
        if (kind == u"stable")
            table.stable = row;
        else if (kind == u"transitional")
            table.transitional = row;
        else if (kind == u"drawn")
            table.drawn.insert(row.join(u' '));
        else if (kind != u"next" && kind != u"unlisted")
            qFatal("machines.txt: %s", qPrintable(line));
        if (kind == u"next" || kind == u"unlisted") {
            for (const QString &to : row.mid(1))
                (kind == u"next" ? table.next : table.unlisted).insert(row.first() + u' ' + to);
        }
    }
    return tables;
}

QMap<QString, Combination> combinations(const QString &variant)
{
    QMap<QString, Combination> table;
    for (const QString &line : linesOf(u"combinations.txt"_s)) {
        if (line.contains(u':') && !line.startsWith(variant + u':'))
            continue;
        const QStringList row = line.section(u':', -1).split(u'|');
        if (row.size() != 4 || table.contains(row[0].trimmed()))
            qFatal("combinations.txt: %s", qPrintable(line));
        const auto statuses = [](const QString &text) {
            return text.trimmed() == u"any" ? QStringList() : words(text);
        };
        table.insert(row[0].trimmed(), { statuses(row[1]), statuses(row[2]), statuses(row[3]) });
    }
    return table;
}

QString Configuration::text() const
{
    return isGone ? u"gone"_s
                  : QStringList { lease, reservations.join(u','), start, end, before }.join(u' ');
}

bool goesWith(
    const QMap<QString, Combination> &table, const QString &lease, const Configuration &others)
{
    const Combination row = table[lease];
    const auto fits = [](const QStringList &allowed, const QString &status) {
        return allowed.isEmpty() || allowed.contains(status);
    };
    return fits(row.start, others.start) && fits(row.end, others.end)
        && std::ranges::all_of(others.reservations,
            [&](const QString &status) { return fits(row.reservations, status); });
}

QString derived(const QMap<QString, Combination> &table, const Configuration &configuration)
{
    static const QMap<QString, QString> statuses { { u"UNDONE UNDONE"_s, u"PENDING"_s },
        { u"DONE UNDONE"_s, u"ACTIVE"_s }, { u"DONE DONE"_s, u"TERMINATED"_s } };
    const QString status =
        statuses.value(configuration.start + u' ' + configuration.end, u"ERROR"_s);
    return goesWith(table, status, configuration) ? status : u"ERROR"_s;
}

} // namespace leases
