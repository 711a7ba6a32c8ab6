// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/valueof.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTest>

#include <source_location>
#include <type_traits>

namespace instar {

/// For a _data function: a row for each value of its only column, called as the value is.
inline void addRowsOf(const char *column, const QStringList &values)
{
    QTest::addColumn<QString>(column);
    for (const QString &value : values)
        QTest::newRow(qPrintable(value)) << value;
}

/// For a _data function: its columns, of these types.
template<typename... Values, typename... Names>
    requires(sizeof...(Values) == sizeof...(Names))
void addColumns(Names... names)
{
    (QTest::addColumn<Values>(names), ...);
}

/// For a _data function: its columns, and a call for each row, so that cells are converted to the
/// columns' types: `const Rows<QString, int> row("text", "count"); row("none", {}, 0);`.
template<typename First, typename... Rest>
class Rows
{
public:
    template<typename... Names>
    explicit Rows(Names... columns)
    {
        addColumns<First, Rest...>(columns...);
    }
    void operator()(const char *name, const First &first, const Rest &...rest) const
    {
        ((QTest::newRow(name) << first) << ... << rest);
    }
    /// Under the name of its first cell.
    void operator()(const First &first, const Rest &...rest) const
    {
        if constexpr (std::is_same_v<First, QString>)
            (*this)(qPrintable(first), first, rest...);
        else
            (*this)(first.constData(), first, rest...);
    }
};

/// Runs a test under the name of its file ("tst_step"), with the arguments of QTest::qExec().
using TestRun = int (*)(const QString &name, int argc, char **argv);

/// Registers a test, to be run as `tests_engine tst_step [ARGUMENTS]`.
void addTest(const char *file, TestRun run);

/// Registration of a test class, at the end of its file: `const TestClass<TestStep> registered;`.
/// All tests of a folder are one program, which links and starts faster than many; the application
/// still has the test's name.
template<typename Test, typename Application = QCoreApplication>
struct TestClass
{
    explicit TestClass(std::source_location where = std::source_location::current())
    {
        addTest(where.file_name(), [](const QString &name, int argc, char **argv) {
            Application application(argc, argv);
            Application::setApplicationName(name);
            Application::setAttribute(Qt::AA_Use96Dpi);
            Test test;
            return QTest::qExec(&test, argc, argv);
        });
    }
};

} // namespace instar
