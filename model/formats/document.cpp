// SPDX-License-Identifier: Apache-2.0
#include "model/formats/document.h"

#include <QList>

#include <cstring>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString keyOf(QStringView segment)
{
    QString key = segment.toString();
    return key.replace("~1"_L1, "/"_L1).replace("~0"_L1, "~"_L1);
}

} // namespace

quint32 Document::next(quint32 index) const
{
    const Entry &at = entry(index);
    const bool nested = Mark(at.mark) == Mark::Array || Mark(at.mark) == Mark::Object;
    return index + (nested ? at.extent + 1 : 1);
}

Value Document::step(Value from, QStringView segment, Value *key) const
{
    if (from.is(Value::Kind::Array)) {
        bool isNumber = false;
        qsizetype item = segment.toLongLong(&isNumber);
        const bool canonical = isNumber && item >= 0 && QString::number(item) == segment;
        if (!canonical || item >= from.size())
            return {};
        for (const Value value : from.items()) {
            if (item-- == 0)
                return *key = value;
        }
    }
    const QByteArray name = keyOf(segment).toUtf8();
    for (const Member member : from.members()) {
        if (member.key.isString(name)) {
            *key = member.key;
            return member.value;
        }
    }
    return {};
}

Value Document::at(QStringView pointer) const
{
    if (pointer.isEmpty())
        return root();
    if (!pointer.startsWith(u'/'))
        return {};
    Value value = root();
    Value key;
    for (QStringView segment : pointer.sliced(1).split(u'/')) {
        value = step(value, segment, &key);
        if (!value)
            break;
    }
    return value;
}

Position Document::position(QStringView pointer) const
{
    Value value = root();
    Value key = value;
    if (pointer.startsWith(u'/')) {
        for (QStringView segment : pointer.sliced(1).split(u'/')) {
            value = step(value, segment, &key);
            if (!value)
                break;
        }
    }
    return key.position();
}

Position Document::position(qsizetype offset) const
{
    Position found;
    const char *begin = m_bytes.constData();
    const char *at = begin + qMin(offset, m_bytes.size());
    const char *line = begin;
    while (const void *end = std::memchr(line, '\n', size_t(at - line))) {
        line = static_cast<const char *>(end) + 1;
        ++found.line;
    }
    for (; line < at; ++line)
        found.column += (*line & 0xC0) != 0x80;
    return found;
}

bool sameContent(const Document &a, const Document &b)
{
    if (a.m_tape.size() != b.m_tape.size())
        return false;
    using Mark = Document::Mark;
    for (quint32 i = 0; i < a.m_tape.size(); ++i) {
        const Value left(&a, i);
        const Value right(&b, i);
        const auto mark = Mark(a.entry(i).mark);
        const bool isString = mark == Mark::String || mark == Mark::EscapedString;
        if (isString ? !right.is(Value::Kind::String) : mark != Mark(b.entry(i).mark))
            return false;
        const bool nests = mark == Mark::Array || mark == Mark::Object || mark == Mark::End;
        if (nests          ? a.entry(i).extent != b.entry(i).extent
                : isString ? left.string() != right.string()
                           : left.raw() != right.raw())
            return false;
    }
    return true;
}

Items::Items(Value array)
    : m_begin { array.m_document, array.m_index + 1 }, m_end { array.m_document, 1 }
{
    if (array.m_document)
        m_end.index = array.m_index + array.m_document->entry(array.m_index).extent;
}

Items::Iterator &Items::Iterator::operator++()
{
    index = document->next(index);
    return *this;
}

Members::Members(Value object)
    : m_begin { object.m_document, object.m_index + 1 }, m_end { object.m_document, 1 }
{
    if (object.m_document)
        m_end.index = object.m_index + object.m_document->entry(object.m_index).extent;
}

Members::Iterator &Members::Iterator::operator++()
{
    index = document->next(index + 1);
    return *this;
}

} // namespace instar
