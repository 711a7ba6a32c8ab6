// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <QByteArray>

#include <iostream>
#include <utility>

namespace instar {

/// Checks a property on so many random cases, which grow up to `size`; what fails is shown, made as
/// small as possible.
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

/// As many cases as rapidcheck is told to try; in the gate a few.
inline int casesOf(int usual)
{
    const bool isTold = qgetenv("RC_PARAMS").contains("max_success");
    return isTold ? rc::detail::configuration().testParams.maxSuccess : usual;
}

} // namespace instar
