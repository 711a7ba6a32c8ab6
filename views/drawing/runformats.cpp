// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/runformats.h"

#include "model/formats/sequence.h"
#include "views/drawing/runanimation.h"
#include "views/drawing/runpage.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct RunFormatWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::RunFormat)
};

template<SequenceNotation notation>
Result<QByteArray> sequenceOf(const Simulator &simulator, const QString &title, const Theme &)
{
    return sequenceDiagram(scoreOf(simulator), title, notation);
}

} // namespace

const QList<RunFormat> &runFormats()
{
    static const QList<RunFormat> formats {
        { { u"html"_s, u"htm"_s }, RunFormatWords::tr("Page with a cursor"), runPage },
        { { u"apng"_s }, RunFormatWords::tr("Animated picture"), animatedRun },
        { { u"puml"_s, u"plantuml"_s }, RunFormatWords::tr("Sequence diagram, PlantUML"),
            sequenceOf<SequenceNotation::PlantUml> },
        { { u"mmd"_s, u"mermaid"_s }, RunFormatWords::tr("Sequence diagram, Mermaid"),
            sequenceOf<SequenceNotation::Mermaid> },
    };
    return formats;
}

const RunFormat *runFormat(const QString &nameOrFile)
{
    const QString suffix = nameOrFile.section(u'.', -1).toLower();
    for (const RunFormat &format : runFormats()) {
        if (format.names.contains(suffix))
            return &format;
    }
    return nullptr;
}

} // namespace instar
