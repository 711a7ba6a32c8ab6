// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <rapidcheck.h>

namespace instar {

/// At most so many of these letters.
inline rc::Gen<QByteArray> textOf(const std::string &letters, int most)
{
    return rc::gen::map(
        rc::gen::resize(most, rc::gen::container<std::string>(rc::gen::elementOf(letters))),
        [](const std::string &text) { return QByteArray::fromStdString(text); });
}

inline rc::Gen<QByteArray> anyBytes(int most)
{
    return rc::gen::map(
        rc::gen::resize(most, rc::gen::container<std::string>(rc::gen::arbitrary<char>())),
        [](const std::string &text) { return QByteArray::fromStdString(text); });
}

} // namespace instar
