// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <utility>
#include <variant>

namespace instar {

/// Error message: one sentence for the user, with file, line and remedy if there are any.
struct Error
{
    QString text;
    bool operator==(const Error &) const = default;
};

/// Value, or the error that prevented it.
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
    /// The error's text. Must not be called if there is a value.
    const QString &error() const { return std::get<1>(m_content).text; }

private:
    std::variant<T, Error> m_content;
};

} // namespace instar
