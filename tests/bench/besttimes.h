// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace instar {

/// The usual table, and a note of the best time of each benchmark. Prints whether bars are met;
/// what was not measured meets every bar.
class BestTimes : public benchmark::ConsoleReporter
{
public:
    enum class Of {
        Processor, ///< which other programs do not disturb much
        Wall
    };

    explicit BestTimes(Of of) : m_of(of) { }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred || run.iterations == 0)
                continue;
            std::string name = run.run_name.function_name;
            if (!run.run_name.args.empty())
                name += '/' + run.run_name.args;
            const double all =
                m_of == Of::Processor ? run.cpu_accumulated_time : run.real_accumulated_time;
            const double time = all / double(run.iterations);
            const auto known = m_seconds.try_emplace(name, time).first;
            known->second = std::min(known->second, time);
        }
        ConsoleReporter::ReportRuns(runs);
    }

    /// The time of one benchmark against that of another.
    bool ratio(const char *what, const std::string &above, const std::string &under, double limit,
        bool atMost = true) const
    {
        if (!m_seconds.contains(above) || !m_seconds.contains(under)) {
            std::cout << "  skipped  " << what << '\n';
            return true;
        }
        return line(what, m_seconds.at(above) / m_seconds.at(under), limit, atMost);
    }
    bool seconds(const char *what, const std::string &name, double most) const
    {
        return !m_seconds.contains(name) || line(what, m_seconds.at(name), most, true);
    }

private:
    static bool line(const char *what, double found, double limit, bool atMost)
    {
        const bool met = atMost ? found <= limit : found >= limit;
        std::cout << (met ? "  met      " : "  MISSED   ") << what << ": " << found
                  << (atMost ? ", at most " : ", at least ") << limit << '\n';
        return met;
    }

    Of m_of;
    std::map<std::string, double> m_seconds;
};

} // namespace instar
