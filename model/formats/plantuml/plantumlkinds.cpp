// SPDX-License-Identifier: Apache-2.0
#include "model/formats/plantuml/plantumlkinds.h"

#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace instar {

using Kind = Vertex::Kind;

namespace {

struct KindRow
{
    QStringView stereotype;
    Kind kind;
};

/// The first of a kind is the one to write. <<sdlreceive>> is a state of another shape.
constexpr std::array rows {
    KindRow { u"choice", Kind::Choice },
    KindRow { u"fork", Kind::Fork },
    KindRow { u"join", Kind::Join },
    KindRow { u"start", Kind::Initial },
    KindRow { u"end", Kind::Final },
    KindRow { u"history", Kind::ShallowHistory },
    KindRow { u"history*", Kind::DeepHistory },
    KindRow { u"entryPoint", Kind::Entry },
    KindRow { u"exitPoint", Kind::Exit },
    KindRow { u"inputPin", Kind::Entry },
    KindRow { u"outputPin", Kind::Exit },
    KindRow { u"expansionInput", Kind::Entry },
    KindRow { u"expansionOutput", Kind::Exit },
};

} // namespace

Kind plantUmlKind(const QString &stereotypes)
{
    const QString first = stereotypes.section(u">>"_s, 0, 0).mid(2).trimmed();
    const auto *const found = std::find_if(rows.begin(), rows.end(), [&](const KindRow &row) {
        return first.compare(row.stereotype, Qt::CaseInsensitive) == 0;
    });
    return found == rows.end() ? Kind::State : found->kind;
}

QString plantUmlStereotype(Kind kind)
{
    const auto *const found = std::find_if(
        rows.begin(), rows.end(), [&](const KindRow &row) { return row.kind == kind; });
    return found == rows.end() ? QString() : u"<<%1>>"_s.arg(found->stereotype);
}

bool isPlantUmlCommand(const QString &word)
{
    static const QStringList words { u"title"_s, u"header"_s, u"footer"_s, u"caption"_s,
        u"legend"_s, u"note"_s, u"scale"_s, u"hide"_s, u"show"_s, u"skinparam"_s };
    return words.contains(word, Qt::CaseInsensitive);
}

} // namespace instar
