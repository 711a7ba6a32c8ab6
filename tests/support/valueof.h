// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QtGlobal>

namespace instar {

/// The value of a result. Its error ends the test program.
template<typename Value>
Value valueOf(Result<Value> result)
{
    if (!result)
        qFatal("%s", qPrintable(result.error()));
    return *std::move(result);
}

/// The error of a result. A value ends the test program.
template<typename Value>
QString errorIn(const Result<Value> &result)
{
    if (result)
        qFatal("an error is expected");
    return result.error();
}

} // namespace instar
