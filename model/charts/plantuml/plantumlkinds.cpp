// SPDX-License-Identifier: Apache-2.0
#include "model/charts/plantuml/plantumlkinds.h"

#include <QRegularExpression>
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

struct DiagramKind
{
    QString name;
    QStringList words;       ///< that begin its lines
    QRegularExpression line; ///< what else its lines look like
};

/// The first that fits counts.
const QList<DiagramKind> &otherDiagrams()
{
    static const QList<DiagramKind> kinds {
        { u"a class diagram"_s,
            { u"class"_s, u"abstract"_s, u"interface"_s, u"enum"_s, u"annotation"_s, u"struct"_s,
                u"exception"_s, u"metaclass"_s, u"protocol"_s, u"dataclass"_s },
            QRegularExpression(u"<\\||\\|>|\\s[*o]-|-[*o]\\s"_s) },
        { u"an object diagram"_s, { u"object"_s }, {} },
        { u"a sequence diagram"_s,
            { u"participant"_s, u"activate"_s, u"deactivate"_s, u"autonumber"_s, u"autoactivate"_s,
                u"alt"_s, u"opt"_s, u"loop"_s, u"par"_s, u"critical"_s, u"group"_s, u"box"_s,
                u"return"_s },
            QRegularExpression(u"->>|<<-|->x|-\\\\|-//|^==.*==$"_s) },
        { u"a use case diagram"_s, { u"usecase"_s }, QRegularExpression(u"^\\([^*()]+\\)"_s) },
        { u"an activity diagram"_s, { u"start"_s, u"stop"_s, u"repeat"_s, u"partition"_s },
            QRegularExpression(u"^:.*[;|<>/\\]}]$|\\(\\*\\)|^(?:if|while) ?\\("_s) },
        { u"a timing diagram"_s, { u"robust"_s, u"concise"_s, u"clock"_s, u"binary"_s }, {} },
        { u"a component or deployment diagram"_s,
            { u"component"_s, u"package"_s, u"node"_s, u"artifact"_s, u"cloud"_s, u"folder"_s,
                u"frame"_s, u"rectangle"_s, u"storage"_s, u"agent"_s, u"card"_s, u"hexagon"_s,
                u"port"_s, u"portin"_s, u"portout"_s, u"stack"_s },
            QRegularExpression(u"^\\[[^\\]*]+\\]|[->] ?\\[[^\\]*]+\\]|\\(\\)"_s) },
        { u"a sequence, use case or component diagram"_s,
            { u"actor"_s, u"boundary"_s, u"control"_s, u"entity"_s, u"database"_s, u"queue"_s,
                u"collections"_s, u"person"_s },
            {} },
    };
    return kinds;
}

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

QString otherPlantUml(const QString &line)
{
    constexpr qsizetype most = 1000; // of a line that is looked at
    const QString text = line.left(most).simplified();
    const QString word = text.section(u' ', 0, 0).toLower();
    const auto fits = [&](const DiagramKind &kind) {
        return kind.words.contains(word)
            || (!kind.line.pattern().isEmpty() && kind.line.match(text).hasMatch());
    };
    const auto found = std::ranges::find_if(otherDiagrams(), fits);
    return found == otherDiagrams().end() ? QString() : found->name;
}

} // namespace instar
