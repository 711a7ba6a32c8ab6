// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <initializer_list>
#include <iterator>
#include <optional>

namespace instar {

/// One header; of those of a message, it lasts as long as they stay as they are.
struct HttpHeader
{
    QByteArrayView name, value;
};

/// A message's headers in their order, kept as they go over the wire: to send them is to copy them,
/// and none needs memory of its own.
class HttpHeaders
{
public:
    class const_iterator
    {
    public:
        using iterator_category = std::input_iterator_tag;
        using difference_type = qptrdiff;
        using value_type = HttpHeader;
        using pointer = const HttpHeader *;
        using reference = const HttpHeader &;

        const_iterator() = default;
        explicit const_iterator(QByteArrayView lines) : m_rest(lines) { read(); }
        const HttpHeader &operator*() const { return m_header; }
        const HttpHeader *operator->() const { return &m_header; }
        const_iterator &operator++();
        const_iterator operator++(int);
        bool operator==(const const_iterator &other) const
        {
            return m_rest.size() == other.m_rest.size();
        }

    private:
        void read();

        QByteArrayView m_rest; ///< from the header on
        HttpHeader m_header;
    };

    HttpHeaders() = default;
    HttpHeaders(std::initializer_list<HttpHeader> headers);

    /// Control characters in the value become spaces, so that no value can begin a header or a
    /// message of its own; a header whose name is none is left out.
    void append(QByteArrayView name, QByteArrayView value);
    void append(const HttpHeaders &more);
    void reserve(qsizetype bytes) { m_lines.reserve(bytes); }

    qsizetype size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    /// Of the first header of that name, whatever its case.
    std::optional<QByteArrayView> value(QByteArrayView name) const;
    const_iterator begin() const { return const_iterator(m_lines); }
    const_iterator end() const { return {}; }
    /// As they go over the wire, each with the end of its line.
    const QByteArray &lines() const { return m_lines; }
    /// Whether there are some that say how the message is sent: Content-Length, Connection,
    /// Transfer-Encoding.
    bool hasFraming() const { return m_hasFraming; }
    static bool isFraming(QByteArrayView name);

    bool operator==(const HttpHeaders &other) const { return m_lines == other.m_lines; }

private:
    QByteArray m_lines;
    qsizetype m_size = 0;
    bool m_hasFraming = false;
};

/// The first header of that name, whatever its case; empty: there is none.
QByteArray header(const HttpHeaders &headers, QByteArrayView name);
bool hasHeader(const HttpHeaders &headers, QByteArrayView name);

} // namespace instar
