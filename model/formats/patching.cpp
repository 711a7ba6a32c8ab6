// SPDX-License-Identifier: Apache-2.0
#include "model/formats/patching.h"

#include "model/formats/output.h"
#include "model/formats/pack.h"
#include "model/formats/rowtree.h"

#include <QHash>

#include <algorithm>
#include <ranges>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype longestLine = 140; // as Output has it

/// How a value that is new is laid out.
enum class Layout {
    Compact,  ///< no blanks at all
    Line,     ///< on one line
    House,    ///< as Output does it
    Broken,   ///< each of its own on a line, what is in those as Output does it
    Expanded, ///< each on a line, whatever the depth
};

/// A member or item of what is written.
struct Part
{
    qsizetype old = -1; ///< its place in the text that was; -1: it is new
    QByteArray key;     ///< in quotes; empty: an item
    QByteArray text;    ///< of its value
    Value fresh;        ///< in place of `text`: a value that is to be laid out
};
using Parts = std::vector<Part>;

bool isContainer(Value value)
{
    return value.is(Value::Kind::Object) || value.is(Value::Kind::Array);
}

bool isOnOneLine(Value value)
{
    return !value.raw().contains('\n');
}

/// The members' or items' values, in order.
std::vector<Value> valuesIn(Value container)
{
    std::vector<Value> values;
    for (const Value item : container.items())
        values.push_back(item);
    for (const Member member : container.members())
        values.push_back(member.value);
    return values;
}

std::vector<Value> keysIn(Value object)
{
    std::vector<Value> keys;
    for (const Member member : object.members())
        keys.push_back(member.key);
    return keys;
}

/// Whether each container that is not empty has a line for each of its own.
bool isExpanded(Value value)
{
    if (!isContainer(value) || value.size() == 0)
        return true;
    return !isOnOneLine(value) && std::ranges::all_of(valuesIn(value), isExpanded);
}

/// The same content, however it is spelled.
bool isSameValue(Value a, Value b)
{
    if (a.kind() != b.kind() || a.size() != b.size())
        return false;
    if (a.is(Value::Kind::String))
        return a.string() == b.string();
    if (a.is(Value::Kind::Number))
        return a.raw() == b.raw() || (a.integer() && a.integer() == b.integer());
    if (!isContainer(a))
        return a.raw() == b.raw();
    return std::ranges::equal(valuesIn(a), valuesIn(b), isSameValue)
        && std::ranges::equal(keysIn(a), keysIn(b), isSameValue);
}

bool isListOfText(Value value)
{
    return value.is(Value::Kind::Array) && std::ranges::all_of(valuesIn(value), [](Value item) {
        return item.is(Value::Kind::String);
    });
}

/// What a row says is kept as it is written: see Extra.
bool isKept(QByteArrayView key)
{
    return key.startsWith("\"x-") || key.startsWith("\"$");
}

/// For each row that is there now the place that it had; -1: it is new.
std::vector<qsizetype> placesBefore(const RowList &was, const RowList &now)
{
    const qsizetype size = qsizetype(now.rows.size());
    std::vector<qsizetype> places(size_t(size), -1);
    QHash<quint32, qsizetype> numbers;
    QHash<QString, qsizetype> ids;
    for (qsizetype i = 0; i < qsizetype(was.rows.size()); ++i) {
        numbers.insert(was.rows[size_t(i)].number, i);
        ids.insert(was.rows[size_t(i)].id, i);
    }
    numbers.remove(0);
    ids.remove({});
    std::vector<bool> isTaken(was.rows.size());
    const auto take = [&](qsizetype row, qsizetype place) {
        if (place < 0 || places[size_t(row)] >= 0 || isTaken[size_t(place)])
            return;
        places[size_t(row)] = place;
        isTaken[size_t(place)] = true;
    };
    for (qsizetype i = 0; i < size; ++i)
        take(i, numbers.value(now.rows[size_t(i)].number, -1));
    for (qsizetype i = 0; i < size; ++i) {
        const RowTree &row = now.rows[size_t(i)];
        if (row.number == 0)
            take(i, now.isKeyed ? ids.value(row.id, -1) : i < qsizetype(was.rows.size()) ? i : -1);
    }
    return places;
}

/// What stands between the members or items of a container.
struct Gaps
{
    std::vector<QByteArray> before; ///< from the comma or bracket
    std::vector<QByteArray> colons;
    std::vector<QByteArray> after; ///< up to the comma; of the last one nothing
    QByteArray end;                ///< before the last bracket
    bool isBroken = false;
};

class Patcher
{
public:
    explicit Patcher(const JsonText &text) : m_text(text)
    {
        const QByteArray &bytes = text.bytes();
        m_lineEnd = bytes.contains("\r\n") ? "\r\n" : "\n";
        m_isCompact = !bytes.trimmed().contains('\n') && !bytes.contains("\": ");
        m_isExpanded = !m_isCompact && text.root().size() > 0 && isExpanded(text.root());
        const Gaps gaps = gapsIn(text.root());
        const auto broken = std::ranges::find_if(
            gaps.before, [](const QByteArray &gap) { return gap.contains('\n'); });
        m_step = broken == gaps.before.end() ? " "_ba : indentOf(*broken);
    }

    QByteArray written(const Pack &was, const Pack &now, Value fresh) const
    {
        const QByteArray &bytes = m_text.bytes();
        const Value root = m_text.root();
        return bytes.first(offset(root)) + row(root, rowTree(was), rowTree(now), fresh)
            + bytes.sliced(offset(root) + root.raw().size());
    }

private:
    qsizetype offset(Value value) const { return value.raw().data() - m_text.bytes().constData(); }
    static QByteArray indentOf(const QByteArray &gap)
    {
        return gap.sliced(gap.lastIndexOf('\n') + 1);
    }

    Gaps gapsIn(Value container) const
    {
        Gaps gaps;
        const QByteArray &bytes = m_text.bytes();
        const std::vector<Value> values = valuesIn(container), keys = keysIn(container);
        qsizetype from = offset(container) + 1;
        for (size_t i = 0; i < values.size(); ++i) {
            const Value first = keys.empty() ? values[i] : keys[i];
            if (i > 0) {
                const qsizetype comma = bytes.indexOf(',', from);
                gaps.after.push_back(bytes.mid(from, comma - from));
                from = comma + 1;
            }
            gaps.before.push_back(bytes.mid(from, offset(first) - from));
            gaps.isBroken = gaps.isBroken || gaps.before.back().contains('\n');
            const qsizetype end = offset(first) + first.raw().size();
            gaps.colons.push_back(bytes.mid(end, offset(values[i]) - end));
            from = offset(values[i]) + values[i].raw().size();
        }
        gaps.end = bytes.mid(from, offset(container) + container.raw().size() - 1 - from);
        return gaps;
    }
    /// The blanks that the line begins with on which it stands.
    QByteArray indentAt(Value value) const
    {
        const QByteArray &bytes = m_text.bytes();
        const qsizetype start = bytes.lastIndexOf('\n', offset(value)) + 1;
        qsizetype end = start;
        while (end < bytes.size() && (bytes[end] == ' ' || bytes[end] == '\t'))
            ++end;
        return bytes.mid(start, end - start);
    }
    qsizetype columnOf(Value value) const
    {
        return offset(value) - m_text.bytes().lastIndexOf('\n', offset(value)) - 1;
    }

    // What is new

    QByteArray laidOut(Value value, Layout layout, const QByteArray &indent) const
    {
        const bool isLine = isOnOneLine(value) && layout != Layout::Compact;
        if (!isContainer(value) || value.size() == 0 || (isLine && layout <= Layout::House))
            return value.raw().toByteArray();
        const bool isBroken = layout >= Layout::House;
        const QByteArray inner = indent + m_step;
        const Layout within = layout == Layout::Broken ? Layout::House : layout;
        const std::vector<Value> values = valuesIn(value), keys = keysIn(value);
        QByteArray out(1, keys.empty() ? '[' : '{');
        for (size_t i = 0; i < values.size(); ++i) {
            if (i > 0)
                out += isBroken || layout == Layout::Compact ? "," : ", ";
            if (isBroken)
                out += m_lineEnd + inner;
            if (!keys.empty())
                out.append(keys[i].raw()).append(layout == Layout::Compact ? ":" : ": ");
            const bool isVerbatim = !keys.empty() && isKept(keys[i].raw());
            out += isVerbatim ? values[i].raw().toByteArray() : laidOut(values[i], within, inner);
        }
        if (isBroken)
            out += m_lineEnd + indent;
        return out += keys.empty() ? ']' : '}';
    }
    /// As `neighbour` is, where there is one.
    Layout layoutBeside(Value neighbour, Value fresh, qsizetype indent) const
    {
        if (m_isExpanded)
            return Layout::Expanded;
        if (!isContainer(neighbour))
            return Layout::House;
        if (!isOnOneLine(neighbour))
            return Layout::Broken;
        return fresh.raw().size() + indent < longestLine ? Layout::Line : Layout::House;
    }

    // Containers

    /// The container with these members or items. `areRows`: what is new looks like the others.
    QByteArray container(Value old, const Parts &parts, Value now, bool areRows) const
    {
        const Gaps gaps = gapsIn(old);
        if (parts.empty() || gaps.before.empty())
            return laidOut(now, freshLayout(), indentAt(old));
        const QByteArray text = joined(old, gaps, parts, areRows);
        const bool isLong = columnOf(old) + text.size() > longestLine
            && columnOf(old) + old.raw().size() <= longestLine;
        if (gaps.isBroken || m_isCompact || text.contains('\n') || !isLong)
            return text;
        Gaps broken = gaps;
        broken.isBroken = true;
        const QByteArray indent = indentAt(old);
        std::ranges::fill(broken.before, m_lineEnd + indent + m_step);
        broken.end = m_lineEnd + indent;
        return joined(old, broken, parts, areRows);
    }
    Layout freshLayout() const
    {
        return m_isCompact ? Layout::Compact : m_isExpanded ? Layout::Expanded : Layout::House;
    }

    QByteArray joined(Value old, const Gaps &gaps, const Parts &parts, bool areRows) const
    {
        const std::vector<Value> values = valuesIn(old);
        QByteArray out(1, old.is(Value::Kind::Object) ? '{' : '[');
        qsizetype beside = 0; // what stands before what is new
        for (size_t i = 0; i < parts.size(); ++i) {
            const Part &part = parts[i];
            if (part.old >= 0)
                beside = part.old;
            const QByteArray gap = gapBefore(gaps, i == 0, part.old, beside);
            out += gap;
            if (!part.key.isEmpty())
                out += part.key + gaps.colons[size_t(beside)];
            out += part.fresh
                ? freshText(part, gaps, values[size_t(beside)], indentOf(gap), areRows)
                : part.text;
            if (i + 1 < parts.size())
                out += commaAfter(gaps, part.old);
        }
        return out + gaps.end + (old.is(Value::Kind::Object) ? '}' : ']');
    }
    QByteArray freshText(const Part &part, const Gaps &gaps, Value neighbour,
        const QByteArray &indent, bool areRows) const
    {
        if (isKept(part.key))
            return part.fresh.raw().toByteArray();
        if (m_isCompact)
            return laidOut(part.fresh, Layout::Compact, {});
        if (!gaps.isBroken)
            return laidOut(part.fresh, Layout::Line, {});
        const Layout layout =
            areRows ? layoutBeside(neighbour, part.fresh, indent.size()) : freshLayout();
        return laidOut(part.fresh, layout, indent);
    }
    /// What stands before a part: what stood there where it had something before it then, too.
    QByteArray gapBefore(const Gaps &gaps, bool isFirst, qsizetype old, qsizetype beside) const
    {
        if (isFirst)
            return gaps.before.front();
        if (old > 0)
            return gaps.before[size_t(old)];
        const qsizetype count = qsizetype(gaps.before.size());
        if (count == 1 && !gaps.isBroken)
            return m_isCompact ? QByteArray() : " "_ba;
        const QByteArray &gap = gaps.before[size_t(count == 1 ? 0 : qMax<qsizetype>(beside, 1))];
        return gap.contains('\n') ? m_lineEnd + indentOf(gap) : gap;
    }
    static QByteArray commaAfter(const Gaps &gaps, qsizetype old)
    {
        const qsizetype last = qsizetype(gaps.after.size());
        const qsizetype place = old >= 0 && old < last ? old : 0;
        return last == 0 ? ","_ba : gaps.after[size_t(place)] + ',';
    }

    static Parts partsOf(Value container)
    {
        Parts parts;
        const std::vector<Value> values = valuesIn(container), keys = keysIn(container);
        for (size_t i = 0; i < values.size(); ++i)
            parts.push_back({ .old = qsizetype(i),
                .key = keys.empty() ? QByteArray() : keys[i].raw().toByteArray(),
                .text = values[i].raw().toByteArray(),
                .fresh = {} });
        return parts;
    }

    // Values that are no rows

    QByteArray value(Value old, Value now) const
    {
        Parts parts;
        if (old.is(Value::Kind::Array))
            parts = itemParts(old, now);
        else {
            parts = partsOf(old);
            for (const Value key : keysIn(old)) {
                if (!now.find(key.string().toUtf8()))
                    remove(&parts, old, key.string());
            }
            for (const Member member : now.members())
                set(&parts, old, now, member.key.string());
        }
        return container(old, parts, now, false);
    }
    Parts itemParts(Value old, Value now) const
    {
        const std::vector<Value> before = valuesIn(old), after = valuesIn(now);
        const auto [first, same] = std::ranges::mismatch(before, after, isSameValue);
        const size_t ahead = size_t(first - before.begin());
        const size_t least = std::min(before.size(), after.size());
        size_t behind = 0;
        while (ahead + behind < least
            && isSameValue(before[before.size() - 1 - behind], after[after.size() - 1 - behind]))
            ++behind;
        Parts parts = partsOf(old);
        parts.erase(parts.begin() + qsizetype(ahead), parts.end() - qsizetype(behind));
        for (size_t i = after.size() - behind; i-- > ahead;)
            parts.insert(parts.begin() + qsizetype(ahead),
                { .old = -1, .key = {}, .text = {}, .fresh = after[i] });
        return parts;
    }

    // Members

    static auto partOf(Parts *parts, Value old, const QString &key)
    {
        const std::vector<Value> keys = keysIn(old);
        return std::ranges::find_if(*parts, [&](const Part &part) {
            return part.old >= 0 && keys[size_t(part.old)].string() == key;
        });
    }
    static void remove(Parts *parts, Value old, const QString &key)
    {
        if (const auto part = partOf(parts, old, key); part != parts->end())
            parts->erase(part);
    }
    /// The member of that key as `now` has it.
    void set(Parts *parts, Value old, Value now, const QString &key) const
    {
        const QByteArray name = key.toUtf8();
        const Value before = old.find(name), after = now.find(name);
        if (!after)
            return;
        const auto part = partOf(parts, old, key);
        if (part == parts->end()) {
            parts->insert(placeFor(parts, old, now, key),
                { .old = -1, .key = jsonString(key), .text = {}, .fresh = after });
        } else if (isKept(part->key)) {
            part->text = after.raw().toByteArray();
        } else if (isSameValue(before, after)) {
            return;
        } else if (before.size() > 0 && after.size() > 0 && before.kind() == after.kind()) {
            part->text = value(before, after);
        } else if (isListOfText(before) && before.size() == 1 && after.is(Value::Kind::String)) {
            Parts only = partsOf(before); // one that was written as a list stays one
            only.front().text = after.raw().toByteArray();
            part->text = container(before, only, after, false);
        } else {
            part->fresh = after;
        }
    }
    /// Behind the nearest member that stands before it in `now`, else before the next one.
    static Parts::iterator placeFor(Parts *parts, Value old, Value now, const QString &key)
    {
        auto place = parts->end();
        bool isBehind = false;
        for (const Member member : now.members()) {
            const QString other = member.key.string();
            isBehind = isBehind || other == key;
            auto part = partOf(parts, old, other);
            if (part == parts->end())
                part = std::ranges::find(*parts, jsonString(other), &Part::key);
            if (part != parts->end() && !isBehind)
                place = part + 1;
            else if (part != parts->end() && place == parts->end())
                return part;
            if (isBehind && place != parts->end())
                return place;
        }
        return place;
    }

    // Rows

    QByteArray row(Value old, const RowTree &was, const RowTree &now, Value fresh) const
    {
        Parts parts = partsOf(old);
        for (const RowTree::Member &member : was.members) {
            if (!memberOf(now, member.key) && !isListed(now, member.key))
                remove(&parts, old, member.key);
        }
        for (const Member member : fresh.members()) {
            const QString key = member.key.string();
            const RowTree::Member *before = memberOf(was, key), *after = memberOf(now, key);
            const bool isSame = before && after && *before == *after;
            if (!isListed(now, key) && !isSame)
                set(&parts, old, fresh, key);
        }
        if (!fresh.find("$schema"))
            remove(&parts, old, u"$schema"_s);
        for (const RowList &list : now.lists)
            setRows(&parts, old, was, now, list, fresh);
        return container(old, parts, fresh, false);
    }
    static bool isListed(const RowTree &row, const QString &key)
    {
        return std::ranges::any_of(
            row.lists, [&](const RowList &list) { return list.keys.first() == key; });
    }

    void setRows(Parts *parts, Value old, const RowTree &was, const RowTree &now,
        const RowList &list, Value fresh) const
    {
        const QString &key = list.keys.first();
        const RowList *const listBefore = listOf(was, list.keys);
        const bool isSaidAlike = bool(memberOf(was, key)) == bool(memberOf(now, key));
        if (listBefore && isSaidAlike && saysTheSame(*listBefore, list))
            return;
        const Value outerBefore = old.find(key.toUtf8()), outerAfter = fresh.find(key.toUtf8());
        Value before = outerBefore, after = outerAfter;
        if (list.keys.size() > 1) {
            before = before.find(list.keys[1].toUtf8());
            after = after.find(list.keys[1].toUtf8());
        }
        if (!outerAfter)
            return remove(parts, old, key);
        if (!listBefore || !isContainer(before) || !isContainer(after))
            return set(parts, old, fresh, key);
        const auto part = partOf(parts, old, key);
        part->text = list.isSingle ? row(before, listBefore->rows.front(), list.rows.front(), after)
                                   : rows(before, *listBefore, list, after);
        if (list.keys.size() > 1) {
            Parts outer = partsOf(outerBefore);
            partOf(&outer, outerBefore, list.keys[1])->text = part->text;
            part->text = container(outerBefore, outer, outerAfter, false);
        }
    }

    QByteArray rows(Value old, const RowList &was, const RowList &now, Value fresh) const
    {
        const std::vector<Value> before = valuesIn(old), after = valuesIn(fresh);
        const std::vector<Value> keys = keysIn(old);
        if (before.size() != was.rows.size() || after.size() != now.rows.size())
            return laidOut(fresh, freshLayout(), indentAt(old));
        const std::vector<qsizetype> places = placesBefore(was, now);
        Parts parts;
        for (size_t i = 0; i < places.size(); ++i) {
            Part part { .old = places[i], .key = {}, .text = {}, .fresh = after[i] };
            const RowTree &row = now.rows[i];
            if (now.isKeyed)
                part.key = jsonString(row.id);
            if (part.old >= 0) {
                const RowTree &rowBefore = was.rows[size_t(part.old)];
                const Value own = before[size_t(part.old)];
                if (now.isKeyed && rowBefore.id == row.id)
                    part.key = keys[size_t(part.old)].raw().toByteArray();
                const bool isSame = saysTheSame(rowBefore, row);
                const bool areObjects =
                    own.is(Value::Kind::Object) && after[i].is(Value::Kind::Object);
                if (isSame || areObjects) {
                    part.fresh = {};
                    part.text =
                        isSame ? own.raw().toByteArray() : this->row(own, rowBefore, row, after[i]);
                }
            }
            parts.push_back(part);
        }
        return container(old, parts, fresh, true);
    }

    const JsonText &m_text;
    QByteArray m_lineEnd, m_step;
    bool m_isCompact = false, m_isExpanded = false;
};

} // namespace

QByteArray patched(const QByteArray &text, const Pack &was, const Pack &now)
{
    if (was == now && !text.isEmpty())
        return text;
    const QByteArray whole = writePack(now);
    const Result<JsonText> before = JsonText::parse(text, {}), after = JsonText::parse(whole, {});
    if (!before || !after || !before->root().is(Value::Kind::Object))
        return whole;
    const QByteArray result = Patcher(*before).written(was, now, after->root());
    const Result<JsonText> again = JsonText::parse(result, {});
    if (!again)
        return whole;
    const Result<Pack> read = readPack(*again);
    return read && *read == now ? result : whole;
}

} // namespace instar
