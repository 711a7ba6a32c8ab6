// SPDX-License-Identifier: Apache-2.0
#include "model/charts/mermaid/mermaidnotation.h"

#include "model/charts/mermaid/mermaidtext.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Dots are those of the body around them. Elsewhere than in the body of both its ends or outside
/// all of them, Mermaid takes an arrow for a word on where they lie.
int mermaidHome(const ChartForms &forms, const TextArc &arc)
{
    const ChartTree &tree = forms.tree();
    for (const int end : { arc.from, arc.to })
        if (forms.form(end) == VertexForm::Dot)
            return tree.node(end).parent;
    const int parent = tree.node(arc.from).parent;
    return parent == tree.node(arc.to).parent && tree.regions(parent).isEmpty() ? parent : 0;
}

} // namespace

const TextNotation &mermaidNotation()
{
    static const TextNotation notation { .name = u"mermaid"_s,
        .abilities = { .histories = false,
            .bars = false,
            .namedDots = false,
            .division = ChartTree::Division::Refused },
        .isCode = isMermaidId,
        .homeOf = mermaidHome,
        .shown = shownByMermaid,
        .written = writtenForMermaid };
    return notation;
}

} // namespace instar
