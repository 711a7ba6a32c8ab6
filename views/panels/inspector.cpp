// SPDX-License-Identifier: Apache-2.0
#include "views/panels/inspector.h"

#include "views/citations.h"
#include "views/look.h"
#include "views/panels/inspectortext.h"
#include "views/tips.h"

#include <QCursor>
#include <QMimeData>
#include <QScrollBar>
#include <QToolTip>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

Inspector::Inspector(const Controller &controller, Selection &selection, QWidget *parent)
    : HtmlView(parent), m_controller(controller)
{
    setOpenLinks(false);
    setAccessibleName(tr("Inspector"));
    setPlaceholderText(tr("Select a resource, an operation, or a state of the chart."));
    setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    document()->setDocumentMargin(gap::normal);
    setMinimumWidth(160);
    connect(&selection, &Selection::resourceChosen, this, [this](const QString &path) {
        show({ Shown::Kind::AResource, path, 0, 0 });
    });
    connect(&selection, &Selection::operationsChosen, this, [this](quint32 current) {
        if (current)
            show({ Shown::Kind::AnOperation, {}, current, 0 });
    });
    connect(&selection, &Selection::rowsChosen, this, &Inspector::showRows);
    connect(this, &HtmlView::anchorClicked, this, [this, &selection](const QUrl &url) {
        const QString link = url.toString(QUrl::FullyEncoded);
        const QString target = QUrl::fromPercentEncoding(link.section(u':', 1).toLatin1());
        if (link.startsWith(u"path:"))
            selection.choose(target);
        else if (link.startsWith(u"operation:"))
            selection.choose(target.toUInt());
        else if (link.startsWith(u"source:"))
            showSource(target);
        else if (link.startsWith(u"switch:"))
            emit switchAsked(target);
        else if (link.startsWith(u"play:"))
            emit traceAsked(target);
        else if (link.startsWith(u"lesson:"))
            emit lessonAsked(target);
        else if (link.startsWith(u"again:"))
            emit againAsked(target.toUInt());
        else if (link.startsWith(u"cancel:"))
            emit cancelAsked(target.toUInt());
        else if (link.startsWith(u"back:"))
            show(m_before);
    });
    connect(this, &HtmlView::highlighted, this, [this](const QUrl &url) {
        const QString link = url.toString(QUrl::FullyEncoded);
        if (link.startsWith(u"source:"))
            showHtmlTip(
                QCursor::pos(), sourceTip(m_controller.rules().pack(), sourceKey(link)), this);
        else
            QToolTip::hideText();
    });
    connect(&controller.updates(), &Updates::happened, this, &Inspector::refresh);
    connect(&controller, &Controller::rulesChanged, this, [this] { m_isWhyKnown = false; });
    connect(&controller.updates(), &Updates::rewound, this, [this] {
        m_isWhyKnown = false;
        refresh();
    });
}

void Inspector::setTheme(const Theme &theme)
{
    m_theme = theme;
    refresh();
}

void Inspector::setConformance(const LiveConformance *conformance)
{
    m_conformance = conformance;
    if (conformance)
        connect(conformance, &LiveConformance::changed, this, &Inspector::refresh);
    refresh();
}

/// Of rows that are in force: a draft may have more.
void Inspector::showRows(const SelectedRows &rows)
{
    const QList<Machine> &machines = m_controller.rules().pack().machines;
    const auto found = std::ranges::find(machines, rows.machine, &Machine::id);
    if (found == machines.end())
        return;
    const int machine = int(found - machines.begin());
    if (!rows.states.isEmpty() && found->state(rows.states.last()))
        show({ Shown::Kind::AState, rows.states.last(), 0, machine });
    else if (!rows.transitions.isEmpty() && *rows.transitions.begin() < found->transitions.size())
        show({ Shown::Kind::ATransition, {}, quint32(*rows.transitions.begin()), machine });
}

void Inspector::setLessons(std::function<QList<LessonOnRule>(const QString &key)> lessons)
{
    m_lessons = std::move(lessons);
}

void Inspector::showSource(const QString &key)
{
    if (m_shown.kind != Shown::Kind::ASource)
        m_before = m_shown;
    show({ Shown::Kind::ASource, key, 0, 0 });
}

void Inspector::show(const Shown &shown)
{
    m_shown = shown;
    refresh();
    verticalScrollBar()->setValue(0);
}

const std::optional<Explanation> &Inspector::why(const QString &path)
{
    const Tree &tree = m_controller.world().tree;
    const Resource resource = tree.find(path);
    const auto code =
        resource == NoResource ? std::optional<Code>() : std::optional(tree.code(resource));
    if (!m_isWhyKnown || path != m_whyPath || code != m_whyCode)
        m_why = whyResource(m_controller, path);
    m_isWhyKnown = true;
    m_whyPath = path;
    m_whyCode = code;
    return m_why;
}

QString Inspector::told()
{
    QString text;
    switch (m_shown.kind) {
    case Shown::Kind::AResource:
        text = resourceText(m_controller, m_shown.name, m_theme, why(m_shown.name), m_conformance);
        break;
    case Shown::Kind::AnOperation:
        text = operationText(m_controller, m_shown.number, m_theme);
        if (const Operation *operation = m_controller.operations().find(m_shown.number))
            m_operation = *operation;
        else if (m_operation.serial == m_shown.number)
            text = spontaneousText(m_controller, m_operation, m_theme);
        break;
    case Shown::Kind::AState:
        text = stateText(m_controller, m_shown.machine, m_shown.name, m_theme);
        break;
    case Shown::Kind::ATransition:
        text = transitionText(m_controller, m_shown.machine, int(m_shown.number), m_theme);
        break;
    case Shown::Kind::ASource:
        text = sourcePage(m_controller, m_shown.name,
            m_lessons ? m_lessons(m_shown.name) : QList<LessonOnRule>(), m_theme);
        break;
    }
    return text;
}

/// What was asked for last, where that was refused and is not told of anyway.
QString Inspector::lastAnswer()
{
    const PersistentList<Operation> &all = m_controller.operations().all();
    qsizetype last = all.size() - 1;
    while (last >= 0 && !all[last].requiredBy.isEmpty())
        --last;
    if (last < 0 || all[last].status != Status::Rejected || all[last].serial == operation())
        return {};
    return answerText(m_controller, all[last].serial, m_theme);
}

void Inspector::refresh()
{
    const QString text = lastAnswer() + told();
    // What somebody is about to copy stays as long as it is true.
    if (text == m_text)
        return;
    m_text = text;
    const int position = verticalScrollBar()->value();
    setHtml(text);
    verticalScrollBar()->setValue(position);
}

QMimeData *Inspector::createMimeDataFromSelection() const
{
    const std::unique_ptr<QMimeData> marked(HtmlView::createMimeDataFromSelection());
    auto *clean = new QMimeData;
    clean->setText(marked->text().remove(u'\u200b'));
    clean->setHtml(marked->html().remove(u'\u200b'));
    return clean;
}

} // namespace instar
