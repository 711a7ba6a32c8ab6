// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <utility>
#include <variant>

namespace instar {

/// Why something could not be done: one sentence for the user, naming file, line and remedy where
/// there are any.
struct Error
{
    QString text;
    bool operator==(const Error &) const = default;
};

/// A value, or the reason why there is none.
template<typename T>
class Result
{
public:
    Result(T value) : m_content(std::move(value)) { }
    Result(Error error) : m_content(std::move(error)) { }

    explicit operator bool() const { return m_content.index() == 0; }
    const T &operator*() const & { return std::get<0>(m_content); }
    T &operator*() & { return std::get<0>(m_content); }
    T &&operator*() && { return std::get<0>(std::move(m_content)); }
    const T *operator->() const { return &std::get<0>(m_content); }
    T *operator->() { return &std::get<0>(m_content); }
    /// The sentence; only where there is no value.
    const QString &error() const { return std::get<1>(m_content).text; }

private:
    std::variant<T, Error> m_content;
};

} // namespace instar
