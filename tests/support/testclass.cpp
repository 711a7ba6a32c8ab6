// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testclass.h"

#include <QFileInfo>
#include <QMap>

#include <cstdio>

namespace instar {

namespace {

QMap<QString, TestRun> &testRuns()
{
    static QMap<QString, TestRun> runs;
    return runs;
}

} // namespace

void addTest(const char *file, TestRun run)
{
    testRuns().insert(QFileInfo(QString::fromUtf8(file)).completeBaseName(), run);
}

} // namespace instar

int main(int argc, char **argv)
{
    const QMap<QString, instar::TestRun> &runs = instar::testRuns();
    const QString name = QString::fromLocal8Bit(argc > 1 ? argv[1] : "");
    if (const instar::TestRun run = runs.value(name)) {
        argv[1] = argv[0];
        return run(name, argc - 1, argv + 1);
    }
    std::fprintf(stderr, "usage: %s TEST [ARGUMENTS of Qt Test]; the tests:\n", argv[0]);
    for (const QString &each : runs.keys())
        std::fprintf(stderr, "  %s\n", qPrintable(each));
    return 2;
}
