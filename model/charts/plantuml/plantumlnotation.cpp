// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlnotation.h"

#include "model/charts/plantuml/plantumlgrammar.h"
#include "model/charts/plantuml/plantumltext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool canBeQuoted(QStringView id)
{
    return !id.contains(u'\n') && !id.contains(u'\r')
        && std::none_of(id.begin(), id.end(), isPlantUmlQuote);
}

/// Where an arrow must stand: dots and bars are those of the region around them. Histories said
/// elsewhere than inside or beside their state lead PlantUML 1.2020.2 astray.
int plantUmlHome(const ChartForms &forms, const TextArc &arc)
{
    const ChartTree &tree = forms.tree();
    const auto hasNoCode = [&](int end) {
        const int parent = tree.node(end).parent;
        return forms.form(end) == VertexForm::Dot
            || (forms.form(end) == VertexForm::History
                && (parent == 0 || tree.node(parent).isRegion));
    };
    for (const int end : { arc.from, arc.to })
        if (hasNoCode(end))
            return tree.node(end).parent;
    for (const int end : { arc.from, arc.to })
        if (forms.form(end) == VertexForm::Bar)
            return tree.node(end).parent;
    for (const int end : { arc.from, arc.to }) {
        const int other = end == arc.from ? arc.to : arc.from;
        const int parent = tree.node(end).parent;
        if (forms.form(end) != VertexForm::History)
            continue;
        const bool isAround =
            tree.regions(parent).isEmpty() && other != parent && tree.isInside(other, parent);
        return isAround ? parent : tree.node(parent).parent;
    }
    return -1;
}

} // namespace

const TextNotation &plantUmlNotation()
{
    static const TextNotation notation { .name = u"plantuml"_s,
        .isCode = isPlantUmlCode,
        .canBeQuoted = canBeQuoted,
        .homeOf = plantUmlHome,
        .shown = shownByPlantUml,
        .written = [](const QString &shown) {
            return writtenForPlantUml(shown, PlantUmlPlace::BehindColon);
        } };
    return notation;
}

} // namespace instar
