// SPDX-License-Identifier: Apache-2.0
#include "views/drawing/runformats.h"

#include "model/formats/sequence.h"
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
Result<QByteArray> sequenceOf(const Timeline &timeline, const QString &title)
{
    return sequenceDiagram(timeline, title, notation);
}

} // namespace

const QList<RunFormat> &runFormats()
{
    static const QList<RunFormat> formats {
        { { u"html"_s, u"htm"_s }, RunFormatWords::tr("Page with a cursor"), runPage },
        { { u"puml"_s, u"plantuml"_s }, RunFormatWords::tr("Sequence diagram, PlantUML"), nullptr,
            sequenceOf<SequenceNotation::PlantUml> },
        { { u"mmd"_s, u"mermaid"_s }, RunFormatWords::tr("Sequence diagram, Mermaid"), nullptr,
            sequenceOf<SequenceNotation::Mermaid> },
    };
    return formats;
}

Result<QByteArray> RunFormat::write(
    const Simulator &simulator, const QString &runTitle, const Theme &theme) const
{
    return ofRun ? ofRun(simulator, runTitle, theme) : ofTimeline(timelineOf(simulator), runTitle);
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
