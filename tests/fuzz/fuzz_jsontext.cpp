// SPDX-License-Identifier: Apache-2.0
#include "model/json/jsontext.h"
#include "model/json/output.h"

#include <QSet>

#include <cstdint>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

void require(bool holds, const char *what)
{
    if (!holds)
        qFatal("%s", what);
}

/// Every place in the document answers, and its pointer leads back to it. Below a key that was
/// there already no pointer leads: the first one is meant.
void visit(const JsonText &document, Value value, int *budget)
{
    if (--*budget < 0)
        return;
    value.string();
    value.number();
    value.integer();
    const Value again = document.at(value.pointer());
    require(again && again.index() <= value.index(),
        "a pointer leads back, or to an earlier duplicate");
    for (const Value item : value.items())
        visit(document, item, budget);
    QSet<QString> keys;
    for (const Member member : value.members()) {
        require(member.key.is(Value::Kind::String), "a key is a string");
        const qsizetype before = keys.size();
        keys.insert(member.key.string());
        if (keys.size() > before)
            visit(document, member.value, budget);
        else
            member.value.pointer();
    }
    value.duplicateKey();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const Result<JsonText> document = JsonText::parse(bytes, u"fuzz"_s);
    if (!document) {
        require(document.error().startsWith("fuzz:"_L1) && !document.error().contains(u'\n'),
            "one line that names the file");
        return 0;
    }
    int budget = 200;
    visit(*document, document->root(), &budget);
    const QByteArray written = Output::copy(document->root()).text();
    const Result<JsonText> again = JsonText::parse(written, u"fuzz"_s);
    require(bool(again), "what was written can be read");
    require(Output::copy(again->root()).text() == written, "and is the same");
    return 0;
}
