// SPDX-License-Identifier: Apache-2.0
#include "model/engine/step.h"
#include "model/foreigntext.h"
#include "model/items/sentences.h"
#include "model/json/filebytes.h"
#include "views/drawing/sheet.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace instar {

namespace {

constexpr double pageWidth = 790;
constexpr qsizetype mostCells = 3'000'000; ///< limit of rows times events

/// Strips an SVG's prolog, so that a page can contain the element.
QByteArray pageInlined(const QByteArray &svg)
{
    return svg.mid(svg.indexOf("<svg"));
}

QString pageColours(const Theme &theme)
{
    const QList<std::pair<const char *, QColor>> all { { "window", theme.window },
        { "base", theme.base }, { "text", theme.text }, { "dim", theme.dimText },
        { "line", theme.line }, { "quiet", theme.quietLine }, { "accent", theme.accent },
        { "accentFill", theme.accentFill }, { "onAccent", theme.accentText } };
    QString css;
    for (const auto &[name, colour] : all)
        css += u"--%1: %2; "_s.arg(QLatin1StringView(name), colour.name());
    return css;
}

/// Builder of the HTML page of a run.
class RunPage
{
public:
    RunPage(const Simulator &simulator, const Theme &theme)
        : m_simulator(simulator),
          m_theme(theme),
          m_sheet(std::make_shared<TimelineSheet>(simulator, pageWidth)),
          m_records(simulator.records() + simulator.later())
    {
        m_sheet->treeWidth = 0; // the page draws its own tree
        m_sheet->picture.showsCursor = false;
        m_sheet->picture.now = m_sheet->picture.end(); // nothing is faint
    }

    bool isTooLarge() const { return timeline().rowCount() * (m_records.size() + 1) > mostCells; }
    Result<QByteArray> made(const QString &title)
    {
        const Result<QByteArray> timeline =
            drawnSheet({ SheetPart { .timeline = m_sheet } }, SheetFormat::Svg, m_theme);
        const Result<QByteArray> drawn = charts();
        if (!timeline || !drawn)
            return Error { timeline ? drawn.error() : timeline.error() };
        const Result<QByteArray> page = fileBytes(u":/instar/pages/run.html"_s);
        if (!page)
            return page;
        QByteArray json = QJsonDocument(data()).toJson(QJsonDocument::Compact);
        json.replace('<', "\\u003c"); // so that no text ends the script element
        const QString colours = pageColours(m_theme)
            + u"--rowHeight: %1px; --ruler: %2px;"_s.arg(m_sheet->picture.scale.rowHeight)
                  .arg(sheetMargin + timelineRuler);
        const QString filled = QString::fromUtf8(*page).arg( // does not expand inserted text again
            title.toHtmlEscaped(), rules().pack().title.toHtmlEscaped(), colours,
            QString::number(m_records.size()), QString::fromUtf8(pageInlined(*timeline)),
            QString::fromUtf8(*drawn), QString::fromUtf8(json));
        return visible(filled.toUtf8());
    }

private:
    const Timeline &timeline() const { return *m_sheet->picture.timeline; }
    const Rules &rules() const { return m_sheet->rules; }
    /// State and word of a row as JSON; null if its resource does not exist.
    QJsonValue shownAt(qsizetype place, const World &world) const
    {
        const Resource resource = timeline().resourceOf(timeline().rowAt(place));
        if (resource == NoResource || !rules().isShown(world.tree.code(resource)))
            return QJsonValue();
        const Rules::StateId state = rules().stateOf(world.tree.code(resource));
        return QJsonObject { { u"word"_s, shownWord(rules(), world, resource) },
            { u"state"_s, int(state) },
            { u"category"_s, int(m_sheet->picture.statusCategoryOf(state)) } };
    }

    QJsonArray rows() const
    {
        QJsonArray all;
        timeline().show(0);
        for (qsizetype place = 0; place < timeline().rowCount(); ++place) {
            const Timeline::Row row = timeline().rowAt(place);
            const QString path = timeline().path(row);
            all.append(QJsonObject { { u"path"_s, path }, { u"name"_s, timeline().name(row) },
                { u"depth"_s, timeline().depth(row) },
                { u"machine"_s, int(rules().machineForType(typePathOf(path))) },
                { u"first"_s, shownAt(place, m_simulator.beginning()) } });
        }
        return all;
    }

    /// Changes of rows: [moment, place, new value as by shownAt()], in order of moments.
    QJsonArray changes() const
    {
        QJsonArray all;
        QList<QJsonValue> before;
        World world = m_simulator.beginning();
        for (qsizetype moment = 0; moment <= m_records.size(); ++moment) {
            if (moment > 0)
                world = step(rules(), std::move(world), m_records[moment - 1].event).world;
            timeline().show(moment);
            for (qsizetype place = 0; place < timeline().rowCount(); ++place) {
                const QJsonValue now = shownAt(place, world);
                if (moment == 0)
                    before += now;
                else if (now != before[place])
                    all.append(QJsonArray { moment, place, before[place] = now });
            }
        }
        return all;
    }

    QJsonArray records() const
    {
        QJsonArray all;
        for (qsizetype i = 0; i < m_records.size(); ++i) {
            for (const Change &change : m_records[i].changes)
                all.append(
                    QJsonObject { { u"moment"_s, i + 1 }, { u"time"_s, m_records[i].event.time },
                        { u"text"_s, changeText(rules(), m_simulator.everyOperation(), change) } });
        }
        return all;
    }

    QJsonObject data() const
    {
        QJsonArray times, machines, tones;
        for (const Record &record : m_records)
            times.append(record.event.time);
        for (const Machine &machine : rules().pack().machines)
            machines.append(shownTitle(machine));
        for (const Theme::Tone &tone : m_theme.tones)
            tones.append(QJsonArray { tone.fill.name(), tone.line.name(), tone.text.name() });
        const TimelinePicture &picture = m_sheet->picture;
        const auto &bars = timeline().bars();
        const auto first = std::ranges::find_if(
            bars, [](const Timeline::Bar &bar) { return bar.row != Timeline::NoRow; });
        // The target of the first operation is selected.
        const qsizetype chosen = first == bars.end() ? 0 : timeline().placeOf(first->row);
        return { { u"rows"_s, rows() }, { u"changes"_s, changes() }, { u"records"_s, records() },
            { u"times"_s, times }, { u"machines"_s, machines }, { u"tones"_s, tones },
            { u"begin"_s, timeline().begin() }, { u"end"_s, picture.end() },
            { u"chosen"_s, chosen },
            { u"x0"_s, sheetMargin + timelineGap + picture.scale.x(timeline().begin()) },
            { u"pixelsPerMs"_s, picture.scale.pixelsPerMs } };
    }

    /// SVG of each machine's chart, with a hidden frame around every state that the page can show.
    Result<QByteArray> charts() const
    {
        QByteArray all;
        for (int machine = 0; machine < int(rules().machines().size()); ++machine) {
            const SheetPart part = sheetPart(rules(), machine, false);
            const Result<QByteArray> svg = drawnSheet({ part }, SheetFormat::Svg, m_theme);
            if (!svg)
                return Error { svg.error() };
            QByteArray frames;
            for (const ChartBox &box : part.layout->boxes) {
                const QRectF rect = box.outline.rect.translated(
                    sheetMargin - part.bounds().left(), sheetMargin - part.bounds().top());
                frames += u"<rect data-state=\"%1\" x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\" "
                          u"rx=\"8\" fill=\"none\" stroke=\"none\"/>"_s.arg(int(box.state))
                              .arg(rect.x())
                              .arg(rect.y())
                              .arg(rect.width())
                              .arg(rect.height())
                              .toLatin1();
            }
            QByteArray chart = pageInlined(*svg);
            chart.insert(chart.lastIndexOf("</svg>"), frames);
            all += "<div class=\"chart\">" + chart + "</div>";
        }
        return all;
    }

    const Simulator &m_simulator;
    const Theme &m_theme;
    std::shared_ptr<TimelineSheet> m_sheet;
    QList<Record> m_records;
};

} // namespace

Result<QByteArray> runPage(const Simulator &simulator, const QString &title, const Theme &theme)
{
    RunPage page(simulator, theme);
    if (page.isTooLarge())
        return Error {
            u"the run is too long for a page: its resources times its events exceed %1 million; stop it earlier with --until, or draw it as SVG"_s
                .arg(mostCells / 1'000'000)
        };
    return page.made(title);
}

} // namespace instar
