// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <rapidcheck.h>

#include <iostream>
#include <utility>

namespace instar {

/// Checks a property on random cases that grow up to `size`; prints a shrunk counterexample.
template<typename Testable>
bool holdsFor(int cases, int size, Testable &&testable)
{
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = cases;
    params.maxSize = size;
    const auto result = rc::detail::checkTestable(
        std::forward<Testable>(testable), rc::detail::TestMetadata(), params);
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << std::endl;
    return result.template is<rc::detail::SuccessResult>();
}

/// Number of cases: RC_PARAMS' max_success, else `usual`.
inline int casesOf(int usual)
{
    const bool isTold = qgetenv("RC_PARAMS").contains("max_success");
    return isTold ? rc::detail::configuration().testParams.maxSuccess : usual;
}

} // namespace instar
