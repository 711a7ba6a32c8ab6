// SPDX-License-Identifier: Apache-2.0
// Statecharts as pictures: what is drawn, where, and on which paper.
#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "model/pack/runnablepack.h"
#include "model/statecharts/chartfile.h"
#include "tests/support/testclass.h"
#include "views/drawing/paint.h"
#include "views/drawing/sheet.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QXmlStreamReader>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

using Kind = Vertex::Kind;

Vertex vertex(const QString &id, Kind kind = Kind::State, const QString &parent = {})
{
    const bool isNamed =
        kind == Kind::State || kind == Kind::Parallel || kind == Kind::Entry || kind == Kind::Exit;
    return { .kind = kind, .id = id, .parent = parent, .isNamed = isNamed };
}

Arc arc(const QString &from, const QString &to, const QString &event = {})
{
    return { .from = from, .to = { to }, .event = event };
}

/// Everything that a statechart can have.
Statechart everything()
{
    Statechart chart { .id = u"all"_s, .title = u"Everything"_s };
    chart.vertices = { vertex(u"i"_s, Kind::Initial), vertex(u"Idle"_s),
        vertex(u"Work"_s, Kind::Parallel), vertex(u"Left"_s, Kind::State, u"Work"_s),
        vertex(u"Right"_s, Kind::State, u"Work"_s), vertex(u"l1"_s, Kind::State, u"Left"_s),
        vertex(u"l2"_s, Kind::State, u"Left"_s), vertex(u"r1"_s, Kind::State, u"Right"_s),
        vertex(u"rh"_s, Kind::DeepHistory, u"Right"_s), vertex(u"Box"_s),
        vertex(u"in"_s, Kind::Entry, u"Box"_s), vertex(u"out"_s, Kind::Exit, u"Box"_s),
        vertex(u"b"_s, Kind::State, u"Box"_s), vertex(u"h"_s, Kind::ShallowHistory, u"Box"_s),
        vertex(u"c"_s, Kind::Choice), vertex(u"fork"_s, Kind::Fork), vertex(u"join"_s, Kind::Join),
        vertex(u"f"_s, Kind::Final) };
    chart.vertices[1].description = { u"entry / sit down"_s, u"exit / stand up"_s };
    chart.arcs = { arc(u"i"_s, u"Idle"_s), arc(u"Idle"_s, u"c"_s, u"go"_s), arc(u"c"_s, u"fork"_s),
        arc(u"c"_s, u"in"_s, u"else"_s), arc(u"in"_s, u"b"_s), arc(u"b"_s, u"out"_s),
        arc(u"out"_s, u"Idle"_s, u"again"_s), arc(u"l1"_s, u"l2"_s, u"next"_s),
        arc(u"l2"_s, u"l1"_s, u"back"_s), arc(u"r1"_s, u"r1"_s, u"tick"_s),
        arc(u"Work"_s, u"join"_s), arc(u"join"_s, u"f"_s), arc(u"Idle"_s, u"rh"_s, u"resume"_s),
        arc(u"Idle"_s, u"h"_s),
        { .from = u"fork"_s, .to = { u"l1"_s, u"r1"_s }, .event = u"both"_s },
        { .from = u"Idle"_s, .event = u"ping"_s, .action = u"pong"_s } };
    chart.arcs[1].note = { u"a note on an arrow"_s };
    chart.notes = { { .of = u"Idle"_s, .side = u"right"_s, .lines = { u"beside a state"_s } },
        { .of = u"Box"_s, .side = u"left"_s, .lines = { u"beside a composite"_s } },
        { .lines = { u"beside nothing"_s } } };
    return chart;
}

const ChartBox &boxOf(const ChartLayout &layout, const QString &id)
{
    return *std::ranges::find(layout.boxes, id, &ChartBox::id);
}

ChartFonts fonts()
{
    return ChartFonts::from(QFont());
}

ChartLayout laidOut(const Statechart &chart)
{
    return chartLayout(chart, fonts());
}

QImage painted(const ChartLayout &layout, const Theme &theme)
{
    QImage image(layout.bounds.size().toSize() + QSize(2, 2), QImage::Format_RGB32);
    image.fill(theme.window);
    QPainter painter(&image);
    painter.translate(-layout.bounds.topLeft());
    paintChart(painter, layout, theme, fonts());
    return image;
}

/// The texts of an SVG file.
QStringList textsIn(const QByteArray &svg, QString *error)
{
    QStringList texts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == u"text")
            texts += reader.readElementText().trimmed();
    }
    *error = reader.hasError() ? reader.errorString() : QString();
    return texts;
}

} // namespace

class TestPicture : public QObject
{
    Q_OBJECT

private slots:
    void everythingHasAPlace();
    void longTextsAreCut();
    void beyondTheBudgetItSaysSo();
    void linesOfALinkAreCounted();
    void namesAndLabels();
    void regionsLieBesideEachOther();
    void targetlessArcsStandInTheState();
    void arcsToSeveralTargets();
    void longNamesAreBroken();
    void lines_data() const;
    void lines();
    void isVisibleInBothThemes();
    void emptyChart();
    void strangeCharts();
    void svgHasText();
    void pngHasTwoPixelsAPoint();
    void hugeSheets();
    void looseStates();
    void framesFitWhatIsInThem();
    void wishedColours();
    void coloursAreDrawn();
    void filesAreObeyed_data() const;
    void filesAreObeyed();
    void hintsAreObeyed();
    void longRowsAreWrapped();
    void pdfIsOne();
    void severalOnASheet();
    void aRunOnASheet();
    void namesOfInitialStatesKeepOffArrows();
};

void TestPicture::everythingHasAPlace()
{
    const Statechart chart = everything();
    const ChartLayout layout = laidOut(chart);
    QCOMPARE(layout.boxes.size(), chart.vertices.size());
    QCOMPARE(layout.arrows.size(), chart.arcs.size()); // one is none, one is two
    QCOMPARE(layout.notes.size(), chart.notes.size());
    for (int a = 0; a < layout.boxes.size(); ++a) {
        const ChartBox &box = layout.boxes[a];
        QVERIFY2(layout.bounds.contains(box.area), qPrintable(box.id));
        QCOMPARE(box.vertex, chart.vertex(box.id)->kind);
        for (int b = 0; b < a; ++b) {
            if (!box.isFrame() && !layout.boxes[b].isFrame())
                QVERIFY2(!box.area.intersects(layout.boxes[b].area), qPrintable(box.id));
        }
    }
    for (const ChartArrow &arrow : layout.arrows) {
        QVERIFY(arrow.curve.length() > 8);
        for (const ChartBox &box : layout.boxes)
            QVERIFY(box.isFrame() || !arrow.label.intersects(box.area));
        for (const NoteBox &note : layout.notes)
            QVERIFY(!arrow.label.intersects(note.rect));
    }
    const QRectF frame = boxOf(layout, u"Box"_s).area;
    QVERIFY(frame.contains(boxOf(layout, u"b"_s).area));
    QCOMPARE(boxOf(layout, u"in"_s).outline.rect.center().y(), frame.top());
    QCOMPARE(boxOf(layout, u"out"_s).outline.rect.center().y(), frame.bottom());
    // Notes stand at the sides that the file asks for; forks lie across the arrows.
    QVERIFY(layout.notes[0].rect.left() >= boxOf(layout, u"Idle"_s).area.right());
    const QSizeF fork = boxOf(layout, u"fork"_s).outline.rect.size();
    QVERIFY(fork.width() > 10 * fork.height());
}

void TestPicture::namesAndLabels()
{
    const ChartLayout layout = laidOut(everything());
    QCOMPARE(boxOf(layout, u"Idle"_s).name, QStringList { u"Idle"_s });
    QVERIFY(!boxOf(layout, u"i"_s).isNamed);
    QCOMPARE(boxOf(layout, u"in"_s).name, QStringList { u"in"_s });
    const auto go = std::ranges::find_if(layout.arrows,
        [](const ChartArrow &arrow) { return arrow.link.lines.first().text == u"go"; });
    QVERIFY(go != layout.arrows.end());
    QCOMPARE(go->texts, (QList<QStringList> { { u"go"_s }, { u"a note on an arrow"_s } }));
    Statechart labelled { .id = u"x"_s, .vertices = { vertex(u"a"_s), vertex(u"b"_s) } };
    labelled.vertices[0].label = u"An A\nin two lines"_s;
    QCOMPARE(laidOut(labelled).boxes[0].name, (QStringList { u"An A"_s, u"in two lines"_s }));
}

void TestPicture::regionsLieBesideEachOther()
{
    const ChartLayout layout = laidOut(everything());
    const ChartBox &left = boxOf(layout, u"Left"_s), &right = boxOf(layout, u"Right"_s);
    QVERIFY(left.isRegion && right.isRegion && !boxOf(layout, u"Work"_s).isRegion);
    QCOMPARE(left.area.top(), right.area.top());
    QCOMPARE(left.area.height(), right.area.height());
    QVERIFY(!left.area.adjusted(1, 1, -1, -1).intersects(right.area));
    QVERIFY(boxOf(layout, u"Work"_s).area.contains(left.area | right.area));
}

void TestPicture::targetlessArcsStandInTheState()
{
    const ChartLayout layout = laidOut(everything());
    QCOMPARE(boxOf(layout, u"Idle"_s).details,
        (QStringList { u"entry / sit down"_s, u"exit / stand up"_s, u"ping / pong"_s }));
}

void TestPicture::arcsToSeveralTargets()
{
    const auto both = [](const ChartArrow &arrow) {
        return arrow.texts == QList<QStringList> { { u"both"_s } };
    };
    QCOMPARE(std::ranges::count_if(laidOut(everything()).arrows, both), 1);
}

void TestPicture::longNamesAreBroken()
{
    Statechart chart { .id = u"x"_s, .vertices = { vertex(u"a"_s), vertex(u"b"_s) } };
    chart.vertices[0].label = QString(u"a long name "_s).repeated(20);
    chart.vertices[1].label = QString(u'x').repeated(2000);
    chart.arcs = { arc(u"a"_s, u"b"_s, QString(u"a long label "_s).repeated(20)) };
    const ChartLayout layout = laidOut(chart);
    QVERIFY(layout.boxes[0].name.size() > 3);
    QVERIFY(layout.boxes[0].area.width() < 320);
    QVERIFY(layout.arrows[0].texts[0].size() > 3);
    QVERIFY(layout.boxes[1].name.size() > 3);
    QVERIFY(layout.boxes[1].area.width() < 320);
}

void TestPicture::lines_data() const
{
    const Rows<QString, int> row("text", "count");
    row("empty", {}, 1);
    row("short", u"a b"_s, 1);
    row("two", u"one two three four five six"_s, 2);
    row("one word", QString(u'm').repeated(17), 2);
    row("one word with signs", u"aaaa,bbbb,ccccc,dddd,eeee"_s, 2);
}

void TestPicture::lines()
{
    QFETCH(QString, text);
    QFETCH(int, count);
    const QFontMetricsF metrics(fonts().label);
    const double widest = metrics.horizontalAdvance(u"one two three four"_s);
    const QStringList lines = linesOf(text, fonts().label, widest);
    QCOMPARE(lines.size(), count);
    const bool isWord = !text.contains(u' ');
    QCOMPARE(lines.join(isWord ? QString() : u" "_s), text);
    QVERIFY(!text.contains(u',') || lines.first().endsWith(u','));
}

void TestPicture::isVisibleInBothThemes()
{
    const Statechart chart = everything();
    const ChartLayout layout = laidOut(chart);
    for (const Theme &theme : { Theme::light(), Theme::dark() }) {
        const QImage image = painted(layout, theme);
        const auto at = [&](const QPointF &point) {
            return image.pixelColor((point - layout.bounds.topLeft()).toPoint());
        };
        QCOMPARE(at(boxOf(layout, u"i"_s).area.center()), theme.text);
        QCOMPARE(at(boxOf(layout, u"f"_s).area.center()), theme.text);
        QCOMPARE(at(boxOf(layout, u"fork"_s).area.center()), theme.text);
        QVERIFY(at(boxOf(layout, u"Idle"_s).area.topLeft() + QPointF(14, 6)) == theme.base);
        for (const ChartArrow &arrow : layout.arrows) {
            const QPointF tip = arrow.curve.end();
            const QColor head = at(tip - unit(tip - arrow.curve.at(0.99)) * 6);
            QVERIFY2(contrast(head, theme.window) > 1.5, qPrintable(arrow.link.lines.first().text));
        }
        for (const NoteBox &note : layout.notes)
            QCOMPARE(at(note.rect.bottomLeft() + QPointF(4, -4)),
                theme.statusCategoryFill(StatusCategory::Removing));
    }
}

void TestPicture::emptyChart()
{
    const ChartLayout layout = laidOut({});
    QVERIFY(layout.boxes.isEmpty());
    for (const SheetFormat format : { SheetFormat::Svg, SheetFormat::Png, SheetFormat::Pdf }) {
        QVERIFY(!drawnSheet({ sheetPart(Statechart(), false) }, format)->isEmpty());
        QVERIFY(!drawnSheet({}, format)->isEmpty());
    }
}

/// What no reader makes must not end the program either.
void TestPicture::strangeCharts()
{
    Statechart chart { .id = u"x"_s };
    chart.vertices = { vertex(u"i"_s, Kind::Initial), vertex(u"a"_s, Kind::State, u"i"_s),
        vertex(u"b"_s, Kind::State, u"nowhere"_s), vertex(u"e"_s, Kind::Entry),
        vertex(u"p"_s, Kind::Parallel) };
    chart.arcs = { arc(u"a"_s, u"b"_s), arc(u"nowhere"_s, u"b"_s), arc(u"b"_s, u"nowhere"_s),
        arc(u"e"_s, u"e"_s), arc(u"i"_s, u"p"_s) };
    chart.notes = { { .of = u"nowhere"_s, .lines = {} } };
    QVERIFY(!drawnSheet({ sheetPart(chart, false) }, SheetFormat::Png)->isEmpty());
    QCOMPARE(laidOut(chart).boxes.size(), 5);
}

void TestPicture::svgHasText()
{
    QString error;
    const QStringList texts =
        textsIn(*drawnSheet({ sheetPart(everything(), false) }, SheetFormat::Svg), &error);
    QCOMPARE(error, QString());
    for (const QString &text : { u"Everything"_s, u"Idle"_s, u"entry / sit down"_s, u"go"_s,
             u"a note on an arrow"_s, u"beside nothing"_s, u"H*"_s, u"Left"_s })
        QVERIFY2(texts.contains(text), qPrintable(text + u" is not in "_s + texts.join(u", "_s)));
}

void TestPicture::pngHasTwoPixelsAPoint()
{
    const SheetPart part = sheetPart(everything(), false);
    const QImage image = QImage::fromData(*drawnSheet({ part }, SheetFormat::Png), "PNG");
    QVERIFY(!image.isNull());
    QVERIFY(std::abs(image.width() - 2 * (part.bounds().width() + 40)) <= 2);
    QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
}

/// A chain of so many states.
static Statechart chainOf(int states)
{
    Statechart chart { .id = u"x"_s };
    for (int i = 0; i < states; ++i) {
        chart.vertices += vertex(QString::number(i));
        if (i > 0)
            chart.arcs += arc(QString::number(i - 1), QString::number(i));
    }
    return chart;
}

void TestPicture::hugeSheets()
{
    const SheetPart large = sheetPart(chainOf(200), false);
    const QImage image = QImage::fromData(*drawnSheet({ large }, SheetFormat::Png), "PNG");
    QVERIFY(!image.isNull());
    QVERIFY(image.height() < 2 * large.bounds().height());
    QVERIFY(image.height() >= large.bounds().height());
    QVERIFY(qint64(image.width()) * image.height() <= 40'000'000);

    const SheetPart huge = sheetPart(chainOf(1000), false);
    const QString png = errorIn(drawnSheet({ huge }, SheetFormat::Png));
    QVERIFY2(png.contains(u"write an SVG or PDF instead"), qPrintable(png));
    QVERIFY(drawnSheet({ huge }, SheetFormat::Svg)->startsWith("<?xml"));
    QVERIFY(drawnSheet({ huge }, SheetFormat::Pdf)->startsWith("%PDF"));
}

void TestPicture::longTextsAreCut()
{
    Statechart chart { .id = u"x"_s };
    chart.vertices = { vertex(u"a"_s) };
    for (int i = 0; i < 5'000; ++i) {
        chart.vertices[0].description += u"line %1"_s.arg(i);
        chart.arcs += Arc { .from = u"a"_s, .event = u"e%1"_s.arg(i), .isInternal = true };
    }
    const ChartLayout layout = laidOut(chart);
    QVERIFY(layout.boxes[0].details.size() < 120);
    QCOMPARE(layout.boxes[0].details.last(), u"… and 9900 more"_s);
}

void TestPicture::beyondTheBudgetItSaysSo()
{
    const Statechart chart = chainOf(30);
    QCOMPARE(chartLayout(chart, fonts(), { .states = 30 }).remark, QString());
    const ChartLayout layout = chartLayout(chart, fonts(), { .states = 29 });
    QVERIFY2(layout.remark.startsWith(u"Drawn simply: 30 states and 29 arrows are too many"_s),
        qPrintable(layout.remark));
    for (const ChartBox &box : layout.boxes) {
        QVERIFY(!box.area.intersects(layout.remarkArea));
        QVERIFY(layout.bounds.contains(box.area));
    }
    QString error;
    const SheetPart part = sheetPart(chart, false, { .states = 29 });
    QCOMPARE(part.remark(), layout.remark);
    const QStringList texts = textsIn(*drawnSheet({ part }, SheetFormat::Svg), &error);
    QVERIFY2(texts.join(u' ').contains(u"Drawn simply"_s), qPrintable(texts.join(u'|')));

    const Rules rules = *Rules::make(*loadPack(u"network-controller"_s));
    const ChartLayout usual = chartLayout(rules, 0, fonts());
    QCOMPARE(usual.remark, QString());
    const ChartLayout plain = chartLayout(rules, 0, fonts(), { .states = 1 });
    QVERIFY(plain.remark.startsWith(u"Drawn simply"_s));
    QVERIFY(plain.bounds.contains(plain.remarkArea));
}

/// Of very many rows between two states some are written, the last line stands for the others.
void TestPicture::linesOfALinkAreCounted()
{
    Pack pack = *loadPack(u"network-controller"_s);
    Machine &machine = pack.machines.first();
    const Transition row = *std::ranges::find_if(
        machine.transitions, [](const Transition &each) { return !each.to.isEmpty(); });
    for (int i = 0; i < 500; ++i) {
        machine.transitions += row;
        machine.transitions.last().label = u"way %1"_s.arg(i);
    }
    const Rules rules = valueOf(Rules::make(pack));
    const QList<Link> links = chartLinks(rules, 0);
    const auto folded = std::ranges::find_if(
        links, [](const Link &link) { return link.lines.last().text.startsWith(u"… and "_s); });
    QVERIFY(folded != links.end());
    QCOMPARE(folded->lines.size(), 31);
    qsizetype rows = 0;
    for (const LinkLine &line : folded->lines)
        rows += line.rows.size();
    QVERIFY(rows >= 500);
    QCOMPARE(folded->lines.last().text, u"… and %1 more"_s.arg(folded->lines.last().rows.size()));
}

/// A thousand states without an arrow are no strip of a kilometre.
void TestPicture::looseStates()
{
    Statechart chart { .id = u"x"_s };
    for (int i = 0; i < 1000; ++i)
        chart.vertices += vertex(u"state %1"_s.arg(i));
    const QRectF bounds = laidOut(chart).bounds;
    QVERIFY2(bounds.width() < 3 * bounds.height() && bounds.height() < 3 * bounds.width(),
        qPrintable(u"%1 x %2"_s.arg(bounds.width()).arg(bounds.height())));
}

/// However wide the labels of the arrows are that end on its border.
void TestPicture::framesFitWhatIsInThem()
{
    const QString wide = u"a label that is much wider than what is in the frame"_s;
    Statechart chart { .id = u"x"_s,
        .vertices = { vertex(u"Work"_s), vertex(u"a"_s, Kind::State, u"Work"_s),
            vertex(u"b"_s, Kind::State, u"Work"_s) } };
    chart.arcs += Arc { .from = u"a"_s, .to = { u"b"_s } };
    for (const QString &other : { u"p"_s, u"q"_s, u"r"_s }) {
        chart.vertices += vertex(other);
        chart.vertices += vertex(other + u"2"_s);
        chart.arcs += Arc { .from = other, .to = { u"Work"_s }, .event = wide };
        chart.arcs += Arc { .from = u"Work"_s, .to = { other + u"2"_s }, .event = wide };
    }
    const ChartLayout layout = laidOut(chart);
    const QRectF frame = boxOf(layout, u"Work"_s).area;
    const QRectF inside = boxOf(layout, u"a"_s).area | boxOf(layout, u"b"_s).area;
    QVERIFY2(frame.width() < inside.width() + 90, qPrintable(QString::number(frame.width())));
    QVERIFY(
        std::abs(boxOf(layout, u"a"_s).area.center().x() - boxOf(layout, u"b"_s).area.center().x())
        < 1);
}

/// Whatever colours a file wishes, what is drawn can be read in both themes.
void TestPicture::wishedColours()
{
    const QStringList names { u"pink"_s, u"yellow"_s, u"#000000"_s, u"#ffffff"_s, u"navy"_s,
        u"red"_s, u"gray"_s, u"#7f7f7f"_s, u"lime"_s, u"no such colour"_s, u""_s };
    for (const Theme &theme : { Theme::light(), Theme::dark() }) {
        const Ink usual { .fill = theme.base,
            .stroke = theme.statusCategoryLine(StatusCategory::Working),
            .text = theme.text };
        for (const QString &fill : names) {
            for (const QString &other : names) {
                const ChartStyle look { .fill = fill, .stroke = other, .text = other };
                const Ink ink = inked(look, theme, usual);
                QVERIFY2(contrast(ink.text, ink.fill) >= 4.5, qPrintable(fill + u' ' + other));
                QVERIFY2(contrast(ink.stroke, theme.window) >= 3, qPrintable(fill + u' ' + other));
            }
        }
        QCOMPARE(inked({ .fill = u"no such colour"_s }, theme, usual), usual);
    }
    // A wish that can be seen is granted.
    const Theme light = Theme::light();
    const Ink usual { .fill = light.window, .stroke = light.line, .text = light.text };
    QCOMPARE(inked({ .fill = u"pink"_s }, light, usual).fill, QColor(u"pink"_s));
    QCOMPARE(inked({ .stroke = u"navy"_s, .dash = ChartStyle::Dash::Dotted, .isBold = true }, light,
                 usual),
        (Ink { .fill = light.window,
            .stroke = QColor(u"navy"_s),
            .text = light.text,
            .style = Qt::DotLine,
            .width = 3 }));
}

/// Colours come from the file into the layout.
void TestPicture::coloursAreDrawn()
{
    Statechart chart { .id = u"x"_s };
    chart.vertices = { vertex(u"a"_s), vertex(u"b"_s) };
    chart.vertices[0].style.fill = u"pink"_s;
    chart.arcs = { arc(u"a"_s, u"b"_s) };
    const ChartLayout layout = laidOut(chart);
    const QImage image = painted(layout, Theme::light());
    const QRectF box = layout.boxes[0].outline.rect.translated(-layout.bounds.topLeft());
    QCOMPARE(image.pixelColor((box.bottomLeft() + QPointF(14, -7)).toPoint()), QColor(u"pink"_s));
    chart.vertices[0].style.fill.clear();
    QVERIFY(painted(laidOut(chart), Theme::light()) != image);
}

/// A file as the console draws it, and as the window does: as a pack, if it can be one.
static QList<ChartLayout> drawnBoth(const QByteArray &text, const QString &file)
{
    const Result<MachineFile> read = readMachines(text, file, machineFormat(file));
    const Result<Pack> pack = packFromText(text, file);
    if (!read || !pack)
        return {};
    const Result<Rules> rules = Rules::make(runnableDraft(*pack));
    return { laidOut(read->charts.first()), chartLayout(*rules, 0, fonts()) };
}

void TestPicture::filesAreObeyed_data() const
{
    // stroke: of the arrow from A to B
    const Rows<QString, QByteArray, QString> row("file", "text", "stroke");
    const QByteArray plantUml = "@startuml\nleft to right direction\n[*] --> A\nstate A #red\n"
                                "A -[#blue]-> B : go\nB --> A : back\n";
    row("PlantUML", u"x.puml"_s, plantUml + "@enduml\n", u"blue"_s);
    row("PlantUML with history", u"x.puml"_s,
        plantUml + "state B {\n[*] --> C\nC --> D : on\n}\nA --> B[H] : again\n@enduml\n",
        u"blue"_s);
    row("Mermaid", u"x.mmd"_s,
        "stateDiagram-v2\n  direction LR\n  [*] --> A\n  A --> B : go\n  B --> A : back\n"
        "  classDef bad fill:red\n  class A bad\n",
        {});
    row("SCXML", u"x.scxml"_s,
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0' "
        "xmlns:i='urn:instar:statechart' i:direction='right'>"
        "<state id='A' i:look='fill:red'>"
        "<transition event='go' target='B' i:look='stroke:blue'/></state>"
        "<state id='B'><transition event='back' target='A'/></state></scxml>",
        u"blue"_s);
}

void TestPicture::filesAreObeyed()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QFETCH(QString, stroke);
    const QList<ChartLayout> both = drawnBoth(text, file);
    QCOMPARE(both.size(), 2);
    for (const ChartLayout &layout : both) {
        const ChartBox &a = boxOf(layout, u"A"_s), &b = boxOf(layout, u"B"_s);
        QCOMPARE(a.style, ChartStyle { .fill = u"red"_s });
        QVERIFY(b.area.left() > a.area.right());
        const auto arrow = std::ranges::find_if(layout.arrows, [&](const ChartArrow &each) {
            return each.link.from == a.state && each.link.to == b.state;
        });
        QVERIFY(arrow != layout.arrows.end());
        QCOMPARE(arrow->style.stroke, stroke);
    }
    const Pack pack = *packFromText(text, file);
    const FileText copy = fileText({}, pack, pack, u"copy.puml"_s);
    QVERIFY2(copy.text.contains("state A #red"), copy.text.constData());
}

void TestPicture::hintsAreObeyed()
{
    using Hint = std::tuple<const char *, int, int>;
    for (const auto &[word, x, y] :
        { Hint("right", 1, 0), Hint("left", -1, 0), Hint("up", 0, -1), Hint("down", 0, 1) }) {
        const QByteArray text = "@startuml\n[*] --> A\nA -"_ba + word + "-> B : go\n@enduml\n";
        const QList<ChartLayout> both = drawnBoth(text, u"x.puml"_s);
        QCOMPARE(both.size(), 2);
        for (const ChartLayout &layout : both) {
            const QRectF a = boxOf(layout, u"A"_s).area, b = boxOf(layout, u"B"_s).area;
            const double apart = x != 0 ? a.width() + b.width() : a.height() + b.height();
            const QPointF by = b.center() - a.center();
            QVERIFY2(QPointF::dotProduct(by, QPointF(x, y)) >= apart / 2, word);
        }
    }
}

/// A chain of many states can be read in a window, in the direction of its file.
void TestPicture::longRowsAreWrapped()
{
    Statechart chart = chainOf(35);
    for (const ChartDirection direction : { ChartDirection::Down, ChartDirection::Right }) {
        chart.direction = direction;
        const ChartLayout layout = laidOut(chart);
        const double scale = std::min(1280 / layout.bounds.width(), 800 / layout.bounds.height());
        QVERIFY2(scale * fonts().label.pixelSize() >= 9, qPrintable(QString::number(scale)));
        const QRectF first = layout.boxes[0].area, second = layout.boxes[1].area;
        QVERIFY(direction == ChartDirection::Right ? second.left() > first.right()
                                                   : second.top() > first.bottom());
        for (const ChartArrow &arrow : layout.arrows) {
            for (const ChartBox &box : layout.boxes) {
                if (box.state != arrow.link.from && box.state != arrow.link.to)
                    QCOMPARE(lengthInside(box.area, arrow.curve.samples(40)), 0.0);
            }
        }
    }
}

void TestPicture::pdfIsOne()
{
    const QByteArray pdf = *drawnSheet({ sheetPart(everything(), false) }, SheetFormat::Pdf);
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QVERIFY(pdf.contains("/Font"));
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
}

void TestPicture::severalOnASheet()
{
    Statechart first { .id = u"first"_s, .vertices = { vertex(u"a"_s) } },
        second { .id = u"second"_s, .title = u"The other"_s, .vertices = { vertex(u"b"_s) } };
    QString error;
    const QStringList texts = textsIn(
        *drawnSheet({ sheetPart(first, true), sheetPart(second, true) }, SheetFormat::Svg), &error);
    QCOMPARE(texts, (QStringList { u"first"_s, u"a"_s, u"The other"_s, u"b"_s }));
}

/// With its texts, on a file that says how large it is; on the ground of a dark theme.
void TestPicture::aRunOnASheet()
{
    const Pack pack = *loadPack(u"network-controller"_s);
    const Rules rules = *Rules::make(pack);
    Simulator simulator(rules, makeWorld(rules, pack.sample).world);
    simulator.submit({ .op = u"PUT"_s, .path = pack.sample.first().path, .duration = 500 });
    simulator.runUntilQuiet();
    const SheetPart part = sheetPart(simulator, u"The run"_s);
    const QByteArray svg = *drawnSheet({ part }, SheetFormat::Svg);
    QString error;
    const QString texts = textsIn(svg, &error).join(u' ');
    QCOMPARE(error, QString());
    for (const QString &text :
        { u"The run"_s, u"PUT"_s, pack.sample.first().path.section(u'/', -1) })
        QVERIFY2(texts.contains(text), qPrintable(texts));
    QXmlStreamReader reader(svg);
    QVERIFY(reader.readNextStartElement());
    const QXmlStreamAttributes root = reader.attributes();
    const QStringList box = root.value(u"viewBox"_s).toString().split(u' ');
    QCOMPARE(box.size(), 4);
    QVERIFY(std::abs(box[2].toDouble() - part.bounds().width() - 2 * sheetMargin) < 2);
    const double inches = root.value(u"width"_s).toString().remove(u"mm"_s).toDouble() / 25.4;
    QVERIFY(std::abs(inches * 96 - box[2].toDouble()) < 1);
    const QByteArray png = *drawnSheet({ part }, SheetFormat::Png, Theme::dark());
    QCOMPARE(QImage::fromData(png, "PNG").pixelColor(2, 2), Theme::dark().base);
}

/// In every machine that is shipped, as it is drawn under the usual switches.
void TestPicture::namesOfInitialStatesKeepOffArrows()
{
    int names = 0;
    for (const QString &id : builtInPacks()) {
        const Pack pack = valueOf(loadPack(id));
        const Rules rules = valueOf(Rules::make(pack));
        for (int machine = 0; machine < pack.machines.size(); ++machine) {
            const ChartLayout layout = chartLayout(rules, machine, fonts());
            for (const ChartBox &box : layout.boxes) {
                if (box.kind != State::Kind::Initial)
                    continue;
                ++names;
                QVERIFY(box.area.contains(box.nameArea) && layout.bounds.contains(box.nameArea));
                for (const ChartArrow &arrow : layout.arrows) {
                    const QString what = u"%1, %2"_s.arg(id, pack.machines[machine].id);
                    QVERIFY2(
                        lengthInside(box.nameArea, arrow.curve.samples(80)) < 1, qPrintable(what));
                    QVERIFY2(!arrow.label.intersects(box.nameArea), qPrintable(what));
                }
            }
        }
    }
    QVERIFY(names >= 10);
}

const instar::TestClass<TestPicture, QApplication> registered;
#include "tst_picture.moc"
