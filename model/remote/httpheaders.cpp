// SPDX-License-Identifier: Apache-2.0
#include "model/remote/httpheaders.h"

#include "model/remote/httpcharacters.h"

#include <algorithm>
#include <cstring>

namespace instar {

namespace {

constexpr QByteArrayView Colon = ": ";
constexpr QByteArrayView LineEnd = "\r\n";

} // namespace

HttpHeaders::HttpHeaders(std::initializer_list<HttpHeader> headers)
{
    for (const HttpHeader &header : headers)
        append(header.name, header.value);
}

void HttpHeaders::append(QByteArrayView name, QByteArrayView value)
{
    if (!isToken(name))
        return;
    const qsizetype begin = m_lines.size();
    m_lines.resize(begin + name.size() + Colon.size() + value.size() + LineEnd.size());
    char *to = m_lines.data() + begin;
    const auto add = [&to](QByteArrayView text) { to = std::copy(text.begin(), text.end(), to); };
    add(name);
    add(Colon);
    add(value);
    blankControls(to - value.size(), value.size());
    add(LineEnd);
    ++m_size;
    m_hasFraming = m_hasFraming || isFraming(name);
}

void HttpHeaders::append(const HttpHeaders &more)
{
    m_lines += more.m_lines;
    m_size += more.m_size;
    m_hasFraming = m_hasFraming || more.m_hasFraming;
}

bool HttpHeaders::isFraming(QByteArrayView name)
{
    const auto is = [&](QByteArrayView own) { return name.compare(own, Qt::CaseInsensitive) == 0; };
    switch (name.size()) {
    case 10:
        return is("Connection");
    case 14:
        return is("Content-Length");
    case 17:
        return is("Transfer-Encoding");
    default:
        return false;
    }
}

void HttpHeaders::const_iterator::read()
{
    if (m_rest.isEmpty())
        return;
    const qsizetype colon = m_rest.indexOf(':');
    const qsizetype value = colon + Colon.size();
    m_header.name = m_rest.first(colon);
    m_header.value = m_rest.sliced(value, m_rest.indexOf('\r', value) - value);
}

HttpHeaders::const_iterator &HttpHeaders::const_iterator::operator++()
{
    m_rest =
        m_rest.sliced(m_header.name.size() + Colon.size() + m_header.value.size() + LineEnd.size());
    read();
    return *this;
}

HttpHeaders::const_iterator HttpHeaders::const_iterator::operator++(int)
{
    const const_iterator before = *this;
    ++*this;
    return before;
}

std::optional<QByteArrayView> HttpHeaders::value(QByteArrayView name) const
{
    const QByteArrayView lines = m_lines;
    for (qsizetype at = 0; at < lines.size();) {
        const char *line = lines.data() + at;
        const auto *end =
            static_cast<const char *>(std::memchr(line, '\r', size_t(lines.size() - at)));
        const qsizetype length = end - line;
        if (length > name.size() && line[name.size()] == ':'
            && qstrnicmp(line, name.size(), name.data(), name.size()) == 0)
            return lines.sliced(at, length).sliced(name.size() + Colon.size());
        at += length + LineEnd.size();
    }
    return {};
}

QByteArray header(const HttpHeaders &headers, QByteArrayView name)
{
    return headers.value(name).value_or(QByteArrayView()).toByteArray();
}

bool hasHeader(const HttpHeaders &headers, QByteArrayView name)
{
    return headers.value(name).has_value();
}

} // namespace instar
