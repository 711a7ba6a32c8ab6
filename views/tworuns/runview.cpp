// SPDX-License-Identifier: Apache-2.0
#include "views/tworuns/runview.h"

#include "views/diagram/statechart.h"
#include "views/editing/differencemarks.h"
#include "views/panels/elidedlabel.h"
#include "views/score/scoreview.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

RunView::RunView(
    std::unique_ptr<Simulator> run, const QString &title, const QString &other, QWidget *parent)
    : QWidget(parent),
      m_run(std::move(run)),
      m_otherRun(other),
      m_state(new ElidedLabel(Qt::ElideMiddle)),
      m_split(new QSplitter(Qt::Vertical)),
      m_chart(new StatechartView(m_selection)),
      m_score(new ScoreView(*m_run, m_selection))
{
    auto *name = new ElidedLabel(Qt::ElideMiddle);
    name->setText(title);
    name->setToolTip(title);
    name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    QFont bold = name->font();
    bold.setBold(true);
    name->setFont(bold);
    m_state->setProperty("dim", true);
    auto *header = new QHBoxLayout;
    header->setContentsMargins(gap::small, 0, 0, 0);
    header->setSpacing(gap::normal);
    header->addWidget(name, 2);
    header->addWidget(m_state, 3);

    m_chart->setController(m_run.get());
    m_chart->setEdited(&m_run->rules().pack()); // so that a click fires nothing
    m_chart->setMinimumHeight(140);
    // Where both resources are is to be seen in both charts.
    connect(m_chart, &StatechartView::laidOut, m_chart, &StatechartView::fit);
    m_chart->setAccessibleName(tr("Statechart: %1").arg(title));
    m_chart->setMarks([this](QPainter &painter) { paintOther(painter); });
    m_score->setAccessibleName(tr("Score: %1").arg(title));
    connect(&m_selection, &Selection::resourceChosen, this, &RunView::tell);
    connect(&m_selection, &Selection::resourceChosen, this, &RunView::resourceChosen);
    connect(m_score, &ScoreView::timeAsked, this, &RunView::timeAsked);

    m_split->addWidget(m_chart);
    m_split->addWidget(m_score);
    m_split->setChildrenCollapsible(false);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addLayout(header);
    layout->addWidget(m_split, 1);
}

RunView::~RunView()
{
    delete m_split; // what shows the run goes before it
}

void RunView::setTheme(const Theme &theme)
{
    m_chart->setTheme(theme);
    m_score->setTheme(theme);
}

void RunView::setMotion(Motion motion)
{
    m_chart->setMotion(motion);
    m_score->setMotion(motion);
}

void RunView::select(const QString &path)
{
    if (path != m_selection.resource())
        m_selection.choose(path);
}

void RunView::showTime(qint64 time)
{
    m_run->showTime(time);
    tell();
}

QString RunView::state() const
{
    const Tree &tree = m_run->world().tree;
    const Rules &rules = m_run->rules();
    if (const Resource resource = tree.find(m_selection.resource()); resource != NoResource)
        return rules.state(rules.stateOf(tree.code(resource))).id;
    const int machine = rules.machineForType(typePathOf(m_selection.resource()));
    return machine == Rules::None ? QString()
                                  : rules.state(rules.machines()[size_t(machine)].initial).id;
}

void RunView::tell()
{
    const QString now = state();
    const QString name = m_selection.resource().section(u'/', -1);
    //: a resource, its state
    m_state->setText(m_selection.resource().isEmpty()
            ? QString()
            : tr("%1: %2").arg(name, now.isEmpty() ? tr("absent") : now));
    m_state->setToolTip(m_selection.resource());
}

void RunView::setOther(const std::optional<QString> &state)
{
    m_other = state;
    m_chart->viewport()->update();
}

void RunView::paintOther(QPainter &painter) const
{
    if (!m_other)
        return;
    const QString own = state();
    const Theme &theme = m_chart->theme();
    const QFont &font = m_chart->fonts().label;
    const auto mark = [&](const ChartBox &box, Qt::PenStyle style, const QString &text) {
        const QRectF rect = box.outline.rect;
        const double radius = box.outline.radius + 4;
        painter.setPen(QPen(toneOf(Difference::Kind::Changed, theme).line, 2.4, style));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), radius, radius);
        paintBadge(
            painter, rect.topLeft() + QPointF(8, 2), Difference::Kind::Changed, text, theme, font);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ChartBox &box : m_chart->layout().boxes) {
        const QString state = m_chart->stateId(box.state);
        if (state.isEmpty() || box.isFrame())
            continue;
        if (state == own) //: a state, "there" or "here"
            mark(box, Qt::SolidLine,
                tr("%1 %2").arg(m_other->isEmpty() ? tr("absent") : *m_other, m_otherRun));
        else if (state == *m_other)
            mark(box, Qt::DashLine, m_otherRun);
    }
    painter.restore();
}

void RunView::setDifferences(
    const QList<qint64> &times, const QStringList &paths, const QString &operation)
{
    m_score->setMarks(times);
    const Operation *told = m_run->everyOperation().find(operation);
    m_selection.choose(told ? QList<quint32> { told->serial } : QList<quint32>());
    m_score->setLookedAt(paths);
    m_chart->setLookedAt(paths);
}

} // namespace instar
