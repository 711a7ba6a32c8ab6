// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumltitle.h"

#include "model/charts/notation/textlines.h"
#include "model/charts/plantuml/plantumlgrammar.h"
#include "model/charts/plantuml/plantumltext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// "title x" must not be an arrow or a text of the state "title"; 1.2020.2 refuses "title ?".
bool fitsOnLine(const QString &written)
{
    const QString line = u"title "_s + written;
    const bool hasWord = std::any_of(
        written.begin(), written.end(), [](QChar letter) { return letter.isLetterOrNumber(); });
    return hasWord && written.trimmed() == written && !plantUmlArrow(line) && !plantUmlText(line);
}

} // namespace

QString titleForPlantUml(const QString &shown)
{
    const QString written = writtenForPlantUml(shown, PlantUmlPlace::BehindColon);
    return isPlantUmlTitle(written) ? written
                                    : blockForPlantUml(writtenLines(written)).join(u"\\n"_s);
}

bool isPlantUmlTitle(const QString &written)
{
    const QStringList lines = writtenLines(written);
    return fitsOnLine(written) || unindented(blockForPlantUml(lines)) == lines;
}

QStringList titleLines(const QString &written)
{
    if (fitsOnLine(written))
        return { u"title "_s + written };
    return QStringList(u"title"_s) + writtenLines(written) + QStringList(u"end title"_s);
}

} // namespace instar
