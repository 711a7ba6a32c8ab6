// SPDX-License-Identifier: Apache-2.0
#include "tests/support/randomedit.h"

#include "model/json/fields.h"
#include "model/json/packfile.h"
#include "model/pack/edits.h"
#include "model/pack/names.h"
#include "model/pack/rows.h"
#include "tests/support/packtext.h"

#include <rapidcheck.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

void gather(const OutlineNode &node, PackPointers *pointers)
{
    const bool isRow = node.kind == OutlineNode::Kind::Row;
    (isRow ? pointers->rows : pointers->lists) += node.pointer;
    if (isRow && node.identity)
        pointers->numbered.insert(node.identity, node.pointer);
    for (const OutlineNode &child : node.children)
        gather(child, pointers);
}

QString anyOf(const QStringList &texts)
{
    return texts.isEmpty() ? QString() : texts[*rc::gen::inRange<qsizetype>(0, texts.size())];
}

Pack renamedSomewhere(const Pack &pack)
{
    QList<Mention> own;
    visitNames(pack, [&](const Mention &mention) {
        if (mention.isOwn)
            own += mention;
    });
    const Mention meant = own[*rc::gen::inRange<qsizetype>(0, own.size())];
    const QString to = meant.what == Name::Type
        ? meant.text + u"2"_s
        : anyOf({ u"a \"new\" name"_s, u"x-new"_s, u"l\u00e4nge/~"_s });
    const bool isTaken = std::ranges::any_of(own, [&](const Mention &other) {
        // Names of states are unique per machine, all others per pack.
        return other.text == to && other.what == meant.what
            && (meant.what != Name::State || other.machine == meant.machine);
    }); // a file cannot hold two rows of one name
    return isTaken ? pack : renamed(pack, meant.what, meant.text, to, meant.machine);
}

Pack withSomeField(const Pack &pack, const QString &row)
{
    const QList<Field> fields = fieldsAt(pack, row).fields;
    if (fields.isEmpty())
        return pack;
    const Field field = fields[*rc::gen::inRange<qsizetype>(0, fields.size())];
    const QString text = field.words.isEmpty()
        ? anyOf({ QString(), u"some text"_s, u"7"_s, u"a, b"_s, u"1.5"_s })
        : anyOf(field.words);
    const Result<QByteArray> json = typedJson(field, text);
    if (!json)
        return pack;
    const Result<Pack> changed = withField(pack, row, field.key, *json);
    return changed ? *changed : pack;
}

Pack editedAnyhow(const Pack &pack)
{
    const PackPointers pointers = pointersIn(pack);
    const QString row = anyOf(pointers.rows), list = anyOf(pointers.lists);
    const auto packOr = [&](const std::optional<PackAndRow> &placed) {
        return placed ? placed->pack : pack;
    };
    switch (*rc::gen::inRange(0, 7)) {
    case 0:
        return renamedSomewhere(pack);
    case 1:
        return packOr(withNewRow(pack, list, *rc::gen::inRange(-1, 3)));
    case 2:
        return packOr(withRowCopied(pack, row));
    case 3:
        return packOr(withRowMoved(pack, row, *rc::gen::inRange(-3, 4)));
    case 4:
        return withoutRow(pack, row).value_or(pack);
    default:
        return withSomeField(pack, row);
    }
}

} // namespace

PackPointers pointersIn(const Pack &pack)
{
    PackPointers pointers;
    gather(outline(pack), &pointers);
    return pointers;
}

Pack randomlyEdited(const Pack &pack)
{
    const Pack now = editedAnyhow(pack);
    const Result<Pack> read = readPack(parsed(writePack(now)));
    if (!read)
        RC_FAIL("what was edited cannot be read: " + read.error().toStdString());
    if (*read != now)
        RC_FAIL(
            "a file holds something else than what was edited: " + writePack(now).toStdString());
    return now;
}

} // namespace instar
